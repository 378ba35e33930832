import CUnisono
import Synchronization

/// What draws and sounds, for a `Player`. A function that returns has really done it; one that throws could not, and this player is
/// apart until the next command.
///
/// They are called one at a time. A newer `load`, `cue`, `play`, `pause`, `seek` or `stop` cancels the task of the one before and
/// begins when that has returned, so return soon when `Task.isCancelled`.
public protocol Renderer: Sendable {
  var capabilities: RendererCapabilities { get }

  /// Get an item ready, standing at `itemTime`. Of the one before nothing is heard any more.
  /// Returns: the item's duration; nil: not known.
  func load(_ item: String, uri: String, at itemTime: ItemTime) async throws -> Duration?
  /// Stop, go to `itemTime` and fill the buffers for `rate`, so that `play` begins at once.
  func cue(at itemTime: ItemTime, rate: Double) async throws
  /// Begin at once, from where it stands; while it plays: another rate. With `.exactStart`, so that `itemTime` holds at `hostTime`.
  func play(at rate: Double, itemTime: ItemTime, hostTime: HostTime) async throws
  /// Stop where it is.
  func pause() async throws
  /// Go to `itemTime`, and play on from there if it played. A tolerance of nil: anywhere.
  func seek(to itemTime: ItemTime, toleranceBefore: Duration?, toleranceAfter: Duration?) async throws
  /// Change the speed by a factor on top of what it plays at; 1 ends it. Only with `.nudges`.
  func nudge(by factor: Double) async
  /// 0...1, lowered while others speak.
  func setVolume(_ volume: Double) async
  /// The size it is shown at, pixels.
  func setRenderSize(width: Int, height: Int) async
  /// Nothing plays any more; what was loaded can go.
  func stop() async
  /// Where it is, and when that held; nil: not known. Asked ten times a second while it plays.
  func position() async -> (itemTime: ItemTime, hostTime: HostTime)?
}

extension Renderer {
  public var capabilities: RendererCapabilities { RendererCapabilities() }
  public func nudge(by factor: Double) async {}
  public func setVolume(_ volume: Double) async {}
  public func setRenderSize(width: Int, height: Int) async {}
  public func stop() async {}
}

public struct RendererCapabilities: Hashable, Sendable {
  /// `play` keeps `hostTime` within a millisecond.
  public var exactStart = false
  /// Negative rates.
  public var reverse = false
  /// `nudge` changes the speed without a gap.
  public var nudges = false
  /// Greatest change of speed, at most 0.1; 0: 0.02.
  public var nudgeLimit = 0.0
  /// What is not worth a correction; zero: 5 ms.
  public var deadBand = Duration.zero

  public init(exactStart: Bool = false, reverse: Bool = false, nudges: Bool = false) {
    (self.exactStart, self.reverse, self.nudges) = (exactStart, reverse, nudges)
  }

  func c() throws(UnisonoError) -> unisono_renderer {
    var c = unisono_renderer()
    c.size = UInt32(MemoryLayout<unisono_renderer>.size)
    c.capabilities =
      (exactStart ? UNISONO_RENDERER_EXACT_START : 0) | (reverse ? UNISONO_RENDERER_REVERSE : 0)
      | (nudges ? UNISONO_RENDERER_NUDGES : 0)
    c.nudge_limit = nudgeLimit
    c.dead_band = try deadBand.nanoseconds("deadBand")
    return c
  }
}

/// What a renderer does by itself, without being told. It is never taken for a person's wish: it moves nobody else.
public enum RendererReport: Sendable {
  case playing
  case paused
  /// It should run and lacks data.
  case stalled
  case recovered
  case ended
  case failed(UnisonoError)
  /// What it can reach at the moment, and its duration: nil unknown, `.indefinite` live.
  case seekable(ClosedRange<ItemTime>, duration: ItemTime?)
}

/// A command to a renderer, copied from its event.
struct RendererCommand: Sendable {
  enum Task: Sendable {
    case load(String, uri: String, ItemTime)
    case cue(ItemTime, rate: Double)
    case play(rate: Double, ItemTime, HostTime)
    case pause
    case seek(ItemTime, Duration?, Duration?)
    case stop
    case nudge(Double)
    case volume(Double)
    case size(Int, Int)
  }

  let request: UInt64
  let task: Task

  init?(_ event: UnsafePointer<unisono_context_event>) {
    guard let c = unisono_event_renderer(event)?.pointee else { return nil }
    request = c.request
    let time = ItemTime(nanoseconds: c.item_time)
    switch c.base.type {
    case .UNISONO_EVENT_RENDERER_LOAD:
      let item = string(c.item) ?? ""
      task = .load(item, uri: string(c.uri) ?? item, time)
    case .UNISONO_EVENT_RENDERER_CUE: task = .cue(time, rate: c.rate)
    case .UNISONO_EVENT_RENDERER_PLAY: task = .play(rate: c.rate, time, HostTime(nanoseconds: c.host_time))
    case .UNISONO_EVENT_RENDERER_PAUSE: task = .pause
    case .UNISONO_EVENT_RENDERER_SEEK:
      task = .seek(time, Self.tolerance(c.tolerance_before), Self.tolerance(c.tolerance_after))
    case .UNISONO_EVENT_RENDERER_STOP: task = .stop
    case .UNISONO_EVENT_RENDERER_NUDGE: task = .nudge(c.rate)
    case .UNISONO_EVENT_RENDERER_VOLUME: task = .volume(c.volume)
    case .UNISONO_EVENT_RENDERER_SIZE: task = .size(Int(c.width), Int(c.height))
    default: return nil
    }
  }

  private static func tolerance(_ nanoseconds: Int64) -> Duration? {
    nanoseconds == .max ? nil : .nanoseconds(nanoseconds)
  }

  /// It replaces what is under way.
  var replaces: Bool {
    switch task {
    case .nudge, .volume, .size: false
    default: true
    }
  }

  var isStop: Bool {
    if case .stop = task { true } else { false }
  }

  /// Whether the renderer plays once this is done; nil: as before.
  var plays: Bool? {
    switch task {
    case .play: true
    case .load, .cue, .pause, .stop: false
    default: nil
    }
  }

  /// Returns: what answers it, with a duration where one was learnt; nil: no answer is wanted.
  func perform(with renderer: any Renderer) async throws -> (unisono_renderer_state, Duration?)? {
    switch task {
    case .load(let item, let uri, let time):
      return (.UNISONO_RENDERER_READY, try await renderer.load(item, uri: uri, at: time))
    case .cue(let time, let rate):
      try await renderer.cue(at: time, rate: rate)
      return (.UNISONO_RENDERER_READY, nil)
    case .play(let rate, let time, let instant):
      try await renderer.play(at: rate, itemTime: time, hostTime: instant)
      return (.UNISONO_RENDERER_PLAYING, nil)
    case .pause:
      try await renderer.pause()
      return (.UNISONO_RENDERER_PAUSED, nil)
    case .seek(let time, let before, let after):
      try await renderer.seek(to: time, toleranceBefore: before, toleranceAfter: after)
      return (.UNISONO_RENDERER_SEEKED, nil)
    case .stop: await renderer.stop()
    case .nudge(let factor): await renderer.nudge(by: factor)
    case .volume(let volume): await renderer.setVolume(volume)
    case .size(let width, let height): await renderer.setRenderSize(width: width, height: height)
    }
    return nil
  }
}

/// Has a renderer do what the player commands, one thing at a time, and answers.
final class RendererWork: Sendable {
  private struct State {
    var last: Task<Void, Never>?
    var replaceable: Task<Void, Never>?
    var asking: Task<Void, Never>?
    var isStopped = true
  }

  private let renderer: any Renderer
  private let sleep: @Sendable (Duration) async throws -> Void
  private let state = Mutex(State())

  /// sleep: by the clock that the player lives by.
  init(_ renderer: any Renderer, sleep: @escaping @Sendable (Duration) async throws -> Void) {
    (self.renderer, self.sleep) = (renderer, sleep)
  }

  func begin(_ command: RendererCommand, _ player: Handle) {
    state.withLock { state in
      let older = state.last
      if command.replaces {
        state.replaceable?.cancel()
      }
      if command.plays == false {
        state.asking?.cancel()
        state.asking = nil
      }
      let task = Task(executorPreference: SimulatedTasks.current) { [renderer] in
        await older?.value
        guard !Task.isCancelled else { return }
        do {
          let answer = try await command.perform(with: renderer)
          guard !Task.isCancelled, let (said, duration) = answer else { return }
          await self.report(said, request: command.request, duration: duration, player)
          if command.plays == true { self.askWherePlaying(player) }
        } catch {
          guard !Task.isCancelled else { return }
          let text = (error as? UnisonoError)?.message ?? "\(error)"
          fail(player, request: command.request, failureStatus(of: error), text)
        }
      }
      state.last = task
      if command.replaces {
        (state.isStopped, state.replaceable) = command.isStop ? (true, nil) : (false, task)  // a stop is always done
      }
    }
  }

  /// Nothing is commanded any more: what plays is stopped, also where the context went first.
  func finish() {
    state.withLock { state in
      state.replaceable?.cancel()
      state.asking?.cancel()
      guard !state.isStopped else { return }
      state.isStopped = true
      let older = state.last
      state.last = Task(executorPreference: SimulatedTasks.current) { [renderer] in
        await older?.value
        await renderer.stop()
      }
    }
  }

  /// Positions cannot be asked for through a queue: they are reported, ten a second, while it plays.
  private func askWherePlaying(_ player: Handle) {
    state.withLock { state in
      guard state.asking == nil else { return }
      state.asking = Task(executorPreference: SimulatedTasks.current) { [weak self, sleep] in
        while !Task.isCancelled {
          guard await self?.report(.UNISONO_RENDERER_POSITION, request: 0, duration: nil, player) == true else { return }
          do { try await sleep(.milliseconds(100)) } catch { return }  // cancelled, or the context is closed
        }
      }
    }
  }

  /// Reports, with where the renderer is, if it knows. False: the player is gone.
  @discardableResult
  private func report(
    _ said: unisono_renderer_state, request: UInt64, duration: Duration?, _ player: Handle
  ) async -> Bool {
    var c = unisono_renderer_report()
    c.size = UInt32(MemoryLayout<unisono_renderer_report>.size)
    (c.state, c.request) = (said, request)
    c.duration = duration?.heldNanoseconds ?? .min
    if let position = await renderer.position() {
      (c.item_time, c.host_time) = (position.itemTime.nanoseconds, position.hostTime.nanoseconds)
      c.flags = UNISONO_HAS_POSITION
    } else if said == .UNISONO_RENDERER_POSITION {
      return true
    }
    guard request == 0 || !Task.isCancelled else { return true }
    let returned = unisono_player_report(player.token, &c)
    if returned == unisono_status.UNISONO_EINVAL.rawValue {  // a position that is none: told as what it is
      fail(player, request: request, returned, String(cString: unisono_last_error()))
    }
    return returned != unisono_status.UNISONO_ECLOSED.rawValue
  }
}

private func fail(_ player: Handle, request: UInt64, _ status: Int32, _ message: String) {
  var c = unisono_renderer_report()
  c.size = UInt32(MemoryLayout<unisono_renderer_report>.size)
  (c.state, c.request, c.status) = (.UNISONO_RENDERER_FAILED, request, status)
  let text = message.utf8.prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
  text.withUnsafeBufferPointer { text in
    c.message = text.baseAddress
    _ = unisono_player_report(player.token, &c)
  }
}

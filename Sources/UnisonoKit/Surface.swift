import CUnisono
import Synchronization

/// A place where a player is shown and controlled: the window, picture in picture, full screen, a remote control. Several may
/// share one player, which lives while any of them does. What an `AVPictureInPictureController` and its delegates do.
public final class Surface: Sendable {
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
    init(_ kind: unisono_surface_kind) { rawValue = kind.rawValue }
    var c: unisono_surface_kind { unisono_surface_kind(rawValue: rawValue)! }  // the C enumeration is open

    /// In the window, where the picture belongs.
    public static let inline = Kind(.UNISONO_SURFACE_INLINE)
    public static let pictureInPicture = Kind(.UNISONO_SURFACE_PICTURE_IN_PICTURE)
    public static let fullScreen = Kind(.UNISONO_SURFACE_FULL_SCREEN)
    public static let remote = Kind(.UNISONO_SURFACE_REMOTE)
  }

  /// What a progress bar shows.
  public struct TimeRange: Hashable, Sendable {
    public let start: ItemTime
    /// nil: not known (yet), or without end.
    public let duration: Duration?
    public let isLive: Bool

    /// nil: nothing to play.
    init?(_ start: Int64, _ duration: Int64) {
      guard let start = ItemTime(known: start) else { return nil }
      (self.start, isLive) = (start, duration == .max)
      self.duration = isLive ? nil : Duration(known: duration)
    }
  }

  public let player: Player
  private let handle: Handle
  private let target: SurfaceTarget

  /// restoreUserInterface: brings the window back before picture in picture or full screen goes, in 2 s; a throw: it could not be.
  /// nil: there is nothing to bring back.
  /// Errors: `.invalidArgument` (an unknown kind).
  public init(
    of player: Player, kind: Kind, restoreUserInterface: (@Sendable () async throws -> Void)? = nil
  ) throws(UnisonoError) {
    let target = SurfaceTarget(restoreUserInterface)
    handle = try player.context.loop.made(target) { user, out in
      unisono_surface_create(player.handle.token, kind.c, nil, user, &out)
    }
    (self.player, self.target) = (player, target)
  }

  deinit { unisono_surface_destroy(handle.token) }

  /// What happens from now on.
  public var events: Events<SurfaceEvent> { target.broadcast.events() }

  /// It is about to be shown. Errors: `.wrongState` (it is shown already).
  public func begin() throws(UnisonoError) { try check(unisono_surface_begin(handle.token)) }

  /// It is about to go: `SurfaceEvent.willEnd` when the window is back. While none of a player's surfaces is shown it is out of
  /// sight, if its inline one has begun once: a renderer that then stops by itself is no stall.
  /// Errors: `.wrongState` (it is not shown).
  public func end() throws(UnisonoError) { try check(unisono_surface_end(handle.token)) }

  /// The button: plays at the default rate, or pauses, for the group.
  /// Errors: `.wrongState` (no current item), `.denied` (late, at the player).
  public func setPlaying(_ isPlaying: Bool) throws(UnisonoError) {
    try check(unisono_surface_set_playing(handle.token, isPlaying ? 1 : 0))
  }

  /// The skip button: seeks by so much, for the group; returns when this player stands or plays there.
  /// Returns: false: a newer seek, another item or the end of the surface came first.
  /// Errors: `.invalidArgument`, `.wrongState` (no current item), `.denied`.
  @discardableResult
  public func skip(by interval: Duration) async throws(UnisonoError) -> Bool {
    let events = events
    var request: UInt64 = 0
    try check(unisono_surface_skip_by(handle.token, try interval.nanoseconds("interval"), &request))
    for await event in events {
      guard case .skipped(request, let status) = event else { continue }
      if status == .ok { return true }
      if status == .canceled { return false }
      throw UnisonoError(status)
    }
    return false
  }

  /// What a progress bar shows; nil: nothing to play.
  public var timeRange: TimeRange? {
    get throws(UnisonoError) {
      var (start, duration) = (Int64.min, Int64.min)
      try check(unisono_surface_time_range(handle.token, &start, &duration))
      return TimeRange(start, duration)
    }
  }

  /// Whether the button shows "play".
  public var isPaused: Bool {
    get throws(UnisonoError) { try check(unisono_surface_is_paused(handle.token)) == 1 }
  }

  /// It has another size, pixels, 0...65,535; the renderer is told the newest of any surface.
  public func setRenderSize(width: Int, height: Int) throws(UnisonoError) {
    guard let width = Int32(exactly: width), let height = Int32(exactly: height) else {
      throw UnisonoError(
        .invalidArgument, "setRenderSize: \(width) x \(height) is more than 65,535 pixels, or less than none")
    }
    try check(unisono_surface_set_render_size(handle.token, width, height))
  }
}

/// What happens to a surface.
public enum SurfaceEvent: LossyEvent {
  /// Where the player is, at `hostTime`; `itemTime` is nil while nothing is loaded.
  case changed(isPaused: Bool, Surface.TimeRange?, itemTime: ItemTime?, at: HostTime?)
  /// The answer to a skip: `.ok`, or `.canceled` by a newer seek.
  case skipped(UInt64, UnisonoError.Status)
  case willBegin
  /// nil: the window is back, or there was none to bring back; `.canceled`: it could not be; `.timedOut`.
  case willEnd(UnisonoError?)
  /// So many events are missing here: this reader did not keep up.
  case overflow(Int)

  init?(_ event: UnsafePointer<unisono_context_event>) {
    guard let c = unisono_event_surface(event)?.pointee else { return nil }
    switch c.base.type {
    case .UNISONO_EVENT_SURFACE_CHANGED:
      self = .changed(
        isPaused: c.is_paused != 0, Surface.TimeRange(c.start, c.duration), itemTime: ItemTime(known: c.item_time),
        at: HostTime(known: c.host_time))
    case .UNISONO_EVENT_SURFACE_SKIPPED: self = .skipped(c.request, UnisonoError.Status(rawValue: c.status))
    case .UNISONO_EVENT_SURFACE_WILL_BEGIN: self = .willBegin
    case .UNISONO_EVENT_SURFACE_WILL_END:
      self = .willEnd(c.status < 0 ? UnisonoError(.init(rawValue: c.status)) : nil)
    default: return nil
    }
  }
}

/// Broadcasts a surface's events and has the window brought back.
private final class SurfaceTarget: EventTarget {
  let broadcast = Broadcast<SurfaceEvent>()
  private let restoreUserInterface: (@Sendable () async throws -> Void)?
  private let work = Mutex<Task<Void, Never>?>(nil)

  init(_ restoreUserInterface: (@Sendable () async throws -> Void)?) {
    self.restoreUserInterface = restoreUserInterface
  }

  func deliver(_ event: UnsafePointer<unisono_context_event>) {
    if let event = SurfaceEvent(event) {
      broadcast.put(event)
    } else if let c = unisono_event_surface(event)?.pointee, c.base.type == .UNISONO_EVENT_SURFACE_RESTORE,
      let source = c.base.source
    {
      restore(c.request, Handle(token: OpaquePointer(source)))
    }
  }

  func finish() {
    broadcast.finish()
    work.withLock { $0?.cancel() }
  }

  /// One that comes too late is refused: `.willEnd` has said already that the time was over.
  private func restore(_ request: UInt64, _ surface: Handle) {
    guard let restoreUserInterface else {
      _ = unisono_surface_complete_restore(surface.token, request, 0)
      return
    }
    work.withLock { work in
      let older = work
      older?.cancel()
      work = Task(executorPreference: SimulatedTasks.current) {
        await older?.value
        var isRestored: Int32 = 1
        do { try await restoreUserInterface() } catch { isRestored = 0 }
        _ = unisono_surface_complete_restore(surface.token, request, isRestored)
      }
    }
  }
}

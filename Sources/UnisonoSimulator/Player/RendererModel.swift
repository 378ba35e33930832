import UnisonoBase
import UnisonoCoordination
import UnisonoPlayer

/// A renderer as renderers are: late, slow to seek, with a sound card, a clock and habits of its own.
package struct RendererModel: Sendable {
  /// How it does what it is told; times are ns.
  package struct Habits: Sendable {
    package var load: Nanoseconds = .milliseconds(200)
    package var buffer: Nanoseconds = .milliseconds(30)
    package var seek: Nanoseconds = .milliseconds(80)
    package var start: Nanoseconds = .milliseconds(20)
    /// Its sound card runs faster than its host's clock by this, parts per million.
    package var drift = 0.0
    /// What it really plays of each second; 0.9: it loses 100 ms.
    package var pace = 1.0
    /// It shows its position by the frame; 0: continuously.
    package var frame: Nanoseconds = 0
    /// It can only come to stand on multiples of this, the next one: its frames; 0: anywhere.
    package var grid: Nanoseconds = 0
    /// Each position it tells is off by up to this.
    package var noise: Nanoseconds = 0
    /// It rounds speeds to multiples of this; 0: it does not.
    package var rateQuantum = 0.0
    package var honoursNudges = true
    /// The next seek lands that far off, and only the next.
    package var nextSeekMisses: Nanoseconds = 0
    /// It says that it buffers while it seeks.
    package var isNoisy = false
    /// After a seek it plays, whether it did before or not.
    package var resumesAfterSeek = false
    /// It says that it paused just before it says that the item ended.
    package var pausesBeforeEnd = false
    package var duration: Nanoseconds = .seconds(10_000)
    /// A live item: so much of it can be reached behind its edge; 0: it is none.
    package var liveWindow: Nanoseconds = 0
    /// The date of the content at the edge, when the room's time began.
    package var liveEpoch: ItemTime = .seconds(1_000_000)
    package var fails: Int32 = 0
    /// What it neither does nor answers.
    package var ignores: Set<RendererCommand.Kind> = []
    /// It fails to play faster than this, and goes on as it did.
    package var greatestRate = Double.infinity
    /// It says that it plays as soon as it is told, and begins `start` later.
    package var saysSoEarly = false
    /// It says that it plays, and does not move.
    package var isStuck = false

    package init(_ change: (inout Self) -> Void = { _ in }) { change(&self) }

    /// Each makes a renderer plainer in one way.
    static let plainer: [@Sendable (Habits) -> Habits] = [
      { $0.with { $0.isNoisy = false } }, { $0.with { $0.resumesAfterSeek = false } },
      { $0.with { $0.saysSoEarly = false } },
      { $0.with { $0.honoursNudges = true } }, { $0.with { $0.rateQuantum = 0 } }, { $0.with { $0.noise = 0 } },
      { $0.with { $0.grid = 0 } }, { $0.with { $0.frame = 0 } }, { $0.with { $0.drift = 0 } },
      { $0.with { $0.start = .milliseconds(20) } }, { $0.with { $0.seek = .milliseconds(80) } },
      { $0.with { $0.buffer = .milliseconds(30) } }, { $0.with { $0.load = .milliseconds(200) } },
    ]

    private func with(_ change: (inout Self) -> Void) -> Self {
      var habits = self
      change(&habits)
      return habits
    }
  }

  /// Something it does later, unless it is told something else before.
  struct Step {
    var at: HostTime
    var course: UInt64
    var state: RendererReport.State
    var request: UInt64
    /// Where it is from then on; nil: its motion does not change.
    var motion: Line?
  }

  package var habits: Habits
  package let abilities: RendererAbilities
  private(set) var motion: Line
  private var course: UInt64 = 0
  /// As commanded, nudge and own pace left out; 0: it stands.
  private(set) var rate = 0.0
  private(set) var nudge = 1.0
  /// It is on its way elsewhere and says nothing of where it is.
  private var isSeeking = false
  private var generator = Xoshiro256(seed: 7)

  package init(_ habits: Habits = Habits(), abilities: RendererAbilities = RendererAbilities()) {
    self.habits = habits
    self.abilities = abilities
    motion = Line(at: 0, rate: 0, since: 0)
  }

  /// For people.
  var summary: String {
    var parts = [
      "starts in \(habits.start / 1_000_000) ms, seeks in \(habits.seek / 1_000_000) ms, drifts by \(Int(habits.drift)) ppm"
    ]
    parts.append("loads in \(habits.load / 1_000_000) ms, is ready \(habits.buffer / 1_000_000) ms later")
    if abilities.startsExactly { parts.append("starts exactly") }
    if !abilities.nudges { parts.append("cannot nudge") }
    if !abilities.cues { parts.append("cannot cue") }
    if habits.frame > 0 { parts.append("frames of \(habits.frame / 1_000) us") }
    if habits.grid > 0 { parts.append("stands on frames") }
    if habits.noise > 0 { parts.append("noise of \(habits.noise / 1_000) us") }
    if habits.rateQuantum > 0 { parts.append("rounds rates") }
    if !habits.honoursNudges { parts.append("ignores nudges") }
    if habits.isNoisy { parts.append("is noisy") }
    if habits.resumesAfterSeek { parts.append("resumes after seeks") }
    if habits.saysSoEarly { parts.append("says early that it plays") }
    return "the library's player (\(parts.joined(separator: ", ")))"
  }

  /// Where it really is, ns of the item.
  func position(at host: HostTime) -> ItemTime {
    min(motion.position(at: max(host, motion.since)), seekable(at: host)?.upperBound ?? habits.duration)
  }

  /// What can be reached of a live item; nil: it is none.
  func seekable(at host: HostTime) -> ClosedRange<ItemTime>? {
    guard habits.liveWindow > 0 else { return nil }
    let edge = habits.liveEpoch + host
    return edge - habits.liveWindow...edge
  }

  /// Where it says it is.
  mutating func toldPosition(at host: HostTime) -> PlaybackReport.Position? {
    guard !isSeeking else { return nil }
    var position = position(at: host)
    if habits.frame > 0 { position -= position % habits.frame }
    if habits.noise > 0 { position += generator.number(in: -habits.noise...habits.noise) }
    return .init(itemTime: position, hostTime: host)
  }

  private var speed: Double {
    var factor = habits.honoursNudges ? nudge : 1
    if habits.rateQuantum > 0 { factor = (factor / habits.rateQuantum).rounded() * habits.rateQuantum }
    return habits.isStuck ? 0 : rate * factor * habits.pace * (1 + habits.drift / 1_000_000)
  }

  private mutating func move(to position: ItemTime, at host: HostTime) {
    motion = Line(at: position, rate: speed, since: host)
  }

  /// Begins what it is told; the rest comes as steps.
  mutating func tell(_ command: RendererCommand, at host: HostTime) -> [Step] {
    let here = position(at: host)
    func step(after delay: Nanoseconds, _ state: RendererReport.State, to motion: Line? = nil) -> Step {
      Step(at: host + delay, course: course, state: state, request: command.request, motion: motion)
    }
    guard !habits.ignores.contains(command.kind) else { return [] }
    switch command.kind {
    case .load:
      course += 1
      rate = 0
      nudge = 1
      isSeeking = false
      move(to: command.itemTime, at: host)
      return [step(after: habits.load, habits.fails == 0 ? .ready : .failed)]
    case .cue:
      course += 1
      rate = 0
      move(to: here, at: host)
      isSeeking = true
      let target = landing(command.itemTime)
      let way = target == here ? 0 : habits.seek
      return [step(after: way + habits.buffer, .ready, to: Line(at: target, rate: 0, since: host))]
    case .seek:
      course += 1
      isSeeking = true
      motion = Line(at: here, rate: 0, since: host)
      let noise = habits.isNoisy ? [Step(at: host, course: course, state: .stalled, request: 0)] : []
      let target = landing(command.itemTime)
      return noise + [step(after: habits.seek, .seeked, to: Line(at: target, rate: 0, since: host))]
    case .play:
      guard abs(command.rate) <= habits.greatestRate else { return [step(after: 0, .failed)] }
      // It is where it is: what it is told of position and time is for those who can keep them.
      if rate != 0, !abilities.startsExactly {
        rate = command.rate
        move(to: here, at: host)
        return [step(after: 0, .playing)]
      }
      course += 1
      isSeeking = false
      rate = command.rate
      if abilities.startsExactly, let instant = command.hostTime {
        motion = Line(at: here, rate: 0, since: host)
        // Elsewhere it has to seek first.
        let way = command.itemTime.subtracting(here).absolute > .milliseconds(40) ? habits.seek : 0
        let begins = max(instant, host + way)
        let from = command.itemTime + (begins - instant).scaled(by: rate)
        return [step(after: begins - host, .playing, to: Line(at: from, rate: rate, since: begins))]
      }
      motion = Line(at: here, rate: 0, since: host)
      let motion = Line(at: here, rate: speed, since: host + habits.start)
      guard habits.saysSoEarly else { return [step(after: habits.start, .playing, to: motion)] }
      self.motion = motion
      return [step(after: 0, .playing)]
    case .pause:
      course += 1
      rate = 0
      isSeeking = false
      move(to: here, at: host)
      return [step(after: 0, .paused)]
    case .nudge:
      nudge = command.rate
      if motion.rate != 0, host >= motion.since { move(to: here, at: host) }
      return []
    case .stop:
      course += 1
      rate = 0
      move(to: here, at: host)
      return []
    case .volume, .size:
      return []
    }
  }

  private mutating func landing(_ target: ItemTime) -> ItemTime {
    defer { habits.nextSeekMisses = 0 }
    let target = target + habits.nextSeekMisses
    return habits.grid > 0 ? (target + habits.grid - 1) / habits.grid * habits.grid : target
  }

  /// Does what was due; nil: something else came between.
  mutating func carryOut(_ step: Step, at host: HostTime) -> [RendererReport]? {
    guard step.course == course else { return nil }
    switch step.state {
    case .seeked, .ready, .playing:
      isSeeking = false
      if let motion = step.motion {
        let from = motion.rate == 0 ? motion.at : motion.position(at: host)
        if step.state == .seeked, habits.resumesAfterSeek, rate == 0 {
          rate = 1
          move(to: from, at: host)
          return [report(step, at: host), RendererReport(.playing)]
        }
        move(to: from, at: host)
      }
      if step.state == .seeked, habits.isNoisy { return [report(step, at: host), RendererReport(.recovered)] }
    case .ended:
      rate = 0
      move(to: habits.duration, at: host)
      if habits.pausesBeforeEnd {
        return [RendererReport(.paused, position: toldPosition(at: host)), report(step, at: host)]
      }
    default:
      break
    }
    return [report(step, at: host)]
  }

  private mutating func report(_ step: Step, at host: HostTime) -> RendererReport {
    RendererReport(
      step.state, request: step.request, position: toldPosition(at: host),
      duration: habits.liveWindow > 0 ? .max : habits.duration, seekable: seekable(at: host),
      status: step.state == .failed ? min(habits.fails, -1) : 0)
  }

  /// When it comes to the end of its item, as it goes now; nil: it does not.
  func end(from host: HostTime) -> Step? {
    guard motion.rate > 0, habits.liveWindow == 0 else { return nil }
    let left = habits.duration - position(at: host)
    return Step(
      at: host + max(0, left).scaled(by: 1 / motion.rate), course: course, state: .ended, request: 0, motion: nil)
  }

  /// Stands or goes on by itself: nobody told it.
  mutating func wander(rate: Double, at host: HostTime) {
    let here = position(at: host)
    self.rate = rate
    move(to: here, at: host)
  }

  /// Its habits change: what runs runs on by the new ones, and so does what was stuck while it was to run.
  mutating func change(at host: HostTime, _ change: (inout Habits) -> Void) {
    let wasStuck = habits.isStuck && rate != 0 && !isSeeking && host >= motion.since
    let here = position(at: host)
    change(&habits)
    if motion.rate != 0 || wasStuck { move(to: here, at: host) }
  }

  /// It stops moving for lack of data; it means to go on.
  mutating func starve(at host: HostTime) { motion = Line(at: position(at: host), rate: 0, since: host) }
  mutating func feed(at host: HostTime) { move(to: position(at: host), at: host) }
}

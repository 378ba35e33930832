import UnisonoBase

/// Wish or echo: what a player with controls of its own says of its motion, told apart.
///
/// A window says "paused" when a person pressed space, and just the same when its host paused it. Only the first is a wish,
/// for the group to decide; taking the second for one, too, makes everybody's players chase each other. So it is kept what
/// the player was commanded, and what it says is compared with that. Bounded, and no clock: times are given.
package struct MotionEcho: Sendable {
  package enum Motion: Int32, CaseIterable, Sendable {
    /// 0: it stands, anything else: it runs.
    case running = 1
    /// The speed while it runs, corrections included.
    case rate = 2
    /// Anything but 0: a seek began, 0: it is over.
    case seeking = 3
  }

  private var running = EchoedValue(0)
  private var rate = EchoedValue(1)
  private var seeking = EchoedSeek()
  /// The rate and the nudge on top that a renderer was commanded last, and the newest of its seeks.
  private var commandedRate = 1.0
  private var nudge = 1.0
  private var seekRequest: UInt64 = 0

  package init() {}

  /// The player is being commanded this: what it says of it soon is the echo. Of a seek that is over nothing more is said.
  package mutating func expect(_ motion: Motion, _ value: Double, now: HostTime) {
    switch motion {
    case .running: running.expect(value == 0 ? 0 : 1, now: now)
    case .rate: rate.expect(value, now: now)
    case .seeking: if value == 0 { seeking.end() } else { seeking.begin(now: now) }
    }
  }

  /// The player says this of itself. True: a person did it; the host sets the player back to what it was commanded, which
  /// it will say, too, and asks the group.
  package mutating func isWish(_ motion: Motion, _ value: Double, now: HostTime) -> Bool {
    switch motion {
    case .running: running.isWish(value == 0 ? 0 : 1, now: now)
    case .rate: rate.isWish(value, now: now)
    case .seeking: seeking.isWish(value != 0, now: now)
    }
  }

  /// A renderer is told this, and does it by the rules of `unisono_renderer`. Renderers differ in whether a load or another
  /// rate ends the nudge before it: both are echoes.
  package mutating func expect(_ command: RendererCommand, now: HostTime) {
    switch command.kind {
    case .load:
      expect(.running, 0, now: now)
      expectRate(commandedRate, now: now)
      beginSeek(command, now: now)
    case .cue:
      expect(.running, 0, now: now)
      expectRate(command.rate, now: now)
      beginSeek(command, now: now)
    case .play:
      expect(.running, 1, now: now)
      expectRate(command.rate, now: now)
    case .pause, .stop: expect(.running, 0, now: now)
    case .seek: beginSeek(command, now: now)
    case .nudge:
      nudge = command.rate
      expect(.rate, commandedRate * nudge, now: now)
    case .volume, .size: break
    }
  }

  /// The renderer answered: its seek of that command, or of one before, is over.
  package mutating func answered(_ request: UInt64, now: HostTime) {
    if request != 0, request >= seekRequest { seeking.answer() }
  }

  private mutating func expectRate(_ value: Double, now: HostTime) {
    commandedRate = value
    rate.expect(value, now: now)
    rate.expect(value * nudge, now: now)
  }

  private mutating func beginSeek(_ command: RendererCommand, now: HostTime) {
    seekRequest = command.request
    seeking.begin(now: now)
  }
}

/// How late an echo may be.
private let echoLimit = Nanoseconds.milliseconds(300)

/// A value that a player is commanded and says of itself.
struct EchoedValue: Sendable {
  private static let outstandingLimit = 8
  /// Players round, and a person's smallest step is a hundredth.
  private static let tolerance = 0.001

  private var commanded: Double
  /// What it said last.
  private var reported: Double
  /// Commands whose echo may still come, oldest first. Several may come as one, the newest.
  private var outstanding: [(value: Double, until: HostTime)] = []

  init(_ value: Double) {
    commanded = value
    reported = value
  }

  mutating func expect(_ value: Double, now: HostTime) {
    guard !Self.isSame(value, commanded) else { return }
    commanded = value
    if outstanding.count == Self.outstandingLimit { outstanding.removeFirst() }
    outstanding.append((value, now.adding(echoLimit)))
  }

  mutating func isWish(_ value: Double, now: HostTime) -> Bool {
    defer { reported = value }
    outstanding.removeAll { $0.until < now }
    if let oldest = outstanding.firstIndex(where: { Self.isSame($0.value, value) }) {
      outstanding.removeFirst(oldest + 1)
      return false
    }
    // As it was, whether or not what it was commanded has come true: nobody did anything.
    return !Self.isSame(value, commanded) && !Self.isSame(value, reported)
  }

  private static func isSame(_ one: Double, _ other: Double) -> Bool { abs(one - other) <= tolerance }
}

/// The seeks of a player, commanded ones and a person's.
struct EchoedSeek: Sendable {
  /// A player that never says that its seek is over is believed to be done by then.
  private static let seekLimit = Nanoseconds.seconds(10)

  /// A commanded one is under way until then.
  private var openUntil = HostTime.min
  /// Its echo may come until then, also when it is over.
  private var echoUntil = HostTime.min
  private var isPersons = false

  mutating func begin(now: HostTime) {
    openUntil = now.adding(Self.seekLimit)
    echoUntil = now.adding(echoLimit)
    isPersons = false
  }

  /// It is over, and its echo may come yet.
  mutating func answer() { openUntil = .min }

  /// It is over, and so is its echo, or there is none.
  mutating func end() {
    openUntil = .min
    echoUntil = .min
  }

  mutating func isWish(_ begins: Bool, now: HostTime) -> Bool {
    guard begins else {
      defer { isPersons = false }
      openUntil = .min
      return isPersons
    }
    if now > openUntil, now > echoUntil { isPersons = true }
    return isPersons
  }
}

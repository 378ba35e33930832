import UnisonoBase

/// Precise waking at an instant, although a processor that sleeps takes its time to wake up (50 to 500 us and more on a
/// virtual machine): sleep until shortly before, then once more for the little that is left, which a processor that was just
/// awake does not do deeply, then watch the clock.
///
/// How long before is learnt from how late this machine woke so far. Watching is paid from a budget, so that it never costs
/// more than `watching` of a core, however many instants are wanted; with little left in it the watches become short, and
/// with nothing an instant is met as well as the machine wakes up.
struct PreciseWakeup: Sendable {
  enum Step: Equatable, Sendable {
    case far
    case near
  }

  /// Time to aim ahead so that one waking in two hundred comes too late.
  private struct Lead: Sendable {
    private(set) var time: Nanoseconds
    let least: Nanoseconds
    let most: Nanoseconds
    /// Two hundred wakings in time take back what one too late added.
    private static let more = Nanoseconds.microseconds(40)
    private static let less = Nanoseconds(200)

    init(_ time: Nanoseconds, _ range: ClosedRange<Nanoseconds>) {
      self.time = time
      least = range.lowerBound
      most = range.upperBound
    }

    mutating func learn(lateness: Nanoseconds) {
      time = min(most, max(least, lateness > time ? time + Self.more : time - Self.less))
    }
  }

  /// Share of a core that may be spent on watching the clock.
  static let watching = 0.004
  /// Budget that may be saved for a while with more instants, ns.
  private static let savings = 4e6
  /// A single watch takes at most this part of what is left.
  private static let part = 8.0
  /// Sleeping for less is no sleep.
  private static let shortest = Nanoseconds.microseconds(20)

  private var far = Lead(.microseconds(400), .microseconds(100) ... .microseconds(2_000))
  private var near = Lead(.microseconds(100), .microseconds(30) ... .microseconds(400))
  private var budget: TokenBucket

  init(now: HostTime) { budget = TokenBucket(rate: Self.watching * 1e9, burst: Self.savings, now: now) }

  /// Time to wake next for something due at an instant, and which step that is; `now` or earlier: it is time to watch.
  mutating func aim(at due: HostTime, now: HostTime) -> (time: HostTime, step: Step) {
    let watch = due.subtracting(allowance(now: now))
    let early = watch.subtracting(far.time)
    return now < early.subtracting(Self.shortest) ? (early, .far) : (watch, .near)
  }

  /// Woke up at `now` from a sleep that was to end at `time`.
  mutating func woke(from step: Step, meant time: HostTime, now: HostTime) {
    let lateness = now.subtracting(time)
    switch step {
    case .far: far.learn(lateness: lateness)
    case .near: near.learn(lateness: lateness)
    }
  }

  /// Whether to watch the clock for what is left until `due`.
  mutating func isTimeToWatch(due: HostTime, now: HostTime) -> Bool {
    now >= due.subtracting(allowance(now: now)).subtracting(Self.shortest)
  }

  /// The clock was watched for so long.
  mutating func watched(for time: Nanoseconds, now: HostTime) { budget.charge(Double(max(0, time)), now: now) }

  private mutating func allowance(now: HostTime) -> Nanoseconds {
    min(near.time, Int64(max(0, budget.level(now: now)) / Self.part))
  }
}

/// When to ask a hub for its time, and which way: a burst at the start, which goes on for two seconds where the path jitters,
/// twice a second for a while, then as rarely as the path allows.
///
/// By UDP while that is answered. Where it is not, in the stream as well: as well, so that it is noticed when UDP works again.
public struct ProbeScheduler: Sendable {
  /// Asks of the burst, on a path that jitters, and the time between them: a hub answers at most 20 a second.
  public static let burstCount = 8
  public static let longBurstCount = 40
  public static let burstInterval = Nanoseconds.milliseconds(50)
  /// The interval of the early phase, and after answers stayed away; how long the phase is, and on a path that jitters.
  public static let earlyInterval = Nanoseconds.milliseconds(500)
  public static let earlyPhase = Nanoseconds.seconds(30)
  public static let longEarlyPhase = Nanoseconds.seconds(120)
  /// The longest interval on a path without jitter, and on one with.
  public static let steadyLimit = Nanoseconds.seconds(16)
  public static let jitteryLimit = Nanoseconds.seconds(4)
  /// A `ClockFilter.uncertainty` above this is jitter that more samples average away, ns.
  public static let steadyUncertainty = Nanoseconds.microseconds(100)
  /// Asks in a row without an answer that bring the early interval back.
  public static let patience = 4
  /// Datagrams in a row without an answer after which the stream is asked, too.
  public static let datagramPatience = 3

  /// When the next ask is due, host time.
  public private(set) var next: HostTime
  private let hasDatagrams: Bool
  private var start: HostTime
  private var asked = 0
  private var unanswered = 0
  private var unansweredDatagrams = 0
  private var interval = Self.earlyInterval
  private var isJittery = false

  /// The burst begins at `now`; `hasDatagrams`: the hub can be asked by UDP.
  public init(at now: HostTime, hasDatagrams: Bool = true) {
    start = now
    next = now
    self.hasDatagrams = hasDatagrams
  }

  /// Which ways to ask now, none: not yet; they count as asked.
  public mutating func take(at now: HostTime) -> ProbeWays {
    guard now >= next else { return [] }
    asked += 1
    unanswered += 1
    // A late loop sends one, not all that it missed.
    next = now.adding(asked < burst ? Self.burstInterval : pause(at: now))
    guard hasDatagrams else { return .stream }
    let ways: ProbeWays = unansweredDatagrams < Self.datagramPatience ? .datagram : [.datagram, .stream]
    unansweredDatagrams += 1
    return ways
  }

  /// An answer came on a way; `uncertainty` of the filter with it.
  public mutating func answered(at now: HostTime, by way: ProbeWays, uncertainty: Nanoseconds) {
    if unanswered >= Self.patience, asked > burst, now >= start.adding(early) {
      interval = Self.earlyInterval
      next = min(next, now.adding(interval))
    }
    unanswered = 0
    if way.contains(.datagram) { unansweredDatagrams = 0 }
    isJittery = uncertainty > Self.steadyUncertainty
    // The first answers of a long path come when the short burst is over.
    if asked < burst { next = min(next, now.adding(Self.burstInterval)) }
  }

  private var burst: Int { isJittery ? Self.longBurstCount : Self.burstCount }
  private var early: Nanoseconds { isJittery ? Self.longEarlyPhase : Self.earlyPhase }

  private mutating func pause(at now: HostTime) -> Nanoseconds {
    if now < start.adding(early) || unanswered >= Self.patience {
      interval = Self.earlyInterval
    } else {
      interval = min(interval * 2, isJittery ? Self.jitteryLimit : Self.steadyLimit)
    }
    return interval
  }
}

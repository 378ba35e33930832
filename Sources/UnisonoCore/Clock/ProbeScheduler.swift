/// When to ask a hub for its time: a burst at the start, twice a second for half a minute, then as rarely as the path allows.
///
/// Which way an ask goes, and when it counts as lost, is the link's affair; it tells this by `answered`.
public struct ProbeScheduler: Sendable {
  /// Asks of the burst, and the time between them: a hub answers at most 20 a second.
  public static let burstCount = 8
  public static let burstInterval = Nanoseconds.milliseconds(50)
  /// The interval of the first `earlyPhase`, and after answers stayed away.
  public static let earlyInterval = Nanoseconds.milliseconds(500)
  public static let earlyPhase = Nanoseconds.seconds(30)
  /// The longest interval on a path without jitter, and on one with.
  public static let steadyLimit = Nanoseconds.seconds(16)
  public static let jitteryLimit = Nanoseconds.seconds(4)
  /// A `ClockFilter.uncertainty` above this is jitter that more samples average away, ns.
  public static let steadyUncertainty = Nanoseconds.microseconds(100)
  /// Asks in a row without an answer that bring the early interval back.
  public static let patience = 4

  /// When the next ask is due, host time.
  public private(set) var next: HostTime
  private var start: HostTime
  private var asked = 0
  private var unanswered = 0
  private var interval = Self.earlyInterval
  private var limit = Self.steadyLimit

  /// The burst begins at `now`.
  public init(at now: HostTime) {
    start = now
    next = now
  }

  /// Begins again with a burst: another hub, another address, or this machine slept.
  public mutating func restart(at now: HostTime) { self = ProbeScheduler(at: now) }

  /// Whether an ask is to be sent now; it counts as sent.
  public mutating func take(at now: HostTime) -> Bool {
    guard now >= next else { return false }
    asked += 1
    unanswered += 1
    // A late loop sends one, not all that it missed.
    next = now.adding(asked < Self.burstCount ? Self.burstInterval : pause(at: now))
    return true
  }

  /// An answer came; `uncertainty` of the filter with it.
  public mutating func answered(at now: HostTime, uncertainty: Nanoseconds) {
    if unanswered >= Self.patience, asked > Self.burstCount, now >= start.adding(Self.earlyPhase) {
      interval = Self.earlyInterval
      next = min(next, now.adding(interval))
    }
    unanswered = 0
    limit = uncertainty > Self.steadyUncertainty ? Self.jitteryLimit : Self.steadyLimit
  }

  private mutating func pause(at now: HostTime) -> Nanoseconds {
    if now < start.adding(Self.earlyPhase) || unanswered >= Self.patience {
      interval = Self.earlyInterval
    } else {
      interval = min(interval * 2, limit)
    }
    return interval
  }
}

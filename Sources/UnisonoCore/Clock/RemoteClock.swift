/// Everything one participant does about one remote clock: when to ask, what the answers say, what is published.
public struct RemoteClock: Sendable {
  public private(set) var filter = ClockFilter()
  public private(set) var scheduler: ProbeScheduler
  /// What is published; nil before the first sample.
  public private(set) var published: SlewedClock?

  /// Asking begins at `now`.
  public init(at now: HostTime) {
    scheduler = ProbeScheduler(at: now)
  }

  /// Takes a sample in; false: it cannot be true. `mayStep`: nothing plays.
  @discardableResult
  public mutating func add(_ sample: ClockSample, at now: HostTime, mayStep: Bool) -> Bool {
    guard filter.add(sample), let model = filter.model else { return false }
    scheduler.answered(at: now, uncertainty: filter.uncertainty)
    if published == nil {
      published = SlewedClock(model)
    } else {
      published?.adopt(model, at: now, mayStep: mayStep)
    }
    return true
  }

  /// This machine slept: what was measured is void, and nothing is corrected before it is measured anew. The published clock
  /// stays until then, for those who must show something.
  public mutating func discard(at now: HostTime) {
    filter.discard()
    scheduler.restart(at: now)
  }

  /// Whether an ask is to be sent now; it counts as sent.
  public mutating func takeProbe(at now: HostTime) -> Bool { scheduler.take(at: now) }
}

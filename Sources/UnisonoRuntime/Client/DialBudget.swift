import UnisonoCore

/// How often addresses that members told are dialled: one attempt in 2 s in the long run (wire 10), four at
/// once, so that the next hub is found quickly when one dies.
struct DialBudget: Sendable {
  static let burst = 4.0
  /// What looking around leaves for the moment in which the own hub dies.
  static let reserve = 2.0

  private var bucket: TokenBucket

  init(now: HostTime) { bucket = TokenBucket(rate: 0.5, burst: Self.burst, now: now) }

  /// Takes one attempt; nil: it may begin. Else: when it may, host time.
  mutating func take(now: HostTime, keeping reserve: Double = 0) -> HostTime? {
    if bucket.isEmpty(1 + reserve, now: now) { return bucket.time(of: 1 + reserve, now: now) }
    bucket.charge(1, now: now)
    return nil
  }
}

import UnisonoBase

/// Rate at which addresses that members told are dialled: one attempt a second in the long run, and as many at once as an
/// invite has hubs, so that the next hub is found quickly when one dies (docs/decisions/session.md).
struct DialBudget: Sendable {
  static let perSecond = 1.0
  static let burst = 16.0
  /// Attempts that peeks leave for the moment in which the own hub dies.
  static let reserve = 8.0

  private var bucket: TokenBucket

  init(now: HostTime) { bucket = TokenBucket(rate: Self.perSecond, burst: Self.burst, now: now) }

  /// Spends one attempt; nil: it may begin. Else: when it may, host time.
  mutating func spend(now: HostTime, keeping reserve: Double = 0) -> HostTime? {
    if bucket.isEmpty(1 + reserve, now: now) { return bucket.time(of: 1 + reserve, now: now) }
    bucket.charge(1, now: now)
    return nil
  }
}

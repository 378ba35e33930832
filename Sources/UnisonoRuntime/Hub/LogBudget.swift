import UnisonoBase

/// Budget of log lines of one level: whoever can make it log one should not be able to fill a disk, or to hold it up.
struct LogBudget: Sendable {
  static let burst = 100.0
  static let perSecond = 10.0

  private var bucket: TokenBucket
  private var leftOut = 0

  init(now: HostTime) { bucket = TokenBucket(rate: Self.perSecond, burst: Self.burst, now: now) }

  /// False: this line is left out.
  mutating func admits(now: HostTime) -> Bool {
    if bucket.spend(now: now) { return true }
    leftOut += 1
    return false
  }

  /// Number of lines left out since this was asked last; nil: none.
  mutating func resetLeftOut() -> Int? {
    defer { leftOut = 0 }
    return leftOut > 0 ? leftOut : nil
  }
}

/// A rate with a burst: tokens flow in steadily up to the burst and are spent by what happens.
///
/// Spending may go into debt (what came, came); whoever asks `isEmpty` first then waits until the debt is paid.
package struct TokenBucket: Sendable {
  /// Tokens per second.
  package let rate: Double
  /// The most that it holds.
  package let burst: Double
  private var level: Double
  private var updated: HostTime

  /// Full. `now`: when it was; where nobody knows yet, for ever.
  package init(rate: Double, burst: Double, now: HostTime = .min) {
    self.rate = rate
    self.burst = burst
    level = burst
    updated = now
  }

  /// True when nothing is left: less than `amount` tokens.
  package mutating func isEmpty(_ amount: Double = 1, now: HostTime) -> Bool {
    refill(now)
    return level < amount
  }

  /// Spends `amount` if it is there.
  package mutating func spend(_ amount: Double = 1, now: HostTime) -> Bool {
    if isEmpty(amount, now: now) { return false }
    level -= amount
    return true
  }

  /// Spends `amount` whether it is there or not.
  package mutating func charge(_ amount: Double, now: HostTime) {
    refill(now)
    level -= amount
  }

  /// Tokens that are there; negative: a debt.
  package mutating func level(now: HostTime) -> Double {
    refill(now)
    return level
  }

  /// Time at which `amount` tokens will be there (at most the burst), host time; `now` or earlier: already.
  package mutating func time(of amount: Double = 1, now: HostTime) -> HostTime {
    refill(now)
    let missing = min(amount, burst) - level
    if missing <= 0 { return now }
    guard rate > 0 else { return .max }
    return now.adding(Int64(exactly: (missing / rate * 1e9).rounded(.up)) ?? .max)
  }

  /// True when it is as full as it gets, so that forgetting it changes nothing.
  package mutating func isFull(now: HostTime) -> Bool {
    refill(now)
    return level >= burst
  }

  private mutating func refill(_ now: HostTime) {
    let elapsed = now.subtracting(updated)
    guard elapsed > 0 else { return }
    level = min(burst, level + Double(elapsed) / 1e9 * rate)
    updated = now
  }
}

import UnisonoBase

/// Signature checks of all senders together: 2,000 a second in the long run (wire 10). What need not arrive is
/// dropped first.
struct VerificationBudget: Sendable {
  static let perSecond = 2_000
  /// At once: two whole snapshots.
  static let burst = 4_096
  /// Kept for what has to arrive.
  static let reserve = 2_048

  private var used = 0.0
  private var since: HostTime = .min

  /// False: used up. `mayWait`: unordered messages. One message of any size may always begin.
  mutating func take(_ count: Int, mayWait: Bool, at now: HostTime) -> Bool {
    let passed = max(0, now.subtracting(since))
    used = max(0, used - Double(passed) / 1e9 * Double(Self.perSecond))
    since = max(since, now)
    guard used < Double(mayWait ? Self.burst - Self.reserve : Self.burst) else { return false }
    used += Double(count)
    return true
  }
}

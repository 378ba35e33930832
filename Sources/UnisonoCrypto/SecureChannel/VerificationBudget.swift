import UnisonoBase

/// Signature checks of all senders together: 2,000 a second in the long run (wire 10). What need not arrive is
/// dropped first.
struct VerificationBudget: Sendable {
  static let perSecond = 2_000
  /// At once: two whole snapshots.
  static let burst = 4_096
  /// Kept for what has to arrive.
  static let reserve = 2_048

  private var bucket = TokenBucket(rate: Double(perSecond), burst: Double(burst))

  /// False: used up. `mayWait`: unordered messages, and what nobody asked for at the door. One message of any size may always begin.
  mutating func spend(_ count: Int, mayWait: Bool, at now: HostTime) -> Bool {
    guard bucket.level(now: now) > (mayWait ? Double(Self.reserve) : 0) else { return false }
    bucket.charge(Double(count), now: now)
    return true
  }
}

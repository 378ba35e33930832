import UnisonoBase
import UnisonoReplica

/// Puts the parts of one member's list of what it has together: compared piece by piece it would seem to lack the rest. One list at
/// a time; bounded in size, as an entry has no more than a kilobyte, and in time.
struct HaveAssembly: Sendable {
  static let lifetime = Nanoseconds.seconds(10)
  /// More than any session has, however its items are called.
  static let most = 8_192

  private var sender: ParticipantID?
  private var entries: [HaveEntry] = []
  private var next: UInt8 = 0
  private var of: UInt8 = 0
  private var until: HostTime = .min

  /// The whole list once its last part came; they come in order.
  mutating func add(_ part: [HaveEntry], part number: UInt8, of count: UInt8, from sender: ParticipantID, now: HostTime)
    -> [HaveEntry]?
  {
    if count == 1 { return part }
    if number == 0 {
      self = HaveAssembly()
      self.sender = sender
      of = count
      until = now.adding(Self.lifetime)
    }
    guard sender == self.sender, count == of, number == next, now < until, entries.count + part.count <= Self.most else {
      if sender == self.sender { self = HaveAssembly() }
      return nil
    }
    entries += part
    next += 1
    guard next == of else { return nil }
    defer { self = HaveAssembly() }
    return entries
  }
}

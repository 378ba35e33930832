import UnisonoBase

/// Frames of members who were not introduced yet; bounded (wire 10).
struct PendingFrames: Sendable {
  static let count = 64
  static let bytes = 262_144
  static let lifetime = Nanoseconds.seconds(10)

  private var frames: [(sender: ParticipantID, envelope: [UInt8], until: HostTime)] = []

  /// False: no room.
  mutating func store(_ envelope: [UInt8], from sender: ParticipantID, now: HostTime) -> Bool {
    frames.removeAll { $0.until <= now }
    guard frames.count < Self.count, frames.reduce(envelope.count, { $0 + $1.envelope.count }) <= Self.bytes else {
      return false
    }
    frames.append((sender, envelope, now.adding(Self.lifetime)))
    return true
  }

  mutating func removeAll(from sender: ParticipantID) -> [[UInt8]] {
    defer { frames.removeAll { $0.sender == sender } }
    return frames.filter { $0.sender == sender }.map(\.envelope)
  }
}

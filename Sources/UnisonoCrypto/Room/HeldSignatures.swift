import UnisonoCore

/// Statements whose author was not introduced yet; bounded (wire 10).
struct HeldSignatures: Sendable {
  static let count = 64
  static let bytes = 262_144
  static let lifetime = Nanoseconds.seconds(10)

  private var held: [(author: ParticipantID, statement: Statement, relay: ParticipantID, until: HostTime)] = []

  /// False: no room.
  mutating func hold(_ statement: Statement, relay: ParticipantID, now: HostTime) -> Bool {
    held.removeAll { $0.until <= now }
    let size = held.reduce(statement.signed?.body.count ?? 0) { $0 + ($1.statement.signed?.body.count ?? 0) }
    guard held.count < Self.count, size <= Self.bytes else { return false }
    held.append((statement.author, statement, relay, now.adding(Self.lifetime)))
    return true
  }

  mutating func take(author: ParticipantID) -> [(statement: Statement, relay: ParticipantID)] {
    defer { held.removeAll { $0.author == author } }
    return held.filter { $0.author == author }.map { ($0.statement, $0.relay) }
  }
}

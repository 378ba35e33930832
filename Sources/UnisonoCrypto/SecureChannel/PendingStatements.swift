import UnisonoBase
import UnisonoReplica

/// Statements whose author was not introduced yet; bounded (wire 10).
struct PendingStatements: Sendable {
  static let count = 64
  static let bytes = 262_144
  static let lifetime = Nanoseconds.seconds(10)

  private var pending: [(author: ParticipantID, statement: Statement, relay: ParticipantID, until: HostTime)] = []

  /// False: no room.
  mutating func store(_ statement: Statement, relay: ParticipantID, now: HostTime) -> Bool {
    pending.removeAll { $0.until <= now }
    let size = pending.reduce(statement.signed?.body.count ?? 0) { $0 + ($1.statement.signed?.body.count ?? 0) }
    guard pending.count < Self.count, size <= Self.bytes else { return false }
    pending.append((statement.author, statement, relay, now.adding(Self.lifetime)))
    return true
  }

  mutating func removeAll(by author: ParticipantID) -> [(statement: Statement, relay: ParticipantID)] {
    defer { pending.removeAll { $0.author == author } }
    return pending.filter { $0.author == author }.map { ($0.statement, $0.relay) }
  }
}

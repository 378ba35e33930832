import UnisonoBase
import UnisonoReplica

/// Statements whose author was not introduced yet; bounded (wire 10).
struct PendingStatements: Sendable {
  static let count = 64
  static let bytes = 262_144
  static let lifetime = Nanoseconds.seconds(10)

  /// A statement that waits, the coordinator whose items it is about (nil: the session's first one), and who passed it on.
  typealias Pending = (statement: Statement, coordinator: CoordinatorName?, relay: ParticipantID)

  private var pending: [(said: Pending, until: HostTime)] = []

  /// False: no room.
  mutating func store(_ said: Pending, now: HostTime) -> Bool {
    pending.removeAll { $0.until <= now }
    let size = pending.reduce(said.statement.signed?.body.count ?? 0) { $0 + ($1.said.statement.signed?.body.count ?? 0) }
    guard pending.count < Self.count, size <= Self.bytes else { return false }
    pending.append((said, now.adding(Self.lifetime)))
    return true
  }

  mutating func removeAll(by author: ParticipantID) -> [Pending] {
    defer { pending.removeAll { $0.said.statement.author == author } }
    return pending.filter { $0.said.statement.author == author }.map { $0.said }
  }
}

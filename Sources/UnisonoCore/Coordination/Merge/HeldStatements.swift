/// Statements of the future: the newest per register and author, until they are due (coordination 2.2).
struct HeldStatements: Sendable {
  private struct Source: Hashable {
    var key: RegisterKey
    var author: ParticipantID
  }

  private var statements: [Source: Statement] = [:]
  static let capacity = 256

  mutating func hold(_ statement: Statement) {
    let source = Source(key: statement.key, author: statement.author)
    if let present = statements[source], present.time >= statement.time { return }
    guard statements[source] != nil || statements.count < Self.capacity else { return }
    statements[source] = statement
  }

  /// Removes and returns those whose time is at most `limit`, oldest first.
  mutating func take(until limit: GroupTime) -> [Statement] {
    let due = statements.values.filter { $0.time <= limit }.sorted { $0.stamp < $1.stamp }
    for statement in due { statements[Source(key: statement.key, author: statement.author)] = nil }
    return due
  }

  var authors: [ParticipantID] { statements.keys.map(\.author) }

  var earliest: GroupTime? { statements.values.map(\.time).min() }
}

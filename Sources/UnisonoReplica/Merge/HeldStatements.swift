import UnisonoBase

/// Statements of the future: the newest per register and author, until they are due (coordination 2.2).
package struct HeldStatements: Sendable {
  private struct Source: Hashable {
    var key: RegisterKey
    var author: ParticipantID
  }

  private var statements: [Source: Statement] = [:]
  package static let capacity = 256

  package init() {}

  package mutating func hold(_ statement: Statement) {
    let source = Source(key: statement.key, author: statement.author)
    if let present = statements[source], present.time >= statement.time { return }
    guard statements[source] != nil || statements.count < Self.capacity else { return }
    statements[source] = statement
  }

  /// Removes and returns those whose time is at most `limit`, oldest first.
  package mutating func take(until limit: GroupTime) -> [Statement] {
    let due = statements.values.filter { $0.time <= limit }.sorted { $0.stamp < $1.stamp }
    for statement in due { statements[Source(key: statement.key, author: statement.author)] = nil }
    return due
  }

  package var authors: [ParticipantID] { statements.keys.map { $0.author } }

  package var earliest: GroupTime? { statements.values.map { $0.time }.min() }
}

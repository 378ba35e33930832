import UnisonoBase

/// Statements of the future: the newest per register and author, until they are due (coordination 2.2); bounded (wire 8.22).
package struct HeldStatements: Sendable {
  private struct Source: Hashable {
    var key: RegisterKey
    var author: ParticipantID
  }

  /// What is held of one author: all of it, and without an Activity.
  private struct Share {
    var total = 0
    var count = 0
    var bytes = 0
  }

  private var statements: [Source: Statement] = [:]
  private var shares: [ParticipantID: Share] = [:]
  /// What all of them take, about, in bytes.
  package private(set) var footprint = 0

  package static let capacity = 256
  package static let byteLimit = 2_097_152
  /// Of one author; an Activity aside, of which there is one.
  package static let authorCapacity = 64
  package static let authorByteLimit = 262_144

  package init() {}

  /// Keeps one that is newer than what is there; false: its author has as much here as one may have, or all have and nobody has more
  /// than it. Where all have too much, the latest of who has most goes.
  package mutating func hold(_ statement: Statement) -> Bool {
    let source = Source(key: statement.key, author: statement.author)
    if let present = statements[source], present.time >= statement.time { return true }
    let before = statements[source]
    drop(source)
    guard hasRoom(for: statement) else {
      if let before { put(before, as: source) }
      return false
    }
    put(statement, as: source)
    return true
  }

  private mutating func hasRoom(for statement: Statement) -> Bool {
    let share = shares[statement.author] ?? Share()
    let size = statement.footprint
    if statement.key != .activity {
      guard share.count < Self.authorCapacity, share.bytes + size <= Self.authorByteLimit else { return false }
    }
    while statements.count >= Self.capacity || footprint + size > Self.byteLimit {
      guard let most = shares.max(by: { ($0.value.total, $0.key) < ($1.value.total, $1.key) }),
        most.value.total > share.total + size, let latest = latest(of: most.key)
      else { return false }
      drop(latest)
    }
    return true
  }

  private func latest(of author: ParticipantID) -> Source? {
    statements.filter { $0.key.author == author }.max { Statement.precedes($0.value, $1.value) }?.key
  }

  private mutating func put(_ statement: Statement, as source: Source) {
    statements[source] = statement
    count(statement, by: 1)
  }

  private mutating func drop(_ source: Source) {
    if let statement = statements.removeValue(forKey: source) { count(statement, by: -1) }
  }

  private mutating func count(_ statement: Statement, by sign: Int) {
    let size = statement.footprint
    footprint += sign * size
    var share = shares[statement.author] ?? Share()
    share.total += sign * size
    if statement.key != .activity {
      share.count += sign
      share.bytes += sign * size
    }
    shares[statement.author] = share.total > 0 ? share : nil
  }

  /// Removes and returns those whose time is at most `limit`, oldest first.
  package mutating func take(until limit: GroupTime) -> [Statement] {
    let due = statements.values.filter { $0.time <= limit }.sorted(by: Statement.precedes)
    for statement in due { drop(Source(key: statement.key, author: statement.author)) }
    return due
  }

  package var authors: [ParticipantID] { statements.keys.map { $0.author } }

  package var earliest: GroupTime? { statements.values.map { $0.time }.min() }
}

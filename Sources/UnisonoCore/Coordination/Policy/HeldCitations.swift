/// Statements that cite a policy which is not known yet; bounded (wire 8.4).
struct HeldCitations: Sendable {
  static let count = 64
  static let bytes = 262_144
  static let lifetime: Nanoseconds = .seconds(10)
  /// Where a statement has no bytes of its own.
  private static let usualSize = 256

  struct Entry: Sendable {
    var statement: Statement
    var sender: ParticipantID
    var until: HostTime

    var size: Int { statement.signed?.body.count ?? HeldCitations.usualSize }
  }

  private(set) var entries: [Entry] = []

  /// false: no room.
  mutating func hold(_ statement: Statement, from sender: ParticipantID, now: HostTime) -> Bool {
    hold(Entry(statement: statement, sender: sender, until: now.adding(Self.lifetime)), now: now)
  }

  private mutating func hold(_ entry: Entry, now: HostTime) -> Bool {
    entries.removeAll { $0.until <= now }
    guard entries.count < Self.count, entries.reduce(entry.size, { $0 + $1.size }) <= Self.bytes else { return false }
    entries.append(entry)
    return true
  }

  /// Removes and returns those that can be judged now.
  mutating func take(now: HostTime, where isJudgeable: (Statement) -> Bool) -> [Entry] {
    entries.removeAll { $0.until <= now }
    defer { entries.removeAll { isJudgeable($0.statement) } }
    return entries.filter { isJudgeable($0.statement) }
  }
}

import UnisonoBase
import UnisonoReplica

/// Statements that wait for a policy, and asking for it (wire 8). A level waits for nothing: it counts whatever its stamp says.
struct PolicyIntake: Sendable {
  private var citations = HeldCitations()
  /// When somebody was last asked for policies.
  private var asked: HostTime?

  private static let askInterval: Nanoseconds = .seconds(1)

  /// Lets go of all that waits: whoever is met says it anew.
  mutating func forgetPending() { citations = HeldCitations() }

  /// A statement that cites what is not known waits for it. Whether it does; else too many wait.
  mutating func hold(_ statement: Statement, from sender: ParticipantID, _ facts: borrowing Facts) -> Bool {
    citations.hold(statement, from: sender, now: facts.now)
  }

  /// Removes and returns the statements that can be judged now.
  mutating func judgeable(_ facts: borrowing Facts) -> [HeldCitations.Entry] {
    let policies = facts.policies
    return citations.remove(now: facts.now) { $0.citesOnlyKnown(policies) }
  }

  /// Asks a member for all policies, at most once a second.
  mutating func ask(_ member: ParticipantID, _ facts: borrowing Facts) -> [Intent] {
    guard asked.map({ facts.now.subtracting($0) >= Self.askInterval }) ?? true, member != facts.local else { return [] }
    asked = facts.now
    return [.send(.want([.policy]), to: member)]
  }

  /// Authors of all that waits here.
  var authors: Set<ParticipantID> { Set(citations.entries.lazy.map { $0.statement.author }) }
}

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
    while entries.count >= Self.count || entries.reduce(entry.size, { $0 + $1.size }) > Self.bytes {
      guard let place = placeOfLatest(ofWhoHasMoreThan: entry) else { return false }
      entries.remove(at: place)
    }
    entries.append(entry)
    return true
  }

  /// Nobody keeps others' statements out by filling all places: the latest of whoever has most makes room for who has less.
  private func placeOfLatest(ofWhoHasMoreThan entry: Entry) -> Int? {
    var sizes: [ParticipantID: Int] = [:]
    for held in entries { sizes[held.statement.author, default: 0] += held.size + Self.usualSize }
    let own = (sizes[entry.statement.author] ?? 0) + entry.size + Self.usualSize
    guard let most = sizes.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }), most.value > own else { return nil }
    return entries.lastIndex { $0.statement.author == most.key }
  }

  /// Removes and returns those that can be judged now.
  mutating func remove(now: HostTime, where isJudgeable: (Statement) -> Bool) -> [Entry] {
    entries.removeAll { $0.until <= now }
    defer { entries.removeAll { isJudgeable($0.statement) } }
    return entries.filter { isJudgeable($0.statement) }
  }
}

extension Statement {
  /// Whether all policies are known that its judgement needs.
  func citesOnlyKnown(_ policies: PolicyOrder) -> Bool {
    if key.isParticipant || key.isAttachment { return true }
    guard policies.knows(policy) else { return false }
    guard case .continuation(let value) = value else { return true }
    return policies.knows(value.base.rate.policy) && policies.knows(value.base.position.policy)
  }
}

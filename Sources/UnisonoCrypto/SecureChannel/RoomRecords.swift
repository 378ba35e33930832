import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

/// Who can read in a room: the roster records that are known, their keys, and the one that this participant speaks in (wire 6).
struct RoomRecords: Sendable {
  /// What became of a record that its author signed.
  enum Learning: Equatable {
    case learnt
    /// Known before, or what it follows is not known.
    case nothing
    case invalid
    /// Its author shows another key than the one that leads to it: this one's, or of a record before it.
    case falseKey(author: ParticipantID)
  }

  private var book = RecordBook()
  private var keys = KeyChain()
  private var speaking = Speaking()
  private var announcements = Announcements()
  /// Since when the founding record is spoken in, and when readers who are gone were looked for.
  private var freshness = Freshness()
  private var pace = RecordPace()
  /// Time at which the content key came.
  private(set) var cameIn: HostTime = .min
  private let scope: Scope
  private let local: ParticipantID

  init(scope: Scope, local: ParticipantID) {
    self.scope = scope
    self.local = local
  }

  // MARK: What is known

  subscript(id: RecordID) -> RecordBook.Entry? { book[id] }

  func record(of epoch: EpochID) -> RecordID? { book.record(of: epoch) }

  /// So many are known, and keys of so many are held.
  var counts: (records: Int, keys: Int) { (book.ids.count, keys.ids.count) }

  /// The record that is spoken in; nil: without a content key.
  var current: RecordID? { speaking.current }

  /// The same with its key.
  var present: (id: RecordID, entry: RecordBook.Entry, chain: Secret)? {
    guard let id = speaking.current, let entry = book[id], let chain = keys[id] else { return nil }
    return (id, entry, chain)
  }

  /// Everybody who can read what this participant says, itself included, in order; gone ones stay. Empty without a content key.
  var roster: [ParticipantID] { speaking.current.flatMap { book[$0]?.roster } ?? [] }

  /// The founding record of the branch that is spoken in.
  var founding: RecordID? { speaking.current.flatMap { book[$0]?.founding } }

  /// On some roster that is known here.
  func isReader(_ id: ParticipantID) -> Bool {
    guard let founding else { return false }
    return book.place(of: id, founding: founding) != nil || roster.contains(id)
  }

  /// Authors of the records that this participant needs to welcome others.
  var proofAuthors: Set<ParticipantID> {
    guard let founding, let first = book[founding]?.record else { return [] }
    return Set((book.proof(of: [local], founding: founding) ?? []).map { $0.author }).union([first.author])
  }

  /// Places of participants in the order by which the others go, as things are.
  func ranks(_ policy: borrowing ChannelPolicy) -> SeniorityRanks {
    SeniorityRanks(owners: policy.owners, removed: policy.removed, founding: founding, roster: roster, book: book)
  }

  /// The most senior first; who was removed last.
  func bySeniority(_ ids: some Sequence<ParticipantID>, _ policy: borrowing ChannelPolicy) -> [ParticipantID] {
    var ranks = ranks(policy)
    return ids.map { (ranks.place(of: $0) ?? .last, $0) }.sorted { $0.0 < $1.0 }.map { $0.1 }
  }

  /// Senior to this participant and to all who were read lately.
  func isMostSenior(_ id: ParticipantID, _ policy: borrowing ChannelPolicy, now: HostTime) -> Bool {
    var ranks = ranks(policy)
    guard let rank = ranks.place(of: id), let own = ranks.place(of: local), rank < own else { return false }
    for other in speaking.heard(within: lately, now: now) where other != id {
      if let others = ranks.place(of: other), others <= rank { return false }
    }
    return true
  }

  /// Who was read within this counts for where the others speak.
  private var lately: Nanoseconds { max(Speaking.lately, Parameters.heartbeat(of: roster.count) * 5 / 2) }

  // MARK: Beginning

  /// Speaks in a founding record whose key is held.
  mutating func adopt(_ founding: RosterRecord, _ chain: Secret, now: HostTime) {
    guard book.add(founding: founding) != .refused else { return }
    keys.hold(founding.id, chain, spoken: speaking.current, now: now)
    begin(founding.id, now: now)
    cameIn = now
    freshness.begin(now: now)
  }

  /// Speaks in a proven record: the first one, or of another founding record.
  mutating func adopt(_ proven: ProvenRecord, _ chain: Secret, now: HostTime) {
    book.add(proven)
    keys.hold(proven.record.id, chain, spoken: proven.record.id, now: now)
    if let former = speaking.current { keys.touch(former, now: now) }
    begin(proven.record.id, now: now)
    cameIn = now
    freshness.begin(now: now)
  }

  /// Goes over to a proven record of the same founding record, from which none here leads.
  mutating func goOver(to proven: ProvenRecord, _ chain: Secret, now: HostTime) {
    book.add(proven)
    keys.hold(proven.record.id, chain, spoken: speaking.current, now: now)
    if let current = speaking.current { keys.touch(current, now: now) }
    begin(proven.record.id, now: now)
  }

  /// The room's new beginning is spoken in instead of the record before.
  mutating func beginAnew(_ founding: RosterRecord, _ chain: Secret, now: HostTime) {
    if let former = speaking.current { keys.touch(former, now: now) }
    announcements.clear()
    adopt(founding, chain, now: now)
  }

  /// What others may have missed is not told again any more.
  mutating func stopAnnouncing() { announcements.clear() }

  // MARK: Reading

  func heldKey(of id: RecordID) -> Secret? { keys[id] }

  /// The content key of a record; nil: it cannot be had.
  mutating func key(of id: RecordID, now: HostTime) -> Secret? {
    switch keys.derive(id, book: book, scope: scope, spoken: speaking.current, now: now) {
    case .key(let chain): return chain
    case .unknown: return nil
    case .falseCommitment(let bad):
      book.remove(bad)
      return nil
    }
  }

  /// A frame under a record was read.
  mutating func touch(_ id: RecordID, now: HostTime) { keys.touch(id, now: now) }

  /// A participant was read, or said by HELLO, in a record.
  mutating func hear(_ id: ParticipantID, in record: RecordID, now: HostTime) {
    speaking.hear(id, in: record, lately: lately, now: now)
  }

  mutating func forget(_ id: ParticipantID) { speaking.forget(id) }

  /// Where the others are is not known any more.
  mutating func forgetOthers() { speaking.forgetAll() }

  /// More can be read, or another policy is in force: where to speak is to be seen anew.
  mutating func learned() { speaking.learned() }

  /// A record may be judged: of one author only so many are.
  mutating func admitJudging(of author: ParticipantID, now: HostTime) -> Bool { pace.admit(author, now: now) }

  /// The steps of a proof are known from now on.
  mutating func note(_ proven: ProvenRecord) { book.note(proven) }

  /// Takes a record in that its author signed.
  mutating func learn(_ record: RosterRecord, _ policy: borrowing ChannelPolicy, now: HostTime) -> Learning {
    let removed = policy.removed
    switch book.add(step: record, isRemoved: { removed.contains($0) }) {
    case .known, .orphan: return .nothing
    case .refused: return .invalid
    case .added: break
    }
    if case .falseCommitment(let bad) = keys.derive(record.id, book: book, scope: scope, spoken: speaking.current, now: now) {
      let author = book[bad]?.record.author ?? record.author
      book.remove(bad)
      return .falseKey(author: author)
    }
    speaking.learned()
    if let current = speaking.current { book.prune(base: current, kept: Set(keys.ids).union([current])) }
    return .learnt
  }

  // MARK: Speaking

  /// Goes on to the record that the leader's leads to; false: it is the same one.
  mutating func review(_ policy: borrowing ChannelPolicy, now: HostTime) -> Bool {
    let former = speaking.current
    var ranks = ranks(policy)
    let next = speaking.review(
      local: local, book: book, readable: keys.ids, excessive: pace.excessive(now: now), lately: lately,
      seniority: { ranks.place(of: $0) }, now: now)
    guard next != nil else { return false }
    if let former { keys.touch(former, now: now) }
    return true
  }

  /// Keeps a record that follows a known one, and its key; false: it cannot follow.
  mutating func hold(_ record: RosterRecord, _ chain: Secret, _ policy: borrowing ChannelPolicy, now: HostTime) -> Bool {
    let removed = policy.removed
    guard book.add(step: record, isRemoved: { removed.contains($0) }) == .added else { return false }
    keys.hold(record.id, chain, spoken: speaking.current, now: now)
    return true
  }

  /// Speaks in a record whose key is held from now on.
  mutating func begin(_ id: RecordID, now: HostTime) { speaking.begin(id, now: now) }

  /// Makes a record after the one that is spoken in, and speaks in it from now on; nil: it cannot be made. All others are told it under
  /// the one before, which all have.
  mutating func step(
    admitting newcomers: [ParticipantID], _ policy: borrowing ChannelPolicy, author: SigningKey, now: HostTime
  ) -> RosterRecord? {
    guard let (current, entry, chain) = present, entry.record.number < .max, entry.roster.contains(local) else { return nil }
    let (record, next) = RosterRecord.step(
      after: entry.record, roster: entry.roster, admitting: newcomers, chain: chain, scope: scope, author: author)
    guard hold(record, next, policy, now: now) else { return nil }
    begin(record.id, now: now)
    keys.touch(current, now: now)
    announcements.add(record.id, now: now)
    book.prune(base: record.id, kept: Set(keys.ids).union([record.id, current]))
    return record
  }

  /// Records that are to be told to all once more.
  mutating func announcementsDue(now: HostTime) -> [RosterRecord] {
    announcements.take(now: now).compactMap { book[$0]?.record }
  }

  /// Time at which it is this participant's turn to make a record after one that is old.
  func nextFollowUp(_ policy: borrowing ChannelPolicy) -> HostTime? {
    var ranks = ranks(policy)
    return speaking.nextFollowUp(local: local, lately: lately, seniority: { ranks.place(of: $0) })
  }

  /// By the last review.
  func isLed(by id: ParticipantID) -> Bool { speaking.isLed(by: id) }

  // MARK: Showing

  /// What proves that the record spoken in, and those let in by it, go back to the founding record; nil: of its author, or of this
  /// participant, it cannot be shown how it came in. `newcomer`: its own way in, too, where that is known.
  func proof(for newcomer: ParticipantID? = nil) -> (founding: RosterRecord, steps: [RosterRecord])? {
    guard let (_, entry, _) = present, let founding = book[entry.founding]?.record else { return nil }
    let shown = [local] + (entry.record.body.kind == .step ? [entry.record.author] : [])
    let whole = newcomer.flatMap { book.proof(of: shown + [$0], founding: entry.founding) }
    guard let steps = whole ?? book.proof(of: shown, founding: entry.founding) else { return nil }
    return (founding, steps)
  }

  /// It can be shown how the author of the record that is spoken in, and this participant, came in.
  var isAuthorProven: Bool {
    guard let current = speaking.current, let entry = book[current] else { return true }
    return book.proof(of: [local, entry.record.author], founding: entry.founding) != nil
  }

  /// The records between one that somebody knows and the one spoken in.
  func since(_ known: RecordID?) -> [RosterRecord] {
    guard let known, let current = speaking.current else { return [] }
    return book.path(from: known, to: current, atMost: WireLimits.recordsPerMessage) ?? []
  }

  /// The records to that of an epoch, or to the one spoken in, for who knows one of them; empty: none leads there.
  func path(to epoch: EpochID?, forWhoKnows known: RecordID) -> [RosterRecord] {
    guard let current = speaking.current else { return [] }
    return book.path(to: epoch.flatMap { book.record(of: $0) } ?? current, forWhoKnows: known, atMost: KeyChain.steps) ?? []
  }

  func follows(_ id: RecordID, from base: RecordID) -> Bool { book.follows(id, from: base) }

  /// The record under which a member can be asked: the one in which it was read last, or the first of those before the present one whose
  /// key is held and whose reader it is: the likeliest to be known.
  mutating func known(to member: ParticipantID, now: HostTime) -> RecordID? {
    if let heard = speaking.record(of: member), key(of: heard, now: now) != nil { return heard }
    var found = speaking.current
    while let id = found, let parent = book[id]?.record.body.parent, keys[parent] != nil,
      book[parent]?.roster.contains(member) == true
    {
      found = parent
    }
    return found
  }

  // MARK: Beginning anew

  /// Time to look whether those who are gone can still read.
  var nextLook: HostTime { freshness.nextLook(readers: roster.count) }

  /// Looks whether the room is to begin anew without those who are gone.
  mutating func looksStale(_ members: RoomMembers, population: Int, now: HostTime) -> Bool {
    let roster = self.roster
    freshness.look(now: now)
    let absent = roster.filter { !members.contains($0) && $0 != local }
    let gone = absent.count { (members.lastSeen($0) ?? cameIn).adding(Freshness.interval) <= now }
    return freshness.isDue(readers: roster.count, gone: gone, absent: absent.count, population: population, now: now)
  }

  // MARK: Time

  /// Erases keys whose time is over.
  mutating func eraseKeys(now: HostTime) { keys.erase(spoken: speaking.current, now: now) }

  /// Host time at which `eraseKeys` has something to do.
  var nextErasure: HostTime? { keys.nextErasure }

  /// Host time at which a review, or an announcement, is due.
  var wakes: [HostTime?] { [speaking.reviewAt, announcements.nextWake] }
}

extension Seniority {
  /// After everybody.
  static let last = Seniority(owner: .max, number: .max, index: .max, id: .none)
}

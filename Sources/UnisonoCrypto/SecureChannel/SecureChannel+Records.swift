import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

/// Roster records in a room: who can read, which one this participant speaks in, and what follows from another one (wire 6).
extension SecureChannel {
  /// Everybody who can read what this participant says, itself included, in order; gone ones stay. Empty without a content key.
  package var roster: [ParticipantID] { speaking.current.flatMap { book[$0]?.roster } ?? [] }

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

  /// Place of somebody in the order by which the others go; nil: it was removed.
  func seniority(of id: ParticipantID) -> Seniority? {
    guard !removed.contains(id) else { return nil }
    let owners = levels.last?.terms.owners ?? [root]
    if let owner = owners.firstIndex(of: id) { return Seniority(owner: owner, number: 0, index: 0, id: id) }
    if let founding, let place = book.place(of: id, founding: founding) {
      return Seniority(owner: owners.count, number: place.number, index: place.index, id: id)
    }
    // Came in by a record that is not known here: right after who is before it on the roster and of whom it is.
    let roster = self.roster
    guard let founding, let index = roster.firstIndex(of: id) else {
      return Seniority(owner: owners.count, number: .max, index: .max, id: id)
    }
    for before in roster.indices[..<index].reversed() {
      guard let place = book.place(of: roster[before], founding: founding) else { continue }
      return Seniority(owner: owners.count, number: place.number, index: place.index + index - before, id: id)
    }
    return Seniority(owner: owners.count, number: 0, index: index, id: id)
  }

  // MARK: Founding

  /// Draws the session's first content key: the creator's alone to do.
  mutating func found(now: HostTime) {
    let chain = Secret(random: random)
    adopt(
      RosterRecord.founding(
        roster: [local], policy: PolicyStack.origin, chain: chain, scope: door.scope, author: identity.signing),
      chain, now: now)
  }

  /// Speaks in a founding record whose key is held.
  mutating func adopt(_ founding: RosterRecord, _ chain: Secret, now: HostTime) {
    guard book.add(founding: founding) != .refused else { return }
    keys.hold(founding.id, chain, spoken: speaking.current, now: now)
    speaking.begin(founding.id, now: now)
    cameIn = now
    freshness.begin(now: now)
  }

  // MARK: Reading

  /// The content key of a record; nil: it cannot be had.
  mutating func key(of id: RecordID, now: HostTime) -> Secret? {
    switch keys.derive(id, book: book, scope: door.scope, spoken: speaking.current, now: now) {
    case .key(let chain): return chain
    case .unknown: return nil
    case .falseCommitment(let bad):
      book.remove(bad)
      return nil
    }
  }

  /// Takes a record in that its author signed; effects only where it is worth a word.
  mutating func learn(_ record: RosterRecord, from sender: ParticipantID, now: HostTime) -> [ChannelEffect] {
    switch book.add(step: record, isRemoved: { removed.contains($0) }) {
    case .known, .orphan: return []
    case .refused:
      return [.log(.warning, "a record of participant \(record.author) is not valid: refused")]
        + refuse(sender, .record, now: now)
    case .added: break
    }
    if case .falseCommitment(let bad) = keys.derive(
      record.id, book: book, scope: door.scope, spoken: speaking.current, now: now)
    {
      let author = book[bad]?.record.author ?? record.author
      book.remove(bad)
      return [.log(.warning, "participant \(author) made a record whose key is another than it shows: refused")]
        + refuse(author, .record, now: now)
    }
    speaking.learned()
    if let current = speaking.current { book.prune(base: current, kept: Set(keys.ids).union([current])) }
    return []
  }

  /// Tries again what could not be read before.
  mutating func retry(now: HostTime) -> [ChannelEffect] {
    guard !unread.isEmpty else { return [] }
    return unread.removeAll(now: now).reduce(into: []) { $0 += received($1, isHeld: true, now: now) }
  }

  // MARK: Speaking

  /// Goes on to the record that the leader's leads to, if it is another one.
  mutating func review(now: HostTime) -> [ChannelEffect] {
    guard !isRetired else { return [] }
    let former = speaking.current
    // Not of itself while its state changes.
    var speaking = self.speaking
    let next = speaking.review(
      local: local, book: book, readable: keys.ids, lately: lately, seniority: { seniority(of: $0) }, now: now)
    self.speaking = speaking
    guard next != nil else { return [] }
    if let former { keys.touch(former, now: now) }
    return readmit(now: now)
  }

  /// Who was read within this counts for where the others speak.
  var lately: Nanoseconds { max(Speaking.lately, Parameters.heartbeat(of: roster.count) * 5 / 2) }

  /// Makes a record after the one that is spoken in, speaks in it from now on, and tells all others; nil: it cannot be made.
  mutating func makeRecord(admitting newcomers: [Introduction], now: HostTime) -> [ChannelEffect]? {
    guard let current = speaking.current, let entry = book[current], let chain = keys[current], entry.record.number < .max,
      entry.roster.contains(local)
    else { return nil }
    let (record, next) = RosterRecord.step(
      after: entry.record, roster: entry.roster, admitting: newcomers.map { $0.id }, chain: chain, scope: door.scope,
      author: identity.signing)
    guard book.add(step: record, isRemoved: { removed.contains($0) }) == .added else { return nil }
    keys.hold(record.id, next, spoken: current, now: now)
    // Under the record that all have.
    let effects = announce(record, now: now)
    speaking.begin(record.id, now: now)
    keys.touch(current, now: now)
    announcements.add(record.id, now: now)
    book.prune(base: record.id, kept: Set(keys.ids).union([record.id, current]))
    return effects
  }

  private mutating func announce(_ record: RosterRecord, now: HostTime) -> [ChannelEffect] {
    guard let parent = record.body.parent, let readers = book[parent]?.roster else { return [] }
    // Who was let in by it, or later, could not read it, and would wonder.
    let others = readers.filter { members[$0] != nil && !removed.contains($0) }
    guard !others.isEmpty else { return [] }
    let message = EpochMessage(
      records: [record.bytes], intros: record.body.admitted.compactMap { introductions[$0]?.bytes })
    return send(.epoch(message), to: others, under: parent, now: now)
  }

  mutating func announceAgain(now: HostTime) -> [ChannelEffect] {
    announcements.take(now: now).reduce(into: []) { effects, id in
      if let record = book[id]?.record { effects += announce(record, now: now) }
    }
  }

  /// An old record is followed by one that lets nobody in, so that what was said is not read for ever by who finds a key. Alone one
  /// makes none: who was away is behind, not elsewhere.
  mutating func followUp(now: HostTime) -> [ChannelEffect] {
    guard let due = nextFollowUp, due <= now else { return [] }
    return makeRecord(admitting: [], now: now) ?? []
  }

  var nextFollowUp: HostTime? {
    speaking.nextFollowUp(local: local, lately: lately, seniority: { seniority(of: $0) })
  }

  // MARK: Asking

  /// A frame that cannot be read: it is kept for a moment, and its sender asked for the records on the way to it.
  mutating func keepUnread(_ envelope: [UInt8], _ header: EnvelopeHeader, now: HostTime) -> [ChannelEffect] {
    let sender = header.sender
    // Noise looks the same, and ids in headers are endless: only of who is here.
    guard members[sender] != nil, !isRetired else { return drop(sender, .unknownEpoch) }
    _ = unread.store(envelope, from: sender, now: now)
    unread.unread(sender, now: now)
    unreadable.unread(sender, isStranger: !isReader(sender), now: now)
    // Who came in by a record that got lost here could not read the question: others know that record.
    guard let asked = isReader(sender) ? sender : acquaintances(but: [sender]).first, unread.shouldAsk(asked, now: now) else {
      return []
    }
    let isKnown = book.record(of: header.epoch) != nil
    return ask(asked, epoch: isKnown ? nil : header.epoch, now: now)
  }

  /// A frame of a member whose introduction is not here: another member is asked for it.
  mutating func keepUnintroduced(_ envelope: [UInt8], _ header: EnvelopeHeader, now: HostTime) -> [ChannelEffect] {
    guard members[header.sender] != nil else { return drop(header.sender, .unknownSender) }
    unreadable.unread(header.sender, isStranger: false, now: now)
    guard unread.store(envelope, from: header.sender, now: now) else { return drop(header.sender, .unknownSender) }
    return askWho([header.sender], now: now)
  }

  /// Asks members for introductions, each in its turn.
  mutating func askWho(_ ids: [ParticipantID], now: HostTime) -> [ChannelEffect] {
    guard let other = acquaintances(but: Set(ids)).first(where: { unread.shouldAsk($0, now: now) }) else { return [] }
    // Not of those who are gone: a long evening's are many, and say nothing.
    let missing = members.keys.filter { introductions[$0] == nil }
    return ask(other, strangers: Set(missing).union(ids).filter(isReader), now: now)
  }

  /// Present members who are introduced, the most senior first.
  private func acquaintances(but others: Set<ParticipantID>) -> [ParticipantID] {
    members.keys.filter { introductions[$0] != nil && roster.contains($0) && !others.contains($0) }
      .sorted { (seniority(of: $0) ?? .last) < (seniority(of: $1) ?? .last) }
  }

  /// Under the record in which the member was read last: what this participant speaks in it may not know.
  private mutating func ask(
    _ member: ParticipantID, epoch: EpochID? = nil, strangers: Set<ParticipantID> = [], now: HostTime
  ) -> [ChannelEffect] {
    let heard = speaking.record(of: member).flatMap { key(of: $0, now: now) == nil ? nil : $0 }
    guard let record = heard ?? oldest(with: member) else { return [] }
    return send(
      .ask(AskMessage(epoch: epoch, known: record, strangers: strangers.sorted())), to: [member], under: record, now: now)
  }

  /// The first of the records before the present one whose key is held and whose reader somebody is: the likeliest to be known.
  private func oldest(with member: ParticipantID) -> RecordID? {
    var found = speaking.current
    while let id = found, let parent = book[id]?.record.body.parent, keys[parent] != nil,
      book[parent]?.roster.contains(member) == true
    {
      found = parent
    }
    return found
  }

  /// Answers under the asker's record: it may be the only one that both can read.
  mutating func answer(_ ask: AskMessage, from sender: ParticipantID, now: HostTime) -> [ChannelEffect] {
    guard answerPace.spend(sender, now: now), recordAnswers.spend(now: now), book[ask.known] != nil, let current = speaking.current
    else { return [] }
    var message = EpochMessage()
    let wanted = ask.epoch.flatMap { book.record(of: $0) } ?? current
    if let path = book.path(to: wanted, forWhoKnows: ask.known, atMost: KeyChain.steps) {
      message.records = path.map { $0.bytes }
      message.intros = path.flatMap { $0.body.admitted }.compactMap { introductions[$0]?.bytes }
    }
    message.intros += ask.strangers.filter(isReader).compactMap { introductions[$0]?.bytes }
    guard !message.records.isEmpty || !message.intros.isEmpty else { return [] }
    message.intros = Array(message.intros.prefix(Self.introsAtOnce))
    return send(.epoch(message), to: [sender], under: ask.known, now: now)
  }

  /// INTROs in one message; who misses more asks again.
  static let introsAtOnce = 96

  /// Records, and introductions of those on them.
  mutating func receive(_ message: EpochMessage, from sender: ParticipantID, now: HostTime) -> [ChannelEffect] {
    guard chargeVerifications(message.records.count + message.intros.count, from: sender, now: now) else {
      return refuse(sender, .budget, now: now)
    }
    var effects: [ChannelEffect] = []
    var isIntroduced = false
    for bytes in message.records {
      guard let record = try? RosterRecord(reading: bytes, scope: door.scope) else {
        effects += refuse(sender, .malformed, now: now)
        continue
      }
      guard book[record.id] == nil else { continue }
      // One that an earlier record here let in may have made a later one.
      if introductions[record.author] == nil, !isIntroduced {
        isIntroduced = true
        effects += introduceAll(message.intros, by: sender, now: now)
      }
      guard let author = introductions[record.author] else {
        effects += drop(sender, .unknownSender)
        continue
      }
      guard record.isSigned(by: author.signingKey, scope: door.scope) else {
        effects += refuse(sender, .signature, now: now)
        continue
      }
      // What was asked for is bounded by the questions.
      guard unread.isAwaited(sender, now: now) || recordPace.spend(record.author, now: now) else {
        effects += drop(record.author, .budget)
        continue
      }
      effects += learn(record, from: sender, now: now)
    }
    effects += introduceAll(message.intros, by: sender, now: now)
    effects += review(now: now)
    return effects + retry(now: now)
  }
}

extension Seniority {
  /// After everybody.
  static let last = Seniority(owner: .max, number: .max, index: .max, id: .none)
}

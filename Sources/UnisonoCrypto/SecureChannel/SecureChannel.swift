import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

/// Secure channel of a participant in one room: keys, proven members, sealing and opening (wire 4, 5, 6).
///
/// Pure: randomness comes in through a closure, time with every call. One for each session object; links come and go. What it knows is in
/// rooms of its own, each with its rules; here is what follows for them, and for the others, from a call.
package struct SecureChannel {
  package private(set) var door: Door
  let identity: Identity
  /// Creator of the session, by its invite: the first owner.
  private let root: ParticipantID
  private let isCreator: Bool
  private let random: (Int) -> [UInt8]
  let introduction: Introduction

  private(set) var introductions = Introductions()
  private(set) var policy: ChannelPolicy
  /// Who can read, and by which record this participant speaks.
  private(set) var records: RoomRecords
  private(set) var present = RoomMembers()
  private(set) var senders = Senders()
  private(set) var requests = KeyRequests()
  private var sealing: OrderedSealing
  private var intake = StatementIntake()
  private var admission = Admission()
  private var unread = UnreadFrames()
  /// Of whom the host is told that they cannot be read.
  private var unreadable = UnreadableMembers()
  /// Who is about to come to a room that the session moved to.
  private var latecomers = Latecomers()
  private var sweep = Sweep()
  /// The session moved out of this room.
  private var isRetired = false
  /// Set while members are handed the secrets of a re-key.
  private var handover: RekeyHandover?
  /// Set while this participant keeps the door of a retired room.
  private var keeper: RelocationKeeper?
  /// Signed relocation notice found at this hub; kept until present members were asked for the new keys.
  private var relocationNotice: [PolicyLevel]?
  /// Kept until present members were asked for the key, as one who has it knows better.
  private var endNotice: EndNotice?
  private var isLinked = false
  private var linkLost: HostTime?
  /// `.secured` was reported for this link.
  private(set) var isSecured = false

  /// Registers and levels for single members, within what the hub reads of this connection.
  private var answers = PacedAnswers()
  /// Answers at a door that is kept, and to those who cannot be let in.
  private var answersAtDoor = TokenBucket(rate: 10, burst: 10)
  /// Answers about records: to one who asks, and to all together.
  private var answerPace = SecureChannel.answerPace
  private var recordAnswers = TokenBucket(rate: 40, burst: 40)
  /// INTROs told to those who are welcomed: 1.5 KB each, of what this participant may send.
  private var introductionsTold = TokenBucket(rate: 64, burst: 192)

  /// To the hub and back.
  private var roundTrip = SecureChannel.leastRoundTrip
  private static let leastRoundTrip = Nanoseconds.milliseconds(100)
  private static let greatestRoundTrip = Nanoseconds.seconds(2)

  private static let answerPace = ParticipantPace(rate: 1, burst: 4)
  /// Without a link for longer, somebody asks what it missed.
  private static let absence = Nanoseconds.seconds(5)
  /// INTROs in one message; who misses more asks again.
  private static let introsAtOnce = 96

  /// - Parameters:
  ///   - root: who made the session, by its invite.
  ///   - isCreator: draws the first content key, when it first enters a room.
  ///   - person: vouches for this participant as one device of a person.
  ///   - random: fresh bytes fit for keys.
  package init(
    door: Door, identity: Identity, root: ParticipantID, isCreator: Bool, person: PersonKey? = nil,
    random: @escaping (Int) -> [UInt8]
  ) {
    self.door = door
    self.identity = identity
    self.root = root
    self.isCreator = isCreator
    self.random = random
    introduction = Introduction(identity, session: door.scope.session, person: person)
    policy = ChannelPolicy(root: root)
    records = RoomRecords(scope: door.scope, local: identity.id)
    sealing = OrderedSealing(author: identity)
    _ = introductions.add(introduction)
  }

  // MARK: What is so

  private var local: ParticipantID { identity.id }

  /// By those who are introduced here.
  private var proof: AuthorProof { AuthorProof(session: door.scope.session, introductions: introductions) }

  /// Who is at the hub in this room besides this participant.
  package var members: [ParticipantID: Member] { present.all }

  /// Everybody who can read what this participant says, itself included, in order; gone ones stay. Empty without a content key.
  package var roster: [ParticipantID] { records.roster }

  /// Of what this participant says over this link.
  var lane: Lane { sealing.lane }

  /// Number of present participants who are let in, this one included.
  private var population: Int { present.ids.count { records.isReader($0) } + 1 }

  /// All participants vouched for by the same person as `id`, itself included.
  package func devices(of id: ParticipantID) -> [ParticipantID] {
    guard let person = introductions[id]?.personID else { return [id] }
    return Set(introductions.all.values.filter { $0.personID == person }.map { $0.id }).union([id]).sorted()
  }

  /// Persons by their devices, of those whose introductions show one; who is missing is a person of its own.
  package var persons: [ParticipantID: ParticipantID] { introductions.persons }

  // MARK: The link

  /// Begins a new lane in a room with these others.
  ///
  /// - Parameter mergedWithOthers: they were together without us, and may be keys ahead.
  package mutating func entered(members others: [Member], mergedWithOthers: Bool = false, now: HostTime) -> [ChannelEffect] {
    sealing.beginLane(random: random)
    isLinked = true
    isSecured = false
    relocationNotice = nil
    requests.linkUp()
    present.enter(others.lazy.filter { [local] in $0.id != local }, now: now)
    latecomers.enter(present.ids, now: now)
    // Who was away may have missed records, and what is said in one whose key the others erased is lost: a welcome brings what
    // was missed first.
    let mayBeBehind = mergedWithOthers || linkLost.map { now.subtracting($0) > Self.absence } ?? false
    linkLost = nil
    let splits = judgeUnreadable(now: now)
    if mayBeBehind { records.forgetOthers() }
    if records.current == nil, isCreator { found(now: now) }
    // At a door that is kept there is nothing to learn, and nobody to learn it from.
    if isRetired || records.current != nil && (!mayBeBehind || present.isEmpty) { return splits + announce(now: now) }
    requests.beginSearch(now: now)
    return splits + ask(now: now)
  }

  package mutating func presence(joined: [Member], gone: [Departure], now: HostTime) -> [ChannelEffect] {
    if !requests.isSilent(present) { requests.restartSilence(now: now) }
    var effects: [ChannelEffect] = []
    for member in joined where member.id != local && present.join(member, now: now) {
      requests.hurryIfIdle(now: now)
      effects += sayAgain(to: member.id, now: now)
    }
    for departure in gone {
      let id = departure.id
      guard present.leave(departure, isIntroduced: introductions[id] != nil, now: now) else { continue }
      records.forget(id)
      admission.forget(id)
      unread.forget(id)
      intake.forget(id)
      answers.forget(id)
      // Whose words can still be opened is remembered, so that they are not taken again.
      if !records.isReader(id) { senders.forget(id) }
      requests.forget(id, now: now)
    }
    return effects + tick(now: now)
  }

  package mutating func linkDown(now: HostTime) {
    isLinked = false
    sealing.forgetWaiting()
    intake.restart()
    answers.forgetAll()
    // To a room that was left nobody goes back but to keep its door, where who comes is handed the way.
    if isRetired { handover = nil }
    linkLost = linkLost ?? now
    isSecured = false
    requests.linkDown()
    unreadable.linkDown()
    let introductions = self.introductions
    present.linkDown(isIntroduced: { introductions[$0] != nil }, now: now)
  }

  /// The way to the hub and back takes so long: answers of members may take longer by as much.
  package mutating func measured(roundTrip: Nanoseconds) {
    self.roundTrip = min(max(roundTrip, Self.leastRoundTrip), Self.greatestRoundTrip)
  }

  /// The hub reads so many bytes a second of this link.
  package mutating func setRate(_ bytesPerSecond: UInt32, now: HostTime) { answers.setRate(bytesPerSecond, now: now) }

  /// Begins to speak over this link.
  private mutating func announce(now: HostTime) -> [ChannelEffect] {
    guard !isSecured else { return [] }
    isSecured = true
    return [.secured]
  }

  // MARK: Time

  package mutating func tick(now: HostTime) -> [ChannelEffect] {
    eraseKeys(now: now)
    guard isLinked else { return [] }
    var effects = continueSealing(now: now) + continueRekey(now: now)
    effects += continueAnswers(now: now)
    if !isRetired, records.current != nil {
      effects += review(now: now)
      effects += admit(now: now)
      if admission.isRetryDue(now: now) { effects += readmit(now: now) }
      for record in records.announcementsDue(now: now) { effects += tell(record, now: now) }
      effects += followUp(now: now)
      effects += askUnread(now: now)
    }
    effects += judgeUnreadable(now: now)
    if let next = requests.nextStep, now >= next { effects += ask(now: now) }
    return effects
  }

  /// Host time at which `tick` is due.
  package var nextWake: HostTime? {
    guard isLinked else { return nextErasure }
    var wakes = [requests.nextStep, nextErasure, sealing.since, nextHandover, answers.wake]
    if !isRetired, records.current != nil {
      wakes += records.wakes
      wakes += [isSecured ? admission.nextWake : nil, records.nextFollowUp(policy), nextUnread, unreadable.nextWake]
    }
    return wakes.compactMap { $0 }.min()
  }

  /// Erases content keys, and keys that open them, whose time is over. All that a retired room needs from time to time.
  package mutating func eraseKeys(now: HostTime) {
    records.eraseKeys(now: now)
    requests.erase(now: now)
  }

  /// Host time at which `eraseKeys` has something to do.
  package var nextErasure: HostTime? { [requests.nextErasure, records.nextErasure].compactMap { $0 }.min() }

  /// Of those who are here and cannot be read what the host is to know by now.
  private mutating func judgeUnreadable(now: HostTime) -> [ChannelEffect] {
    unreadable.judge(isPresent: { present.contains($0) && !policy.removed.contains($0) }, now: now).map { .split($0) }
  }

  // MARK: Memory

  /// Forgets participants who are not here, were not here lately, and said nothing that still counts. That bounds the memory,
  /// whatever ids anybody invents, and no newcomer is kept out by those who are gone. Call it at the end of a turn.
  ///
  /// - Parameter authors: those whose statements count, or are still to be judged.
  package mutating func forgetStrangers(authors: () -> Set<ParticipantID>, now: HostTime) {
    guard sweep.isDue(count: introductions.all.count + senders.count, now: now) else { return }
    present.forgetOld(now: now)
    let kept = authors().union(roster).union(present.remembered).union(policy.authors)
      .union(intake.authors).union(records.proofAuthors).union([local])
    introductions.retain(kept.contains)
    senders.retain(isHere: { present.contains($0) }, isReader: { records.isReader($0) }, now: now)
    requests.retainAskers { present.contains($0) }
    sweep.finished(remaining: introductions.all.count + senders.count, now: now)
  }

  // MARK: Refusing

  /// Something that a participant signed, or that opened with the content key, is not as it has to be: it counts against it.
  private mutating func refuse(_ sender: ParticipantID, _ reason: ChannelRefusal, now: HostTime) -> [ChannelEffect] {
    var effects = [ChannelEffect.refused(sender, reason)]
    // Of ids that only a header names nothing is remembered: they are endless.
    guard reason.isFault, present.contains(sender) || introductions[sender] != nil else { return effects }
    if senders.countRefusal(of: sender, now: now) {
      effects.append(.ignored(sender, reason, until: now.adding(SenderState.silence)))
      let length = UInt32(clamping: SenderState.silence / .milliseconds(1))
      effects += send(.ignoring(IgnoringMessage(reason: reason.number, length: length)), to: [sender], now: now)
    }
    return effects
  }

  /// Something is not as it has to be before anybody's signature was verified: a hub may have made it, and it counts against nobody.
  private func drop(_ sender: ParticipantID, _ reason: ChannelRefusal) -> [ChannelEffect] { [.refused(sender, reason)] }

  // MARK: Introductions

  /// Adds a proven introduction, and processes what waited for it.
  mutating func introduce(_ introduction: Introduction, by relay: ParticipantID, now: HostTime) -> [ChannelEffect] {
    switch introductions.add(introduction) {
    case .known: return []
    case .full:
      // Until the end of the turn, when those are forgotten who do not matter. Of invented ids nothing is said.
      guard present.contains(introduction.id) else { return [] }
      return [.log(.warning, "too many are known here; participant \(introduction.id) cannot be understood yet")]
    case .conflict:
      return [.log(.warning, "participant \(relay) showed another key of participant \(introduction.id)")]
        + refuse(relay, .introduction, now: now)
    case .added:
      var effects: [ChannelEffect] = []
      for pending in intake.removeAll(by: introduction.id) {
        if proof.isSaid(pending.statement, by: introduction) {
          effects.append(deliver(.update([pending.statement]), of: pending.coordinator, from: pending.relay))
        }
      }
      return effects
    }
  }

  /// Introductions that a message brings: of readers, and of `authors` of levels in it.
  private mutating func introduceAll(
    _ intros: [[UInt8]], authors: Set<ParticipantID> = [], by relay: ParticipantID, now: HostTime
  ) -> [ChannelEffect] {
    var effects: [ChannelEffect] = []
    var new: [Introduction] = []
    for bytes in intros {
      do {
        let introduction = try introductions.prove(bytes, session: door.scope.session)
        if introductions[introduction.id]?.bytes != bytes { new.append(introduction) }
      } catch {
        effects += refuse(relay, .introduction, now: now)
      }
    }
    return effects + introduceAll(new, authors: authors, by: relay, now: now)
  }

  private mutating func introduceAll(
    _ new: [Introduction], authors: Set<ParticipantID> = [], by relay: ParticipantID? = nil, now: HostTime
  ) -> [ChannelEffect] {
    let authors = authors.union(records.proofAuthors).union(policy.authors)
    return new.reduce(into: []) { effects, one in
      guard records.isReader(one.id) || authors.contains(one.id) else { return }
      effects += introduce(one, by: relay ?? one.id, now: now)
    }
  }

  /// Introductions in `intros`, whose proof is right, by id.
  private func proven(_ intros: [[UInt8]]) -> [ParticipantID: Introduction] {
    intros.reduce(into: [:]) { known, bytes in
      if let one = try? introductions.prove(bytes, session: door.scope.session) { known[one.id] = one }
    }
  }

  // MARK: Policies

  /// Sets the policy in force: newcomers are handed it, and participants whom it removed are ignored.
  package mutating func setPolicy(_ stack: PolicyStack) { setPolicy(levels: stack.levels) }

  mutating func setPolicy(levels: [PolicyLevel]) {
    policy.set(levels)
    records.learned()
  }

  /// Whether the policy in force put a participant out.
  package func isRemoved(_ id: ParticipantID) -> Bool { policy.removed.contains(id) }

  private mutating func receiveLevels(_ bytes: [[UInt8]], from sender: ParticipantID, now: HostTime) -> [ChannelEffect] {
    let (proven, effects) = proven(bytes, from: sender, now: now)
    return proven.isEmpty ? effects : effects + [.deliver(.levels(proven), from: sender)]
  }

  /// Levels that their authors signed, and effects of those that are not. Relaying a level includes introducing its author.
  private mutating func proven(_ bytes: [[UInt8]], from sender: ParticipantID, now: HostTime) -> ([PolicyLevel], [ChannelEffect]) {
    var proven: [PolicyLevel] = []
    var effects: [ChannelEffect] = []
    for one in bytes {
      do throws(ChannelRefusal) {
        proven.append(try proof.level(one))
      } catch {
        effects += refuse(sender, error, now: now)
      }
    }
    return (proven, effects)
  }

  /// Authors of levels; their signatures are not verified.
  private func authors(of levels: [[UInt8]]) -> Set<ParticipantID> {
    Set(levels.compactMap { try? PolicyLevel(reading: $0, hash: Hash.sha256).author })
  }

  /// INTROs of these, but for this participant's.
  private func intros(of ids: Set<ParticipantID>) -> [[UInt8]] {
    ids.subtracting([local]).sorted().compactMap { introductions[$0]?.bytes }
  }

  // MARK: Sending

  /// Sends a message of the coordination; `to` nil: to all others. `coordinator`: about whose registers it is; nil: the session's and
  /// its first one's.
  package mutating func send(
    _ message: CoordinationMessage, of coordinator: CoordinatorName? = nil, to receiver: ParticipantID?, now: HostTime
  ) -> [ChannelEffect] {
    let to = receiver.map { [$0] }
    switch message {
    case .update(let statements):
      let parts = parts(of: statements, coordinator).map { InnerMessage.update(statements: $0.statements, intros: $0.intros) }
      return send(parts.map { wrapped($0, of: coordinator) }, to: receiver, now: now)
    // Policies are the session's, whatever its coordinators are called.
    case .levels(let levels): return send(messages(of: levels), to: receiver, now: now)
    case .beat(let beat): return send(.beat(beat), of: coordinator, to: to, now: now)
    case .have(let entries):
      // No session has as many as fit into all parts.
      let parts = MessageParts.of(entries, length: { 29 + RegisterKeyCoding.keyBytes($0.key).count })
        .prefix(Int(WireLimits.haveParts))
      return parts.enumerated().reduce(into: []) { effects, part in
        let message = InnerMessage.have(part.element, part: UInt8(part.offset), of: UInt8(parts.count))
        effects += send(message, of: coordinator, to: to, now: now)
      }
    case .want(let keys):
      if keys.isEmpty, let receiver { intake.ask(receiver, of: coordinator) }
      return MessageParts.of(keys, length: { 5 + RegisterKeyCoding.keyBytes($0).count }).reduce(into: []) { effects, part in
        effects += send(.want(part), of: coordinator, to: to, now: now)
      }
    case .snapshot(nil): return send(.snapshot(.joining), of: coordinator, to: to, now: now)
    case .snapshot(let statements?):
      // Who welcomed the asker introduced these.
      let parts = parts(of: statements, coordinator, introduced: Set(readersIntroduced))
      guard !parts.isEmpty else { return send(.snapshot(SnapshotPart(number: 0, of: 1)), of: coordinator, to: to, now: now) }
      let count = UInt16(clamping: min(parts.count, Int(WireLimits.snapshotParts)))
      let messages = parts.prefix(Int(count)).enumerated().map { part in
        InnerMessage.snapshot(
          SnapshotPart(number: UInt16(part.offset), of: count, statements: part.element.statements, intros: part.element.intros))
      }
      return send(messages.map { wrapped($0, of: coordinator) }, to: receiver, now: now)
    }
  }

  /// Messages to all go at once; those to one as fast as there is room for them beside the others'.
  private mutating func send(_ messages: [InnerMessage], to receiver: ParticipantID?, now: HostTime) -> [ChannelEffect] {
    guard let receiver, isLinked else {
      let to = receiver.map { [$0] }
      return messages.reduce(into: []) { effects, message in effects += send(message, to: to, now: now) }
    }
    answers.add(messages, to: receiver)
    return continueAnswers(now: now)
  }

  /// Sends parts of answers that there is room for by now.
  private mutating func continueAnswers(now: HostTime) -> [ChannelEffect] {
    var effects: [ChannelEffect] = []
    while !sealing.isBusy, let next = answers.next(now: now) { effects += send(next.message, to: [next.to], now: now) }
    return effects
  }

  private func wrapped(_ message: InnerMessage, of coordinator: CoordinatorName?) -> InnerMessage {
    coordinator.map { .coordinator(CoordinatorMessage(name: $0, content: message.encoded)) } ?? message
  }

  private mutating func send(
    _ message: InnerMessage, of coordinator: CoordinatorName?, to: [ParticipantID]?, now: HostTime
  ) -> [ChannelEffect] {
    send(wrapped(message, of: coordinator), to: to, now: now)
  }

  /// Names of the coordinators beside the session's first one that are open here: what is said of others is not read.
  package mutating func setCoordinators(_ names: Set<CoordinatorName>) { intake.coordinators = names }

  /// Levels of a policy, with introductions of their authors.
  private mutating func send(_ levels: [PolicyLevel], to: [ParticipantID]?, under record: RecordID? = nil, now: HostTime)
    -> [ChannelEffect]
  {
    messages(of: levels).reduce(into: []) { effects, message in effects += send(message, to: to, under: record, now: now) }
  }

  private func messages(of levels: [PolicyLevel]) -> [InnerMessage] {
    MessageParts.of(levels).map { part in
      .update(statements: [], intros: intros(of: Set(part.map { $0.author })), levels: part.map { $0.bytes })
    }
  }

  private func parts(
    of statements: [Statement], _ coordinator: CoordinatorName?, introduced known: Set<ParticipantID> = []
  ) -> [MessageParts.Statements] {
    MessageParts.of(statements, introductions: introductions, known: known.union([local]), sign: { sign($0, of: coordinator) })
  }

  /// The statement as it was received, or signed now; nil where the wire cannot express it.
  private func sign(_ statement: Statement, of coordinator: CoordinatorName? = nil) -> SignedStatement? {
    if let signed = statement.signed { return signed }
    guard statement.author == local, let body = try? StatementBody.encode(statement, of: coordinator) else { return nil }
    return StatementSignature.sign(body, session: door.scope.session, author: identity.signing)
  }

  /// What was said in this room before one came who comes along with the others.
  private mutating func sayAgain(to id: ParticipantID, now: HostTime) -> [ChannelEffect] {
    latecomers.arrived(id, now: now).reduce(into: []) { effects, said in
      effects += said.isPrivate ? sendPrivately(said.message, to: [id], now: now) : send(said.message, to: [id], now: now)
    }
  }

  /// Sends any other message inside the group's envelope; nothing where there is no link or no key yet.
  ///
  /// - Parameter record: another one than the one that is spoken in, for those who do not know that.
  package mutating func send(
    _ message: InnerMessage, to: [ParticipantID]?, unordered: Bool = false, under record: RecordID? = nil, now: HostTime
  ) -> [ChannelEffect] {
    // Who comes along with the others knows the one that is spoken in.
    if record == nil { latecomers.keep(message, to: to, now: now) }
    let content = message.encoded
    return send(to: to, unordered: unordered, under: record, now: now) { _ in content }
  }

  /// `content` may need to know the header that it travels under; nil: it cannot be said.
  mutating func send(
    to: [ParticipantID]?, unordered: Bool = false, under record: RecordID? = nil, now: HostTime,
    content: @escaping (EnvelopeHeader) -> [UInt8]?
  ) -> [ChannelEffect] {
    guard isLinked, let current = records.current else { return [] }
    guard !sealing.isBusy else {
      sealing.enqueue(.all(to, unordered: unordered, under: record, content: content))
      return []
    }
    let record = record ?? current
    guard let chain = records.key(of: record, now: now) else { return [] }
    let effects = sealing.seal(under: record, chain, scope: door.scope, to: to, unordered: unordered, content: content)
    for case .transmit(let envelope, _) in effects { answers.charge(envelope.count, now: now) }
    return effects
  }

  /// Seals HELLO and WELCOME with what the invite gives.
  mutating func sendAtDoor(_ message: InnerMessage, to member: ParticipantID) -> [ChannelEffect] {
    do {
      return [.transmit(envelope: try sealing.sealAtDoor(message.encoded, door), to: [member])]
    } catch {
      return [.log(.error, "a message at the door could not be sealed: \(error)")]
    }
  }

  // MARK: Private messages

  /// Sends a message that only `recipients` can open; nothing where there is no link or no key yet, or where one of them was
  /// not introduced (wire 5.4). Costs 96 bytes and one key agreement for each.
  package mutating func sendPrivately(
    _ message: InnerMessage, to recipients: [ParticipantID], unordered: Bool = false, now: HostTime
  ) -> [ChannelEffect] {
    let others = Set(recipients).subtracting([local])
    let keys = others.compactMap { id in introductions[id].map { (id: id, key: $0.agreementKey) } }
    guard !keys.isEmpty, keys.count == others.count, keys.count <= WireLimits.participants else {
      return [.log(.warning, "a message to some was not sent: one of them is not known here")]
    }
    guard !sealing.isBusy else {
      sealing.enqueue(.some(message, recipients, unordered: unordered))
      return []
    }
    latecomers.keep(message, to: recipients, isPrivate: true, now: now)
    let key = Secret(random: random)
    let text = message.encoded
    let scope = door.scope
    if keys.count > PrivateSealing.slice {
      guard isLinked, let (record, _, chain) = records.present else { return [] }
      sealing.begin(
        message, text, key: key, to: keys.sorted { $0.id < $1.id }, under: record, chain, scope: scope, unordered: unordered, now: now)
      return continueSealing(now: now)
    }
    return send(to: keys.map { $0.id }.sorted(), unordered: unordered, now: now) { header in
      PrivateSeal.seal(text, header: header, scope: scope, key: key, recipients: keys)
        .map { InnerMessage.private($0).encoded }
    }
  }

  /// Seals one slice more of a message to many; at the end sends it, and those that waited for it, in order. A further message to many
  /// makes the rest wait again.
  private mutating func continueSealing(now: HostTime) -> [ChannelEffect] {
    var effects: [ChannelEffect] = []
    guard sealing.goOn(&effects, now: now) else { return effects }
    for next in sealing.popQueue() {
      switch next {
      case .all(let to, let unordered, let record, let content):
        effects += send(to: to, unordered: unordered, under: record, now: now, content: content)
      case .some(let message, let recipients, let unordered):
        effects += sendPrivately(message, to: recipients, unordered: unordered, now: now)
      }
    }
    return effects
  }

  /// Opens a private message. Only what an application or a person says may be inside.
  private mutating func receivePrivate(_ message: PrivateMessage, _ header: EnvelopeHeader, now: HostTime) -> [ChannelEffect] {
    guard
      let text = PrivateSeal.open(
        message, header: header, scope: door.scope, recipient: local, key: identity.agreement)
    else { return refuse(header.sender, .notAddressed, now: now) }
    guard let inner = try? InnerMessage.decode(text) else { return refuse(header.sender, .malformed, now: now) }
    switch inner {
    case .data where inner.fits(header.kind): return [.other(inner, from: header.sender)]
    case .notice, .foreground, .speaking, .request, .answer, .stage: return [.other(inner, from: header.sender)]
    default: return refuse(header.sender, .malformed, now: now)
    }
  }

  // MARK: Records

  /// Draws the session's first content key: the creator's alone to do.
  private mutating func found(now: HostTime) {
    let chain = Secret(random: random)
    records.adopt(
      RosterRecord.founding(
        roster: [local], policy: PolicyStack.origin, chain: chain, scope: door.scope, author: identity.signing),
      chain, now: now)
  }

  /// Takes a record in that its author signed; effects only where it is worth a word.
  private mutating func learn(_ record: RosterRecord, from sender: ParticipantID, now: HostTime) -> [ChannelEffect] {
    switch records.learn(record, policy, now: now) {
    case .learnt, .nothing: return []
    case .invalid:
      return [.log(.warning, "a record of participant \(record.author) is not valid: refused")]
        + refuse(sender, .record, now: now)
    case .falseKey(let author):
      return [.log(.warning, "participant \(author) made a record whose key is another than it shows: refused")]
        + refuse(author, .record, now: now)
    }
  }

  /// Goes on to the record that the leader's leads to, if it is another one.
  private mutating func review(now: HostTime) -> [ChannelEffect] {
    guard !isRetired, records.review(policy, now: now) else { return [] }
    return readmit(now: now)
  }

  /// Tries again what could not be read before.
  private mutating func retry(now: HostTime) -> [ChannelEffect] {
    guard !unread.isEmpty else { return [] }
    return unread.removeAll(now: now).reduce(into: []) { $0 += received($1.envelope, held: $1, now: now) }
  }

  /// Makes a record after the one that is spoken in, speaks in it from now on, and tells all others; nil: it cannot be made.
  mutating func makeRecord(admitting newcomers: [Introduction], now: HostTime) -> [ChannelEffect]? {
    records.step(admitting: newcomers.map { $0.id }, policy, author: identity.signing, now: now).map { tell($0, now: now) }
  }

  /// Tells a record to all who can read, under the one before, which they have.
  private mutating func tell(_ record: RosterRecord, now: HostTime) -> [ChannelEffect] {
    guard let parent = record.body.parent, let readers = records[parent]?.roster else { return [] }
    // Who was let in by it, or later, could not read it, and would wonder.
    let others = readers.filter { present.contains($0) && !policy.removed.contains($0) }
    guard !others.isEmpty else { return [] }
    let message = EpochMessage(
      records: [record.bytes], intros: record.body.admitted.compactMap { introductions[$0]?.bytes })
    return send(.epoch(message), to: others, under: parent, now: now)
  }

  /// An old record is followed by one that lets nobody in, so that what was said is not read for ever by who finds a key. Alone one
  /// makes none: who was away is behind, not elsewhere.
  private mutating func followUp(now: HostTime) -> [ChannelEffect] {
    guard let due = records.nextFollowUp(policy), due <= now else { return [] }
    return makeRecord(admitting: [], now: now) ?? []
  }

  /// A frame that cannot be read: it is kept for a moment, and its sender asked for the records on the way to it.
  ///
  /// - Parameter held: it was tried again in vain, and says no more than when it came: it may be of a record from before this participant
  ///   came in, which is never read here.
  private mutating func keepUnread(_ envelope: [UInt8], _ header: EnvelopeHeader, held: UnreadFrames.Frame?, now: HostTime)
    -> [ChannelEffect]
  {
    let sender = header.sender
    // Noise looks the same, and ids in headers are endless: only of who is here.
    guard present.contains(sender), !isRetired else { return drop(sender, .unknownEpoch) }
    if held == nil {
      unread.unread(sender, now: now)
      unreadable.unread(sender, isStranger: !records.isReader(sender), now: now)
    }
    var frame = held ?? UnreadFrames.Frame(envelope, from: sender, now: now)
    // Who came in by a record that got lost here could not read the question: others know that record.
    let asked = frame.isAsked ? nil : records.isReader(sender) ? sender : acquaintances(but: [sender]).first
    let asks = asked.map { unread.shouldAsk($0, now: now) } ?? false
    if asks { frame.isAsked = true }
    _ = unread.store(frame, isStranger: !records.isReader(sender), now: now)
    guard asks, let asked else { return [] }
    let isKnown = records.record(of: header.epoch) != nil
    return ask(asked, epoch: isKnown ? nil : header.epoch, now: now)
  }

  /// A frame of a member whose introduction is not here: another member is asked for it.
  private mutating func keepUnintroduced(_ envelope: [UInt8], _ header: EnvelopeHeader, held: UnreadFrames.Frame?, now: HostTime)
    -> [ChannelEffect]
  {
    guard present.contains(header.sender) else { return drop(header.sender, .unknownSender) }
    if held == nil { unreadable.unread(header.sender, isStranger: false, now: now) }
    guard unread.store(held ?? UnreadFrames.Frame(envelope, from: header.sender, now: now), isStranger: false, now: now) else {
      return drop(header.sender, .unknownSender)
    }
    return askWho([header.sender], now: now)
  }

  /// Asks members for introductions, each in its turn.
  private mutating func askWho(_ ids: [ParticipantID], now: HostTime) -> [ChannelEffect] {
    guard let other = acquaintances(but: Set(ids)).first(where: { unread.shouldAsk($0, now: now) }) else { return [] }
    // Not of those who are gone: a long evening's are many, and say nothing.
    let missing = present.ids.filter { introductions[$0] == nil }
    return ask(other, strangers: Set(missing).union(ids).filter { records.isReader($0) }, now: now)
  }

  /// Present members who are introduced, the most senior first.
  private func acquaintances(but others: Set<ParticipantID>) -> [ParticipantID] {
    let roster = self.roster
    return records.bySeniority(
      present.ids.filter { introductions[$0] != nil && roster.contains($0) && !others.contains($0) }, policy)
  }

  /// Under the record in which the member was read last: what this participant speaks in it may not know.
  private mutating func ask(
    _ member: ParticipantID, epoch: EpochID? = nil, strangers: Set<ParticipantID> = [], now: HostTime
  ) -> [ChannelEffect] {
    guard let record = records.known(to: member, now: now) else { return [] }
    return send(
      .ask(AskMessage(epoch: epoch, known: record, strangers: strangers.sorted())), to: [member], under: record, now: now)
  }

  /// Answers under the asker's record: it may be the only one that both can read.
  private mutating func answer(_ ask: AskMessage, from sender: ParticipantID, now: HostTime) -> [ChannelEffect] {
    guard answerPace.spend(sender, now: now), recordAnswers.spend(now: now), records[ask.known] != nil, records.current != nil
    else { return [] }
    var message = EpochMessage()
    let path = records.path(to: ask.epoch, forWhoKnows: ask.known)
    message.records = path.map { $0.bytes }
    message.intros = path.flatMap { $0.body.admitted }.compactMap { introductions[$0]?.bytes }
    message.intros += ask.strangers.filter { records.isReader($0) }.compactMap { introductions[$0]?.bytes }
    guard !message.records.isEmpty || !message.intros.isEmpty else { return [] }
    message.intros = Array(message.intros.prefix(Self.introsAtOnce))
    return send(.epoch(message), to: [sender], under: ask.known, now: now)
  }

  /// Records, and introductions of those on them.
  private mutating func receive(_ message: EpochMessage, from sender: ParticipantID, now: HostTime) -> [ChannelEffect] {
    guard senders.chargeVerifications(message.records.count + message.intros.count, from: sender, now: now) else {
      return refuse(sender, .budget, now: now)
    }
    var effects: [ChannelEffect] = []
    var isIntroduced = false
    for bytes in message.records {
      guard let record = try? RosterRecord(reading: bytes, scope: door.scope) else {
        effects += refuse(sender, .malformed, now: now)
        continue
      }
      guard records[record.id] == nil else { continue }
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
      guard unread.isAwaited(sender, now: now) || records.admitJudging(of: record.author, now: now) else {
        effects += drop(record.author, .budget)
        continue
      }
      effects += learn(record, from: sender, now: now)
    }
    effects += introduceAll(message.intros, by: sender, now: now)
    effects += review(now: now)
    return effects + retry(now: now)
  }

  // MARK: Asking for the key

  /// Asks the next member. Where nobody has the key everybody waits: who was invited does not speak for the group.
  private mutating func ask(now: HostTime) -> [ChannelEffect] {
    guard requests.isSearching else { return [] }
    let hasKey = records.current != nil
    if let relocationNotice, !hasKey, requests.hasTried {
      // Who keeps the door would have handed over the way by now.
      self.relocationNotice = nil
      return [.relocationNotice(relocationNotice)] + ask(now: now)
    }
    let step = requests.next(
      of: orderOfAsking(hasKey: hasKey), hasKey: hasKey, isSilent: requests.isSilent(present), roundTrip: roundTrip, now: now)
    switch step {
    case .nothing: return []
    case .everybodyAsked: return takeEndNotice()
    case .nobodyAnswers: return [.nobodyAnswers]
    case .over: return announce(now: now)
    case .ask(let member): return hello(to: member, reason: hasKey ? .returning : .joining, now: now)
    }
  }

  private func orderOfAsking(hasKey: Bool) -> [ParticipantID] {
    let order = present.longestFirst
    guard hasKey else { return requests.lastKeyless(order) }
    // Who only may be behind asks the most senior of those whom it knows: the oldest may be anybody.
    let others = order.filter { !requests.isKeyless($0) && !policy.removed.contains($0) }
    let readers = Set(roster)
    return Array(
      (records.bySeniority(others.filter { readers.contains($0) }, policy) + others.filter { !readers.contains($0) })
        .prefix(WelcomeSearch.most))
  }

  mutating func hello(to member: ParticipantID, reason: HelloMessage.Reason, now: HostTime) -> [ChannelEffect] {
    let key = HybridKey(seed: Secret(random: random))
    let message = InnerMessage.hello(
      HelloMessage(intro: introduction.bytes, known: records.current, reason: reason, freshKey: key.publicKey.bytes))
    requests.sent(
      PendingHello(content: message.encoded, key: key, until: now.adding(PendingHello.lifetime)), to: member)
    return sendAtDoor(message, to: member)
  }

  /// Asks the next member after a useless answer.
  private mutating func askOn(now: HostTime) -> [ChannelEffect] {
    guard requests.isSearching else { return [] }
    requests.hurry(now: now)
    return ask(now: now)
  }

  /// Asks those whose frames cannot be read for a while, the most senior first.
  private mutating func askUnread(now: HostTime) -> [ChannelEffect] {
    guard !requests.isSearching else { return [] }
    let overdue = unread.unreadSince.filter { id, since in
      present.contains(id) && !policy.removed.contains(id) && now >= since.adding(unreadPatience(since: since))
    }.map { $0.key }
    var ranks = records.ranks(policy)
    // Those of whom nothing is known are asked by their time here: an invented one is young.
    let order = overdue.map { (id: $0, rank: ranks.place(of: $0) ?? .last, isReader: records.isReader($0)) }.sorted { left, right in
      if left.isReader || right.isReader { return left.rank < right.rank }
      return present.cameBefore(left.id, right.id)
    }.map { $0.id }
    guard let next = order.first(where: { requests.nextQuestion(to: $0) <= now }) else { return [] }
    requests.spendQuestion(to: next, now: now)
    unread.restart(next, now: now)
    return hello(to: next, reason: .unreadable, now: now)
  }

  /// At the beginning a newcomer may have been handed any key.
  private func unreadPatience(since: HostTime) -> Nanoseconds {
    since.subtracting(records.cameIn) < .seconds(30) ? UnreadFrames.newcomerPatience : UnreadFrames.patience
  }

  private var nextUnread: HostTime? {
    guard !requests.isSearching else { return nil }
    return unread.unreadSince.compactMap { id, since -> HostTime? in
      guard present.contains(id), !policy.removed.contains(id) else { return nil }
      return max(since.adding(unreadPatience(since: since)), requests.nextQuestion(to: id))
    }.min()
  }

  // MARK: Letting in

  /// Answers a HELLO of a newcomer, or of a member that lost track.
  private mutating func answer(_ hello: HelloMessage, content: [UInt8], from asker: Introduction, now: HostTime) -> [ChannelEffect] {
    let id = asker.id
    if isRetired {
      return introductions[id]?.signingKey == asker.signingKey ? handOverRelocation(id, now: now) : []
    }
    let hasNone = hello.known == nil && present.contains(id)
    requests.asked(by: id, hasNone: hasNone)
    var effects: [ChannelEffect] = []
    if hasNone, records.current != nil, requests.isAsking(id) { effects += askOn(now: now) }
    guard let key = try? HybridPublicKey(hello.freshKey) else { return effects + refuse(id, .malformed, now: now) }
    let waiting = Admission.Asker(introduction: asker, content: content, key: key, known: hello.known, at: now)
    // Who is not in itself cannot let anybody in; it is asked again.
    guard let current = records.current, let entry = records[current], !isBehindPolicy else { return effects }
    let isIn = entry.roster.contains(id)
    guard admission.spend(id, isReader: isIn, now: now) else { return effects }
    guard mayComeIn(waiting) else { return effects + decline(id, .closed, now: now) }
    guard isIn || population < WireLimits.participants && places > 0 else {
      return effects + decline(id, .full, now: now)
    }
    effects += introduce(asker, by: id, now: now)
    guard introductions[id]?.bytes == asker.bytes else { return effects }
    if let known = hello.known, isIn {
      if records.key(of: known, now: now) != nil {
        // Where it stands counts, as if it had spoken there.
        records.hear(id, in: known, now: now)
        effects += review(now: now)
      } else if records.isMostSenior(id, policy, now: now), requests.nextQuestion(to: id) <= now {
        // It is elsewhere, and this one goes there.
        requests.spendQuestion(to: id, now: now)
        effects += self.hello(to: id, reason: .unreadable, now: now)
      }
    }
    if roster.contains(id), hello.known != nil || !isSecured {
      guard welcome(waiting, &effects, now: now) else { return effects }
      return effects + introduceReaders(to: [waiting], now: now)
    }
    // It is on a record that this one is about to go on to, and by which all others go, too.
    if let known = hello.known, records.isLed(by: local), records.follows(known, from: current),
      records[known]?.roster.contains(id) == true, records.key(of: known, now: now) != nil
    {
      return effects + review(now: now)
    }
    admission.wait(waiting)
    return effects + admit(now: now)
  }

  /// How many newcomers the roster has places for. Where no owner is here who could make it short again, the last 32 are kept for those
  /// whom a half of the group let in that is met again.
  private var places: Int {
    let isOwnerHere = policy.owners.contains { $0 == local || present.contains($0) }
    return max(0, (isOwnerHere ? WireLimits.roster : Freshness.urgentRoster) - roster.count)
  }

  /// A closed group lets in who was let in before, as its roster says, or a record that is known here: another half of the group did,
  /// or it was away for so long that the room began anew.
  private func mayComeIn(_ asker: Admission.Asker) -> Bool {
    let id = asker.introduction.id
    guard policy.isClosed, !roster.contains(id) else { return true }
    return asker.known.flatMap { records[$0] }?.roster.contains(id) ?? false
  }

  private mutating func decline(_ id: ParticipantID, _ reason: DeclineMessage.Reason, now: HostTime) -> [ChannelEffect] {
    guard answersAtDoor.spend(now: now) else { return [] }
    return sendAtDoor(.decline(DeclineMessage(intro: introduction.bytes, reason: reason)), to: id)
  }

  /// Lets those in who asked since the last time.
  private mutating func admit(now: HostTime) -> [ChannelEffect] {
    guard isSecured, !isRetired else { return [] }
    // The group may have been closed while they waited: they ask again, and are told.
    let askers = admission.take(atMost: min(WireLimits.admitted, places), now: now).filter {
      !policy.removed.contains($0.introduction.id) && mayComeIn($0)
    }
    return admit(askers, now: now)
  }

  private mutating func admit(_ askers: [Admission.Asker], now: HostTime) -> [ChannelEffect] {
    guard !askers.isEmpty else { return [] }
    var effects: [ChannelEffect] = []
    for asker in askers { effects += introduce(asker.introduction, by: asker.introduction.id, now: now) }
    let roster = self.roster
    let new = askers.filter { !roster.contains($0.introduction.id) }
    if !new.isEmpty {
      // The others hear of it before anybody can read by it.
      guard let told = makeRecord(admitting: new.map({ $0.introduction }), now: now) else { return effects }
      effects += told
      admission.admit(new)
    }
    var welcomed: [Admission.Asker] = []
    for asker in askers where welcome(asker, &effects, now: now) { welcomed.append(asker) }
    return effects + introduceReaders(to: welcomed, now: now)
  }

  /// Who was let in by a record that was left for another one is let in again.
  private mutating func readmit(now: HostTime) -> [ChannelEffect] {
    guard isSecured else { return [] }
    return admit(admission.orphans(of: roster, now: now).filter { present.contains($0.introduction.id) }, now: now)
  }

  /// Where it cannot be shown how the author of the record that is spoken in came in, an own one follows it. False: it cannot be made.
  private mutating func proveOwnRecord(_ effects: inout [ChannelEffect], now: HostTime) -> Bool {
    guard !records.isAuthorProven else { return true }
    guard let told = makeRecord(admitting: [], now: now) else { return false }
    effects += told
    return true
  }

  /// Hands over the content key of the record that is spoken in, with what proves it. False: it cannot be proven here.
  private mutating func welcome(_ asker: Admission.Asker, _ effects: inout [ChannelEffect], now: HostTime) -> Bool {
    let id = asker.introduction.id
    guard proveOwnRecord(&effects, now: now), let (_, entry, chain) = records.present else { return false }
    // Its own way in, too, so that it can let others in; it may have come in by a record before this one.
    guard let proof = records.proof(for: id) else {
      effects.append(.log(.warning, "no membership proof is at hand: participant \(id) is not let in"))
      return false
    }
    let since = records.since(asker.known)
    let authors = ([proof.founding, entry.record] + proof.steps + since).map { $0.author } + policy.levels.map { $0.author }
    var intros: [[UInt8]] = []
    var seen: Set<ParticipantID> = [local, id]
    for author in authors where seen.insert(author).inserted {
      guard let bytes = introductions[author]?.bytes else { continue }
      intros.append(bytes)
    }
    let text = WelcomeText(
      record: entry.record.bytes, proof: ([proof.founding] + proof.steps).map { $0.bytes }, levels: policy.bytes, intros: intros,
      roster: entry.roster, since: since.map { $0.bytes })
    let seal = WelcomeSeal(scope: door.scope, welcomer: local, newcomer: id, hello: asker.content)
    do {
      let message = WelcomeMessage(intro: introduction.bytes, sealed: try seal.seal(text, chain: chain, to: asker.key))
      effects += sendAtDoor(.welcome(message), to: id)
      return true
    } catch {
      effects += refuse(id, .welcome, now: now)
      return false
    }
  }

  /// Those whom a newcomer is introduced to when it is welcomed: who is here, who came last first. Who misses another one asks for it.
  private var readersIntroduced: [ParticipantID] {
    Array(roster.reversed().lazy.filter { [local, present] in $0 == local || present.contains($0) }.prefix(Self.introsAtOnce))
  }

  /// Introduces those who are here to some who were welcomed: to all of them at once, as what each would get by itself is most of what
  /// this participant may send.
  private mutating func introduceReaders(to askers: [Admission.Asker], now: HostTime) -> [ChannelEffect] {
    guard !askers.isEmpty, introductionsTold.level(now: now) > 0 else { return [] }
    let known = askers.map { asker in Set(asker.known.flatMap { records[$0]?.roster } ?? []) }
    let new = readersIntroduced.filter { id in id != local && known.contains { !$0.contains(id) } }
    let message = EpochMessage(intros: new.compactMap { introductions[$0]?.bytes })
    guard !message.intros.isEmpty else { return [] }
    introductionsTold.charge(Double(message.intros.count), now: now)
    return send(.epoch(message), to: askers.map { $0.introduction.id }, now: now)
  }

  // MARK: Being let in

  /// Judges a WELCOME. Whoever has the invite can send one: nothing in it counts before it is proven.
  private mutating func receiveWelcome(_ message: WelcomeMessage, from welcomer: Introduction, now: HostTime) -> [ChannelEffect] {
    guard !isRetired, let hello = requests.hello(to: welcomer.id), now < hello.until else {
      return refuse(welcomer.id, .welcome, now: now)
    }
    let seal = WelcomeSeal(scope: door.scope, welcomer: welcomer.id, newcomer: local, hello: hello.content)
    guard let (text, chain) = try? seal.open(message.sealed, with: hello.key) else {
      return refuse(welcomer.id, .welcome, now: now)
    }
    let checks = 1 + text.proof.count + text.levels.count + text.intros.count + text.since.count
    guard senders.chargeVerifications(checks, from: welcomer.id, now: now) else { return refuse(welcomer.id, .budget, now: now) }
    var known = [welcomer.id: welcomer, local: introduction]
    let shown = proven(text.intros)
    for (id, one) in shown { known[id] = one }
    // What was proven before comes first.
    for (id, one) in introductions.all { known[id] = one }
    guard known[welcomer.id]?.signingKey == welcomer.signingKey,
      let proven = ProvenRecord(
        text, chain: chain, welcomer: welcomer.id, newcomer: local, root: root, keys: known.mapValues { $0.signingKey },
        scope: door.scope)
    else {
      return [.log(.warning, "participant \(welcomer.id) does not prove that its key is the group's: refused")]
        + refuse(welcomer.id, .proof, now: now) + askOn(now: now)
    }
    let new = shown.values.filter { known[$0.id]?.bytes == $0.bytes }.sorted { $0.id < $1.id }
    guard let founding = records.founding else {
      return adopt(proven, chain, from: welcomer, introducing: new, now: now)
    }
    guard founding == proven.founding.id else {
      // Another beginning of the same room. Who stands under a lesser policy will ask, too.
      guard policy.isOvertaken(founding, by: proven, behind: door.topic) else { return askOn(now: now) }
      return adopt(proven, chain, from: welcomer, introducing: new, now: now)
        + [.log(.info, "the room began anew, as participant \(welcomer.id) shows")] + readmit(now: now)
    }
    return follow(proven, text, chain, from: welcomer, introducing: new, now: now)
  }

  /// A proven record of the room's present beginning: what leads to it is learnt, and where nothing does the most senior is gone by.
  private mutating func follow(
    _ proven: ProvenRecord, _ text: WelcomeText, _ chain: Secret, from welcomer: Introduction, introducing new: [Introduction],
    now: HostTime
  ) -> [ChannelEffect] {
    records.note(proven)
    var effects = introduce(welcomer, by: welcomer.id, now: now)
    effects += introduceAll(new, authors: Set(proven.roster), now: now)
    effects += receiveLevels(text.levels, from: welcomer.id, now: now)
    for bytes in text.since {
      guard let record = try? RosterRecord(reading: bytes, scope: door.scope), let author = introductions[record.author],
        record.isSigned(by: author.signingKey, scope: door.scope)
      else { break }
      effects += learn(record, from: welcomer.id, now: now)
    }
    if records.key(of: proven.record.id, now: now) == nil {
      guard records.isMostSenior(welcomer.id, policy, now: now) else {
        // It will go by us, or both by somebody else.
        return effects + [.log(.debug, "participant \(welcomer.id) is elsewhere, and junior")] + askOn(now: now)
      }
      records.goOver(to: proven, chain, now: now)
      effects.append(.log(.info, "went over to where participant \(welcomer.id) is, who is senior"))
    }
    records.hear(welcomer.id, in: proven.record.id, now: now)
    records.learned()
    unread.read(welcomer.id)
    requests.endSearch(by: welcomer.id)
    effects += review(now: now)
    effects += retry(now: now)
    return requests.isSearching ? effects : effects + announce(now: now)
  }

  /// Takes a proven record as the one to speak in: the first one, or of another founding record.
  private mutating func adopt(
    _ proven: ProvenRecord, _ chain: Secret, from welcomer: Introduction, introducing new: [Introduction], now: HostTime
  ) -> [ChannelEffect] {
    requests.endSearch()
    records.adopt(proven, chain, now: now)
    var effects = introduce(welcomer, by: welcomer.id, now: now)
    effects += introduceAll(new, now: now)
    effects += receiveLevels(proven.levels.map { $0.bytes }, from: welcomer.id, now: now)
    records.hear(welcomer.id, in: proven.record.id, now: now)
    effects += takeEndNotice() + announce(now: now)
    return effects + retry(now: now)
  }

  /// A DECLINE: a member has no place for us, or the group is closed. Believed for a moment, then the next member is asked: a place may
  /// become free, the group be opened, and one that lies keeps nobody out.
  private mutating func receiveDecline(_ message: DeclineMessage, from member: ParticipantID, now: HostTime) -> [ChannelEffect] {
    guard requests.hello(to: member) != nil else { return refuse(member, .welcome, now: now) }
    requests.closeHello(to: member)
    guard records.current == nil, requests.isAsking(member) else { return [] }
    // Nobody is silent here, and nobody is without a key.
    requests.restartSilence(now: now)
    requests.pause(now: now)
    return [.declined(message.reason)]
  }

  // MARK: Receiving

  package mutating func received(_ envelope: [UInt8], now: HostTime) -> [ChannelEffect] {
    received(envelope, held: nil, now: now)
  }

  /// Opens an envelope. The order of the checks matters: nothing is believed, and nothing costs a signature check, before what
  /// is cheaper was right.
  ///
  /// - Parameter held: it waited until it could be read, and may be older than what was read since.
  private mutating func received(_ envelope: [UInt8], held: UnreadFrames.Frame?, now: HostTime) -> [ChannelEffect] {
    guard let header = try? EnvelopeHeader(envelope: envelope), header.kind.isOfRoom else { return [.refused(.none, .malformed)] }
    let sender = header.sender
    guard sender != local, !policy.removed.contains(sender), !senders.isIgnored(sender, now: now) else { return [] }
    if header.kind == .door { return receivedAtDoor(envelope, header, now: now) }

    // Without a key nothing of the group's is meant for us yet.
    guard records.current != nil else { return [] }
    guard let record = records.record(of: header.epoch), let entry = records[record], let chain = records.key(of: record, now: now)
    else {
      return keepUnread(envelope, header, held: held, now: now)
    }
    guard entry.roster.contains(sender) else { return drop(sender, .unknownSender) }
    guard let author = introductions[sender] else { return keepUnintroduced(envelope, header, held: held, now: now) }
    if let refusal = senders.refusal(of: header, isHeld: held != nil) { return drop(sender, refusal) }
    let opened: OpenedEnvelope
    do {
      opened = try Envelope.open(envelope, key: SendKey(chain: chain, scope: door.scope, header: header))
    } catch {
      return drop(sender, .seal)
    }
    guard senders.chargeVerifications(1, from: sender, mayWait: header.kind == .unordered, now: now) else {
      return drop(sender, .budget)
    }
    do { try opened.verify(author: author.signingKey, scope: door.scope) } catch { return drop(sender, .signature) }

    senders.record(header)
    records.touch(record, now: now)
    // What is said of records comes under those that the receiver knows: it does not show where the sender is, nor that it can be read.
    let isOfRecords = [InnerMessage.MessageType.epoch, .ask].contains { $0.rawValue == opened.content.first }
    if !isOfRecords {
      unread.read(sender)
      records.hear(sender, in: record, now: now)
    }
    let heard = isOfRecords ? nil : unreadable.read(sender)
    let reviewed = review(now: now) + (heard.map { [.split($0)] } ?? [])
    let message: InnerMessage?
    do { message = try InnerMessage.decode(opened.content) } catch {
      return reviewed + refuse(sender, .malformed, now: now)
    }
    guard let message else { return reviewed }
    guard message.fits(header.kind) else { return reviewed + refuse(sender, .malformed, now: now) }
    return reviewed + dispatch(message, header, now: now)
  }

  /// HELLO and WELCOME bring the key that verifies them inside.
  private mutating func receivedAtDoor(_ envelope: [UInt8], _ header: EnvelopeHeader, now: HostTime) -> [ChannelEffect] {
    let sender = header.sender
    if let refusal = senders.refusal(of: header) { return drop(sender, refusal) }
    guard let opened = try? Envelope.open(envelope, key: SendKey(chain: door.chain, scope: door.scope, header: header))
    else {
      return drop(sender, .seal)
    }
    guard let message = try? InnerMessage.decode(opened.content), message.fits(.door) else {
      return drop(sender, .malformed)
    }
    // What nobody asked for costs no signature check.
    if case .welcome = message, requests.hello(to: sender) == nil { return drop(sender, .welcome) }
    let bytes: [UInt8]
    switch message {
    case .hello(let hello): bytes = hello.intro
    case .welcome(let welcome): bytes = welcome.intro
    case .decline(let decline): bytes = decline.intro
    case .rekey(let rekey):
      guard let intro = rekey.intro else { return drop(sender, .malformed) }
      bytes = intro
    default: return drop(sender, .malformed)
    }
    // The invite is enough to say what nobody asked for: that takes nothing of what members' words need.
    let isAwaited = requests.hello(to: sender) != nil
    guard senders.chargeVerifications(2, from: sender, mayWait: !isAwaited, now: now) else { return drop(sender, .budget) }
    guard let author = try? introductions.prove(bytes, session: door.scope.session), author.id == sender else {
      return drop(sender, .introduction)
    }
    do { try opened.verify(author: author.signingKey, scope: door.scope) } catch { return drop(sender, .signature) }
    senders.record(header)
    switch message {
    case .hello(let hello): return answer(hello, content: opened.content, from: author, now: now)
    case .welcome(let welcome): return receiveWelcome(welcome, from: author, now: now)
    case .decline(let decline) where decline.end != nil: return receiveEndNotice(decline, from: author, now: now)
    case .decline(let decline): return receiveDecline(decline, from: author.id, now: now)
    case .rekey(let rekey) where rekey.wraps.isEmpty: return receiveNotice(rekey, from: author, now: now)
    case .rekey(let rekey): return receiveRekey(rekey, from: author.id, atDoor: true, now: now)
    default: return []
    }
  }

  private mutating func dispatch(
    _ message: InnerMessage, _ header: EnvelopeHeader, now: HostTime
  ) -> [ChannelEffect] {
    let sender = header.sender
    switch message {
    case .update, .snapshot, .beat, .have, .want: return receive(message, of: nil, header, now: now)
    case .coordinator(let message):
      guard intake.coordinators.contains(message.name) else { return [] }
      // Of a later version's kinds nothing is known here.
      do {
        return try InnerMessage.decode(message.content).map { receive($0, of: message.name, header, now: now) } ?? []
      } catch {
        return refuse(sender, .malformed, now: now)
      }
    case .epoch(let message): return receive(message, from: sender, now: now)
    case .ask(let ask): return answer(ask, from: sender, now: now)
    case .data, .notice, .foreground, .speaking, .request, .answer, .ignoring, .bye, .attachment:
      return [.other(message, from: sender)]
    case .chat, .reaction, .chatDigest, .chatWant, .chatHistory: return receiveChat(message, from: sender, now: now)
    case .private(let message): return receivePrivate(message, header, now: now)
    case .rekey(let message): return receiveRekey(message, from: sender, atDoor: false, now: now)
    // The key of an audience is never said to all.
    case .hello, .welcome, .decline, .stage: return refuse(sender, .malformed, now: now)
    }
  }

  // MARK: Statements

  /// A message about registers: the session's and its first coordinator's, or another one's.
  private mutating func receive(
    _ message: InnerMessage, of coordinator: CoordinatorName?, _ header: EnvelopeHeader, now: HostTime
  ) -> [ChannelEffect] {
    let sender = header.sender
    switch message {
    case .update(let statements, let intros, let levels):
      guard let (valid, effects) = take(statements, of: coordinator, intros, levels, from: sender, now: now) else {
        return refuse(sender, .budget, now: now)
      }
      return valid.isEmpty ? effects : effects + [deliver(.update(valid), of: coordinator, from: sender)]
    case .snapshot(let part):
      guard part.of > 0 else { return [deliver(.snapshot(nil), of: coordinator, from: sender)] }
      guard let (valid, effects) = take(part.statements, of: coordinator, part.intros, part.levels, from: sender, now: now) else {
        return refuse(sender, .budget, now: now)
      }
      guard let whole = intake.add(valid, of: coordinator, number: part.number, of: part.of, from: sender, now: now) else {
        return effects
      }
      return effects + [deliver(.snapshot(whole), of: coordinator, from: sender)]
    case .beat(var beat):
      // Its bits go by the roster that it speaks in: by the own one they might name others.
      let theirs = records.record(of: header.epoch).flatMap { records[$0]?.roster } ?? []
      if theirs != roster { beat.heard = HearingBits.translate(beat.heard, from: theirs, to: roster, for: local) }
      return [deliver(.beat(beat), of: coordinator, from: sender)]
    case .have(let entries, let part, let count):
      let whole = intake.add(entries, of: coordinator, part: part, of: count, from: sender, now: now)
      return whole.map { [deliver(.have($0), of: coordinator, from: sender)] } ?? []
    case .want(let keys): return [deliver(.want(keys), of: coordinator, from: sender)]
    // Nothing else is a coordinator's.
    default: return refuse(sender, .malformed, now: now)
    }
  }

  private func deliver(_ message: CoordinationMessage, of coordinator: CoordinatorName?, from sender: ParticipantID) -> ChannelEffect {
    coordinator.map { .deliverNamed($0, message, from: sender) } ?? .deliver(message, from: sender)
  }

  /// What a message brings: those statements that their authors signed, and effects of all of it; nil: too much for its sender.
  private mutating func take(
    _ statements: [SignedStatement], of coordinator: CoordinatorName?, _ intros: [[UInt8]], _ levels: [[UInt8]],
    from sender: ParticipantID, now: HostTime
  ) -> ([Statement], [ChannelEffect])? {
    guard senders.chargeVerifications(statements.count + intros.count + levels.count, from: sender, now: now) else { return nil }
    var effects = introduceAll(intros, authors: authors(of: levels), by: sender, now: now)
    effects += receiveLevels(levels, from: sender, now: now)
    let (valid, more) = check(statements, of: coordinator, from: sender, now: now)
    return (valid, effects + more)
  }

  /// Splits statements into those that their authors signed, and effects; those of unknown authors wait for an introduction.
  private mutating func check(
    _ signed: [SignedStatement], of coordinator: CoordinatorName?, from sender: ParticipantID, now: HostTime
  ) -> ([Statement], [ChannelEffect]) {
    var valid: [Statement] = []
    var effects: [ChannelEffect] = []
    var unknown: Set<ParticipantID> = []
    for one in signed {
      let decoded: Statement?
      do {
        decoded = try StatementBody.decode(one.body, of: coordinator)
      } catch {
        effects += refuse(sender, .malformed, now: now)
        continue
      }
      // A register of a later version.
      guard var statement = decoded else { continue }
      statement.signed = one
      guard let author = introductions[statement.author] else {
        // Of who is on no roster nothing counts.
        guard records.isReader(statement.author), intake.wait((statement, coordinator, sender), now: now) else {
          effects += drop(sender, .unknownSender)
          continue
        }
        unknown.insert(statement.author)
        continue
      }
      if proof.isSaid(statement, by: author) {
        valid.append(statement)
      } else {
        effects += refuse(sender, .signature, now: now)
      }
    }
    if !unknown.isEmpty { effects += askWho(unknown.sorted(), now: now) }
    return (valid, effects)
  }

  // MARK: Chat

  /// What was said about the chat: words are proven first.
  private mutating func receiveChat(_ message: InnerMessage, from sender: ParticipantID, now: HostTime) -> [ChannelEffect] {
    switch message {
    case .chat(let signed):
      guard senders.chargeVerifications(1, from: sender, now: now) else { return refuse(sender, .budget, now: now) }
      guard case .said(let entry) = proof.chatEntry(signed, isReader: { records.isReader($0) }), entry.id.author == sender else {
        return refuse(sender, .signature, now: now)
      }
      return [.chat(.entry(entry), from: sender)]
    case .chatHistory(let entries):
      guard senders.chargeVerifications(entries.count, from: sender, now: now) else { return refuse(sender, .budget, now: now) }
      return receiveHistory(entries, from: sender, now: now)
    case .reaction(let reaction): return [.chat(.reaction(reaction), from: sender)]
    case .chatDigest(let digest): return [.chat(.digest(digest), from: sender)]
    case .chatWant(let names): return [.chat(.want(names), from: sender)]
    default: return []
    }
  }

  private mutating func receiveHistory(_ entries: [SignedStatement], from sender: ParticipantID, now: HostTime) -> [ChannelEffect] {
    var effects: [ChannelEffect] = []
    var said: [ChatEntry] = []
    var forged: Set<ParticipantID> = []
    var unintroduced: Set<ParticipantID> = []
    for one in entries {
      switch proof.chatEntry(one, isReader: { records.isReader($0) }) {
      case .said(let entry): said.append(entry)
      case .forged(let author):
        forged.insert(author)
        effects += refuse(sender, .signature, now: now)
      case .unreadable: effects += refuse(sender, .malformed, now: now)
      case .unintroduced(let author):
        unintroduced.insert(author)
        effects += drop(sender, .unknownSender)
      case .stranger: effects += drop(sender, .unknownSender)
      }
    }
    for author in forged.sorted() {
      let what = "participant \(sender) told words of participant \(author) that this one did not say; they are refused"
      effects.append(.log(.warning, what))
    }
    if !unintroduced.isEmpty { effects += askWho(unintroduced.sorted(), now: now) }
    return effects + [.chat(.history(said), from: sender)]
  }

  // MARK: A new room

  /// Fresh secrets of a room for everybody who is or was here lately but for `removed`, with the record that founds it. The level
  /// that names it is to stand on the policy `basis`.
  ///
  /// - Parameter door: the present one's; nil: another one.
  package func makeRoom(
    without removed: [ParticipantID], behind door: Secret? = nil, basis: PolicyID, now: HostTime
  ) -> RoomSecrets {
    // A roster that is nearly full is to become short.
    let isCrowded = door != nil && Freshness.isUrgent(readers: roster.count)
    let absent = isCrowded ? Freshness.urgentAbsent : WireLimits.participants
    let (door, chain) = (door ?? Secret(random: random), Secret(random: random))
    let here = Set(followers(now: now, absent: absent)).subtracting(removed).union([local])
    let order = records.bySeniority(here.filter { introductions[$0] != nil }, policy)
    let founding = RosterRecord.founding(
      roster: order, policy: basis, chain: chain, scope: Door(session: self.door.scope.session, secret: door).scope,
      author: identity.signing)
    return RoomSecrets(door: door, chain: chain, founding: founding)
  }

  /// Begins to hand the secrets, with the policy in force, to everybody whom the founding record names and who may be here: to a few in
  /// each turn, as each gets what is for the others beside its own, and the wraps of a large room take long. Who can read and is handed
  /// nothing is told the policy, which put it out, at the end.
  package mutating func sendRekey(_ secrets: RoomSecrets, now: HostTime) -> [ChannelEffect] {
    guard !present.isEmpty, let record = records.current else { return [] }
    let named = secrets.founding.body.admitted.filter { $0 != local && introductions[$0] != nil }
    handover = RekeyHandover(
      secrets, to: named, of: Set(present.ids.filter { records.isReader($0) }), under: record, by: policy.levels.last?.terms.founding,
      now: now)
    return continueRekey(now: now)
  }

  /// Hands the secrets of a re-key to the next few. A policy that names another beginning is another's move, or a later one of this
  /// participant's: then nobody can take them any more.
  package mutating func continueRekey(now: HostTime) -> [ChannelEffect] {
    guard isLinked, var current = handover else { return [] }
    handover = nil
    guard policy.levels.last?.terms.founding == current.policy else { return [] }
    let id = PolicyStack.id(levels: policy.bytes)
    var handed: [(id: ParticipantID, wrap: [UInt8])] = []
    for follower in current.pop(now: now) {
      guard let key = introductions[follower]?.hybridKey, !policy.removed.contains(follower) else { continue }
      let seal = RekeySeal(scope: door.scope, sender: local, recipient: follower, policy: id, record: current.secrets.founding.id)
      if let wrap = seal.seal(current.secrets, to: key) { handed.append((follower, wrap)) }
    }
    current.record(handed.map { $0.id })
    var effects: [ChannelEffect] = []
    if !handed.isEmpty {
      let message = RekeyMessage(levels: policy.bytes, record: current.secrets.founding.bytes, wraps: handed.map { $0.wrap })
      effects = send(.rekey(message), to: handed.map { $0.id }, under: current.record, now: now)
    }
    guard current.isOver else {
      handover = current
      return effects
    }
    let out = current.passedOver.filter { present.contains($0) }.sorted()
    return out.isEmpty ? effects : effects + send(policy.levels, to: out, under: current.record, now: now)
  }

  /// Hands the secrets of a re-key to all who wait for them at once: there is no later turn.
  package mutating func finishRekey(now: HostTime) -> [ChannelEffect] {
    var effects: [ChannelEffect] = []
    while isLinked, handover != nil { effects += continueRekey(now: now) }
    return effects
  }

  /// Host time since which more are to be handed the secrets of a re-key; nil: nobody is.
  package var nextHandover: HostTime? { isLinked ? handover?.since : nil }

  /// Participants who may follow a move, ascending: on the roster, present or gone for a short time only, and not removed. Where those
  /// are too many, present ones come first, then those who were here last.
  ///
  /// - Parameter absent: so many of those who are gone at most.
  package func followers(now: HostTime, absent: Int = WireLimits.participants) -> [ParticipantID] {
    (present.ids.sorted() + present.departed(now: now).prefix(absent))
      .filter { records.isReader($0) && !policy.removed.contains($0) && $0 != local }
      .prefix(WireLimits.participants).sorted()
  }

  /// Judges a re-key, from the room or at its door: levels first, then the secrets if they are those that the policy names.
  private mutating func receiveRekey(_ message: RekeyMessage, from sender: ParticipantID, atDoor: Bool, now: HostTime)
    -> [ChannelEffect]
  {
    let checks = message.levels.count + message.authors.count + 1
    guard senders.chargeVerifications(checks, from: sender, mayWait: atDoor, now: now) else {
      return refuse(sender, .budget, now: now)
    }
    var effects = introduceAll(message.authors, authors: authors(of: message.levels), by: sender, now: now)
    let (levels, refusals) = proven(message.levels, from: sender, now: now)
    effects += refusals
    guard levels.count == message.levels.count, let terms = levels.last?.terms else { return effects }
    effects.append(.deliver(.levels(levels), from: sender))
    guard let wrap = message.wraps.first(where: { $0.starts(with: local.bytes) }), let bytes = message.record else { return effects }
    let named = terms.founding
    let seal = RekeySeal(
      scope: door.scope, sender: sender, recipient: local, policy: PolicyStack.id(levels: message.levels), record: named)
    guard let opened = seal.open(wrap, with: identity.hybrid),
      let secrets = RoomSecrets(
        door: opened.door, chain: opened.chain, record: bytes, terms: terms, session: door.scope.session),
      secrets.founding.body.admitted.contains(local), let author = introductions[secrets.founding.author],
      secrets.founding.isSigned(by: author.signingKey, scope: secrets.place(in: door.scope.session).scope)
    else { return effects + refuse(sender, .rekey, now: now) }
    return effects + [.relocates(secrets, isLate: atDoor)]
  }

  /// Channel of the same participant in the room behind another door. Introductions stay proven there; nobody has spoken yet.
  package func relocated(to secrets: RoomSecrets, now: HostTime) -> SecureChannel {
    let door = secrets.place(in: door.scope.session)
    var present = self.present
    present.relocate(isIntroduced: { introductions[$0] != nil }, now: now)
    var requests = self.requests
    requests.relocate()
    var channel = replacing(records: RoomRecords(scope: door.scope, local: local), present: present, requests: requests)
    channel.door = door
    channel.admission = Admission()
    channel.answerPace = Self.answerPace
    channel.answers = PacedAnswers()
    channel.unread = UnreadFrames()
    channel.latecomers = Latecomers(awaiting: secrets.founding.body.admitted.filter { self.present.contains($0) })
    channel.keeper = nil
    channel.handover = nil
    channel.senders.forgetAll()
    channel.sealing.forgetWaiting()
    channel.intake.restart()
    channel.isLinked = false
    channel.linkLost = nil
    channel.isSecured = false
    channel.relocationNotice = nil
    channel.endNotice = nil
    channel.records.adopt(secrets.founding, secrets.chain, now: now)
    return channel
  }

  /// The same channel with what it knows replaced: what it says goes by that.
  func replacing(
    records: RoomRecords? = nil, introductions: Introductions? = nil, present: RoomMembers? = nil, requests: KeyRequests? = nil
  ) -> SecureChannel {
    var channel = self
    channel.records = records ?? self.records
    channel.introductions = introductions ?? self.introductions
    channel.present = present ?? self.present
    channel.requests = requests ?? self.requests
    return channel
  }

  // MARK: A new beginning behind the same door

  /// Whether those who are gone can still read, and it is time for a beginning without them. For owners to ask from time to time.
  package mutating func wantsRefresh(now: HostTime) -> Bool {
    guard let next = nextRefresh, now >= next else { return false }
    let isStale = records.looksStale(present, population: population, now: now)
    // The policy in force may have lost its beginning in a race of owners.
    return isBehindPolicy || isStale
  }

  /// The policy in force names another beginning than the one spoken in: nothing that is shown of this one proves anything.
  private var isBehindPolicy: Bool { policy.founding(behind: door.topic).map { $0 != records.founding } ?? false }

  /// Host time of the next look.
  package var nextRefresh: HostTime? { isSecured && !isRetired && !present.isEmpty ? records.nextLook : nil }

  /// Speaks in the room's new beginning, which the policy in force names.
  package mutating func refresh(_ secrets: RoomSecrets, now: HostTime) -> [ChannelEffect] {
    guard secrets.place(in: door.scope.session).topic == door.topic, records.founding != secrets.founding.id,
      policy.levels.last?.terms.founding == secrets.founding.id
    else { return [] }
    records.beginAnew(secrets.founding, secrets.chain, now: now)
    return readmit(now: now) + retry(now: now)
  }

  // MARK: The retired room

  /// Retires this channel: nobody is welcomed here any more. With `secrets`, members who missed the move are handed them.
  package mutating func retire(keeping secrets: RoomSecrets?) {
    isRetired = true
    // What was asked here does not matter any more, and an answer could only harm.
    requests.giveUp()
    records.stopAnnouncing()
    keeper = secrets.map { RelocationKeeper(secrets: $0, levels: policy.levels) }
  }

  /// Hands the way to the new room to a member whom its founding record names; others get nothing.
  package mutating func handOverRelocation(_ id: ParticipantID, now: HostTime) -> [ChannelEffect] {
    guard let keeper, !policy.removed.contains(id), let key = introductions[id]?.hybridKey, records.isReader(id),
      keeper.names(id), answersAtDoor.spend(now: now),
      let way = keeper.way(for: id, key, behind: door.scope, by: introduction, introductions)
    else { return [] }
    return sendAtDoor(way, to: id)
  }

  // MARK: Notices at the door

  // Signed proof, for those who come to a door later, that the session moved (wire 6.8) or was ended (wire 6.11). The hub hands them
  // out and can neither read nor judge them.

  /// Envelope with the policy that moved the session out of this room; nil: there is none, or it cannot be sealed.
  ///
  /// - Parameter isFinal: nobody keeps this door any more.
  package mutating func makeRelocationNotice(isFinal: Bool) -> [UInt8]? {
    guard policy.hasLeft(door.topic) else { return nil }
    let message = RekeyMessage(
      intro: introduction.bytes, levels: policy.bytes, authors: intros(of: policy.authors), isFinal: isFinal)
    return try? sealing.sealAtDoor(InnerMessage.rekey(message).encoded, door)
  }

  /// Judges a relocation notice. Its introductions do not enter the roster: a stranger may have left it, with as many as fit.
  private mutating func receiveNotice(_ message: RekeyMessage, from sender: Introduction, now: HostTime) -> [ChannelEffect] {
    // Who keeps this door knows better, and whoever was in the room may be handed the way to the next one.
    guard !isRetired, message.isFinal || records.current == nil else { return [] }
    let checks = message.authors.count + message.levels.count
    guard senders.chargeVerifications(checks, from: sender.id, mayWait: true, now: now) else {
      return refuse(sender.id, .budget, now: now)
    }
    let proven: [PolicyLevel]
    do throws(ChannelRefusal) {
      proven = try self.proven(message.levels, by: message.authors, and: sender)
    } catch {
      return refuse(sender.id, error, now: now)
    }
    guard message.isFinal || present.isEmpty else {
      relocationNotice = proven
      return []
    }
    return [.relocationNotice(proven)]
  }

  /// Envelope that says that this participant ended the session, also to those who cannot read what it speaks in; nil: it cannot be
  /// sealed.
  package mutating func makeEndNotice(_ end: Statement) -> [UInt8]? {
    guard let signed = sign(end) else { return nil }
    let message = DeclineMessage(
      intro: introduction.bytes, reason: .ended, levels: policy.bytes, authors: intros(of: policy.authors), end: signed)
    return try? sealing.sealAtDoor(InnerMessage.decline(message).encoded, door)
  }

  /// Judges a notice of an end: who is in the group knows its author.
  private mutating func receiveEndNotice(_ message: DeclineMessage, from sender: Introduction, now: HostTime) -> [ChannelEffect] {
    guard !isRetired, let signed = message.end else { return [] }
    guard records.current == nil || introductions[sender.id]?.signingKey == sender.signingKey else {
      return refuse(sender.id, .unknownSender, now: now)
    }
    let checks = 1 + message.authors.count + message.levels.count
    guard senders.chargeVerifications(checks, from: sender.id, mayWait: true, now: now) else {
      return refuse(sender.id, .budget, now: now)
    }
    guard var end = try? StatementBody.decode(signed.body), end.key == .end else {
      return refuse(sender.id, .malformed, now: now)
    }
    end.signed = signed
    do throws(ChannelRefusal) {
      let levels = try proven(message.levels, by: message.authors, and: sender)
      guard proof.isSaid(end, by: sender) else { throw .signature }
      endNotice = EndNotice(levels: levels, end: end, signingKey: sender.signingKey)
      return records.current != nil || present.isEmpty ? takeEndNotice() : []
    } catch {
      return refuse(sender.id, error, now: now)
    }
  }

  /// The notice that waited; of who is known here by another key it says nothing.
  private mutating func takeEndNotice() -> [ChannelEffect] {
    guard let notice = endNotice else { return [] }
    endNotice = nil
    return records.current == nil || introductions[notice.end.author]?.signingKey == notice.signingKey ? [.endNotice(notice)] : []
  }

  /// Levels that their authors, who are introduced beside them, signed.
  private func proven(_ levels: [[UInt8]], by authors: [[UInt8]], and sender: Introduction) throws(ChannelRefusal)
    -> [PolicyLevel]
  {
    var known = Introductions()
    _ = known.add(sender)
    for bytes in authors {
      guard let author = try? introductions.prove(bytes, session: door.scope.session) else { throw .introduction }
      _ = known.add(author)
    }
    let proof = AuthorProof(session: door.scope.session, introductions: known)
    var proven: [PolicyLevel] = []
    for bytes in levels {
      guard let level = try? proof.level(bytes) else { throw .signature }
      proven.append(level)
    }
    return proven
  }

  // MARK: Going on on another day

  /// The record that is spoken in, with its key and what proves it to anybody, and introductions of `authors`; nil: there is none yet
  /// (wire 8.25).
  ///
  /// - Parameter effects: of a step of its own, where it could not be shown how the record's author came in.
  package mutating func continuation(
    introducing authors: Set<ParticipantID>, effects: inout [ChannelEffect], now: HostTime
  ) -> (text: WelcomeText, chain: Secret)? {
    guard isSecured, !isRetired, records.current != nil, proveOwnRecord(&effects, now: now),
      let (_, entry, chain) = records.present, let proof = records.proof()
    else { return nil }
    let shown = Set(([proof.founding, entry.record] + proof.steps).map { $0.author }).union(policy.authors)
    let intros = intros(of: shown.union(authors))
    guard intros.count <= WireLimits.introsPerMessage else { return nil }
    return (
      WelcomeText(
        record: entry.record.bytes, proof: ([proof.founding] + proof.steps).map { $0.bytes }, levels: policy.bytes, intros: intros,
        roster: entry.roster),
      chain
    )
  }

  /// Signed bytes of statements whose authors are introduced here; others are left out.
  package func signed(_ statements: [Statement]) -> [SignedStatement] {
    statements.compactMap { $0.author == local || introductions[$0.author] != nil ? sign($0) : nil }
  }

  /// Signing keys of those of `authors` who are introduced here, ascending by id; 32 bytes each.
  package func keys(of authors: Set<ParticipantID>) -> [[UInt8]] {
    authors.sorted().compactMap { introductions[$0]?.signingKey.bytes }
  }

  /// Begins with what another day left, before the first link; false: it does not prove that the key is the group's, and nothing
  /// changed.
  package mutating func resume(_ text: WelcomeText, chain: Secret, now: HostTime) -> Bool {
    var known = proven(text.intros)
    known[local] = introduction
    guard
      let proven = ProvenRecord(
        text, chain: chain, welcomer: local, newcomer: local, root: root, keys: known.mapValues { $0.signingKey },
        scope: door.scope)
    else { return false }
    for one in known.values { _ = introductions.add(one) }
    records.adopt(proven, chain, now: now)
    setPolicy(levels: proven.levels)
    // Whoever is met may be keys ahead.
    linkLost = .min
    return true
  }

  /// The number of the last lane, and of one after which the next lane's comes.
  package var lastLane: UInt32 { sealing.lane.index }
  package mutating func beginLanes(after index: UInt32) { sealing.beginLanes(after: index) }

  /// Statements whose authors are introduced here and signed them; others are left out.
  package func verified(_ statements: [SignedStatement]) -> [Statement] { statements.compactMap { proof.statement($0) } }

  /// Levels that their authors signed.
  package func verified(levels: [[UInt8]]) -> [PolicyLevel] { levels.compactMap { try? proof.level($0) } }
}

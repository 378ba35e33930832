import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

/// Key handover: asking members for the content key, letting newcomers in, and judging what a welcome proves (wire 5.2, 5.3).
extension SecureChannel {
  // MARK: Asking

  /// Asks the next member. Where nobody has the key everybody waits: who was invited does not speak for the group.
  mutating func ask(now: HostTime) -> [ChannelEffect] {
    guard var search else { return [] }
    if let relocationNotice, speaking.current == nil, !search.tried.isEmpty {
      // Who keeps the door would have handed over the way by now.
      self.relocationNotice = nil
      return [.relocationNotice(relocationNotice)] + ask(now: now)
    }
    // Those who came within one second of each other by their connections, which a hub counts.
    var order = members.values.sorted { ($0.age, $1.connection, $1.id) > ($1.age, $0.connection, $0.id) }.map { $0.id }
    // Who said that it has no key either is asked last: as soon as it has one it answers by itself.
    if speaking.current == nil { order = order.filter { !keyless.contains($0) } + order.filter { keyless.contains($0) } }
    // Who only may be behind asks the most senior of those whom it knows: the oldest may be anybody.
    if speaking.current != nil {
      order = order.filter { !keyless.contains($0) && !removed.contains($0) }
      let readers = order.filter { roster.contains($0) }
        .sorted { (seniority(of: $0) ?? .last) < (seniority(of: $1) ?? .last) }
      order = Array((readers + order.filter { !roster.contains($0) }).prefix(WelcomeSearch.most))
    }
    // Who neither answers nor asks keeps a door that is shut.
    if !isSilentHere { search.since = now }
    if speaking.current == nil, search.isHopeless(among: order, now: now) {
      self.search = nil
      return [.nobodyAnswers]
    }
    guard let next = order.first(where: { !search.tried.contains($0) }) else {
      if speaking.current != nil {
        self.search = nil
        return announce(now: now)
      }
      // Everybody was asked: from the beginning, as some may have been welcomed meanwhile.
      search.beginRound(now: now)
      self.search = search
      return []
    }
    search.begin(with: next, until: now.adding(WelcomeSearch.patience).adding(roundTrip * 2))
    self.search = search
    return hello(to: next, reason: speaking.current == nil ? .joining : .returning, now: now)
  }

  /// Somebody is here, and none of them asks for the key.
  var isSilentHere: Bool { !members.isEmpty && askers.isDisjoint(with: members.keys) }

  mutating func hello(to member: ParticipantID, reason: HelloMessage.Reason, now: HostTime) -> [ChannelEffect] {
    let key = HybridKey(seed: Secret(random: random))
    let hello = HelloMessage(
      intro: introduction.bytes, known: speaking.current, reason: reason, freshKey: key.publicKey.bytes)
    let content = InnerMessage.hello(hello).encoded
    hellos[member] = PendingHello(content: content, key: key, until: now.adding(PendingHello.lifetime))
    return sealDoor(content, to: member)
  }

  /// Asks those whose frames cannot be read for a while, the most senior first.
  mutating func askUnread(now: HostTime) -> [ChannelEffect] {
    guard search == nil else { return [] }
    let overdue = unread.unreadSince.filter { id, since in
      members[id] != nil && !removed.contains(id) && now >= since.adding(unreadPatience(since: since))
    }.map { $0.key }
    // Those of whom nothing is known are asked by their time here: an invented one is young.
    let order = overdue.sorted { left, right in
      let (first, second) = (seniority(of: left) ?? .last, seniority(of: right) ?? .last)
      if isReader(left) || isReader(right) { return first < second }
      return (members[right]?.age ?? 0, left) < (members[left]?.age ?? 0, right)
    }
    guard let next = order.first(where: { helloBudget.next($0) <= now }) else { return [] }
    helloBudget.take(next, now: now)
    unread.restart(next, now: now)
    return hello(to: next, reason: .unreadable, now: now)
  }

  /// At the beginning a newcomer may have been handed any key.
  private func unreadPatience(since: HostTime) -> Nanoseconds {
    since.subtracting(cameIn) < .seconds(30) ? UnreadFrames.newcomerPatience : UnreadFrames.patience
  }

  var nextUnread: HostTime? {
    guard search == nil else { return nil }
    return unread.unreadSince.compactMap { id, since -> HostTime? in
      guard members[id] != nil, !removed.contains(id) else { return nil }
      return max(since.adding(unreadPatience(since: since)), helloBudget.next(id))
    }.min()
  }

  // MARK: Answering

  /// Answers a HELLO of a newcomer, or of a member that lost track.
  mutating func answer(_ hello: HelloMessage, content: [UInt8], from asker: Introduction, now: HostTime) -> [ChannelEffect] {
    let id = asker.id
    if isRetired {
      return introductions[id]?.signingKey == asker.signingKey ? handOverRelocation(id, now: now) : []
    }
    askers.insert(id)
    var effects: [ChannelEffect] = []
    if hello.known == nil, members[id] != nil {
      keyless.insert(id)
      if speaking.current != nil, search?.asked == id { effects += askOn(now: now) }
    }
    guard let key = try? HybridPublicKey(hello.freshKey) else { return effects + refuse(id, .malformed, now: now) }
    let waiting = Admission.Asker(introduction: asker, content: content, key: key, known: hello.known, at: now)
    // Who is not in itself cannot let anybody in; it is asked again.
    guard let current = speaking.current, let entry = book[current], !isBehindPolicy else { return effects }
    guard admission.spend(id, now: now) else { return effects }
    let isIn = entry.roster.contains(id)
    guard mayComeIn(waiting) else { return effects + decline(id, .closed, now: now) }
    guard isIn || population < WireLimits.participants && places > 0 else {
      return effects + decline(id, .full, now: now)
    }
    effects += introduce(asker, by: id, now: now)
    guard introductions[id]?.bytes == asker.bytes else { return effects }
    if let known = hello.known, isIn {
      if self.key(of: known, now: now) != nil {
        // Where it stands counts, as if it had spoken there.
        speaking.hear(id, in: known, lately: lately, now: now)
        effects += review(now: now)
      } else if isMostSenior(id, now: now), helloBudget.next(id) <= now {
        // It is elsewhere, and this one goes there.
        helloBudget.take(id, now: now)
        effects += self.hello(to: id, reason: .unreadable, now: now)
      }
    }
    if roster.contains(id), hello.known != nil || !isSecured {
      guard welcome(waiting, &effects, now: now) else { return effects }
      return effects + introduceReaders(to: [waiting], now: now)
    }
    // It is on a record that this one is about to go on to, and by which all others go, too.
    if let known = hello.known, speaking.isLed(by: local), book.follows(known, from: current),
      book[known]?.roster.contains(id) == true, self.key(of: known, now: now) != nil
    {
      return effects + review(now: now)
    }
    admission.wait(waiting)
    return effects + admit(now: now)
  }

  /// How many newcomers the roster has places for. Where no owner is here who could make it short again, the last 32 are kept for those
  /// whom a half of the group let in that is met again.
  private var places: Int {
    let owners = levels.last?.terms.owners ?? [root]
    let isOwnerHere = owners.contains { $0 == local || members[$0] != nil }
    return max(0, (isOwnerHere ? WireLimits.roster : Freshness.urgentRoster) - roster.count)
  }

  /// A closed group lets in who was let in before, as its roster says, or a record that is known here: another half of the group did,
  /// or it was away for so long that the room began anew.
  private func mayComeIn(_ asker: Admission.Asker) -> Bool {
    let id = asker.introduction.id
    guard levels.last?.terms.isClosed == true, !roster.contains(id) else { return true }
    return asker.known.flatMap { book[$0] }?.roster.contains(id) ?? false
  }

  private mutating func decline(_ id: ParticipantID, _ reason: DeclineMessage.Reason, now: HostTime) -> [ChannelEffect] {
    guard answersAtDoor.spend(now: now) else { return [] }
    return sealDoor(InnerMessage.decline(DeclineMessage(intro: introduction.bytes, reason: reason)).encoded, to: id)
  }

  /// Lets those in who asked since the last time.
  mutating func admit(now: HostTime) -> [ChannelEffect] {
    guard isSecured, !isRetired else { return [] }
    // The group may have been closed while they waited: they ask again, and are told.
    let askers = admission.take(atMost: min(WireLimits.admitted, places), now: now).filter {
      !removed.contains($0.introduction.id) && mayComeIn($0)
    }
    return admit(askers, now: now)
  }

  private mutating func admit(_ askers: [Admission.Asker], now: HostTime) -> [ChannelEffect] {
    guard !askers.isEmpty else { return [] }
    var effects: [ChannelEffect] = []
    for asker in askers { effects += introduce(asker.introduction, by: asker.introduction.id, now: now) }
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
  mutating func readmit(now: HostTime) -> [ChannelEffect] {
    guard isSecured else { return [] }
    return admit(admission.orphans(of: roster, now: now).filter { members[$0.introduction.id] != nil }, now: now)
  }

  /// Hands over the content key of the record that is spoken in, with what proves it. False: it cannot be proven here.
  private mutating func welcome(_ asker: Admission.Asker, _ effects: inout [ChannelEffect], now: HostTime) -> Bool {
    if let current = speaking.current, let entry = book[current],
      book.proof(of: [local, entry.record.author], founding: entry.founding) == nil
    {
      // Of this one's author it cannot be shown how it came in; of an own one it can.
      guard let told = makeRecord(admitting: [], now: now) else { return false }
      effects += told
    }
    guard let current = speaking.current, let entry = book[current], let chain = keys[current],
      let founding = book[entry.founding]?.record
    else { return false }
    // Its own way in, too, so that it can let others in; it may have come in by a record before this one.
    let shown = [local] + (entry.record.body.kind == .step ? [entry.record.author] : [])
    guard let proof = book.proof(of: shown + [asker.introduction.id], founding: entry.founding)
      ?? book.proof(of: shown, founding: entry.founding)
    else {
      effects.append(.log(.warning, "no membership proof is at hand: participant \(asker.introduction.id) is not let in"))
      return false
    }
    let since = asker.known.flatMap { book.path(from: $0, to: current, atMost: WireLimits.recordsPerMessage) } ?? []
    let authors = ([founding, entry.record] + proof + since).map { $0.author } + levels.map { $0.author }
    var intros: [[UInt8]] = []
    var seen: Set<ParticipantID> = [local, asker.introduction.id]
    for id in authors where seen.insert(id).inserted {
      guard let bytes = introductions[id]?.bytes else { continue }
      intros.append(bytes)
    }
    let text = WelcomeText(
      record: entry.record.bytes, proof: ([founding] + proof).map { $0.bytes }, levels: levels.map { $0.bytes }, intros: intros,
      roster: entry.roster, since: since.map { $0.bytes })
    let seal = WelcomeSeal(
      scope: door.scope, welcomer: local, newcomer: asker.introduction.id, hello: asker.content)
    do {
      let message = WelcomeMessage(intro: introduction.bytes, sealed: try seal.seal(text, chain: chain, to: asker.key))
      effects += sealDoor(InnerMessage.welcome(message).encoded, to: asker.introduction.id)
      return true
    } catch {
      effects += refuse(asker.introduction.id, .welcome, now: now)
      return false
    }
  }

  /// Those whom a newcomer is introduced to when it is welcomed: who is here, who came last first. Who misses another one asks for it.
  var readersIntroduced: [ParticipantID] {
    Array(roster.reversed().lazy.filter { [local] in $0 == local || members[$0] != nil }.prefix(Self.introsAtOnce))
  }

  /// Introduces those who are here to some who were welcomed: to all of them at once, as what each would get by itself is most of what
  /// this participant may send.
  private mutating func introduceReaders(to askers: [Admission.Asker], now: HostTime) -> [ChannelEffect] {
    guard !askers.isEmpty, introductionsTold.level(now: now) > 0 else { return [] }
    let known = askers.map { asker in Set(asker.known.flatMap { book[$0]?.roster } ?? []) }
    let new = readersIntroduced.filter { id in id != local && known.contains { !$0.contains(id) } }
    let message = EpochMessage(intros: new.compactMap { introductions[$0]?.bytes })
    guard !message.intros.isEmpty else { return [] }
    introductionsTold.charge(Double(message.intros.count), now: now)
    return send(.epoch(message), to: askers.map { $0.introduction.id }, now: now)
  }

  // MARK: Being welcomed

  /// Judges a WELCOME. Whoever has the invite can send one: nothing in it counts before it is proven.
  mutating func receiveWelcome(_ message: WelcomeMessage, from welcomer: Introduction, now: HostTime) -> [ChannelEffect] {
    guard !isRetired, let hello = hellos[welcomer.id], now < hello.until else {
      return refuse(welcomer.id, .welcome, now: now)
    }
    let seal = WelcomeSeal(scope: door.scope, welcomer: welcomer.id, newcomer: local, hello: hello.content)
    guard let (text, chain) = try? seal.open(message.sealed, with: hello.key) else {
      return refuse(welcomer.id, .welcome, now: now)
    }
    let checks = 1 + text.proof.count + text.levels.count + text.intros.count + text.since.count
    guard chargeVerifications(checks, from: welcomer.id, now: now) else { return refuse(welcomer.id, .budget, now: now) }
    var known: [ParticipantID: Introduction] = [welcomer.id: welcomer, local: introduction]
    for bytes in text.intros {
      guard let one = try? Introduction(verifying: bytes, session: door.scope.session) else { continue }
      known[one.id] = one
    }
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
    let new = text.intros.compactMap { bytes in known.values.first { $0.bytes == bytes } }
    guard let current = speaking.current, let entry = book[current] else {
      return adopt(proven, chain, from: welcomer, introducing: new, now: now)
    }
    guard entry.founding == proven.founding.id else {
      // Another beginning of the same room. Who stands under a lesser policy will ask, too.
      guard isOvertaken(entry.founding, by: proven) else { return askOn(now: now) }
      return adopt(proven, chain, from: welcomer, introducing: new, now: now)
        + [.log(.info, "the room began anew, as participant \(welcomer.id) shows")] + readmit(now: now)
    }
    book.note(proven)
    var effects = introduce(welcomer, by: welcomer.id, now: now)
    effects += introduceAll(new, authors: Set(proven.roster), now: now)
    effects += receiveLevels(text.levels, from: welcomer.id, now: now)
    for bytes in text.since {
      guard let record = try? RosterRecord(reading: bytes, scope: door.scope), let author = introductions[record.author],
        record.isSigned(by: author.signingKey, scope: door.scope)
      else { break }
      effects += learn(record, from: welcomer.id, now: now)
    }
    if key(of: proven.record.id, now: now) == nil {
      guard isMostSenior(welcomer.id, now: now) else {
        // It will go by us, or both by somebody else.
        return effects + [.log(.debug, "participant \(welcomer.id) is elsewhere, and junior")] + askOn(now: now)
      }
      book.add(proven)
      keys.hold(proven.record.id, chain, spoken: speaking.current, now: now)
      if let current = speaking.current { keys.touch(current, now: now) }
      speaking.begin(proven.record.id, now: now)
      effects.append(.log(.info, "went over to where participant \(welcomer.id) is, who is senior"))
    }
    speaking.hear(welcomer.id, in: proven.record.id, lately: lately, now: now)
    speaking.learned()
    unread.read(welcomer.id)
    if search?.asked == welcomer.id || search?.tried.contains(welcomer.id) == true { search = nil }
    effects += review(now: now)
    effects += retry(now: now)
    return search == nil ? effects + announce(now: now) : effects
  }

  /// Whether the room's present beginning gives way to another one: to that which the policy in force names, or a greater policy,
  /// by owners. Without any policy both are the root's, and the lesser one holds.
  private func isOvertaken(_ founding: RecordID, by proven: ProvenRecord) -> Bool {
    let named = levels.last.flatMap { $0.terms.topic == door.topic ? $0.terms.founding : nil }
    if let named, named == proven.founding.id { return true }
    let origin = PolicyOrigin(root: root)
    guard let own = PolicyStack(levels: levels, origin: origin), let others = PolicyStack(levels: proven.levels, origin: origin)
    else { return false }
    guard named != nil || proven.levels.last?.terms.hasMoved == true else { return proven.founding.id < founding }
    return others.compare(own, origin: origin) == .greater && others.takeovers(origin: origin).allSatisfy { $0.isAccepted }
  }

  /// Senior to this participant and to all who were read lately.
  private func isMostSenior(_ id: ParticipantID, now: HostTime) -> Bool {
    guard let rank = seniority(of: id), let own = seniority(of: local), rank < own else { return false }
    return speaking.heard(within: lately, now: now).allSatisfy { other in
      other == id || (seniority(of: other).map { rank < $0 } ?? true)
    }
  }

  /// Takes a proven record as the one to speak in: the first one, or of another founding record.
  private mutating func adopt(
    _ proven: ProvenRecord, _ chain: Secret, from welcomer: Introduction, introducing new: [Introduction], now: HostTime
  ) -> [ChannelEffect] {
    search = nil
    book.add(proven)
    keys.hold(proven.record.id, chain, spoken: proven.record.id, now: now)
    if let former = speaking.current { keys.touch(former, now: now) }
    speaking.begin(proven.record.id, now: now)
    cameIn = now
    freshness.begin(now: now)
    var effects = introduce(welcomer, by: welcomer.id, now: now)
    effects += introduceAll(new, now: now)
    effects += receiveLevels(proven.levels.map { $0.bytes }, from: welcomer.id, now: now)
    speaking.hear(welcomer.id, in: proven.record.id, lately: lately, now: now)
    effects += announce(now: now)
    return effects + retry(now: now)
  }

  /// Asks the next member after a useless answer.
  private mutating func askOn(now: HostTime) -> [ChannelEffect] {
    guard search != nil else { return [] }
    search?.answerBy = now
    return ask(now: now)
  }

  /// A DECLINE: a member has no place for us, or the group is closed. Believed for a moment, then the next member is asked: a place may
  /// become free, the group be opened, and one that lies keeps nobody out.
  mutating func receiveDecline(_ message: DeclineMessage, from member: ParticipantID, now: HostTime) -> [ChannelEffect] {
    guard hellos[member] != nil else { return refuse(member, .welcome, now: now) }
    hellos[member] = nil
    guard speaking.current == nil, search?.asked == member else { return [] }
    // Nobody is silent here, and nobody is without a key.
    search?.since = now
    search?.answerBy = now.adding(WelcomeSearch.declined)
    return [.declined(message.reason)]
  }

  /// Begins to speak over this link.
  mutating func announce(now: HostTime) -> [ChannelEffect] {
    guard !isSecured else { return [] }
    isSecured = true
    return [.secured]
  }

  /// Introductions that a message brings: of readers, and of `authors` of levels in it.
  mutating func introduceAll(
    _ intros: [[UInt8]], authors: Set<ParticipantID> = [], by relay: ParticipantID, now: HostTime
  ) -> [ChannelEffect] {
    var effects: [ChannelEffect] = []
    var new: [Introduction] = []
    for bytes in intros {
      do {
        let introduction = try Introduction(verifying: bytes, session: door.scope.session)
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
    let authors = authors.union(proofAuthors).union(levels.map { $0.author })
    return new.reduce(into: []) { effects, one in
      guard isReader(one.id) || authors.contains(one.id) else { return }
      effects += introduce(one, by: relay ?? one.id, now: now)
    }
  }
}

import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

/// Rekeying: moving to another door with another key (wire 6).
extension SecureChannel {
  /// All participants vouched for by the same person as `id`, itself included.
  package func devices(of id: ParticipantID) -> [ParticipantID] {
    guard let person = introductions[id]?.personID else { return [id] }
    return Set(introductions.all.values.filter { $0.personID == person }.map { $0.id }).union([id]).sorted()
  }

  /// Id of the person behind a participant.
  package func person(of id: ParticipantID) -> ParticipantID {
    introductions[id].flatMap { ParticipantID(bytes: $0.personID) } ?? id
  }

  /// Persons by their devices, of those whose introductions show one.
  package var persons: [ParticipantID: ParticipantID] { introductions.persons }

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
    let order = here.filter { introductions[$0] != nil }.sorted { (seniority(of: $0) ?? .last) < (seniority(of: $1) ?? .last) }
    let founding = RosterRecord.founding(
      roster: order, policy: basis, chain: chain, scope: Door(session: self.door.scope.session, secret: door).scope,
      author: identity.signing)
    return RoomSecrets(door: door, chain: chain, founding: founding)
  }

  /// Hands the secrets, with the policy in force, to everybody whom the founding record names and who may be here.
  package mutating func sendRekey(_ secrets: RoomSecrets, now: HostTime) -> [ChannelEffect] {
    let policy = PolicyStack.id(levels: levels.map { $0.bytes })
    var wraps: [[UInt8]] = []
    for id in secrets.founding.body.admitted where id != local && !removed.contains(id) {
      guard let key = introductions[id]?.hybridKey else { continue }
      let seal = RekeySeal(scope: door.scope, sender: local, recipient: id, policy: policy, record: secrets.founding.id)
      if let wrap = seal.seal(secrets, to: key) { wraps.append(wrap) }
    }
    let count = max(1, (wraps.count + WireLimits.wrapsPerMessage - 1) / WireLimits.wrapsPerMessage)
    return (0..<count).reduce(into: []) { effects, part in
      let message = RekeyMessage(
        levels: levels.map { $0.bytes }, record: secrets.founding.bytes,
        wraps: Array(wraps.dropFirst(part * WireLimits.wrapsPerMessage).prefix(WireLimits.wrapsPerMessage)), part: UInt8(part),
        of: UInt8(count))
      effects += send(.rekey(message), to: nil, now: now)
    }
  }

  /// Participants who may follow a move, ascending: on the roster, present or gone for a short time only, and not removed. Where those
  /// are too many, present ones come first, then those who were here last.
  ///
  /// - Parameter absent: so many of those who are gone at most.
  package func followers(now: HostTime, absent: Int = WireLimits.participants) -> [ParticipantID] {
    let recent = lastPresent.filter { now.subtracting($0.value) <= RelocationKeeper.memory && members[$0.key] == nil }
      .sorted { ($0.value, $0.key) > ($1.value, $1.key) }.map { $0.key }
    return (members.keys.sorted() + recent.prefix(absent)).filter { isReader($0) && !removed.contains($0) && $0 != local }
      .prefix(WireLimits.participants).sorted()
  }

  /// Judges a re-key, from the room or at its door: levels first, then the secrets if they are those that the policy names.
  mutating func receiveRekey(_ message: RekeyMessage, from sender: ParticipantID, atDoor: Bool, now: HostTime)
    -> [ChannelEffect]
  {
    guard chargeVerifications(message.levels.count + message.authors.count + 1, from: sender, now: now) else {
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
    var channel = self
    channel.door = secrets.place(in: door.scope.session)
    channel.book = RecordBook()
    channel.keys = KeyChain()
    channel.speaking = Speaking()
    channel.admission = Admission()
    channel.announcements = Announcements()
    channel.recordPace = SecureChannel.recordPace
    channel.answerPace = SecureChannel.answerPace
    channel.unread = UnreadFrames()
    channel.relocationKeeper = nil
    channel.senders = [:]
    // They are about to come, and may miss a move that follows.
    for id in members.keys where introductions[id] != nil { channel.lastPresent[id] = now }
    channel.members = [:]
    channel.askers = []
    channel.keyless = []
    channel.hellos = [:]
    channel.isLinked = false
    channel.sealing = nil
    channel.sealingQueue = []
    channel.linkLost = nil
    channel.isSecured = false
    channel.search = nil
    channel.relocationNotice = nil
    channel.helloBudget = HelloBudget()
    channel.assembly = SnapshotAssembly()
    channel.haveAssembly = HaveAssembly()
    channel.adopt(secrets.founding, secrets.chain, now: now)
    return channel
  }

  // MARK: A new beginning behind the same door

  /// Whether those who are gone can still read, and it is time for a beginning without them. For owners to ask from time to time.
  package mutating func wantsRefresh(now: HostTime) -> Bool {
    guard isSecured, !isRetired, !members.isEmpty, now >= freshness.nextLook(readers: roster.count) else {
      return false
    }
    freshness.look(now: now)
    let absent = roster.filter { members[$0] == nil && $0 != local }
    let gone = absent.count { (lastPresent[$0] ?? cameIn).adding(Freshness.interval) <= now }
    // The policy in force may have lost its beginning in a race of owners.
    return isBehindPolicy
      || freshness.isDue(readers: roster.count, gone: gone, absent: absent.count, population: population, now: now)
  }

  /// The policy in force names another beginning than the one spoken in: nothing that is shown of this one proves anything.
  var isBehindPolicy: Bool {
    levels.last.map { $0.terms.topic == door.topic && $0.terms.founding != founding } ?? false
  }

  /// Host time of the next look.
  package var nextRefresh: HostTime? { 
    isSecured && !isRetired && !members.isEmpty ? freshness.nextLook(readers: roster.count) : nil
  }

  /// Speaks in the room's new beginning, which the policy in force names.
  package mutating func refresh(_ secrets: RoomSecrets, now: HostTime) -> [ChannelEffect] {
    guard secrets.place(in: door.scope.session).topic == door.topic, founding != secrets.founding.id,
      levels.last?.terms.founding == secrets.founding.id
    else { return [] }
    if let former = speaking.current { keys.touch(former, now: now) }
    announcements.clear()
    adopt(secrets.founding, secrets.chain, now: now)
    return readmit(now: now) + retry(now: now)
  }

  // MARK: The retired room

  /// Retires this channel: nobody is welcomed here any more. With `secrets`, members who missed the move are handed them.
  package mutating func retire(keeping secrets: RoomSecrets?) {
    isRetired = true
    // What was asked here does not matter any more, and an answer could only harm.
    search = nil
    hellos = [:]
    announcements.clear()
    relocationKeeper = secrets.map { RelocationKeeper(secrets: $0, levels: levels) }
  }

  /// Hands the way to the new room to a member whom its founding record names; others get nothing.
  package mutating func handOverRelocation(_ id: ParticipantID, now: HostTime) -> [ChannelEffect] {
    guard let relocationKeeper, !removed.contains(id), let key = introductions[id]?.hybridKey, isReader(id),
      relocationKeeper.secrets.founding.body.admitted.contains(id), answersAtDoor.spend(now: now)
    else { return [] }
    let levels = relocationKeeper.levels
    let founding = relocationKeeper.secrets.founding
    let seal = RekeySeal(
      scope: door.scope, sender: local, recipient: id, policy: PolicyStack.id(levels: levels.map { $0.bytes }), record: founding.id)
    guard let wrap = seal.seal(relocationKeeper.secrets, to: key) else { return [] }
    let authors = Set(levels.map { $0.author }).union([founding.author]).subtracting([local]).sorted()
    let message = RekeyMessage(
      intro: introduction.bytes, levels: levels.map { $0.bytes }, record: founding.bytes, wraps: [wrap],
      authors: authors.compactMap { introductions[$0]?.bytes })
    return sealDoor(InnerMessage.rekey(message).encoded, to: id)
  }
}

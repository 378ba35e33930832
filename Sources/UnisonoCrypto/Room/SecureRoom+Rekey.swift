import UnisonoCore

/// Moving to another door with another key (wire 6).
extension SecureRoom {
  /// All participants vouched for by the same person as `id`, itself included.
  public func devices(of id: ParticipantID) -> [ParticipantID] {
    guard let person = roster[id]?.personID else { return [id] }
    return Set(roster.introductions.values.filter { $0.personID == person }.map(\.id)).union([id]).sorted()
  }

  /// What stands for the person behind a participant.
  public func person(of id: ParticipantID) -> ParticipantID {
    roster[id].flatMap { ParticipantID(bytes: $0.personID) } ?? id
  }

  /// Everybody who is or was here lately and may follow gets the secrets; what the policy in force says of them is sent along.
  public mutating func sendRekey(_ secrets: RoomSecrets, now: HostTime) -> [RoomEffect] {
    let policy = PolicyStack.id(levels: levels.map(\.bytes))
    var wraps: [[UInt8]] = []
    for id in followers(now: now) {
      guard let key = roster[id]?.agreementKey else { continue }
      let seal = RekeySeal(scope: door.scope, sender: local, recipient: id, policy: policy)
      if let wrap = seal.seal(secrets, to: key) { wraps.append(wrap) }
    }
    return send(.rekey(RekeyMessage(levels: levels.map(\.bytes), wraps: wraps)), to: nil, now: now)
  }

  /// Present, or gone for a short time only, and not removed; ascending. Where those are too many, who is here and known
  /// comes first, then who was here last.
  public func followers(now: HostTime) -> [ParticipantID] {
    let recent = lastPresent.filter { now.subtracting($0.value) <= Doorkeeping.memory && members[$0.key] == nil }
      .sorted { ($0.value, $0.key) > ($1.value, $1.key) }.map(\.key)
    let here = members.keys.sorted { (roster[$0] == nil ? 1 : 0, $0) < (roster[$1] == nil ? 1 : 0, $1) }
    return (here + recent).filter { !removed.contains($0) && $0 != local }.prefix(WireLimits.participants).sorted()
  }

  /// A re-key, in the room or at the door: levels first, and the secrets if they are those that the policy names.
  mutating func takeRekey(_ message: RekeyMessage, from sender: ParticipantID, atDoor: Bool, now: HostTime)
    -> [RoomEffect]
  {
    let (levels, refusals) = proven(message.levels, from: sender, now: now)
    guard levels.count == message.levels.count, let terms = levels.last?.terms else { return refusals }
    let effects = refusals + [.deliver(.levels(levels), from: sender)]
    guard let wrap = message.wraps.first(where: { $0.starts(with: local.bytes) }) else { return effects }
    let seal = RekeySeal(
      scope: door.scope, sender: sender, recipient: local, policy: PolicyStack.id(levels: message.levels))
    guard let secrets = seal.open(wrap, with: identity.agreement), secrets.fit(terms, session: door.scope.session)
    else { return effects + refuse(sender, .rekey, now: now) }
    return effects + [.moves(secrets, isLate: atDoor)]
  }

  /// The same participant in the room behind another door. What others said here stays proven there; nobody has spoken yet.
  public func moved(to secrets: RoomSecrets, now: HostTime) -> SecureRoom {
    var room = self
    let place = secrets.place(in: door.scope.session)
    room.door = place.door
    room.keyring = Keyring(place.epoch, now: now)
    room.doorkeeping = nil
    room.senders = [:]
    // They are about to come, and may miss a move that follows.
    for id in members.keys where roster[id] != nil { room.lastPresent[id] = now }
    room.members = [:]
    room.askers = []
    room.keyless = []
    room.hellos = [:]
    room.isLinked = false
    room.sealing = nil
    room.behind = []
    room.linkLost = nil
    room.isSecured = false
    room.search = nil
    room.word = nil
    room.doubt = nil
    room.contest = EpochContest()
    room.questions = HelloBudget()
    room.heldFrames = HeldFrames()
    room.assembly = SnapshotAssembly()
    return room
  }

  // MARK: The doorkeeper

  /// Nobody is welcomed here any more; with `secrets` those who missed the move are told of it.
  public mutating func shut(keeping secrets: RoomSecrets?) {
    isShut = true
    // What was asked here does not matter any more, and an answer could only harm.
    search = nil
    hellos = [:]
    doubt = nil
    doorkeeping = secrets.map { Doorkeeping(secrets: $0, levels: levels) }
  }

  /// Who belongs to the session and was here lately is handed what it missed; strangers get nothing.
  public mutating func tellAtDoor(_ id: ParticipantID, now: HostTime) -> [RoomEffect] {
    guard let doorkeeping, !removed.contains(id), let key = roster[id]?.agreementKey, welcomes.take(now: now),
      lastPresent[id].map({ now.subtracting($0) <= Doorkeeping.memory }) ?? false
    else { return [] }
    let policy = PolicyStack.id(levels: doorkeeping.levels.map(\.bytes))
    let seal = RekeySeal(scope: door.scope, sender: local, recipient: id, policy: policy)
    guard let wrap = seal.seal(doorkeeping.secrets, to: key) else { return [] }
    let message = RekeyMessage(
      intro: introduction.bytes, levels: doorkeeping.levels.map(\.bytes), wraps: [wrap])
    return sealDoor(InnerMessage.rekey(message).encoded, to: id)
  }
}

import UnisonoBase
import UnisonoReplica
import UnisonoWire

/// Rekeying: moving to another door with another key (wire 6).
extension SecureChannel {
  /// All participants vouched for by the same person as `id`, itself included.
  package func devices(of id: ParticipantID) -> [ParticipantID] {
    guard let person = roster[id]?.personID else { return [id] }
    return Set(roster.introductions.values.filter { $0.personID == person }.map(\.id)).union([id]).sorted()
  }

  /// Id of the person behind a participant.
  package func person(of id: ParticipantID) -> ParticipantID {
    roster[id].flatMap { ParticipantID(bytes: $0.personID) } ?? id
  }

  /// Hands the secrets, with the policy in force, to everybody who is or was here lately and may follow.
  package mutating func sendRekey(_ secrets: RoomSecrets, now: HostTime) -> [ChannelEffect] {
    let policy = PolicyStack.id(levels: levels.map(\.bytes))
    var wraps: [[UInt8]] = []
    for id in followers(now: now) {
      guard let key = roster[id]?.agreementKey else { continue }
      let seal = RekeySeal(scope: door.scope, sender: local, recipient: id, policy: policy)
      if let wrap = seal.seal(secrets, to: key) { wraps.append(wrap) }
    }
    return send(.rekey(RekeyMessage(levels: levels.map(\.bytes), wraps: wraps)), to: nil, now: now)
  }

  /// Participants who may follow a move, ascending: present, or gone for a short time only, and not removed. Where those are too
  /// many, present and introduced ones come first, then those who were here last.
  package func followers(now: HostTime) -> [ParticipantID] {
    let recent = lastPresent.filter { now.subtracting($0.value) <= RelocationKeeper.memory && members[$0.key] == nil }
      .sorted { ($0.value, $0.key) > ($1.value, $1.key) }.map(\.key)
    let here = members.keys.sorted { (roster[$0] == nil ? 1 : 0, $0) < (roster[$1] == nil ? 1 : 0, $1) }
    return (here + recent).filter { !removed.contains($0) && $0 != local }.prefix(WireLimits.participants).sorted()
  }

  /// Judges a re-key, from the room or at its door: levels first, then the secrets if they are those that the policy names.
  mutating func receiveRekey(_ message: RekeyMessage, from sender: ParticipantID, atDoor: Bool, now: HostTime)
    -> [ChannelEffect]
  {
    let (levels, refusals) = proven(message.levels, from: sender, now: now)
    guard levels.count == message.levels.count, let terms = levels.last?.terms else { return refusals }
    let effects = refusals + [.deliver(.levels(levels), from: sender)]
    guard let wrap = message.wraps.first(where: { $0.starts(with: local.bytes) }) else { return effects }
    let seal = RekeySeal(
      scope: door.scope, sender: sender, recipient: local, policy: PolicyStack.id(levels: message.levels))
    guard let secrets = seal.open(wrap, with: identity.agreement), secrets.fit(terms, session: door.scope.session)
    else { return effects + refuse(sender, .rekey, now: now) }
    return effects + [.relocates(secrets, isLate: atDoor)]
  }

  /// Channel of the same participant in the room behind another door. Introductions stay proven there; nobody has spoken yet.
  package func relocated(to secrets: RoomSecrets, now: HostTime) -> SecureChannel {
    var channel = self
    let place = secrets.place(in: door.scope.session)
    channel.door = place.door
    channel.keyring = Keyring(place.epoch, now: now)
    channel.relocationKeeper = nil
    channel.senders = [:]
    // They are about to come, and may miss a move that follows.
    for id in members.keys where roster[id] != nil { channel.lastPresent[id] = now }
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
    channel.doubt = nil
    channel.contest = EpochContest()
    channel.helloBudget = HelloBudget()
    channel.pendingFrames = PendingFrames()
    channel.assembly = SnapshotAssembly()
    channel.haveAssembly = HaveAssembly()
    return channel
  }

  // MARK: The retired room

  /// Retires this channel: nobody is welcomed here any more. With `secrets`, members who missed the move are handed them.
  package mutating func retire(keeping secrets: RoomSecrets?) {
    isRetired = true
    // What was asked here does not matter any more, and an answer could only harm.
    search = nil
    hellos = [:]
    doubt = nil
    relocationKeeper = secrets.map { RelocationKeeper(secrets: $0, levels: levels) }
  }

  /// Hands the way to the new room to a member who was here lately; strangers get nothing.
  package mutating func handOverRelocation(_ id: ParticipantID, now: HostTime) -> [ChannelEffect] {
    guard let relocationKeeper, !removed.contains(id), let key = roster[id]?.agreementKey, welcomes.spend(now: now),
      lastPresent[id].map({ now.subtracting($0) <= RelocationKeeper.memory }) ?? false
    else { return [] }
    let policy = PolicyStack.id(levels: relocationKeeper.levels.map(\.bytes))
    let seal = RekeySeal(scope: door.scope, sender: local, recipient: id, policy: policy)
    guard let wrap = seal.seal(relocationKeeper.secrets, to: key) else { return [] }
    let message = RekeyMessage(
      intro: introduction.bytes, levels: relocationKeeper.levels.map(\.bytes), wraps: [wrap])
    return sealDoor(InnerMessage.rekey(message).encoded, to: id)
  }
}

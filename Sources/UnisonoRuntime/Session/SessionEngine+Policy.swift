import UnisonoCore
import UnisonoCrypto

/// What an owner does, and what follows for everybody: roles, control, removal with a new door (wire 6, 8).
extension SessionEngine {
  public func setRole(of participant: ParticipantID, to role: Role) { handle(.changePolicy(.role(participant, role))) }

  public func setControl(_ control: ControlPolicy) { handle(.changePolicy(.control(control))) }

  /// Says who stands in when no owner is there.
  public func setSuccession(_ succession: SuccessionTerms) { handle(.changePolicy(.succession(succession))) }

  /// Puts a participant out, with all devices of its person: the room moves to a new door with a new key, and the invite is
  /// renewed.
  public func remove(_ participant: ParticipantID) { remove(room.devices(of: participant)) }

  private func remove(_ participants: [ParticipantID]) {
    let secrets = RoomSecrets(random: environment.randomBytes)
    let place = secrets.place(in: origin.session)
    moves.own[place.door.topic] = secrets
    let leaving = moves.left.sorted { $0.lexicographicallyPrecedes($1) } + [door.topic]
    handle(
      .changePolicy(.removal(participants, topic: place.door.topic, epoch: place.epoch.id, leaving: leaving)))
    if coordination.policy.levels.last?.terms.topic != place.door.topic { moves.own[place.door.topic] = nil }
  }

  /// A removal of an owner's that lost against another's: made in the room that the winner names.
  func removeOnceThere(_ participants: [ParticipantID]) {
    guard let terms = coordination.policy.levels.last?.terms, terms.hasMoved, terms.topic != door.topic else {
      return remove(participants)
    }
    moves.removal = participants
  }

  /// Another policy is in force.
  func follow(_ policy: PolicyStack) {
    room.setPolicy(policy)
    moves.next?.room.setPolicy(policy)
    for index in moves.former.indices { moves.former[index].room.setPolicy(policy) }
    guard let terms = policy.levels.last?.terms else { return }
    for id in terms.removed { directory.forget(id) }
    if let secrets = moves.own[terms.topic], terms.topic != door.topic {
      carryOut(room.sendRekey(secrets, now: environment.now))
      // Of a race of owners some may be a door behind.
      for index in moves.former.indices {
        let effects = moves.former[index].room.sendRekey(secrets, now: environment.now)
        carryOut(effects, ofFormer: moves.former[index].number)
      }
      moves.known[terms.topic] = (secrets, isLate: false)
    }
    followIfPossible()
  }

  /// Secrets that a policy names came; that policy may be in force already, or come to be.
  func note(_ secrets: RoomSecrets, isLate: Bool) {
    let topic = secrets.place(in: origin.session).door.topic
    guard topic != door.topic, !moves.left.contains(topic), moves.known[topic] == nil,
      moves.known.count < SessionMoves.capacity
    else { return }
    moves.known[topic] = (secrets, isLate)
    followIfPossible()
  }

  /// Each follows the greatest policy whose door it can open, but never back into a door that it left.
  private func followIfPossible() {
    guard state.status != .invalidated, let topic = coordination.policy.levels.last?.terms.topic, topic != door.topic,
      !moves.left.contains(topic), let (secrets, isLate) = moves.known[topic]
    else { return }
    if let next = moves.next {
      guard next.room.door.topic != topic else { return }
      next.client?.close()
    }
    if moves.carried.remove(topic) != nil { carryOut(room.sendRekey(secrets, now: environment.now)) }
    hub?.onlyTopics?.insert(topic)
    let number = nextLinkNumber()
    let room = room.relocated(to: secrets, now: environment.now)
    moves.next = NextRoom(number: number, secrets: secrets, isLate: isLate, room: room)
    moves.next?.client = HubClient(
      environment: environment, candidates: directory.candidates, door: room.door, identity: identity,
      events: linkEvents(number))
    // Where the group lives at the hub of this process it finds its next room there.
    if let hub, client?.current?.hubID == hub.hubID { moves.next?.client?.isOwnHubVisited = true }
  }

  /// In the next room: from now on only what is said there counts; the old one is read for a moment more.
  func enteredNext(_ seat: HubSeat) {
    guard let next = moves.next, let nextClient = next.client, let oldClient = client else { return }
    moves.next = nil
    moves.isNoticed = false
    moves.left.insert(door.topic)
    // Never entered again: only who may have to keep the old door needs them now, for as long as that may be.
    let isOwn = moves.own.removeValue(forKey: next.room.door.topic) != nil
    moves.known[next.room.door.topic] = nil
    moves.former.append(
      FormerRoom(
        number: linkNumber, room: room, client: oldClient, secrets: next.secrets,
        author: coordination.policy.levels.last?.author ?? .none, isKept: isOwn, now: environment.now))
    leaveWord(at: moves.former.count - 1, isFinal: false)
    hub?.rearDoors[door.topic] = Set(room.followers(now: environment.now)).union([identity.id])
    // Those who were together move together: their coming is awaited, not their loss noted.
    let expected = room.members.values.filter { member in
      !room.isRemoved(member.id) && !seat.members.contains { $0.id == member.id }
    }
    moves.expected = (Set(expected.map(\.id)), environment.now.adding(FormerRoom.reading))
    linkNumber = next.number
    client = nextClient
    room = next.room
    doorSecret = next.secrets.door
    take(
      seat, mergedWithOthers: next.isLate,
      awaiting: next.isLate ? [] : expected.map { Member(id: $0.id, connection: 0, age: $0.age) })
    deliver(.inviteChanged)
    if let wanted = moves.removal {
      moves.removal = nil
      remove(wanted)
    }
  }

  /// The next room cannot be entered: the policy that names it still holds, and a later one may name another.
  func lostNext(_ end: HubLinkEnd, retry: HostTime?) {
    guard retry == nil else { return }
    moves.next = nil
    deliver(.log(.warning, "the session's new room could not be entered: \(end.reason)"))
    if moves.isNoticed { invalidateAsRenewed() }
  }

  // MARK: Former rooms

  func formerDelivered(_ number: Int, _ envelope: [UInt8]) {
    guard let index = moves.former.firstIndex(where: { $0.number == number }) else { return }
    let effects = moves.former[index].room.received(envelope, now: environment.now)
    carryOut(effects, ofFormer: number)
  }

  func formerPresence(_ number: Int, joined: [Member], gone: [Departure]) {
    guard let index = moves.former.firstIndex(where: { $0.number == number }) else { return }
    var effects = moves.former[index].room.presence(joined: joined, gone: gone, now: environment.now)
    for member in joined where member.id != identity.id {
      effects += moves.former[index].room.handOverRelocation(member.id, now: environment.now)
    }
    carryOut(effects, ofFormer: number)
  }

  /// The link of a former room came up again.
  func formerEntered(_ number: Int, _ seat: HubSeat) {
    guard let index = moves.former.firstIndex(where: { $0.number == number }) else { return }
    let others = seat.members.filter { $0.id != identity.id }
    var effects = moves.former[index].room.entered(members: others, now: environment.now)
    for member in others { effects += moves.former[index].room.handOverRelocation(member.id, now: environment.now) }
    carryOut(effects, ofFormer: number)
    leaveWord(at: index, isFinal: false)
  }

  func formerLost(_ number: Int, retry: HostTime?) {
    guard let index = moves.former.firstIndex(where: { $0.number == number }) else { return }
    moves.former[index].room.linkDown(now: environment.now)
    if retry == nil { closeFormer(at: index) }
  }

  private func carryOut(_ effects: [ChannelEffect], ofFormer number: Int) {
    guard let former = moves.former.first(where: { $0.number == number }) else { return }
    for effect in effects {
      switch effect {
      case .transmit(let envelope, let to): former.client?.send(envelope, to: to)
      case .deliver(.levels(let levels), let sender): handle(.message(.levels(levels), from: sender))
      case .deliver(let message, let sender):
        if environment.now < former.readUntil { handle(.message(message, from: sender)) }
      case .other(let message, let sender):
        if environment.now < former.readUntil { take(message, from: sender) }
      case .relocates(let secrets, let isLate):
        // Who is here with us may not have heard of it.
        moves.carried.insert(secrets.place(in: origin.session).door.topic)
        note(secrets, isLate: isLate)
      case .secured, .nobodyAnswers, .relocationNotice, .refused, .ignored, .full, .log: continue
      }
    }
  }

  /// Who did not follow yet hears of a later policy, too.
  func tellFormer(_ levels: [PolicyLevel]) {
    for index in moves.former.indices {
      let effects = moves.former[index].room.send(.levels(levels), to: nil, now: environment.now)
      carryOut(effects, ofFormer: moves.former[index].number)
    }
  }

  private func closeFormer(at index: Int) {
    leaveFormer(at: index, isLast: true)
    let former = moves.former.remove(at: index)
    hub?.onlyTopics?.remove(former.room.door.topic)
    hub?.rearDoors[former.room.door.topic] = nil
  }

  /// Whoever comes to a door that is kept here finds a notice, and need not wait for people who will not come.
  private func leaveWord(at index: Int, isFinal: Bool) {
    guard moves.former[index].isKept, let notice = moves.former[index].room.makeRelocationNotice(isFinal: isFinal) else { return }
    moves.former[index].client?.keep(notice)
  }

  /// `isLast`: nobody keeps this door any more.
  private func leaveFormer(at index: Int, isLast: Bool) {
    if isLast { leaveWord(at: index, isFinal: true) }
    moves.former[index].client?.leave()
  }

  /// Somebody left word at this door, by an owner's signature, that the session moved out of it for good.
  func takeNotice(_ levels: [PolicyLevel]) {
    guard origin.hasLeft(door.topic, by: levels) else {
      return deliver(.log(.debug, "a notice at the door does not show that the session moved"))
    }
    // Who is on its way to where the session is now has not lost it.
    moves.isNoticed = true
    if moves.next == nil { invalidateAsRenewed() }
  }

  private func invalidateAsRenewed() {
    invalidate(.authentication, "the session moved out of this room: the invitation was renewed; ask for a new one")
  }

  func reviewMoves() {
    let now = environment.now
    while let index = moves.former.firstIndex(where: { $0.closesAt <= now }) { closeFormer(at: index) }
    for index in moves.former.indices { moves.former[index].room.eraseKeys(now: now) }
    for index in moves.former.indices where !moves.former[index].isKept { reviewFormer(at: index, now: now) }
    if let (ids, until) = moves.expected, until <= now {
      moves.expected = nil
      // Those who came have a connection of their own, which this says nothing about.
      handle(.presence(joined: [], gone: ids.sorted().map { Departure(id: $0, connection: 0, left: false) }))
    }
  }

  /// A door that somebody else keeps: read until everything that was on its way is there, and kept when it is our turn.
  private func reviewFormer(at index: Int, now: HostTime) {
    let former = moves.former[index]
    if let client = former.client, former.readUntil <= now {
      client.leave()
      moves.former[index].room.linkDown(now: now)
      moves.former[index].client = nil
    }
    guard let seat = client?.current, doorkeeper(of: former) == identity.id else {
      moves.former[index].called = nil
      return
    }
    let called = former.called ?? now
    moves.former[index].called = called
    guard now >= called.adding(FormerRoom.takeover) else { return }
    let keeper = HubClient(
      environment: environment, candidates: directory.candidates, door: former.room.door, identity: identity,
      events: linkEvents(former.number))
    moves.former[index].keep(over: keeper)
    // It is found at the hub where the group is, also if that is the one in this process.
    if let hub, seat.hubID == hub.hubID { keeper.isOwnHubVisited = true }
    deliver(.log(.info, "the door of the session's former room is kept here from now on"))
  }

  /// Who moved the room; the least of those who are there once it is gone.
  private func doorkeeper(of former: FormerRoom) -> ParticipantID? {
    let present = Set(room.members.keys).union([identity.id]).filter { !room.isRemoved($0) }
    return present.contains(former.author) ? former.author : present.min()
  }

  var movesWake: HostTime? { (moves.former.map(\.wake) + [moves.expected?.until].compactMap { $0 }).min() }

  func closeMoves() {
    moves.next?.client?.close()
    // While others are left, one of them keeps the door after this one.
    let isLast = state.reason == .ended || directory.known.subtracting([identity.id]).isEmpty
    for index in moves.former.indices { leaveFormer(at: index, isLast: isLast) }
    moves = SessionMoves()
  }
}

import UnisonoCore
import UnisonoCrypto

/// The hubs of the session: the own one, kept for the others, and theirs, turned to when the one in use dies.
extension SessionEngine {
  /// How often the own hub's addresses are looked at.
  private static let addressInterval = Nanoseconds.seconds(15)

  /// A hub in this process that takes over when the one in use dies. A session does without where none can be bound.
  func keepStandbyHub() {
    guard hub == nil else { return noteOwnHub() }
    do throws(NetworkError) {
      let server = try HubServer(environment: environment, options: HubOptions(limits: .embedded)) { [deliver] line in
        deliver(.log(line.level.logLevel, "standby hub: \(line.text)"))
      }
      server.onlyTopics = [door.topic]
      server.entered = { [weak self] in self?.noteVisitors() }
      clock.own = (server.clockID, server.clock)
      hub = server
    } catch {
      deliver(.log(.warning, "no standby hub in this process: \(error.message)"))
    }
    noteOwnHub()
    client?.setCandidates(directory.candidates)
  }

  /// Somebody came to the standby hub.
  private func noteVisitors() {
    if isVisited(door) { client?.isStandbyVisited = true }
    if let next = moves.next, isVisited(next.room.door) { next.client?.isStandbyVisited = true }
  }

  /// Somebody else is in this room at the hub in this process.
  private func isVisited(_ door: Door) -> Bool {
    hub?.participants(of: door.topic).contains { $0 != identity.id } ?? false
  }

  /// In the standby hub of this process, and nobody else is: others are still looked for.
  var isAlone: Bool {
    guard let client, let seat = client.current, let hub, hub.hubID == seat.hubID, client.others.isEmpty else {
      return false
    }
    return !directory.invited.contains { $0.hub == hub.hubID } && directory.known.count > 1
  }

  /// Takes the own hub's addresses as they are now, for the others and for the list.
  func noteOwnHub() {
    guard let hub else { return }
    let all = hub.addresses
    // Where there is another one, the loopback helps nobody.
    let reachable = all.filter { !$0.hasPrefix("127.") && !$0.hasPrefix("[::1]") }
    let told = (reachable.isEmpty ? all : reachable).prefix(HubDirectory.perParticipant)
    let listed = told.map { HubAddress(address: $0, hub: hub.hubID) }
    directory.own = (listed, HubAddress(address: hub.ownAddress, hub: hub.hubID))
    nextAddressCheck = environment.now.adding(Self.addressInterval)
    handle(.setHubAddresses(listed))
  }

  /// After a turn in which something came: who belongs to the session, where their hubs are, who is missing.
  func reviewDirectory() {
    if hub != nil, environment.now >= nextAddressCheck {
      noteOwnHub()
      isDirectoryStale = true
    }
    guard isDirectoryStale, let client else { return }
    isDirectoryStale = false
    forgetLongLost()
    if client.isStandbyVisited, !isVisited(door) { client.isStandbyVisited = false }
    for (id, hubs) in coordination.hubAddresses { directory.note(id, hubs: hubs) }
    directory.absent = lostAt
    client.setCandidates(directory.candidates)
    for former in moves.former where former.isKept { former.client?.setCandidates(directory.candidates) }
    client.isLast = directory.known.count == 1
    client.isMissingSomebody = directory.known.contains { $0 != identity.id && client.others[$0] == nil }
  }

  /// Who lost its link and does not come back is missed no more once many others are: it may come back as a newcomer.
  private func forgetLongLost() {
    let excess = lostAt.count - HubDirectory.absentMost
    guard excess > 0 else { return }
    for (id, _) in lostAt.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }).prefix(excess) {
      lostAt[id] = nil
      directory.forget(id)
      inbox.forgetOrder(of: id)
    }
  }

  /// The invitation leads to the hub that is in use.
  func noteHubInUse(_ seat: HubSeat) {
    isDirectoryStale = true
    directory.note(seat)
    let isInvited = directory.invited.contains { $0.isHub(of: seat) }
    let addresses = isInvited && directory.advertised.isEmpty ? [] : directory.addresses(of: seat.hubID)
    guard addresses != hubsInUse else { return }
    hubsInUse = addresses
    deliver(.inviteChanged)
  }
}

import UnisonoCore
import UnisonoCrypto

/// What candidates and the invitation are derived of.
struct HubSources: Equatable {
  var directory: UInt64
  var seat: UInt64?
  var hub: [UInt8]?
  var others: Set<ParticipantID>
  var hasState: Bool
  /// Of the room's link: another one begins without candidates.
  var link: Int
}

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
      server.serve(only: door.topic)
      clock.own = (server.clockID, server.clock)
      hub = server
      watchOwnHub()
    } catch {
      deliver(.log(.warning, "no standby hub in this process: \(error.message)"))
    }
    noteOwnHub()
    client?.setCandidates(directory.candidates)
  }

  /// Who comes to the hub in this process, or looks who is there.
  func watchOwnHub() {
    hub?.observe(
      onEntry: { [weak self] in self?.noteVisitors() },
      onPeek: { [weak self] id in
        // One who is missing looks for us: it can be reached again.
        if let self, directory.known.contains(id), client?.others[id] == nil { client?.peekAgain() }
      })
  }

  private func noteVisitors() {
    if isVisited(door) { client?.setOwnHubVisited(true) }
    if let next = moves.next, isVisited(next.room.door) { next.client?.setOwnHubVisited(true) }
  }

  /// Somebody else is in this room at the hub in this process.
  private func isVisited(_ door: Door) -> Bool {
    hub?.participants(of: door.topic).contains { $0 != identity.id } ?? false
  }

  /// In the standby hub of this process, and nobody else is, while others are still on the list: they may be elsewhere.
  var isAtOwnHubAlone: Bool {
    guard let client, let seat = client.current, let hub, hub.hubID == seat.hubID, client.others.isEmpty else {
      return false
    }
    return !directory.invited.contains { $0.hub == hub.hubID } && coordination.isAwaitingOthers
  }

  /// Takes the own hub's addresses as they are now, for the others and for the list.
  func noteOwnHub() {
    guard let hub else { return }
    let listed = Array(Self.reachable(hub).prefix(HubDirectory.perParticipant))
    directory.setOwn(listed, loopback: HubAddress(address: hub.ownAddress, hub: hub.hubID))
    nextAddressCheck = environment.now.adding(Self.addressInterval)
    handle(.setHubAddresses(listed))
  }

  /// The addresses under which others reach a hub in this process. Where there is another one, the loopback helps nobody.
  static func reachable(_ hub: HubServer) -> [HubAddress] {
    let all = hub.addresses
    let reachable = all.filter { !$0.hasPrefix("127.") && !$0.hasPrefix("[::1]") }
    return (reachable.isEmpty ? all : reachable).map { HubAddress(address: $0, hub: hub.hubID) }
  }

  /// A member's snapshot has the registers of those, too, who are not where it was given: one who came to fetch us knows
  /// where the others are.
  func noteHubs(in statements: [Statement]) {
    for statement in statements {
      guard case .participant(let id) = statement.key, case .participant(let value) = statement.value, !value.left,
        !room.isRemoved(id)
      else { continue }
      directory.record(id, hubs: value.hubAddresses)
      isDirectoryStale = true
    }
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
    if client.isOwnHubVisited, !isVisited(door) { client.setOwnHubVisited(false) }
    for (id, hubs) in coordination.hubAddresses { directory.record(id, hubs: hubs) }
    directory.setAbsent(lostAt)
    let sources = HubSources(
      directory: directory.revision, seat: client.current?.connection, hub: client.current?.hubID,
      others: Set(client.others.keys), hasState: coordination.hasState, link: linkNumber)
    guard sources != hubSources else { return }
    hubSources = sources
    let candidates = directory.candidates
    client.setCandidates(candidates)
    for former in moves.former where former.isKept { former.client?.setCandidates(candidates) }
    client.setGroup(HubGroup(isNewcomer: !coordination.hasState, known: directory.known))
    let hubs = hubsToInvite
    guard hubs != hubsInvited else { return }
    hubsInvited = hubs
    deliver(.inviteChanged)
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

  /// What the invitation lists. Who never met the group leads nobody to where it is itself, but only to the group.
  private var hubsToInvite: [HubAddress] {
    guard coordination.hasState else { return directory.invited }
    let seat = client?.current
    let present = seat == nil ? directory.known : Set(client?.others.keys.map { $0 } ?? [])
    return directory.invite(from: seat, present: present, most: Invite.maximumHubs)
  }

  /// The invitation text, with as many hubs as it has room for.
  public func invite() throws(InviteError) -> String {
    var hubs = hubsToInvite
    while true {
      do throws(InviteError) {
        return try Invite(origin: origin, door: doorSecret, hubs: hubs).text
      } catch {
        guard error == .tooLong, hubs.count > 1 else { throw error }
        hubs.removeLast()
      }
    }
  }

  /// The hub that is in use.
  var hubInUse: HubInUse? {
    guard let seat = client?.current else { return nil }
    guard let own = directory.own, seat.hubID == hub?.hubID else { return HubInUse(address: seat.address, isOwn: false) }
    return HubInUse(address: own.listed.first?.address ?? seat.address, isOwn: true)
  }
}

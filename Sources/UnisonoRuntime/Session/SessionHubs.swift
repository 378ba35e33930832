import UnisonoBase
import UnisonoCrypto
import UnisonoReplica

/// Hubs of the session: the one in this process, and those of the others to turn to when the one in use dies; and the invite's
/// list of them.
///
/// Derives candidates and the list only when one of their sources changed.
struct SessionHubs {
  /// Time between two looks at the addresses of the hub in this process: they change with the network.
  private static let addressInterval = Nanoseconds.seconds(15)

  /// The hub in this process: of the session's creator, or kept ready for the others.
  private(set) var server: HubServer?
  private(set) var directory: HubDirectory
  /// Hubs on the invite as it was reported last.
  private var invited: [HubAddress]
  /// The sources that the candidates were derived from; nil: there are none yet.
  private var sources: Sources?
  /// The presence, or something else than registers, changed.
  private var isStale = false
  /// What was said when it was reviewed last.
  private var reviewed: (registers: UInt64, hasState: Bool)?
  /// The hub where more of the group are, which those in this room may not know: the one that this participant set out from to fetch
  /// them, or that it is about to move to.
  private var way: HubAddress?
  /// Next look at the addresses of the hub in this process.
  private(set) var nextAddressCheck: HostTime = .min

  private struct Sources: Equatable {
    var directory: UInt64
    var seat: UInt64?
    var hub: [UInt8]?
    var others: Set<ParticipantID>
    var hasState: Bool
  }

  init(local: ParticipantID, server: HubServer?, invited: [HubAddress]) {
    self.server = server
    self.invited = invited
    directory = HubDirectory(local: local, invited: invited)
  }

  // MARK: The hub in this process

  /// Keeps a hub ready for the others.
  mutating func keep(_ standby: HubServer) { server = standby }

  /// Reads the own hub's addresses, for the list. The result is what the others are told: these, after the way to the
  /// others.
  mutating func readOwnAddresses(now: HostTime) -> [HubAddress] {
    let ways = way.map { [$0] } ?? []
    guard let server else { return ways }
    let listed = Array(Self.reachable(server, before: directory.own?.listed ?? []).prefix(HubDirectory.perParticipant))
    directory.setOwn(listed, loopback: HubAddress(address: server.ownAddress, hub: server.hubID))
    nextAddressCheck = now.adding(Self.addressInterval)
    return Array((ways + listed).prefix(HubDirectory.perParticipant))
  }

  /// This participant came from the room at that hub to fetch who is here; nil: it did not.
  mutating func setOut(from seat: RoomEntry?) { way = seat.flatMap { directory.addresses(of: $0.pinned).first } }

  /// This participant is about to move to the room at that hub, and others stay here.
  mutating func move(to hub: HubAddress) { way = hub }

  /// Whether the own hub's addresses are to be read again.
  func isAddressCheckDue(now: HostTime) -> Bool { server != nil && now >= nextAddressCheck }

  var nextWake: HostTime? { server == nil ? nil : nextAddressCheck }

  /// The addresses under which others reach a hub in this process. Where there is another one, the loopback helps nobody. A machine that is
  /// in no network just now comes back where it was, or tells soon where it is: until then the addresses before come first, as an invite
  /// that is given out meanwhile has to lead somewhere.
  static func reachable(_ hub: HubServer, before: [HubAddress] = []) -> [HubAddress] {
    let all = hub.addresses.map { HubAddress(address: $0, hub: hub.hubID) }
    let reachable = all.filter { !isLoopback($0) }
    guard reachable.isEmpty else { return reachable }
    return before.filter { !isLoopback($0) }.prefix(HubDirectory.perParticipant - 1) + all
  }

  private static func isLoopback(_ hub: HubAddress) -> Bool { hub.address.hasPrefix("127.") || hub.address.hasPrefix("[::1]") }

  /// Whether somebody else is in this room at the hub in this process.
  func isVisited(_ door: Door) -> Bool {
    server?.participants(of: door.topic).contains { $0 != directory.local } ?? false
  }

  /// Whether the hub of a seat is the one in this process.
  func isOwn(_ seat: RoomEntry?) -> Bool { server.map { $0.hubID == seat?.hubID } ?? false }

  /// Whether the hub of a seat is the standby hub of this process, which no invite lists.
  func isStandby(_ seat: RoomEntry) -> Bool {
    isOwn(seat) && !directory.invited.contains { $0.hub == seat.hubID }
  }

  /// The hub of a seat, with an address that is of use to others.
  func inUse(_ seat: RoomEntry?) -> HubInUse? {
    guard let seat else { return nil }
    guard let own = directory.own, isOwn(seat) else { return HubInUse(address: seat.address, isOwn: false) }
    return HubInUse(address: own.listed.first?.address ?? seat.address, isOwn: true)
  }

  // MARK: The hubs of the others

  /// The directory is to be reviewed at the end of the turn.
  mutating func markStale() { isStale = true }

  mutating func entered(_ seat: RoomEntry) {
    directory.record(seat)
    isStale = true
  }

  /// The session is in another room, whose client has no candidates yet.
  mutating func moved() {
    sources = nil
    isStale = true
  }

  /// These hubs are in doubt, and were reached there.
  mutating func setDoubted(_ hubs: [[UInt8]: String]) {
    directory.setDoubted(hubs)
    isStale = true
  }

  /// A participant left, or is not looked for any more.
  mutating func forget(_ id: ParticipantID) {
    directory.forget(id)
    isStale = true
  }

  /// Records the hubs of a participant, as its register says them.
  mutating func record(_ id: ParticipantID, hubs: [HubAddress]) {
    directory.record(id, hubs: hubs)
    isStale = true
  }

  /// Whether the directory is stale; it counts as reviewed then. Most of what comes, heartbeats first, changes nothing of it.
  ///
  /// - Parameter registers: counts changes of them.
  mutating func claimReview(registers: UInt64, hasState: Bool) -> Bool {
    defer {
      isStale = false
      reviewed = (registers, hasState)
    }
    return isStale || reviewed.map { $0 != (registers, hasState) } ?? true
  }

  /// Brings the directory up to date. True: candidates and invite may be others now.
  mutating func review(
    registers: [(id: ParticipantID, hubs: [HubAddress])], absent: [ParticipantID: HostTime], seat: RoomEntry?,
    others: Set<ParticipantID>, hasState: Bool
  ) -> Bool {
    for (id, hubs) in registers { directory.record(id, hubs: hubs) }
    directory.setAbsent(absent)
    let now = Sources(
      directory: directory.revision, seat: seat?.connection, hub: seat?.hubID, others: others, hasState: hasState)
    guard now != sources else { return false }
    sources = now
    return true
  }

  // MARK: The invite

  /// The hubs that the invite lists. A participant who never met the group leads nobody to where it is, but only to the group.
  func toInvite(from seat: RoomEntry?, others: Set<ParticipantID>, hasState: Bool) -> [HubAddress] {
    guard hasState else { return directory.invited }
    return directory.invite(from: seat, present: seat == nil ? directory.known : others, most: Invite.maximumHubs)
  }

  /// Whether the list differs from the one that was reported; it counts as reported then.
  mutating func claimInviteChange(_ hubs: [HubAddress]) -> Bool {
    defer { invited = hubs }
    return hubs != invited
  }
}

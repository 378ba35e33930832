import Testing
import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

@testable import UnisonoRuntime

/// Hubs of a set, each on a machine of its own, with certificates; and people whose invites pin the set's id.
private final class CertifiedHubs {
  static let authority = SigningKey(seed: Secret { [UInt8](repeating: 90, count: $0) })
  static let otherAuthority = SigningKey(seed: Secret { [UInt8](repeating: 91, count: $0) })
  static let set = authority.publicKey.hashedID
  /// The hour in which certificates end that `add` makes; virtual calendars begin with hour 0.
  static let until: UInt32 = 10

  let network = VirtualNetwork(seed: 1)
  let service = MemoryService()
  private(set) var machines: [VirtualEnvironment] = []
  private(set) var servers: [HubServer] = []

  init(_ count: Int) throws {
    for _ in 0..<count { try add() }
    network.run(for: .seconds(1))
  }

  static func key(_ number: Int) -> SigningKey { SigningKey(seed: Secret { [UInt8](repeating: UInt8(number), count: $0) }) }

  /// `certified`: by whom, for which hub, until when; nil: good.
  func add(opening: RoomOpening = .anybody, certificate: ((SigningKey) -> HubCertificate?)? = nil) throws {
    let machine = network.machine()
    let key = Self.key(machines.count + 1)
    let good = HubCertificate(of: key.publicKey.hashedID, by: Self.authority, until: Self.until)
    machines.append(machine)
    servers.append(
      try HubServer(
        environment: machine, options: HubOptions(listen: ["0.0.0.0:7400"]), identity: key,
        certificate: certificate.map { $0(key) } ?? good, opening: opening,
        membership: SetMembership(keys: HubSetWorld.keys, peers: service.peers(on: machine), failed: { _ in })))
  }

  /// A hub's address with the set's id.
  func pinned(_ hub: Int) -> HubAddress { HubAddress(address: "\(machines[hub].host):7400", hub: Self.set) }

  func guest(knowing hubs: [HubAddress], on machine: VirtualEnvironment? = nil, passes: [[UInt8]: [UInt8]] = [:]) -> Guest {
    Guest(on: machine ?? network.machine(), addresses: hubs, door: HubHarness.door(), passes: passes)
  }
}

@Suite("Certificates of a set of hubs")
struct HubCertificateTests {
  @Test("N14: who pins the set's id enters at any of its hubs, and sees who is at the others")
  func pinned() throws {
    let hubs = try CertifiedHubs(2)
    let guests = (0...1).map { hubs.guest(knowing: [hubs.pinned($0)]) }
    // And one whose invite has a hub's own id.
    let own = hubs.guest(knowing: [hubs.servers[1].address(on: hubs.machines[1])])
    hubs.network.run(for: .seconds(2))
    #expect(guests.allSatisfy { $0.members.count == 3 && $0.losses.isEmpty } && own.members.count == 3)
    #expect(zip(guests, hubs.servers).allSatisfy { $0.entries.map(\.hubID) == [$1.hubID] })
    #expect(guests.allSatisfy { $0.entries[0].pinned == CertifiedHubs.set && $0.entries[0].isOfSet })
    #expect(!own.entries[0].isOfSet && own.entries[0].pinned == own.entries[0].hubID)
    // So do the lines that such a hub gives to hosts.
    #expect(hubs.servers[0].lines.allSatisfy { $0.address.hub == CertifiedHubs.set })
  }

  /// What is wrong with a hub's certificate: what the client says of it.
  enum Fault: String, CaseIterable {
    case none = "not the hub that was expected"
    case otherSet = "not the hub that was expected "
    case otherHub = "was not made for it"
    case over = "is over"
  }

  @Test("N14: a hub without a good certificate of the set is left before ENTER, with the reason", arguments: Fault.allCases)
  func refused(_ fault: Fault) throws {
    let hubs = try CertifiedHubs(1)
    try hubs.add { key in
      switch fault {
      case .none: nil
      case .otherSet: HubCertificate(of: key.publicKey.hashedID, by: CertifiedHubs.otherAuthority, until: 10)
      case .otherHub: HubCertificate(of: CertifiedHubs.key(1).publicKey.hashedID, by: CertifiedHubs.authority, until: 10)
      case .over: HubCertificate(of: key.publicKey.hashedID, by: CertifiedHubs.authority, until: 0)
      }
    }
    let guest = hubs.guest(knowing: [hubs.pinned(1), hubs.pinned(0)])
    hubs.network.run(for: .seconds(1))
    // OPEN, and nothing behind it.
    #expect(hubs.servers[1].statistics.framesIn == 1 && hubs.servers[1].measures.entries == 0)
    let reason = fault.rawValue.split(separator: " ").joined(separator: " ")
    #expect(guest.losses.count == 1 && guest.losses[0].end.reason.contains(reason))
    #expect(guest.losses.map(\.end.status) == [HubRefusal.auth.rawValue] && guest.losses[0].end.outcome == .wrongHub)
    #expect(guest.entries.map(\.hubID) == [hubs.servers[0].hubID], "the next one of the set is taken")
  }

  @Test("N14: a certificate is judged at entry: who is in stays, who comes after its end does not enter")
  func ends() throws {
    let hubs = try CertifiedHubs(1)
    let (early, late, slow) = (hubs.network.machine(), hubs.network.machine(), hubs.network.machine())
    early.calendarError = 9
    (late.calendarError, slow.calendarError) = (10, -1)
    let guests = [early, late, slow].map { hubs.guest(knowing: [hubs.pinned(0)], on: $0) }
    hubs.network.run(for: .seconds(1))
    #expect(guests.map(\.isIn) == [true, false, true])
    // An hour later the link is there still, and another one is not made.
    hubs.network.run(for: .seconds(3_600))
    #expect(guests[0].losses.isEmpty && guests[0].isIn && early.calendarHour == 10)
    let again = hubs.guest(knowing: [hubs.pinned(0)], on: early)
    hubs.network.run(for: .seconds(1))
    #expect(!again.isIn && again.losses.first?.end.reason.contains("is over") == true)
    // Renewed, without a restart.
    let certificate = HubCertificate(of: hubs.servers[0].hubID, by: CertifiedHubs.authority, until: 20)
    hubs.servers[0].reload(limits: HubLimits(), opening: .anybody, certificate: certificate, advertise: [], next: [])
    hubs.network.run(for: .seconds(61))
    #expect(again.isIn && guests[1].isIn && again.members.count == 4)
  }

  @Test("N14: NEXT leads to no hub outside of the pinned set, whether its address is known or not")
  func next() throws {
    let hubs = try CertifiedHubs(2)
    // One of another set at an address of the invite, and one that only NEXT names.
    try hubs.add { HubCertificate(of: $0.publicKey.hashedID, by: CertifiedHubs.otherAuthority, until: 10) }
    try hubs.add { HubCertificate(of: $0.publicKey.hashedID, by: CertifiedHubs.otherAuthority, until: 10) }
    hubs.network.run(for: .seconds(1))
    let known = [hubs.pinned(0), hubs.pinned(2), hubs.pinned(1)]
    let guests = (0..<2).map { _ in hubs.guest(knowing: known) }
    hubs.network.run(for: .seconds(1))
    #expect(guests.allSatisfy { $0.entries.map(\.hubID) == [hubs.servers[0].hubID] })
    let foreign = [3, 2].map { hubs.servers[$0].address(on: hubs.machines[$0]) }
    let peeks = hubs.servers[2].statistics.framesIn
    let next = NextFrame(hubs: foreign + [hubs.pinned(3)], within: 5_000)
    hubs.servers[0].reload(
      limits: HubLimits(), opening: .anybody, certificate: HubCertificate(
        of: hubs.servers[0].hubID, by: CertifiedHubs.authority, until: 10), advertise: [], next: next.hubs)
    hubs.servers[0].drain(within: .seconds(5)) {}
    hubs.network.run(for: .seconds(4))
    #expect(guests.allSatisfy { $0.entries.map(\.hubID) == [hubs.servers[0].hubID, hubs.servers[1].hubID] })
    #expect(guests.allSatisfy { $0.losses.isEmpty && $0.members.count == 2 })
    // The known one was asked who it is, and told nothing; the other one was never dialled.
    #expect(hubs.servers[2].measures.entries == 0 && hubs.servers[2].statistics.framesIn <= peeks + 2)
    #expect(hubs.servers[3].statistics.framesIn == 0)
  }

  @Test("N14: behind one address with the set's id there may be any of its hubs, also after NEXT")
  func oneAddress() throws {
    let all = (1...3).map { HubAddress(address: "192.0.2.\($0):7400", hub: CertifiedHubs.set) }
    let candidates = all.map { address in
      var candidate = HubCandidate(address)
      candidate.isOfSet = true
      return candidate
    }
    let own = [UInt8](repeating: 7, count: 16)
    let here = RoomEntry(at: all[0], hub: own)
    // A hub names the others by their own ids; the address tells which of the known ones is meant.
    let named = [HubAddress(address: "192.0.2.9:7400", hub: own), HubAddress(address: all[2].address, hub: own)]
    let handover = Box(HubHandover())
    #expect(handover { $0.begin(at: here, candidates: candidates, named: named, now: 0) })
    #expect((0..<4).map { _ in handover { $0.next() }?.address } == [all[2], all[1], all[0], nil])
    // Of hubs that are known by their own ids none is tried again.
    let alone = [HubCandidate(all[0]), HubCandidate(all[1])]
    let away = RoomEntry(at: all[0])
    #expect(handover { $0.begin(at: away, candidates: alone, named: [], now: .seconds(2)) } && handover { $0.next() } == nil)
  }

  @Test("N14: a pass for the set's id opens a room at each of its hubs, one for another set's at none")
  func passes() throws {
    let secret = HubSecret(Secret { [UInt8](repeating: 5, count: $0) })
    let token = secret.token(TokenTerms(serial: 3, until: 9, rooms: 2))
    let hubs = try CertifiedHubs(0)
    for _ in 0..<2 { try hubs.add(opening: .neighbours(PassCheck(secret: secret, hour: { 8 }))) }
    hubs.network.run(for: .seconds(1))
    func stranger(at hub: Int, pass id: [UInt8], number: Int) -> Guest {
      let machine = hubs.network.machine()
      machine.changeAddress(to: "203.0.113.\(number)", noticed: false)
      let group = [UInt8](repeating: UInt8(number), count: HubPass.groupLength)
      return Guest(
        on: machine, addresses: [hubs.pinned(hub)], door: HubHarness.door(UInt8(number)),
        passes: [CertifiedHubs.set: token.pass(hub: id, group: group)])
    }
    let good = (0...1).map { stranger(at: $0, pass: CertifiedHubs.set, number: $0 + 1) }
    let other = CertifiedHubs.otherAuthority.publicKey.hashedID
    let bad = (0...1).map { stranger(at: $0, pass: other, number: $0 + 3) }
    hubs.network.run(for: .seconds(2))
    #expect(good.allSatisfy { $0.isIn } && bad.allSatisfy { !$0.isIn && $0.losses.first?.end.isRefusalToAdmit == true })
  }
}

/// Sessions whose invites pin the set's id.
@Suite("Sessions that pin a set of hubs")
struct PinnedSetSessionTests {
  /// A host who was given the line of the first hub, and a guest whose invite has both hubs.
  private func joined(_ hubs: CertifiedHubs) throws -> (host: SessionPlayer, guest: SessionPlayer) {
    let world = SessionWorld(on: hubs.network)
    world.keepsStandbyHubs = false
    let host = try world.host(hub: hubs.pinned(0))
    let guest = try world.guest(of: host, path: .lan) { invite in
      #expect(invite.hubs == [hubs.pinned(0)])
      let ways = [hubs.pinned(0), hubs.pinned(1)]
      if let there = try? Invite(origin: invite.origin, door: invite.door, hubs: ways) { invite = there }
    }
    for player in [host, guest] { player.do { $0.join() } }
    _ = hubs.network.run(atMost: .seconds(8)) { [host, guest].allSatisfy { $0.isJoined && $0.people.count == 2 } }
    hubs.network.run(for: .seconds(1))
    return (host, guest)
  }

  @Test("N14: invites pin the set, and who loses a hub goes on at another of it, which invites then name")
  func survives() throws {
    let hubs = try CertifiedHubs(2)
    let (host, guest) = try joined(hubs)
    #expect(guest.people.count == 2 && guest.engine.lastHub == hubs.servers[0].hubID)
    #expect(try Invite(parsing: host.engine.invite()).hubs == [hubs.pinned(0)])
    #expect(try Invite(parsing: guest.engine.invite()).hubs == [hubs.pinned(0), hubs.pinned(1)])
    // Nobody looks at another hub of the set while nobody is missing.
    let looks = hubs.servers[1].statistics.framesIn
    hubs.network.run(for: .seconds(30))
    #expect(hubs.servers[1].statistics.framesIn == looks)
    hubs.machines[0].crash()
    hubs.network.run(for: .seconds(3))
    #expect(guest.engine.lastHub == hubs.servers[1].hubID && guest.engine.state.connection == .connected)
    // Whoever gets its invite now comes to where it is.
    let late = try SessionWorld(on: hubs.network).guest(of: guest, named: "Cem", path: .lan)
    late.do { $0.join() }
    _ = hubs.network.run(atMost: .seconds(8)) { late.isJoined }
    #expect(late.isJoined && late.engine.lastHub == hubs.servers[1].hubID)
  }

  @Test("N14 F83: a hub whose certificate is over is told of as one that is not the hub that was meant")
  func told() throws {
    let hubs = try CertifiedHubs(0)
    try hubs.add { HubCertificate(of: $0.publicKey.hashedID, by: CertifiedHubs.authority, until: 0) }
    let world = SessionWorld(on: hubs.network)
    let invite = try Invite(
      origin: Origin(root: ParticipantID(high: 1, low: 1), controlPolicy: 0, joinerRole: 2),
      door: Secret { [UInt8](repeating: 6, count: $0) }, hubs: [hubs.pinned(0)])
    let guest = try world.add(hubs.network.machine(), "Ben", .invited(invite))
    guest.do { $0.join() }
    hubs.network.run(for: .seconds(2))
    #expect(guest.engine.state.status == .waiting)
    let state = guest.states.last { $0.connection == .connecting && $0.reason == .authentication }
    #expect(state?.message.contains("certificate") == true && state?.message.contains("is over") == true)
    #expect(guest.hubDoubts.map(\.hub) == [hubs.pinned(0).address] && guest.hubDoubts.allSatisfy { $0.reason == .identity && !$0.isOver })
    #expect(guest.hubDoubts.first?.sentence.contains("did not prove") == true)
  }
}

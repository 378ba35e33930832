import Testing
import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

@testable import UnisonoRuntime

@Suite("Who opens rooms at a hub of its own")
struct PassCheckTests {
  private static let secret = HubSecret(Secret { [UInt8](repeating: 5, count: $0) })
  private static let hour: UInt32 = 500_000
  private let hub = [UInt8](repeating: 8, count: 16)

  private func terms(_ serial: UInt64 = 3, until: UInt32 = hour + 24, rooms: UInt16 = 2) -> TokenTerms {
    TokenTerms(serial: serial, until: until, rooms: rooms)
  }

  private func pass(_ terms: TokenTerms, group: UInt8 = 1, hub: [UInt8]? = nil) -> [UInt8] {
    Self.secret.token(terms).pass(hub: hub ?? self.hub, group: [UInt8](repeating: group, count: HubPass.groupLength))
  }

  private func topic(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }

  @Test("Z66: no pass, one that expired, of another hub, or revoked: not admitted; a good one opens")
  func judged() {
    let check = PassCheck(secret: Self.secret, revoked: [9], hour: { Self.hour })
    func isGood(_ pass: [UInt8]?) -> Bool { check.holder(of: pass, hub: hub) != nil }
    #expect(!isGood(nil))
    #expect(!isGood([1, 2, 3]))
    #expect(!isGood(pass(terms(until: Self.hour))))
    #expect(!isGood(pass(terms(), hub: topic(2))))
    #expect(!isGood(pass(terms(9))))
    var changed = pass(terms())
    changed[13] += 1
    #expect(!isGood(changed), "more rooms than were given")
    let holder = check.holder(of: pass(terms()), hub: hub)
    #expect(holder?.group == PassGroup(serial: 3, group: 0x0101_0101_0101_0101) && holder?.groups == 2)
    #expect(PassCheck(secret: nil, hour: { Self.hour }).holder(of: pass(terms()), hub: hub) == nil)
  }

  @Test("F76 Z66: after a reload the new list of revoked tokens counts, and what is open stays counted")
  func reloaded() throws {
    let network = VirtualNetwork(seed: 3)
    let machine = network.machine()
    func opening(revoked: Set<UInt64> = []) -> RoomOpening {
      .neighbours(PassCheck(secret: Self.secret, revoked: revoked, hour: { Self.hour }))
    }
    let server = try HubServer(environment: machine, options: HubOptions(listen: ["0.0.0.0:7400"]), opening: opening())
    func isLetIn(_ number: UInt8, serial: UInt64 = 3) -> Bool {
      let passes = [server.hubID: pass(terms(serial), group: number, hub: server.hubID)]
      let guest = guest(at: server, network, on: machine, from: "203.0.113.\(number)", room: number, passes: passes)
      return network.run(atMost: .seconds(2)) { guest.isIn }
    }
    #expect(isLetIn(1) && isLetIn(2))
    for opening in [.anybody, opening(revoked: [4])] {
      server.reload(limits: HubLimits(), opening: opening, advertise: [], next: [])
    }
    #expect(!isLetIn(3) && !isLetIn(4, serial: 4) && isLetIn(5, serial: 5))
  }

  @Test("Z66: a group has four rooms open at a time, and a token as many groups as it says; what was closed counts no more")
  func limits() {
    let opened = Box(OpenedRooms())
    func open(_ number: UInt8, group: UInt64, elsewhere: [UInt64: Int] = [:]) -> Bool {
      opened { $0.open(topic(number), by: PassGroup(serial: 3, group: group), limit: 2, elsewhere: elsewhere) }
    }
    #expect((1...4).allSatisfy { open($0, group: 1) })
    #expect(!open(5, group: 1))
    #expect(open(6, group: 2))
    #expect(!open(7, group: 3))
    opened { $0.close(topic(6)) }
    #expect(open(7, group: 3))
    opened { $0.close(topic(1)) }
    #expect(open(5, group: 1) && opened.value.count(of: PassGroup(serial: 3, group: 1)) == 4)
  }

  @Test("N15: what a group has open at other hubs counts, its own there once, and of another serial nothing here")
  func elsewhere() {
    let opened = Box(OpenedRooms())
    func open(_ number: UInt8, _ group: PassGroup, elsewhere: [UInt64: Int]) -> Bool {
      opened { $0.open(topic(number), by: group, limit: 2, elsewhere: elsewhere) }
    }
    let group = PassGroup(serial: 3, group: 1)
    #expect(!open(1, group, elsewhere: [1: 4]) && !open(1, group, elsewhere: [7: 1, 8: 1]))
    #expect(open(1, group, elsewhere: [1: 2, 7: 1]))
    #expect(open(2, group, elsewhere: [1: 2, 7: 1]))
    #expect(!open(3, group, elsewhere: [1: 2, 7: 1]))
    #expect(!open(3, PassGroup(serial: 3, group: 2), elsewhere: [7: 1]) && open(3, PassGroup(serial: 4, group: 2), elsewhere: [7: 1]))
  }

  /// A hub that asks strangers for a pass, and guests from two networks.
  private func guest(
    at server: HubServer, _ network: VirtualNetwork, on machine: VirtualEnvironment, from host: String, room: UInt8 = 1,
    passes: [[UInt8]: [UInt8]] = [:]
  ) -> Guest {
    let other = network.machine()
    other.changeAddress(to: host, noticed: false)
    return Guest(on: other, addresses: [server.address(on: machine)], door: HubHarness.door(room), passes: passes)
  }

  @Test("Z66: a stranger opens a room with a pass alone; a room that is open is entered by anybody, neighbours open it freely")
  func strangers() throws {
    let network = VirtualNetwork(seed: 3)
    let machine = network.machine()
    let check = PassCheck(secret: Self.secret, hour: { Self.hour })
    let server = try HubServer(
      environment: machine, options: HubOptions(listen: ["0.0.0.0:7400"]), opening: .neighbours(check))
    let stranger = guest(at: server, network, on: machine, from: "203.0.113.7")
    #expect(network.run(atMost: .seconds(2)) { !stranger.losses.isEmpty })
    #expect(stranger.losses[0].end.isRefusalToAdmit && stranger.losses[0].end.reason.contains("token"))
    #expect(server.statistics.rooms == 0)
    let token = Self.secret.token(terms())
    let group = [UInt8](repeating: 1, count: HubPass.groupLength)
    let host = guest(
      at: server, network, on: machine, from: "203.0.113.8",
      passes: [server.hubID: token.pass(hub: server.hubID, group: group)])
    #expect(network.run(atMost: .seconds(2)) { host.isIn })
    let late = guest(at: server, network, on: machine, from: "198.51.100.3")
    #expect(network.run(atMost: .seconds(2)) { late.isIn })
    host.client.leave()
    late.client.leave()
    network.run(for: .seconds(1))
    let neighbour = guest(at: server, network, on: machine, from: "192.168.7.9")
    #expect(network.run(atMost: .seconds(2)) { neighbour.isIn })
  }

  @Test("Z69: a hub in a participant's process opens no foreign room, pass or not")
  func embedded() throws {
    let hub = try HubHarness()
    hub.server.serve(only: HubHarness.door(1).topic)
    let foreign = hub.guest(room: 2)
    #expect(hub.network.run(atMost: .seconds(2)) { !foreign.losses.isEmpty })
    #expect(foreign.losses[0].end.isRefusalToAdmit && hub.server.statistics.rooms == 0)
    let own = hub.guest(room: 1)
    #expect(hub.network.run(atMost: .seconds(2)) { own.isIn })
  }
}

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
    let check = Box(PassCheck(secret: Self.secret, revoked: [9], hour: { Self.hour }))
    func open(_ pass: [UInt8]?) -> HubRefusal? {
      check.value.open(topic(1), with: pass, hub: hub, isOpen: { _ in false })
    }
    #expect(open(nil) == .auth)
    #expect(open([1, 2, 3]) == .auth)
    #expect(open(pass(terms(until: Self.hour))) == .auth)
    #expect(open(pass(terms(), hub: topic(2))) == .auth)
    #expect(open(pass(terms(9))) == .auth)
    var changed = pass(terms())
    changed[13] += 1
    #expect(open(changed) == .auth, "more rooms than were given")
    #expect(open(pass(terms())) == nil)
    let closed = Box(PassCheck(secret: nil, hour: { Self.hour }))
    let refusal = closed { $0.open(topic(1), with: pass(terms()), hub: hub, isOpen: { _ in false }) }
    #expect(refusal == .auth)
  }

  @Test("F76 Z66: after a reload the new list of revoked tokens counts, and what is open stays counted")
  func reloaded() {
    var check = PassCheck(secret: Self.secret, hour: { Self.hour })
    func open(_ number: UInt8, group: UInt8, serial: UInt64 = 3) -> HubRefusal? {
      check.open(topic(number), with: pass(terms(serial), group: group), hub: hub, isOpen: { _ in true })
    }
    for group in 1...2 as ClosedRange<UInt8> { #expect(open(group, group: group) == nil) }
    check = check.replaced(by: PassCheck(secret: Self.secret, revoked: [4], hour: { Self.hour }))
    #expect(open(3, group: 3) == .full)
    #expect(open(4, group: 4, serial: 4) == .auth)
    #expect(open(5, group: 5, serial: 5) == nil)
  }

  @Test("Z66: a group has four rooms open at a time, and a token as many groups as it says; what was closed counts no more")
  func limits() {
    let check = Box(PassCheck(secret: Self.secret, hour: { Self.hour }))
    var open: Set<[UInt8]> = []
    func enter(_ number: UInt8, group: UInt8) -> HubRefusal? {
      let refusal = check.value.open(topic(number), with: pass(terms(), group: group), hub: hub) { open.contains($0) }
      if refusal == nil { open.insert(topic(number)) }
      return refusal
    }
    for number in 1...4 as ClosedRange<UInt8> { #expect(enter(number, group: 1) == nil) }
    #expect(enter(5, group: 1) == .full)
    #expect(enter(6, group: 2) == nil)
    #expect(enter(7, group: 3) == .full)
    open.remove(topic(6))
    #expect(enter(7, group: 3) == nil)
    open.remove(topic(1))
    #expect(enter(5, group: 1) == nil)
  }

  /// A hub that asks strangers for a pass, and guests from two networks.
  private func guest(
    at server: HubServer, _ network: VirtualNetwork, on machine: VirtualEnvironment, from host: String,
    passes: [[UInt8]: [UInt8]] = [:]
  ) -> Guest {
    let other = network.machine()
    other.changeAddress(to: host, noticed: false)
    return Guest(on: other, addresses: [server.address(on: machine)], door: HubHarness.door(), passes: passes)
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

import Testing
import UnisonoCrypto
import UnisonoWire

@testable import UnisonoRuntime

@Suite("Liveness")
struct HubLivenessTests {
  @Test("two who have nothing to say stay in the room for an hour")
  func idle() throws {
    let hub = try HubHarness()
    let guests = hub.guests(2)
    hub.network.run(for: .seconds(3_600))
    #expect(guests.allSatisfy { $0.isIn && $0.losses.isEmpty && $0.departures.isEmpty })
  }

  @Test("a silent connection is asked after 5 s and dead after 15 s")
  func silent() throws {
    let hub = try HubHarness()
    let witness = hub.guests(1)[0]
    let mute = try hub.enteredPeer()
    hub.network.run(for: .seconds(4))
    #expect(mute.body(.ping) == nil)
    hub.network.run(for: .seconds(3))
    #expect(mute.body(.ping) != nil)
    hub.network.run(for: .seconds(7))
    #expect(witness.members.count == 2)
    hub.network.run(for: .seconds(3))
    #expect(mute.isClosed)
    #expect(witness.departures.map(\.left) == [false])
  }

  @Test("Z31: many silent connections are asked and closed a few at a time, and none is missed")
  func manySilent() throws {
    var limits = HubLimits()
    limits.entriesPerSecondInAll = 10_000
    let hub = try HubHarness(limits: limits)
    let witness = hub.guests(1, room: 2)[0]
    let mutes = try (0..<300).map { try hub.enteredPeer(room: UInt8(10 + $0 / 30)) }
    hub.network.run(for: .seconds(10))
    #expect(hub.server.statistics.connections == 301 && mutes.allSatisfy { $0.body(.ping) != nil })
    var most: UInt64 = 0
    for _ in 0..<20_000 where hub.server.statistics.connections > 1 {
      let before = hub.server.statistics.connections
      hub.network.run(for: .microseconds(500))
      most = max(most, before - hub.server.statistics.connections)
    }
    #expect(hub.server.statistics.connections == 1 && (1...128).contains(most))
    // Who was left in a room when others were closed heard of all of them at once.
    let told = mutes.map { $0.frames.count { $0.type == HubFrame.FrameType.presence.rawValue } }
    #expect(try #require(told.max()) <= 2 * 30)
    #expect(witness.isIn && witness.losses.isEmpty)
  }

  @Test("a machine without power is noticed by the hub within 17 s, a hub without power by its clients within 16 s")
  func power() throws {
    let hub = try HubHarness()
    let guests = hub.guests(3)
    guests[0].machine.crash(silently: true)
    hub.network.run(for: .seconds(17))
    #expect(guests[1].members.count == 2)
    hub.machine.crash(silently: true)
    hub.network.run(for: .seconds(16))
    #expect(guests[1].losses.count >= 1 && guests[2].losses.count >= 1)
    #expect(guests[1].losses.first?.retry != nil)
  }

  @Test("Z95: who is not read for a moment, just as the hub's process stands still for long, is not taken for a flood")
  func standstill() throws {
    let hub = try HubHarness()
    let peer = try hub.enteredPeer()
    // More than it may send in two seconds: it is read again a second later, after the next checks.
    peer.stream.write((0..<1_200).flatMap { peer.sealed(HubFrame.ping(UInt64($0)).raw) })
    hub.network.run(for: .milliseconds(10))
    hub.machine.stop(for: .seconds(12))
    hub.network.run(for: .seconds(13))
    #expect(!peer.isClosed && hub.server.statistics.connections == 1)
    peer.write(.ping(5_000))
    #expect(hub.network.run(atMost: .seconds(10)) { peer.frames.contains(HubFrame.pong(5_000).raw) })
  }

  @Test("a connection is not late with a frame, or with entering, because the hub's process stood still")
  func standstillOfAll() throws {
    let hub = try HubHarness()
    let (guests, late, begun) = (hub.guests(2), hub.raw(), try hub.enteredPeer())
    late.open()
    begun.stream.write(Array(begun.sealed(HubFrame.ping(1).raw).dropLast()))
    hub.network.run(for: .seconds(1))
    hub.machine.stop(for: .seconds(12))
    hub.network.run(for: .seconds(13))
    #expect(hub.server.statistics.connections == 4 && !late.isClosed && !begun.isClosed)
    #expect(guests.allSatisfy { $0.isIn && $0.losses.isEmpty })
    // From then on it is as ever.
    hub.network.run(for: .seconds(20))
    #expect(late.isClosed && begun.isClosed)
  }

  @Test("Z33: on the hub's UDP port only an entered connection's fresh, signed ask is answered")
  func datagrams() throws {
    let hub = try HubHarness()
    let peer = try hub.enteredPeer()
    let token = try EnteredFrame(body: try #require(peer.body(.entered))).token
    let code = try #require(peer.code)
    let target = PeerAddress(host: hub.machine.host, port: 7400)
    var answers: [[UInt8]] = []
    var stolen: [[UInt8]] = []
    let port = try peer.machine.openDatagrams(on: "0.0.0.0:0") { bytes, _, _ in answers.append(bytes) }
    let thief = try hub.network.machine().openDatagrams(on: "0.0.0.0:0") { bytes, _, _ in stolen.append(bytes) }
    func ask(_ number: UInt64) -> ProbePacket {
      code.signed(ProbePacket(kind: .ask, token: token, number: number, opaque: 1))
    }
    var unsigned = ask(50)
    unsigned.mac[0] ^= 1
    var unknown = ask(50)
    unknown.token &+= 1
    for bytes in [[], [1], unsigned.bytes, unknown.bytes, ask(50).bytes + [0], Array(ask(50).bytes.dropLast())] {
      port.send(bytes, to: target)
    }
    hub.network.run(for: .seconds(1))
    #expect(answers.isEmpty)
    port.send(ask(10).bytes, to: target)
    hub.network.run(for: .seconds(1))
    #expect(answers.count == 1)
    // Recorded on the way and sent from elsewhere: the same, and an older one that had not arrived.
    for number in [10, 9] as [UInt64] { thief.send(ask(number).bytes, to: target) }
    hub.network.run(for: .seconds(1))
    #expect(stolen.isEmpty)
    #expect(answers.count == 2)
    peer.stream.close()
    hub.network.run(for: .seconds(1))
    port.send(ask(11).bytes, to: target)
    hub.network.run(for: .seconds(1))
    #expect(answers.count == 2)
    #expect(hub.server.statistics.probes == 2)
  }

  @Test("Z33: in the stream only the connection's own token is answered")
  func probesInTheStream() throws {
    let hub = try HubHarness()
    let (one, other) = (try hub.enteredPeer(), try hub.enteredPeer())
    let token = try EnteredFrame(body: try #require(one.body(.entered))).token
    let code = try #require(one.code)
    let ask = HubFrame.probe(code.signed(ProbePacket(kind: .ask, token: token, number: 1, opaque: 1)))
    other.write(ask)
    hub.network.run(for: .seconds(1))
    #expect(other.body(.probe) == nil)
    one.write(ask)
    hub.network.run(for: .seconds(1))
    let answer = try ProbePacket(bytes: try #require(one.body(.probe)))
    #expect(code.verifies(answer))
    #expect((answer.kind, answer.number, answer.received) == (.answer, 1, answer.sent))
  }

  @Test("an idle hub has no timer running")
  func rest() throws {
    let hub = try HubHarness()
    let guest = hub.guests(1)[0]
    guest.client.leave()
    hub.network.run(for: .seconds(30))
    #expect(hub.server.statistics.connections == 0)
    var turns = 0
    hub.machine.onEndOfTurn { turns += 1 }
    hub.network.run(for: .seconds(1_000))
    #expect(turns == 0)
  }

  @Test("closing a hub ends its connections and frees its port")
  func close() throws {
    let hub = try HubHarness()
    let guests = hub.guests(2)
    hub.server.close()
    hub.network.run(for: .seconds(1))
    #expect(guests.allSatisfy { !$0.losses.isEmpty && !$0.isIn })
    let second = try HubServer(
      environment: hub.machine, options: HubOptions(listen: ["0.0.0.0:7400"]), identity: hub.identity)
    #expect(hub.network.run(atMost: .seconds(15)) { guests.allSatisfy { $0.isIn } })
    #expect(guests[0].entries[1].clockID == second.clockID)
    #expect(second.clockID != hub.server.clockID && second.hubID == hub.server.hubID)
  }

  @Test("addresses are those of the machine unless others are advertised; the same port for all")
  func addresses() throws {
    let machine = VirtualNetwork().machine()
    let found = try HubServer(environment: machine, options: HubOptions(listen: ["0.0.0.0:7400", "127.0.0.1:7401"]))
    #expect(found.addresses == ["\(machine.host):7400", "127.0.0.1:7400", "127.0.0.1:7401"])
    let free = try HubServer(environment: machine, options: HubOptions())
    #expect(free.addresses.count == 2)
    let told = try HubServer(environment: machine, options: HubOptions(advertise: ["play.example.org:7400"]))
    #expect(told.addresses == ["play.example.org:7400"])
  }

  @Test("an address in use, one without a port and an advertised one without a port are told when the hub is made")
  func badAddresses() throws {
    let machine = VirtualNetwork().machine()
    let first = try HubServer(environment: machine, options: HubOptions(listen: ["0.0.0.0:7400"]))
    #expect(throws: NetworkError.self) {
      try HubServer(environment: machine, options: HubOptions(listen: ["0.0.0.0:7500", "0.0.0.0:7400"]))
    }
    #expect(throws: NetworkError.self) { try HubServer(environment: machine, options: HubOptions(listen: ["nowhere"])) }
    #expect(throws: NetworkError.self) {
      try HubServer(environment: machine, options: HubOptions(advertise: ["nowhere"]))
    }
    // What the failed one had bound is free again.
    let next = try HubServer(environment: machine, options: HubOptions(listen: ["0.0.0.0:7500"]))
    withExtendedLifetime((first, next)) {}
  }
}

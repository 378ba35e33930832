import Testing
import UnisonoBase
import UnisonoCrypto
import UnisonoReplica
import UnisonoWire

@testable import UnisonoRuntime

@Suite("A hub and its clients on libuv", .serialized)
struct HubOnLibuvTests {
  private final class Seen {
    var seats: [RoomEntry] = []
    var joined: [ParticipantID] = []
    var gone: [Departure] = []
    var delivered: [[UInt8]] = []
    var samples: [ProbeSample] = []
  }

  private func client(_ loop: UVLoop, _ address: HubAddress, _ identity: Identity, _ seen: Seen) -> HubClient {
    HubClient(
      environment: loop, addresses: [address], door: HubHarness.door(),
      identity: identity,
      events: HubClientEvents(
        entered: { seen.seats.append($0) },
        presence: { joined, gone in
          seen.joined += joined.map(\.id)
          seen.gone += gone
        }, delivered: { seen.delivered.append($0) }, probed: { seen.samples.append($0) }))
  }

  @Test(
    "entry, forwarding, probes by UDP and leaving over real sockets",
    arguments: ["127.0.0.1:0", "0.0.0.0:0", "[::1]:0", "[::]:0"])
  func wholeWay(listen: String) throws {
    let loop = try UVLoop.polled()
    defer { loop.close() }
    let reservation = try HubReservation(HubOptions(listen: [listen], limits: .embedded), on: loop)
    let server = try HubServer(environment: loop, options: reservation.options)
    defer { server.close() }
    #expect(server.addresses == reservation.addresses)
    let port = try HostAndPort(parsing: try #require(server.addresses.last)).port
    // Where every interface is listened on, IPv4 and IPv6 both reach it.
    let addresses = [
      try #require(server.addresses.last), listen == "[::]:0" ? "127.0.0.1:\(port)" : server.addresses[0],
    ].map { HubAddress(address: $0, hub: server.hubID) }
    let identities = (0..<2).map { _ in Identity(random: loop.randomBytes) }
    let seen = [Seen(), Seen()]
    let clients = (0..<2).map { client(loop, addresses[$0], identities[$0], seen[$0]) }
    #expect(loop.poll { seen.allSatisfy { !$0.seats.isEmpty } && seen.contains { $0.joined.count == 1 } })
    #expect(seen[0].seats[0].udpPort == port)

    let header = EnvelopeHeader(
      kind: .ordered, epoch: EpochID(high: 1, low: 0), sender: identities[0].id,
      lane: Lane(index: 0, random: 0), counter: 0)
    let envelope = header.bytes + [UInt8](repeating: 1, count: 200_000)
    clients[0].send(envelope)
    #expect(loop.poll { seen[1].delivered == [envelope] })

    clients[1].probe(.datagram)
    #expect(loop.poll { seen[1].samples.count == 1 })
    let sample = try #require(seen[1].samples.first)
    #expect(sample.isDatagram)
    #expect(sample.t1 <= sample.t4 && sample.t2 <= sample.t3)
    #expect(sample.t3 - sample.t2 <= sample.t4 - sample.t1)

    clients[0].leave()
    #expect(loop.poll { seen[1].gone.map(\.left) == [true] })
    clients[1].close()
    #expect(loop.poll { server.statistics.connections == 0 })
  }

  @Test("one who publishes and 50 who listen, over real sockets; a listener that does not read gets the newest once it does")
  func audience() throws {
    let loop = try UVLoop.polled()
    defer { loop.close() }
    var limits = HubLimits()
    limits.unenteredPerAddress = 100
    let server = try HubServer(environment: loop, options: HubOptions(listen: ["127.0.0.1:0"], limits: limits))
    defer { server.close() }
    let address = server.lines[0].address
    let publisher = AudienceGuest(on: loop, at: [address], speaks: true)
    #expect(loop.poll { publisher.isIn })
    let listeners = (0..<50).map { _ in AudienceGuest(on: loop, at: [address], speaks: false) }
    let slow = RawPeer(on: loop, to: address.address)
    slow.open()
    #expect(loop.poll { listeners.allSatisfy { $0.isIn } && slow.body(.identity) != nil })
    try slow.enter(access: .listener(AudienceGuest.key.publicKey.bytes))
    #expect(loop.poll { publisher.counts.last?.listeners == 51 })
    slow.stream.setReading(false)

    let programme = publisher.envelope(0, length: 32_768)
    var shown: [[UInt8]] = []
    for number in 1...60 {
      shown.append(publisher.envelope(UInt64(number), length: 2_048))
      #expect(publisher.client.show(number == 1 ? programme : shown[number - 1], slot: number == 1 ? 0 : 1))
      #expect(loop.poll { listeners.allSatisfy { $0.delivered.count == number } })
    }
    shown[0] = programme
    #expect(listeners.allSatisfy { $0.envelopes == shown })
    listeners[0].client.probe(.datagram)
    #expect(loop.poll { listeners[0].samples.count == 1 })
    slow.stream.setReading(true)
    #expect(loop.poll { slow.deliveries.last == shown.last })
    let late = AudienceGuest(on: loop, at: [address], speaks: false)
    #expect(loop.poll { late.envelopes == [programme, shown[59]] })
    #expect(server.measures.listeners == 52 && server.statistics.closedSlow == 0)
    publisher.client.leave()
    for one in listeners + [late] { one.client.close() }
    slow.stream.close()
    #expect(loop.poll { server.statistics.connections == 0 })
    withExtendedLifetime(slow) {}
  }

  @Test("who stops reading is closed, and the others get all in time, over real sockets")
  func slowReader() throws {
    let loop = try UVLoop.polled()
    defer { loop.close() }
    var limits = HubLimits()
    limits.bytesPerSecond = 1 << 30
    let server = try HubServer(environment: loop, options: HubOptions(listen: ["127.0.0.1:0"], limits: limits))
    defer { server.close() }
    let identities = (0..<2).map { _ in Identity(random: loop.randomBytes) }
    let seen = [Seen(), Seen()]
    let clients = (0..<2).map { client(loop, server.lines[0].address, identities[$0], seen[$0]) }
    let slow = RawPeer(on: loop, to: server.addresses[0])
    slow.open()
    #expect(loop.poll { slow.body(.identity) != nil })
    try slow.enter()
    #expect(loop.poll { slow.body(.entered) != nil && seen.allSatisfy { $0.seats.count == 1 } })
    slow.stream.setReading(false)

    // More than the kernel's buffers and 1 MiB hold, in fewer frames than a sender may send at once.
    var sent = 0
    while server.statistics.closedSlow == 0, sent < 200 {
      let sender = sent % 2
      let header = EnvelopeHeader(
        kind: .ordered, epoch: EpochID(high: 1, low: 0), sender: identities[sender].id,
        lane: Lane(index: 0, random: 0), counter: UInt64(sent))
      clients[sender].send(header.bytes + [UInt8](repeating: 1, count: 100_000))
      sent += 1
      let expected = sent
      #expect(loop.poll { seen[0].delivered.count + seen[1].delivered.count == expected })
    }
    #expect(server.statistics.closedSlow == 1)
    #expect(loop.poll { seen.allSatisfy { $0.gone.map(\.id) == [slow.identity?.id] } })
    for client in clients { client.close() }
    withExtendedLifetime(slow) {}
  }

  @Test("an address in use is told by the reservation; without one in the options a free port everywhere is taken")
  func reservations() throws {
    let loop = try UVLoop.polled()
    defer { loop.close() }
    let first = try HubReservation(HubOptions(), on: loop)
    let port = try HostAndPort(parsing: try #require(first.options.listen.first)).port
    #expect(port != 0)
    #expect(!first.addresses.isEmpty)
    #expect(throws: NetworkError.self) { try HubReservation(HubOptions(listen: ["127.0.0.1:\(port)"]), on: loop) }
    #expect(throws: NetworkError.self) { try HubReservation(HubOptions(advertise: ["nowhere"]), on: loop) }
    let server = try HubServer(environment: loop, options: first.options)
    #expect(server.addresses == first.addresses)
    server.close()
  }
}

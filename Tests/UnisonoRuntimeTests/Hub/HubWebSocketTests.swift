import Testing
import UnisonoBase
import UnisonoCrypto
import UnisonoWire

@testable import UnisonoRuntime

@Suite("Participants through WebSocket at a hub")
struct HubWebSocketTests {
  /// A WebSocket by hand to `hub`, whose handshake is through.
  private func socket(_ hub: HubHarness, fields: [String] = [], on machine: VirtualEnvironment? = nil) throws
    -> (peer: RawPeer, stream: WebSocketClientStream)
  {
    let environment = WebSocketEnvironment(machine ?? hub.network.machine(), fields: fields)
    let peer = RawPeer(on: environment, to: hub.address.address)
    hub.network.run(for: .milliseconds(100))
    return (peer, try #require(environment.streams.first))
  }

  @Test("F90: one through WebSocket and one through TCP are in a room together, and read each other")
  func together() throws {
    let hub = try HubHarness()
    let (raw, web) = (hub.guest(), hub.webGuest())
    #expect(hub.network.run(atMost: .seconds(2)) { [raw, web].allSatisfy { $0.members.count == 2 } })
    // Of each length that a WebSocket frame spells in its own way.
    for (number, length) in [578, 3_000, 200_000].enumerated() {
      let envelopes = [raw, web].map { $0.envelope(UInt64(number), length: length) }
      raw.client.send(envelopes[0])
      web.client.send(envelopes[1])
      hub.network.run(for: .seconds(2))
      #expect(web.delivered.last?.envelope == envelopes[0])
      #expect(raw.delivered.last?.envelope == envelopes[1])
    }
    web.client.probe(.stream)
    hub.network.run(for: .seconds(1))
    #expect(web.samples.count == 1)
    web.client.leave()
    hub.network.run(for: .seconds(1))
    #expect(raw.departures.map(\.left) == [true])
    #expect((hub.server.statistics.connections, hub.server.statistics.refused) == (1, 0))
  }

  @Test("F90: a silent WebSocket is asked, stays while it answers, and is gone 15 s after it fell silent")
  func liveness() throws {
    let hub = try HubHarness()
    let guests = [hub.guest(), hub.webGuest()]
    hub.network.run(for: .seconds(60))
    #expect(guests.allSatisfy { $0.members.count == 2 })
    guests[1].machine.crash(silently: true)
    hub.network.run(for: .seconds(20))
    #expect(guests[0].members.count == 1)
  }

  @Test("F90: a page is answered in HTTP, and counts as turned down", arguments: [("/", "426"), ("/film.mp4", "404")])
  func pages(target: String, status: String) throws {
    let hub = try HubHarness()
    let peer = hub.raw()
    peer.stream.write(Array("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
    hub.network.run(for: .seconds(1))
    #expect(String(decoding: peer.received, as: UTF8.self).hasPrefix("HTTP/1.1 \(status) "))
    #expect(peer.isClosed)
    #expect((hub.server.statistics.connections, hub.server.statistics.refused) == (0, 1))
  }

  @Test("F90: a request that is not complete after 5 s is answered so, and its place is free again")
  func lateRequest() throws {
    let hub = try HubHarness()
    let peer = hub.raw()
    peer.stream.write(Array("GET / HTTP/1.1\r\n".utf8))
    hub.network.run(for: .milliseconds(4_900))
    #expect(!peer.isClosed && peer.received.isEmpty)
    hub.network.run(for: .milliseconds(300))
    #expect(peer.isClosed && String(decoding: peer.received, as: UTF8.self).hasPrefix("HTTP/1.1 408 "))
    #expect(hub.server.statistics.connections == 0)
  }

  @Test("F90: a WebSocket that never enters is closed after 10 s, as anybody")
  func neverEnters() throws {
    let hub = try HubHarness()
    let (peer, stream) = try socket(hub)
    #expect(stream.head.hasPrefix("HTTP/1.1 101 ") && !peer.isClosed)
    hub.network.run(for: .seconds(11))
    #expect(peer.isClosed)
    #expect(stream.controls.compactMap(\.closeCode) == [1_008])
    #expect(hub.server.statistics.connections == 0)
  }

  @Test(
    "F90: who breaks a rule of WebSockets in a room is closed with its code, and the room hears that it is gone",
    arguments: [
      (ClientFrames.frame(0x81, [65]), 1_003), ([0x82, 0x01, 7], 1_002), (ClientFrames.binary([1, 2, 3]), 1_007),
      (ClientFrames.frame(0xc2, []), 1_002), ([0x82, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0], 1_009),
      (ClientFrames.close(1_005), 1_002),
    ] as [([UInt8], UInt16)])
  func violation(bytes: [UInt8], code: UInt16) throws {
    let hub = try HubHarness()
    let witness = hub.guests(1)[0]
    let (peer, stream) = try socket(hub)
    try enter(hub, peer)
    #expect(witness.members.count == 2)
    stream.writeFrames(bytes)
    hub.network.run(for: .seconds(1))
    #expect(peer.isClosed && stream.controls.compactMap(\.closeCode) == [code])
    #expect(witness.members.count == 1)
    #expect(hub.server.statistics.refused == 1)
  }

  private func enter(_ hub: HubHarness, _ peer: RawPeer) throws {
    peer.open()
    _ = hub.network.run(atMost: .seconds(1)) { peer.body(.identity) != nil }
    try peer.enter()
    _ = hub.network.run(atMost: .seconds(1)) { peer.body(.entered) != nil }
    hub.network.run(for: .milliseconds(10))
  }

  @Test("F90: a Close in order is answered; what came before it is forwarded")
  func closing() throws {
    let hub = try HubHarness()
    let witness = hub.guests(1)[0]
    let (peer, stream) = try socket(hub)
    try enter(hub, peer)
    let id = try #require(peer.identity).id
    let send = HubFrame.send(to: nil, envelope: witness.envelope(sender: id)).raw
    stream.writeFrames(ClientFrames.binary(peer.sealed(send)) + ClientFrames.close(1_001))
    hub.network.run(for: .seconds(1))
    #expect(witness.delivered.count == 1)
    #expect(peer.isClosed && stream.controls.compactMap(\.closeCode) == [1_001])
    #expect(witness.members.count == 1)
    #expect(hub.server.statistics.refused == 0)
  }

  @Test("F90: a hub that closes says so to those who speak WebSocket")
  func hubCloses() throws {
    let hub = try HubHarness()
    let (peer, stream) = try socket(hub)
    try enter(hub, peer)
    hub.server.close()
    hub.network.run(for: .seconds(1))
    #expect(stream.controls.compactMap(\.closeCode) == [1_001])
  }

  @Test("F90: who floods through WebSocket is slowed down as through TCP, and nothing is lost")
  func rates() throws {
    let hub = try HubHarness()
    let guests = [hub.guest(), hub.webGuest()]
    #expect(hub.network.run(atMost: .seconds(2)) { guests.allSatisfy { $0.members.count == 2 } })
    hub.network.run(for: .seconds(5))
    for number in 0..<1_000 { guests[1].client.send(guests[1].envelope(UInt64(number))) }
    hub.network.run(for: .milliseconds(100))
    #expect((380...425).contains(guests[0].delivered.count))
    hub.network.run(for: .seconds(4))
    #expect(guests[0].delivered.count == 1_000)
  }

  @Test("F90: who does not read through WebSocket is closed at 1 MiB, and the others do not notice")
  func slowReader() throws {
    let hub = try HubHarness()
    let guests = hub.guests(2)
    let (peer, stream) = try socket(hub)
    try enter(hub, peer)
    stream.setReading(false)
    for number in 0..<40 {
      guests[0].client.send(guests[0].envelope(UInt64(number), length: 64_000))
      hub.network.run(for: .milliseconds(500))
    }
    #expect(hub.server.statistics.closedSlow == 1)
    #expect(guests[1].delivered.count == 40)
  }

  @Test("F90: half-open WebSockets of an address are as few as half-open connections")
  func places() throws {
    let hub = try HubHarness()
    let machine = hub.network.machine()
    let sockets = (0..<20).map { _ in RawPeer(on: WebSocketEnvironment(machine), to: hub.address.address) }
    hub.network.run(for: .seconds(1))
    #expect(sockets.filter { !$0.isClosed }.count == 16)
    #expect(hub.server.statistics.connections == 16)
  }

  @Test("F90: behind the operator's proxy each client has the places of its own address")
  func proxied() throws {
    let proxy = "10.0.0.2"
    let hub = try HubHarness(proxies: [proxy])
    let machine = hub.network.machine()
    #expect(machine.host == proxy)
    var sockets: [RawPeer] = []
    for client in 1...3 {
      for _ in 0..<20 {
        let environment = WebSocketEnvironment(machine, fields: ["X-Forwarded-For: 192.0.2.\(client)"])
        sockets.append(RawPeer(on: environment, to: hub.address.address))
        // One after another, as a proxy whose requests are complete when it connects.
        hub.network.run(for: .milliseconds(50))
      }
    }
    #expect(sockets.filter { !$0.isClosed }.count == 48)
    #expect(hub.server.statistics.refused == 12)
  }

  @Test("F90: through WebSocket nobody is a neighbour: opening a room takes a pass, entering one does not")
  func strangers() throws {
    let passes = PassCheck()
    let hub = try HubHarness(opening: .neighbours(passes))
    let web = hub.webGuest()
    hub.network.run(for: .seconds(2))
    #expect(!web.isIn && web.losses.contains { $0.end.isRefusalToAdmit })
    let raw = hub.guest()
    #expect(hub.network.run(atMost: .seconds(2)) { raw.isIn })
    let other = hub.webGuest()
    #expect(hub.network.run(atMost: .seconds(2)) { other.isIn })
  }

  @Test("F90: a page from elsewhere gets no WebSocket, one from a listed origin does")
  func origins() throws {
    let hub = try HubHarness(origins: ["https://films.example"])
    let (_, foreign) = try socket(hub, fields: ["Origin: https://evil.example"])
    #expect(foreign.head.hasPrefix("HTTP/1.1 403 "))
    let (_, listed) = try socket(hub, fields: ["Origin: https://films.example"])
    #expect(listed.head.hasPrefix("HTTP/1.1 101 "))
    let (_, own) = try socket(hub, fields: ["Origin: http://\(hub.address.address)"])
    #expect(own.head.hasPrefix("HTTP/1.1 101 "))
  }
}

import Testing
import UnisonoBase
import UnisonoCrypto
import UnisonoWire

@testable import UnisonoRuntime

@Suite("Strangers at the hub's port")
struct HubStrangersTests {
  @Test(
    "Z36: who does not speak the protocol gets not a byte",
    arguments: [
      Array("GE\r\n".utf8), Array("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n".utf8), Array("POST / HTTP/1.1\r\n\r\n".utf8),
      [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03], [0, 0, 0, 0, 0], [0, 0, 0, 1, 1],
      [0, 0, 0, 3, 77, 1, 2], [0, 0, 16, 1, 1], [UInt8](repeating: 0xff, count: 300), HubFrame.ping(1).encoded,
      HubFrame.leave.encoded,
    ] as [[UInt8]])
  func silence(_ bytes: [UInt8]) throws {
    let hub = try HubHarness()
    let peer = hub.raw()
    peer.stream.write(bytes)
    hub.network.run(for: .seconds(1))
    #expect(peer.isClosed)
    #expect(peer.received.isEmpty)
    #expect((hub.server.statistics.connections, hub.server.statistics.refused) == (0, 1))
  }

  @Test("a stranger that says nothing, or something very slowly, is gone after 10 s without a byte")
  func slow() throws {
    let hub = try HubHarness()
    let (mute, drip) = (hub.raw(), hub.raw())
    drip.stream.write([0, 0, 0])
    hub.network.run(for: .seconds(9))
    #expect(!mute.isClosed && !drip.isClosed)
    drip.stream.write([100, 1])
    hub.network.run(for: .seconds(2))
    #expect(mute.isClosed && drip.isClosed)
    #expect(mute.received.isEmpty && drip.received.isEmpty)
  }

  // Time is virtual: 60 of the 100 ms are three ways there and back, and computing takes none. What a hub computes in such a flood, and how
  // late others notice it, is measured (`make bench-attacks`, docs/benchmarks.md): it depends on the machine.
  @Test("Z67: 65,536 addresses of a /48 come and try: others enter within 100 ms all the time, and the /48 has four shares")
  func prefix() throws {
    let hub = try HubHarness()
    hub.network.defaultPath = VirtualPath(delay: .milliseconds(10))
    let opens = (0..<256).map { _ in
      let machine = hub.network.machine()
      return (machine: machine, open: HubFrame.open(ClientHandshake(random: machine.randomBytes).open).encoded)
    }
    var guests: [Guest] = []
    var (tried, challenged, most) = (0, 0, 0)
    let begun = hub.network.trueTime
    for round in 0..<256 {
      var streams: [any ByteStream] = []
      for (flooder, open) in opens {
        flooder.changeAddress(to: "2001:db8:7:\(String(tried, radix: 16))::1", noticed: false)
        tried += 1
        let answered = { (bytes: [UInt8]) in challenged += bytes.dropFirst(4).first == HubFrame.FrameType.challenge.rawValue ? 1 : 0 }
        let stream = flooder.connect(to: hub.address.address, StreamEvents(received: answered, closed: { _ in }))
        stream.write(open)
        streams.append(stream)
      }
      if round % 8 == 0 {
        let machine = hub.network.machine()
        machine.changeAddress(to: "198.51.\(100 + round / 8).7", noticed: false)
        let guest = hub.guest(on: machine)
        #expect(hub.network.run(atMost: .milliseconds(100)) { guest.isIn }, "in round \(round)")
        guests.append(guest)
      }
      hub.network.run(for: .milliseconds(40))
      most = max(most, hub.server.measures.unentered)
      for stream in streams { stream.close() }
      // With another address nothing is sent from the one before any more.
      hub.network.run(for: .milliseconds(11))
    }
    #expect(tried == 65_536 && guests.allSatisfy { $0.isIn && $0.losses.isEmpty })
    #expect(most == 64)
    // 80 at once, and 20 a second.
    let seconds = Int((hub.network.trueTime - begun) / .seconds(1))
    #expect((80 + 20 * (seconds - 1)...80 + 20 * (seconds + 1)).contains(challenged), "\(challenged) in \(seconds) s")
  }

  @Test("before entry 4,096 bytes are the most, whatever is in them")
  func bytes() throws {
    let hub = try HubHarness()
    for (length, isClosed) in [(4_096, false), (4_097, true)] {
      let peer = hub.raw()
      peer.open()
      hub.network.run(for: .milliseconds(100))
      let sent = HubFrame.open(ClientHandshake(random: peer.machine.randomBytes).open).encoded.count
      // A record of a type that may be skipped, and one that is not complete.
      let skipped = peer.sealed(RawFrame(type: 100, body: []))
      let begun: [UInt8] = [0, 0, 15, 0] + [UInt8](repeating: 0, count: length - sent - skipped.count - 4)
      peer.stream.write(skipped + begun)
      hub.network.run(for: .seconds(1))
      #expect(peer.isClosed == isClosed)
    }
  }

  @Test("half-open connections are bounded for an address and in all, and leave room again after 10 s")
  func flood() throws {
    let hub = try HubHarness()
    let attackers = (0..<20).map { _ in hub.network.machine() }
    var peers: [RawPeer] = []
    for attacker in attackers {
      for _ in 0..<20 { peers.append(hub.raw(on: attacker)) }
    }
    hub.network.run(for: .seconds(1))
    #expect(hub.server.statistics.connections == 256)
    #expect(peers.filter { $0.machine === attackers[0] && !$0.isClosed }.count == 16)
    hub.network.run(for: .seconds(11))
    #expect(hub.server.statistics.connections == 0)
    let guest = hub.guest()
    #expect(hub.network.run(atMost: .seconds(1)) { guest.isIn })
  }

  @Test("Z30 in the small: random bytes, and a good entry cut off or bent anywhere, end quietly and harm nobody")
  func garbage() throws {
    let hub = try HubHarness()
    let guests = hub.guests(2)
    var generator = SplitMix64(seed: 99)
    let open = HubFrame.open(ClientHandshake { [UInt8](repeating: 6, count: $0) }.open).encoded
    var peers: [RawPeer] = []
    for number in 0..<300 {
      let peer = hub.raw()
      switch number % 3 {
      case 0:
        let count = Int.random(in: 1...600, using: &generator)
        peer.stream.write((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
      case 1: peer.stream.write(Array(open.prefix(number % open.count)))
      default:
        var bent = open
        bent[Int.random(in: 0..<bent.count, using: &generator)] ^= 1 << UInt8.random(in: 0...7, using: &generator)
        peer.stream.write(bent)
      }
      peers.append(peer)
      hub.network.run(for: .milliseconds(100))
    }
    hub.network.run(for: .seconds(11))
    #expect(peers.allSatisfy { $0.isClosed })
    #expect(hub.server.statistics.connections == 2)
    guests[0].client.send(guests[0].envelope())
    hub.network.run(for: .seconds(1))
    #expect(guests[1].delivered.count == 1)
  }

  @Test("Z30 in the small: a member that sends garbage is told and closed; the room hears that it is gone")
  func garbageInside() throws {
    let bad: [(RawPeer) -> [UInt8]] = [
      { $0.sealed(RawFrame(type: 200, body: [])) }, { $0.sealed(RawFrame(type: 7, body: [1, 2])) },
      { $0.sealed(HubFrame.leave.raw) + [0, 0, 0, 0] }, { _ in [0xff, 0xff, 0xff, 0xff] },
      { $0.sealed(RawFrame(type: 9, body: [UInt8](repeating: 0, count: 64))) },
      { $0.sealed(HubFrame.presence(joined: [], gone: []).raw) },
      { $0.sealed(HubFrame.send(to: nil, envelope: [1, 2, 3]).raw) }, { _ in HubFrame.ping(1).encoded },
    ]
    let hub = try HubHarness()
    let witness = hub.guests(1)[0]
    for bytes in bad {
      let peer = try hub.enteredPeer()
      #expect(witness.members.count == 2)
      peer.stream.write(bytes(peer))
      hub.network.run(for: .seconds(1))
      #expect(peer.isClosed)
      #expect(witness.members.count == 1)
    }
    #expect(witness.isIn)
  }

  @Test("a type of frame that this version does not know is skipped")
  func unknownType() throws {
    let hub = try HubHarness()
    let peer = try hub.enteredPeer()
    peer.write(RawFrame(type: 100, body: [1, 2, 3]))
    peer.write(.ping(42))
    hub.network.run(for: .seconds(1))
    #expect(!peer.isClosed)
    #expect(peer.body(.pong) == Array(HubFrame.pong(42).raw.body))
  }
}

extension HubHarness {
  /// A connection that has entered, by hand.
  func enteredPeer(room: UInt8 = 1, on machine: VirtualEnvironment? = nil, as identity: Identity? = nil) throws
    -> RawPeer
  {
    let peer = raw(on: machine)
    peer.open()
    _ = network.run(atMost: .seconds(1)) { peer.body(.identity) != nil }
    try peer.enter(room: room, as: identity)
    _ = network.run(atMost: .seconds(1)) { peer.body(.entered) != nil }
    network.run(for: .milliseconds(10))
    return peer
  }
}

import Testing

@testable import UnisonoBase
@testable import UnisonoReplica
@testable import UnisonoWire

@Suite struct HubFrameTests {
  private func decode(_ bytes: [UInt8]) throws -> HubFrame? {
    var assembler = FrameAssembler(limit: WireLimits.frame)
    assembler.append(bytes)
    guard let raw = try assembler.next() else { return nil }
    return try HubFrame.decode(raw)
  }

  @Test("every frame comes back as it was, and its bytes too", arguments: 1...20)
  func roundTrip(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    for frame in generator.hubFrames() {
      let decoded = try #require(try decode(frame.encoded))
      #expect(decoded == frame)
      #expect(decoded.encoded == frame.encoded)
    }
  }

  @Test("no proper prefix of a frame is a frame")
  func prefixes() throws {
    var generator = SplitMix64(seed: 1)
    for frame in generator.hubFrames() {
      let bytes = frame.encoded
      for length in 0..<bytes.count { #expect(try decode(Array(bytes[..<length])) == nil) }
      // A body cut short under a right length: either refused, or cut at an item that may be absent.
      let raw = frame.raw
      for length in 0..<raw.body.count {
        let cut = RawFrame(type: raw.type, body: Array(raw.body[..<length]))
        if let shorter = try? HubFrame.decode(cut) { #expect(shorter.raw.body == cut.body) }
      }
    }
  }

  @Test("ENTERED with more addresses than 16, or an address that is empty or over 263 bytes, is refused")
  func advertised() throws {
    func entered(_ advertised: [String]) -> [UInt8] {
      var writer = ItemWriter()
      for address in advertised { writer.text(7, address) }
      let plain = EnteredFrame(connection: 1, members: [], token: 2, udpPort: 3, frameLimit: 4, bytesPerSecond: 5)
      return plain.body + writer.bytes
    }
    let most = Array(repeating: "hub.example.org:7400", count: 16)
    #expect(try EnteredFrame(body: entered(most)).advertised == most)
    #expect(try EnteredFrame(body: entered([])).advertised == [])
    #expect(throws: WireError.count) { try EnteredFrame(body: entered(most + ["one.more:7400"])) }
    #expect(throws: WireError.text) { try EnteredFrame(body: entered([""])) }
    #expect(throws: WireError.text) { try EnteredFrame(body: entered([String(repeating: "a", count: 264)])) }
  }

  @Test("NEXT with more hubs than 16, a hub without its id, or without a time, is refused")
  func next() throws {
    let hub = HubAddress(address: "hub.example.org:7400", hub: Array(repeating: 3, count: 16))
    let most = NextFrame(hubs: Array(repeating: hub, count: 16), within: 10_000)
    #expect(try NextFrame(body: most.body) == most)
    #expect(try NextFrame(body: NextFrame(within: 0).body) == NextFrame(within: 0))
    var one = ItemWriter()
    one.items(1) {
      $0.text(1, hub.address)
      $0.item(2, hub.hub)
    }
    #expect(throws: WireError.count) { try NextFrame(body: one.bytes + most.body) }
    #expect(throws: WireError.truncated) { try NextFrame(body: one.bytes) }
    var anonymous = ItemWriter()
    anonymous.items(1) { $0.text(1, hub.address) }
    #expect(throws: WireError.truncated) { try NextFrame(body: anonymous.bytes + NextFrame(within: 1).body) }
  }

  @Test("CLOCKS out of order, of a rate beyond 1,000 ppm, of over 128 clocks, or without a time, is refused")
  func clocks() throws {
    func report(_ ids: [UInt64], rate: Int32 = 1_000_000) -> ClockReport {
      ClockReport(
        at: -5,
        readings: ids.map {
          ClockReading(clock: ClockID(high: $0, low: 1), offset: .max, rate: rate, error: .max, growth: .max, goneFor: .max)
        })
    }
    let most = report(Array(1...128))
    #expect(try ClockReport(body: most.body) == most)
    #expect(try ClockReport(body: report([]).body) == report([]))
    #expect(try ClockReport(body: report([1], rate: -1_000_000).body) == report([1], rate: -1_000_000))
    for ids in [[2, 1], [1, 1]] as [[UInt64]] { #expect(throws: WireError.order) { try ClockReport(body: report(ids).body) } }
    for rate in [1_000_001, -1_000_001, .min] as [Int32] {
      #expect(throws: WireError.range) { try ClockReport(body: report([1], rate: rate).body) }
    }
    var packed = ItemWriter()
    packed.time(1, 0)
    packed.item(2, [UInt8](repeating: 0, count: 35))
    #expect(throws: WireError.width) { try ClockReport(body: packed.bytes) }
    packed = ItemWriter()
    packed.time(1, 0)
    packed.item(2, (0..<129).flatMap { [UInt8](repeating: 0, count: 15) + [$0] + [UInt8](repeating: 0, count: 20) })
    #expect(throws: WireError.count) { try ClockReport(body: packed.bytes) }
    packed = ItemWriter()
    packed.item(2, [])
    #expect(throws: WireError.truncated) { try ClockReport(body: packed.bytes) }
    packed = ItemWriter()
    packed.time(1, 0)
    #expect(throws: WireError.truncated) { try ClockReport(body: packed.bytes) }
  }

  @Test("OPEN is refused with another magic, or with versions that cross")
  func badOpen() throws {
    var open = OpenFrame(nonce: Array(repeating: 1, count: 32), ephemeralKey: Array(repeating: 2, count: 1_216))
    var body = open.body
    body[4] = 0x55
    #expect(throws: WireError.range) { try OpenFrame(body: body) }
    open.lowestVersion = 3
    #expect(throws: WireError.range) { try OpenFrame(body: open.body) }
  }

  @Test("the longest lists of members fit a frame")
  func fullRoom() throws {
    let members = (0..<256).map { Member(id: ParticipantID(high: 1, low: UInt64($0)), connection: 1, age: 2) }
    let frame = HubFrame.presence(joined: members, gone: [])
    #expect(frame.encoded.count < WireLimits.frame)
    #expect(try decode(frame.encoded) == frame)
  }

  @Test("a probe is 64 bytes, of which the first 48 are authenticated")
  func probe() throws {
    let mac = (0..<16).map { UInt8($0) }
    let packet = ProbePacket(kind: .ask, token: 1, number: 2, opaque: 3, mac: mac)
    #expect(packet.bytes.count == 64)
    #expect(packet.authenticated.count == ProbePacket.authenticatedLength)
    #expect(Array(packet.bytes[48...]) == mac)
    #expect(try ProbePacket(bytes: packet.bytes) == packet)
    for length in 0..<64 {
      #expect(throws: WireError.truncated) { try ProbePacket(bytes: Array(packet.bytes[..<length])) }
    }
    #expect(throws: WireError.trailing) { try ProbePacket(bytes: packet.bytes + [0]) }
    for index in 0..<8 {
      var bad = packet.bytes
      bad[index] ^= 0x80
      #expect(throws: WireError.range) { try ProbePacket(bytes: bad) }
    }
    var timed = packet
    timed.sent = 5
    #expect(throws: WireError.range) { try ProbePacket(bytes: timed.bytes) }
  }

  @Test("random bodies of every type never trap", arguments: 1...4)
  func random(seed: Int) {
    var generator = SplitMix64(seed: UInt64(seed))
    var accepted = 0
    for _ in 0..<1_500 {
      let body = generator.bytes(Int.random(in: 0...80, using: &generator))
      for type in UInt8(1)...19 where (try? HubFrame.decode(RawFrame(type: type, body: body))) != nil { accepted += 1 }
    }
    // Only an empty body of an empty message can pass by chance.
    #expect(accepted < 200)
  }

  @Test("frames with bytes changed never trap, and what is accepted encodes and decodes alike", arguments: 1...4)
  func mutated(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(100 + seed))
    for _ in 0..<60 {
      for frame in generator.hubFrames() {
        var raw = frame.raw
        guard !raw.body.isEmpty else { continue }
        raw.body[Int.random(in: 0..<raw.body.count, using: &generator)] ^=
          1 << UInt8.random(in: 0..<8, using: &generator)
        guard let decoded = try? HubFrame.decode(raw) else { continue }
        #expect(try HubFrame.decode(decoded.raw) == decoded)
      }
    }
  }
}

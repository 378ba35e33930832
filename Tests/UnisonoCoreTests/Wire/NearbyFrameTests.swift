import Testing

@testable import UnisonoBase
@testable import UnisonoNearby
@testable import UnisonoWire

@Suite struct NearbyFrameTests {
  private static let service = NearbyService(
    identifier: "org.example.watch", usage: "Watch films together", deviceName: "Living room", platform: 2,
    platforms: 6)

  private static let beacons = [
    Beacon(service, instance: 7, port: 4747, intent: .join),
    Beacon(
      kind: .here, instance: .max, service: String(repeating: "a", count: 63), name: String(repeating: "n", count: 63),
      platform: .max, platforms: .max, usage: String(repeating: "u", count: 255), port: .max, intent: .invite),
    Beacon(kind: .here, instance: 0, service: "a", usage: "u", port: 1),
    Beacon(kind: .gone, instance: 7, service: "org.example.watch"),
    Beacon(kind: .query, instance: 8, service: "org.example.watch"),
  ]

  private static let frames: [PairingFrame] = [
    .ask(
      AskFrame(
        commit: Array(0..<32), intent: .invite, service: "org.example.watch", deviceName: "Anns Händi", platform: 2)),
    .ask(AskFrame(commit: Array(0..<32), intent: .join, service: "a", deviceName: "", platform: 0, major: 9)),
    .offer(OfferFrame(key: Array(1..<33), nonce: Array(2..<34), deviceName: "Living room")),
    .reveal(RevealFrame(key: Array(3..<35), nonce: Array(4..<36))),
    .grant([UInt8](repeating: 5, count: PairingFrame.sealedLength)),
    .pass([UInt8](repeating: 6, count: PairingFrame.sealedLength)),
    .cancel,
  ]

  @Test("F50: every beacon comes back as it was, its bytes too, and fits 512 bytes")
  func beacons() throws {
    for beacon in Self.beacons {
      let read = try Beacon(bytes: beacon.bytes)
      #expect(read == beacon)
      #expect(read.bytes == beacon.bytes)
      #expect(beacon.bytes.count <= Beacon.maximumLength)
      for length in 0..<beacon.bytes.count {
        let cut = Array(beacon.bytes[..<length])
        if let shorter = try? Beacon(bytes: cut) { #expect(shorter.bytes == cut) }
      }
    }
  }

  @Test("F50: beacons that are too long, of another version, or with texts that nobody could show are refused")
  func badBeacons() throws {
    func error(_ change: (inout Beacon) -> Void) -> WireError? {
      var beacon = Self.beacons[0]
      change(&beacon)
      do throws(WireError) {
        _ = try Beacon(bytes: beacon.bytes)
        return nil
      } catch {
        return error
      }
    }
    #expect(error { $0.name = "a\u{1B}[2J" } == .text)
    #expect(error { $0.name = "live\u{202E}gnp" } == .text)
    #expect(error { $0.usage = "two\nlines" } == .text)
    #expect(error { $0.service = "Org Example" } == .text)
    #expect(error { $0.service = "" } == .text)
    #expect(error { $0.port = 0 } == .truncated)
    #expect(error { $0.usage = "" } == .truncated)
    #expect(error { $0.name = String(repeating: "n", count: 64) } == .text)
    var bytes = Self.beacons[0].bytes
    bytes[4] = 2
    #expect(throws: WireError.range) { try Beacon(bytes: bytes) }
    bytes = Self.beacons[0].bytes + [60, 0, 1, 0] + [UInt8](repeating: 0, count: 256)
    #expect(try Beacon(bytes: bytes) == Self.beacons[0])
    #expect(throws: WireError.count) { try Beacon(bytes: bytes + [61, 0, 0, 200] + [UInt8](repeating: 0, count: 200)) }
    #expect(throws: WireError.unknownMustUnderstand) { try Beacon(bytes: Self.beacons[0].bytes + [200, 0, 0, 0]) }
  }

  @Test("F51: every pairing frame comes back as it was, and its bytes too")
  func frames() throws {
    for frame in Self.frames {
      let read = try PairingFrame.decode(frame.raw)
      #expect(read == frame)
      #expect(read?.encoded == frame.encoded)
      for length in 0..<frame.raw.body.count {
        let cut = RawFrame(type: frame.raw.type, body: Array(frame.raw.body[..<length]))
        if let shorter = try? PairingFrame.decode(cut) { #expect(shorter.raw.body == cut.body) }
      }
    }
  }

  @Test("F51: all that an ask may send holds the largest ask, and sealed frames have one length only")
  func sizes() throws {
    let ask = AskFrame(
      commit: Array(0..<32), intent: .invite, service: String(repeating: "a", count: 63),
      deviceName: String(repeating: "n", count: 63), platform: .max)
    let all = PairingFrame.ask(ask).encoded + Self.frames[3].encoded + Self.frames[5].encoded
    #expect(all.count <= PairingFrame.askBytes)
    for length in [0, PairingFrame.sealedLength - 1, PairingFrame.sealedLength + 1] {
      let frame = PairingFrame.grant([UInt8](repeating: 0, count: length))
      #expect(throws: WireError.width) { try PairingFrame.decode(frame.raw) }
    }
    #expect(throws: WireError.unknownMustUnderstand) { try PairingFrame.decode(RawFrame(type: 200, body: [])) }
    #expect(try PairingFrame.decode(RawFrame(type: 60, body: [])) == nil)
  }

  @Test("F51: an intent that this version does not know, or none at all, is no ask")
  func intents() throws {
    guard case .ask(let ask) = Self.frames[0] else { return }
    var writer = ItemWriter()
    writer.item(1, ask.commit)
    writer.integer(2, UInt8(3))
    writer.text(3, ask.service)
    writer.integer(6, UInt8(1))
    #expect(throws: WireError.truncated) { try AskFrame(body: writer.bytes) }
  }
}

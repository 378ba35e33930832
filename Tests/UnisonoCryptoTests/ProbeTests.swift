import Testing
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Probe code") struct ProbeTests {
  @Test("makes and verifies", arguments: Vectors.good("probe"))
  func good(_ vector: VectorCase) throws {
    let given = vector.given
    let mac = ProbeMAC(key: try #require(Secret(try given.bytes("key"))))
    let probe = ProbePacket(
      kind: try #require(ProbePacket.Kind(rawValue: try given.integer("kind"))), token: try word(given, "token"),
      number: try given.integer("number"), opaque: try word(given, "opaque"), received: try given.integer("t2"),
      sent: try given.integer("t3"))
    #expect(!mac.verifies(probe))
    let signed = mac.signed(probe)
    #expect(try signed.bytes == #require(vector.expected).bytes("packet"))
    #expect(mac.verifies(try ProbePacket(bytes: signed.bytes)))
    #expect(!ProbeMAC(key: Fixture.secret("another key")).verifies(signed))
  }

  @Test("refuses", arguments: Vectors.bad("probe"))
  func bad(_ vector: VectorCase) throws {
    let mac = ProbeMAC(key: try #require(Secret(try vector.given.bytes("key"))))
    let bytes = try vector.given.bytes("packet")
    do {
      #expect(!mac.verifies(try ProbePacket(bytes: bytes)))
      #expect(vector.open == "mac")
    } catch {
      #expect("\(error)" == vector.open)
    }
  }

  @Test("Z33: a flipped bit anywhere in a probe is refused, and so is a shortened code")
  func flips() throws {
    let mac = ProbeMAC(key: Fixture.secret("probe key"))
    let probe = mac.signed(ProbePacket(kind: .answer, token: 1, number: 2, opaque: 3, received: 4, sent: 5))
    for bit in 0..<(probe.bytes.count * 8) {
      var bytes = probe.bytes
      bytes[bit / 8] ^= 1 << (bit % 8)
      guard let read = try? ProbePacket(bytes: bytes) else { continue }
      #expect(!mac.verifies(read), "bit \(bit)")
    }
    var short = probe
    short.mac = []
    #expect(!mac.verifies(short))
  }

  private func word(_ fields: VectorFields, _ key: String) throws -> UInt64 {
    try fields.bytes(key).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

import Testing
import UnisonoBase
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Envelope") struct EnvelopeTests {
  @Test("seals and opens", arguments: Vectors.good("envelope"))
  func good(_ vector: VectorCase) throws {
    let (given, expected) = (vector.given, try #require(vector.expected))
    let scope = Scope(session: try given.bytes("session"), topic: try given.bytes("topic"))
    let seed = try #require(Secret(try given.bytes("seed_sign")))
    let author = SigningKey(seed: seed)
    let header = try EnvelopeHeader(envelope: expected.bytes("envelope"))
    #expect(try header.bytes == expected.bytes("header"))
    #expect(try header.counter == given.integer("counter"))
    #expect(try header.epoch.bytes == given.bytes("epoch"))
    let key = SendKey(chain: try #require(Secret(try given.bytes("chain"))), scope: scope, header: header)
    #expect(try key.secret.bytes == expected.bytes("send_key"))
    let content = try given.bytes("content")
    let sealed = try Envelope.seal(content, header: header, scope: scope, key: key, author: author)
    #expect(try sealed == expected.bytes("envelope"))
    let plain = try EnvelopePlain(padded: expected.bytes("plain"))
    #expect(try plain.signature == expected.bytes("signature"))
    let opened = try Envelope.open(sealed, key: key)
    #expect(opened.header == header)
    #expect(opened.content == content)
    try opened.verify(author: author.publicKey, scope: scope)
  }

  @Test("refuses", arguments: Vectors.bad("envelope"))
  func bad(_ vector: VectorCase) throws {
    let given = vector.given
    let scope = Scope(session: try given.bytes("session"), topic: try given.bytes("topic"))
    let author = try VerifyingKey(given.bytes("author"))
    let envelope = try given.bytes("envelope")
    let key = SendKey(secret: try #require(Secret(try given.bytes("send_key"))))
    #expect(outcome { try Envelope.open(envelope, key: key).verify(author: author, scope: scope) } == vector.open)
  }

  @Test("pads to lengths that tell little", arguments: Vectors.good("padding"))
  func padding(_ vector: VectorCase) throws {
    let length: Int = try vector.given.integer("content_length")
    let plain: Int = try #require(vector.expected).integer("plain_length")
    #expect(EnvelopePlain.paddedLength(content: length) == plain)
    let sealed = try Fixture.seal([UInt8](repeating: 9, count: length), Fixture.header())
    #expect(sealed.count == EnvelopeHeader.length + plain + 16)
  }

  @Test("Z13: every single bit of an envelope, flipped, has it refused", arguments: [[9], [9] + Array("hello".utf8)])
  func flips(_ content: [UInt8]) throws {
    let header = Fixture.header()
    let envelope = try Fixture.seal(content, header)
    let author = Fixture.alice.signing.publicKey
    try Envelope.open(envelope, key: Fixture.key(header)).verify(author: author, scope: Fixture.door.scope)
    for bit in 0..<(envelope.count * 8) {
      var flipped = envelope
      flipped[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: EnvelopeError.self, "bit \(bit), under the key as it was") {
        try Envelope.open(flipped, key: Fixture.key(header))
      }
      guard let shown = try? EnvelopeHeader(envelope: flipped) else { continue }
      #expect(throws: EnvelopeError.seal, "bit \(bit), under the key that the flipped header names") {
        try Envelope.open(flipped, key: Fixture.key(shown))
      }
    }
  }

  @Test("Z11: a member who seals in another's name and lane is refused by the signature")
  func forgery() throws {
    let header = Fixture.header(from: Fixture.alice)
    let forged = try Fixture.seal([9, 1], header, author: Fixture.mallory)
    let opened = try Envelope.open(forged, key: Fixture.key(header))
    for author in [Fixture.alice, Fixture.mallory] {
      #expect(throws: EnvelopeError.signature) {
        try opened.verify(author: author.signing.publicKey, scope: Fixture.door.scope)
      }
    }
  }

  @Test("content of no or too many bytes is not sealed, the longest is")
  func lengths() throws {
    let header = Fixture.header()
    #expect(throws: EnvelopeError.malformed(.count)) { try Fixture.seal([], header) }
    let longest = [UInt8](repeating: 9, count: WireLimits.content)
    let sealed = try Fixture.seal(longest, header)
    #expect(sealed.count == EnvelopeHeader.envelopeLengths.upperBound)
    #expect(try Envelope.open(sealed, key: Fixture.key(header)).content == longest)
    #expect(throws: EnvelopeError.malformed(.count)) { try Fixture.seal(longest + [9], header) }
    #expect(throws: EnvelopeError.malformed(.count)) { try Envelope.open(sealed + [0], key: Fixture.key(header)) }
  }

  @Test("every envelope cut short is refused")
  func prefixes() throws {
    let header = Fixture.header()
    let envelope = try Fixture.seal([9], header)
    for count in 0..<envelope.count {
      #expect(throws: EnvelopeError.malformed(.truncated)) {
        try Envelope.open(Array(envelope[..<count]), key: Fixture.key(header))
      }
    }
  }
}

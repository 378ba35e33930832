import UnisonoBase

/// A hub's answer to OPEN: its half of the key, who it is, whose clock it runs, signed.
package struct ChallengeFrame: Hashable, Sendable {
  package var version: UInt8
  /// 32 bytes.
  package var nonce: [UInt8]
  /// X25519 public key, 32 bytes.
  package var ephemeralKey: [UInt8]
  /// Ed25519 public key, 32 bytes.
  package var hubKey: [UInt8]
  package var clock: ClockID
  /// 64 bytes; empty until signed.
  package var signature: [UInt8]

  package init(
    version: UInt8 = 1, nonce: [UInt8], ephemeralKey: [UInt8], hubKey: [UInt8], clock: ClockID, signature: [UInt8] = []
  ) {
    self.version = version
    self.nonce = nonce
    self.ephemeralKey = ephemeralKey
    self.hubKey = hubKey
    self.clock = clock
    self.signature = signature
  }

  /// CH': the body without the signature.
  package var unsignedBody: [UInt8] {
    var writer = ItemWriter()
    writer.integer(1, version)
    writer.item(2, nonce)
    writer.item(3, ephemeralKey)
    writer.item(4, hubKey)
    writer.identifier(5, clock)
    return writer.bytes
  }

  package var body: [UInt8] {
    var writer = ItemWriter()
    writer.item(255, signature)
    return unsignedBody + writer.bytes
  }

  /// CH' of a body as it came, items that this version does not know included: the signature is the last item.
  package static func unsigned(body: [UInt8]) throws(WireError) -> [UInt8] {
    let rest = body.count - (4 + 64)
    guard rest >= 0 else { throw .truncated }
    var items = Items(Array(body[rest...]))
    guard let item = try items.next(), item.tag == 255, item.value.remaining == 64 else { throw .truncated }
    return Array(body[..<rest])
  }

  package init(body: [UInt8]) throws(WireError) {
    var version: UInt8?
    var nonce: [UInt8]?
    var key: [UInt8]?
    var hubKey: [UInt8]?
    var clock: ClockID?
    var signature: [UInt8]?
    var items = Items(body)
    while let item = try items.next() {
      switch item.tag {
      case 1: version = try item.integer()
      case 2: nonce = try item.bytes(exactly: 32)
      case 3: key = try item.bytes(exactly: 32)
      case 4: hubKey = try item.bytes(exactly: 32)
      case 5: clock = try item.identifier()
      case 255: signature = try item.bytes(exactly: 64)
      default: try item.unknown()
      }
    }
    self.version = try version.required()
    self.nonce = try nonce.required()
    ephemeralKey = try key.required()
    self.hubKey = try hubKey.required()
    self.clock = try clock.required()
    self.signature = try signature.required()
  }
}

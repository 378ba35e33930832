import UnisonoBase

/// Who a hub is, signed, and whose clock it runs: the first record of a link.
package struct IdentityFrame: Hashable, Sendable {
  /// Ed25519 public key, 32 bytes.
  package var hubKey: [UInt8]
  package var clock: ClockID
  /// Strangers need a pass to open a room here.
  package var asksForPass: Bool
  /// A set's word that this hub is one of its, 100 bytes; nil: there is none. Not judged.
  package var certificate: [UInt8]?
  /// 64 bytes, over the handshake.
  package var signature: [UInt8]

  package init(hubKey: [UInt8], clock: ClockID, asksForPass: Bool, certificate: [UInt8]? = nil, signature: [UInt8]) {
    self.hubKey = hubKey
    self.clock = clock
    self.asksForPass = asksForPass
    self.certificate = certificate
    self.signature = signature
  }

  package var body: [UInt8] {
    var writer = ItemWriter()
    writer.item(1, hubKey)
    writer.identifier(2, clock)
    if asksForPass { writer.boolean(3, true) }
    if let certificate { writer.item(4, certificate) }
    writer.item(255, signature)
    return writer.bytes
  }

  package init(body: [UInt8]) throws(WireError) {
    var key: [UInt8]?
    var clock: ClockID?
    var asksForPass = false
    var certificate: [UInt8]?
    var signature: [UInt8]?
    var items = Items(body)
    while let item = try items.next() {
      switch item.tag {
      case 1: key = try item.bytes(exactly: 32)
      case 2: clock = try item.identifier()
      case 3: asksForPass = try item.boolean()
      case 4: certificate = try item.bytes(exactly: 100)
      case 255: signature = try item.bytes(exactly: 64)
      default: try item.unknown()
      }
    }
    hubKey = try key.required()
    self.clock = try clock.required()
    self.asksForPass = asksForPass
    self.certificate = certificate
    self.signature = try signature.required()
  }
}

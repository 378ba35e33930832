import UnisonoBase

/// A hub's answer to OPEN, in clear: its half of the link's key. Who it is comes sealed, in IDENTITY.
package struct ChallengeFrame: Hashable, Sendable {
  package var version: UInt8
  /// 32 bytes.
  package var nonce: [UInt8]
  /// X-Wing, 1,120 bytes.
  package var encapsulatedKey: [UInt8]

  package init(version: UInt8 = 2, nonce: [UInt8], encapsulatedKey: [UInt8]) {
    self.version = version
    self.nonce = nonce
    self.encapsulatedKey = encapsulatedKey
  }

  package var body: [UInt8] {
    var writer = ItemWriter()
    writer.integer(1, version)
    writer.item(2, nonce)
    writer.item(3, encapsulatedKey)
    return writer.bytes
  }

  package init(body: [UInt8]) throws(WireError) {
    var version: UInt8?
    var nonce: [UInt8]?
    var key: [UInt8]?
    var items = Items(body)
    while let item = try items.next() {
      switch item.tag {
      case 1: version = try item.integer()
      case 2: nonce = try item.bytes(exactly: 32)
      case 3: key = try item.bytes(exactly: 1_120)
      default: try item.unknown()
      }
    }
    self.version = try version.required()
    self.nonce = try nonce.required()
    encapsulatedKey = try key.required()
  }
}

import UnisonoBase

/// The asking device's half of the keys, which it promised before it saw the other's.
package struct RevealFrame: Hashable, Sendable {
  /// X25519 public key, 32 bytes.
  package var key: [UInt8]
  /// 32 random bytes.
  package var nonce: [UInt8]

  package init(key: [UInt8], nonce: [UInt8]) {
    self.key = key
    self.nonce = nonce
  }

  package var body: [UInt8] {
    var writer = ItemWriter()
    writer.item(1, key)
    writer.item(2, nonce)
    return writer.bytes
  }

  package init(body: [UInt8]) throws(WireError) {
    var key: [UInt8]?
    var nonce: [UInt8]?
    var items = Items(body)
    while let item = try items.next() {
      switch item.tag {
      case 1: key = try item.bytes(exactly: 32)
      case 2: nonce = try item.bytes(exactly: 32)
      default: try item.unknown()
      }
    }
    self.key = try key.required()
    self.nonce = try nonce.required()
  }
}

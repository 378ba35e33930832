import UnisonoBase

/// The asked device's half of the keys.
package struct OfferFrame: Hashable, Sendable {
  /// X25519 public key, 32 bytes.
  package var key: [UInt8]
  /// 32 random bytes.
  package var nonce: [UInt8]
  /// Unverified until the digits were compared.
  package var deviceName: String

  package init(key: [UInt8], nonce: [UInt8], deviceName: String) {
    self.key = key
    self.nonce = nonce
    self.deviceName = deviceName
  }

  package var body: [UInt8] {
    var writer = ItemWriter()
    writer.item(1, key)
    writer.item(2, nonce)
    if !deviceName.isEmpty { writer.text(4, deviceName) }
    return writer.bytes
  }

  package init(body: [UInt8]) throws(WireError) {
    var key: [UInt8]?
    var nonce: [UInt8]?
    deviceName = ""
    var items = Items(body)
    while let item = try items.next() {
      switch item.tag {
      case 1: key = try item.bytes(exactly: 32)
      case 2: nonce = try item.bytes(exactly: 32)
      case 4: deviceName = try item.plainText(upTo: WireLimits.name)
      default: try item.unknown()
      }
    }
    self.key = try key.required()
    self.nonce = try nonce.required()
  }
}

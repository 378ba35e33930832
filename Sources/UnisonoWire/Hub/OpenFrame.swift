import UnisonoBase

/// A client's first word: which versions it speaks, and its half of a fresh key.
package struct OpenFrame: Hashable, Sendable {
  static let magic = Array("unisono".utf8)

  package var lowestVersion: UInt8
  package var highestVersion: UInt8
  /// 32 bytes.
  package var nonce: [UInt8]
  /// X-Wing public key, 1,216 bytes, made for this connection.
  package var ephemeralKey: [UInt8]

  package init(lowestVersion: UInt8 = 2, highestVersion: UInt8 = 2, nonce: [UInt8], ephemeralKey: [UInt8]) {
    self.lowestVersion = lowestVersion
    self.highestVersion = highestVersion
    self.nonce = nonce
    self.ephemeralKey = ephemeralKey
  }

  package var body: [UInt8] {
    var writer = ItemWriter()
    writer.item(1, Self.magic)
    writer.integer(2, lowestVersion)
    writer.integer(3, highestVersion)
    writer.item(4, nonce)
    writer.item(5, ephemeralKey)
    return writer.bytes
  }

  package init(body: [UInt8]) throws(WireError) {
    var magic: [UInt8]?
    var lowest: UInt8?
    var highest: UInt8?
    var nonce: [UInt8]?
    var key: [UInt8]?
    var items = Items(body)
    while let item = try items.next() {
      switch item.tag {
      case 1: magic = try item.bytes(exactly: 7)
      case 2: lowest = try item.integer()
      case 3: highest = try item.integer()
      case 4: nonce = try item.bytes(exactly: 32)
      case 5: key = try item.bytes(exactly: 1_216)
      default: try item.unknown()
      }
    }
    guard try magic.required() == Self.magic else { throw .range }
    lowestVersion = try lowest.required()
    highestVersion = try highest.required()
    self.nonce = try nonce.required()
    ephemeralKey = try key.required()
    guard lowestVersion <= highestVersion else { throw .range }
  }
}

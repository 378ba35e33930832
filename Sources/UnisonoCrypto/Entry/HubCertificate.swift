import UnisonoBase

/// A set's word that a hub is one of its, until a time: set key(32) ‖ until(4) ‖ signature(64) (wire 3.13).
///
/// Whoever pins the set's id takes the hub by it. The key that signs need not lie on any hub.
package struct HubCertificate: Hashable, Sendable {
  package static let length = 100
  /// Characters of its text.
  package static let textLength = Base32.length(of: length)

  package let bytes: [UInt8]
  /// Id of the set, 16 bytes: made of the set's key as a hub's id is of the hub's. Whether that key signed is not known yet.
  package let set: [UInt8]
  /// Hours since 1970, UTC, before which it is good.
  package let until: UInt32

  /// nil: not 100 bytes. Nothing of it is verified.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.length else { return nil }
    self.bytes = bytes
    set = Hash.truncated(Array(bytes[..<VerifyingKey.length]))
    until = bytes[VerifyingKey.length..<VerifyingKey.length + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Signs that the hub of this id, 16 bytes, is one of the set whose key this is.
  package init(of hub: [UInt8], by set: SigningKey, until: UInt32) {
    let key = set.publicKey
    var writer = ByteWriter()
    writer.append(key.bytes)
    writer.integer(until)
    writer.append(set.sign(.set, Self.signed(hub, until: until)))
    bytes = writer.bytes
    self.set = key.hashedID
    self.until = until
  }

  /// Whether it is over at this hour since 1970, UTC.
  package func isOver(at hour: UInt32) -> Bool { hour >= until }

  /// Whether the set's key signed it for the hub of this id. Time is not judged.
  package func names(_ hub: [UInt8]) -> Bool {
    guard let key = try? VerifyingKey(Array(bytes[..<VerifyingKey.length])) else { return false }
    return key.verifies(bytes.suffix(VerifyingKey.signatureLength), .set, Self.signed(hub, until: until))
  }

  private static func signed(_ hub: [UInt8], until: UInt32) -> [UInt8] {
    var writer = ByteWriter()
    writer.append(hub)
    writer.integer(until)
    return writer.bytes
  }
}

extension HubCertificate {
  /// In base 32, as it is printed, and kept in a hub's file.
  package var text: String { Base32.encode(bytes) }

  /// Reads the text, with white space around it; nil: it is none.
  package init?(text: String) {
    let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    let bytes = Array(text.utf8)
    guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) }),
      last - first + 1 == Self.textLength, let content = Base32.decode(bytes[first...last])
    else { return nil }
    self.init(bytes: content)
  }
}

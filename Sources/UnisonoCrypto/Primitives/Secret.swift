import Crypto

/// 32 secret bytes that are overwritten when the last copy goes away.
///
/// Compared in constant time. It has no description on purpose: it cannot slip into a log.
package struct Secret: Equatable, Sendable {
  static let length = 32
  let key: SymmetricKey

  /// The secret in `bytes`, which the caller overwrites where that matters; nil unless there are exactly 32.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.length else { return nil }
    key = SymmetricKey(data: bytes)
  }

  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.length else { return nil }
    key = SymmetricKey(data: bytes)
  }

  /// 32 bytes drawn from `random` (bytes wanted -> bytes); the array that it gives is overwritten.
  package init(random: (Int) -> [UInt8]) {
    var bytes = random(Self.length)
    precondition(bytes.count == Self.length, "the random source gave \(bytes.count) bytes instead of \(Self.length)")
    key = SymmetricKey(data: bytes)
    bytes.withUnsafeMutableBytes { SecretBuffer.overwrite($0) }
  }

  init(_ key: SymmetricKey) { self.key = key }

  /// A copy of the bytes, for what is no secret of its own (an id, digits) or leaves as text (an invite).
  package var bytes: [UInt8] { key.withUnsafeBytes { Array($0) } }

  /// HMAC(salt, material): HKDF-Extract.
  package static func extract(salt: [UInt8], material: Secret) -> Secret { extract(salt: salt, material: material.key) }

  /// The same for material of any length.
  static func extract(salt: [UInt8], material: SymmetricKey) -> Secret {
    salt.withUnsafeBytes { salt in material.withUnsafeBytes { KeyedHash.code(of: $0, key: salt) } }
  }

  /// HMAC(self, label ‖ info ‖ 0x01): HKDF-Expand to 32 bytes.
  package func expand(_ label: Label, _ info: [UInt8] = []) -> Secret {
    code(of: label.bytes + info + [1])
  }

  /// HMAC(self, message).
  func code(of message: [UInt8]) -> Secret {
    message.withUnsafeBytes { message in key.withUnsafeBytes { KeyedHash.code(of: message, key: $0) } }
  }

  var isZero: Bool { key.withUnsafeBytes { $0.reduce(0, |) == 0 } }
}

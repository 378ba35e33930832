import Crypto

/// Somebody's Ed25519 public key, checked.
package struct VerifyingKey: Hashable, Sendable {
  package static let length = 32
  package static let signatureLength = 64
  /// The 32 bytes.
  package let bytes: [UInt8]

  /// Checks length, canonical form and order; whether it is a point at all shows when a signature is verified.
  package init(_ bytes: [UInt8]) throws(KeyError) {
    guard bytes.count == Self.length else { throw .length }
    var y = bytes
    y[31] &= 0x7f
    guard Self.isReduced(y) else { throw .nonCanonical }
    guard !Self.smallOrder.contains(y) else { throw .smallOrder }
    self.bytes = bytes
  }

  init(_ key: Curve25519.Signing.PublicKey) { bytes = Array(key.rawRepresentation) }

  /// The first 16 bytes of the key's hash: id of the participant or hub that holds the other half.
  package var hashedID: [UInt8] { Hash.truncated(bytes) }

  /// Whether `signature` (64 bytes) is this key's over `label ‖ text`.
  package func verifies(_ signature: some Collection<UInt8>, _ label: Label, _ text: [UInt8]) -> Bool {
    guard signature.count == Self.signatureLength,
      let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
    else { return false }
    return key.isValidSignature(Array(signature), for: label.bytes + text)
  }

  /// y < 2^255 - 19, little-endian.
  private static func isReduced(_ y: [UInt8]) -> Bool {
    !(y[31] == 0x7f && y[1..<31].allSatisfy { $0 == 0xff } && y[0] >= 0xed)
  }

  /// y of all points whose order divides 8: 0, 1, p - 1 and the two of order 8.
  private static let smallOrder: [[UInt8]] = [
    [UInt8](repeating: 0, count: 32),
    [1] + [UInt8](repeating: 0, count: 31),
    [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
    [
      0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
      0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
    ],
    [
      0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
      0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
    ],
  ]
}

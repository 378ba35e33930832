import Crypto

/// Somebody's X25519 public key, checked.
package struct AgreementPublicKey: Hashable, Sendable {
  package static let length = 32
  /// The 32 bytes.
  package let bytes: [UInt8]

  /// Refuses points of low order. swift-crypto accepts them, in agreement and in HPKE alike.
  package init(_ bytes: [UInt8]) throws(KeyError) {
    guard bytes.count == Self.length else { throw .length }
    var u = bytes
    u[31] &= 0x7f
    guard !Self.lowOrder.contains(u) else { throw .lowOrder }
    self.bytes = bytes
  }

  init(_ key: Curve25519.KeyAgreement.PublicKey) { bytes = Array(key.rawRepresentation) }

  /// u of all points of the curve and its twist whose order divides 8, the highest bit aside (RFC 7748, 5 and 7): 0, 1, p - 1, the two of
  /// order 8, and the two that are not reduced, p and p + 1. Comparing costs a thousandth of a multiplication.
  static let lowOrder: [[UInt8]] = [
    [UInt8](repeating: 0, count: 32),
    [1] + [UInt8](repeating: 0, count: 31),
    [
      0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3, 0xfa, 0xf1, 0x9f, 0xc4, 0x6a,
      0xda, 0x09, 0x8d, 0xeb, 0x9c, 0x32, 0xb1, 0xfd, 0x86, 0x62, 0x05, 0x16, 0x5f, 0x49, 0xb8, 0x00,
    ],
    [
      0x5f, 0x9c, 0x95, 0xbc, 0xa3, 0x50, 0x8c, 0x24, 0xb1, 0xd0, 0xb1, 0x55, 0x9c, 0x83, 0xef, 0x5b,
      0x04, 0x44, 0x5c, 0xc4, 0x58, 0x1c, 0x8e, 0x86, 0xd8, 0x22, 0x4e, 0xdd, 0xd0, 0x9f, 0x11, 0x57,
    ],
    [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
    [0xed] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
    [0xee] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
  ]
}

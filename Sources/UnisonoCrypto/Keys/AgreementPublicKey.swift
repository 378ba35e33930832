import Crypto

/// Somebody's X25519 public key, checked.
package struct AgreementPublicKey: Hashable, Sendable {
  package static let length = 32
  /// The 32 bytes.
  package let bytes: [UInt8]

  /// Refuses points of low order. swift-crypto accepts them, in agreement and in HPKE alike.
  package init(_ bytes: [UInt8]) throws(KeyError) {
    guard bytes.count == Self.length else { throw .length }
    guard AgreementKey.rawAgreement(Self.probe, bytes) != nil else { throw .lowOrder }
    self.bytes = bytes
  }

  init(_ key: Curve25519.KeyAgreement.PublicKey) { bytes = Array(key.rawRepresentation) }

  /// Any scalar does: clamping makes it a multiple of 8, which takes every point of low order to zero.
  private static let probe: Curve25519.KeyAgreement.PrivateKey = {
    guard let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: [UInt8](repeating: 0x42, count: 32))
    else {
      preconditionFailure("every 32 bytes are an X25519 scalar")
    }
    return key
  }()
}

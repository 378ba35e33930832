import Crypto

/// An X25519 key pair.
package struct AgreementKey: Sendable {
  let key: Curve25519.KeyAgreement.PrivateKey
  package let publicKey: AgreementPublicKey

  /// The pair of a 32-byte seed (RFC 7748's scalar, clamped by use).
  package init(seed: Secret) {
    guard let key = seed.key.withUnsafeBytes({ try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: $0) }) else {
      preconditionFailure("every 32 bytes are an X25519 scalar")
    }
    self.key = key
    publicKey = AgreementPublicKey(key.publicKey)
  }

  /// The secret shared with the holder of `other`; never zero.
  package func agree(with other: AgreementPublicKey) throws(KeyError) -> Secret {
    guard let shared = Self.rawAgreement(key, other.bytes) else { throw .lowOrder }
    return shared
  }

  /// nil for a zero result: the library may return it or throw, both mean the same here.
  static func rawAgreement(_ key: Curve25519.KeyAgreement.PrivateKey, _ other: [UInt8]) -> Secret? {
    guard let point = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: other),
      let shared = try? key.sharedSecretFromKeyAgreement(with: point)
    else { return nil }
    let secret = Secret(shared.withUnsafeBytes { SymmetricKey(data: $0) })
    return secret.isZero ? nil : secret
  }
}

import Crypto

/// An Ed25519 key pair.
package struct SigningKey: Sendable {
  private let key: Curve25519.Signing.PrivateKey
  package let publicKey: VerifyingKey

  /// The pair of a 32-byte seed (RFC 8032's private key).
  package init(seed: Secret) {
    guard let key = seed.key.withUnsafeBytes({ try? Curve25519.Signing.PrivateKey(rawRepresentation: $0) }) else {
      preconditionFailure("every 32 bytes are an Ed25519 seed")
    }
    self.key = key
    publicKey = VerifyingKey(key.publicKey)
  }

  /// The 64-byte signature over `label ‖ text`.
  package func sign(_ label: Label, _ text: [UInt8]) -> [UInt8] {
    guard let signature = try? key.signature(for: label.bytes + text) else {
      preconditionFailure("Ed25519 signs every message")
    }
    return Array(signature)
  }
}

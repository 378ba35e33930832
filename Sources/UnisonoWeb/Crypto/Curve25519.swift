import CPrimitives

/// Ed25519 and X25519.
public enum Curve25519 {
  static let keyLength = 32

  public enum Signing {
    public struct PrivateKey: Sendable {
      private let seed: SymmetricKey
      public let publicKey: PublicKey

      public init(rawRepresentation bytes: UnsafeRawBufferPointer) throws(CryptoError) {
        guard bytes.count == keyLength else { throw .refused }
        seed = SymmetricKey(data: bytes)
        publicKey = PublicKey(
          written: [UInt8](unsafeUninitializedCapacity: keyLength) { [seed] room, count in
            seed.withBytes { primitives_signing_key($0, room.baseAddress) }
            count = keyLength
          })
      }

      public func signature(for text: [UInt8]) throws(CryptoError) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 64) { room, count in
          seed.withBytes { primitives_sign($0, text, text.count, room.baseAddress) }
          count = 64
        }
      }
    }

    public struct PublicKey: Sendable {
      public let rawRepresentation: [UInt8]

      public init(rawRepresentation bytes: [UInt8]) throws(CryptoError) {
        guard bytes.count == keyLength else { throw .refused }
        rawRepresentation = bytes
      }

      fileprivate init(written bytes: [UInt8]) { rawRepresentation = bytes }

      public func isValidSignature(_ signature: [UInt8], for text: [UInt8]) -> Bool {
        signature.count == 64 && primitives_verify(rawRepresentation, signature, text, text.count) == 1
      }
    }
  }

  public enum KeyAgreement {
    public struct PrivateKey: Sendable {
      let scalar: SymmetricKey
      public let publicKey: PublicKey

      public init(rawRepresentation bytes: UnsafeRawBufferPointer) throws(CryptoError) {
        try self.init(SymmetricKey(data: bytes))
      }

      public init(rawRepresentation bytes: [UInt8]) throws(CryptoError) {
        try self.init(SymmetricKey(data: bytes))
      }

      private init(_ key: SymmetricKey) throws(CryptoError) {
        guard key.count == keyLength else { throw .refused }
        scalar = key
        publicKey = PublicKey(
          written: [UInt8](unsafeUninitializedCapacity: keyLength) { [scalar] room, count in
            scalar.withBytes { primitives_agreement_key($0, room.baseAddress) }
            count = keyLength
          })
      }

      public func sharedSecretFromKeyAgreement(with other: PublicKey) throws(CryptoError) -> SymmetricKey {
        guard
          let secret = SymmetricKey(
            count: keyLength,
            { secret in scalar.withBytes { primitives_agree($0, other.rawRepresentation, secret) } })
        else { throw .refused }
        return secret
      }
    }

    public struct PublicKey: Sendable {
      public let rawRepresentation: [UInt8]

      public init(rawRepresentation bytes: [UInt8]) throws(CryptoError) {
        guard bytes.count == keyLength else { throw .refused }
        rawRepresentation = bytes
      }

      fileprivate init(written bytes: [UInt8]) { rawRepresentation = bytes }
    }
  }
}

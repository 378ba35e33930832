import CPrimitives

/// X-Wing: ML-KEM-768 and X25519 in one.
public enum XWingMLKEM768X25519 {
  static let publicLength = 1_216
  static let encapsulatedLength = 1_120

  public struct PrivateKey: Sendable {
    let seed: SymmetricKey
    public let publicKey: PublicKey

    /// - Parameter publicKey: nil: made from the seed. Whoever has one may leave it out, too.
    public init(seedRepresentation bytes: [UInt8], publicKey: PublicKey?) throws(CryptoError) {
      guard bytes.count == 32 else { throw .refused }
      seed = SymmetricKey(data: bytes)
      self.publicKey = PublicKey(
        written: [UInt8](unsafeUninitializedCapacity: publicLength) { [seed] room, count in
          seed.withBytes { primitives_hybrid_key($0, room.baseAddress) }
          count = publicLength
        })
    }

    public func decapsulate(_ encapsulated: [UInt8]) throws(CryptoError) -> SymmetricKey {
      guard encapsulated.count == encapsulatedLength,
        let secret = SymmetricKey(
          count: 32, { secret in seed.withBytes { primitives_decapsulate($0, encapsulated, secret) } })
      else { throw .refused }
      return secret
    }
  }

  public struct PublicKey: Sendable {
    public let rawRepresentation: [UInt8]

    public init(rawRepresentation bytes: [UInt8]) throws(CryptoError) {
      guard bytes.count == publicLength else { throw .refused }
      rawRepresentation = bytes
    }

    fileprivate init(written bytes: [UInt8]) { rawRepresentation = bytes }

    public func encapsulate() throws(CryptoError) -> (sharedSecret: SymmetricKey, encapsulated: [UInt8]) {
      var secret: SymmetricKey?
      let encapsulated = [UInt8](unsafeUninitializedCapacity: encapsulatedLength) { room, count in
        secret = SymmetricKey(count: 32) { primitives_encapsulate(rawRepresentation, $0, room.baseAddress) }
        count = secret == nil ? 0 : encapsulatedLength
      }
      guard let secret else { throw .refused }
      return (secret, encapsulated)
    }
  }
}

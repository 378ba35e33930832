import CPrimitives

/// HPKE in base mode with HKDF-SHA256 and AES-256-GCM; each sender and recipient is for one text, which is all that is asked here.
public enum HPKE {
  public struct Ciphersuite: Sendable {
    public static let XWingMLKEM768X25519_SHA256_AES_GCM_256 = Ciphersuite(kind: PRIMITIVES_HYBRID, encapsulated: 1_120)

    let kind: Int32
    let encapsulated: Int

    init(kind: primitives_recipient, encapsulated: Int) {
      self.kind = Int32(kind.rawValue)
      self.encapsulated = encapsulated
    }

    public init(kem: KEM, kdf: KDF, aead: AEAD) {
      switch kem {
      case .Curve25519_HKDF_SHA256: self.init(kind: PRIMITIVES_AGREEMENT, encapsulated: 32)
      case .XWingMLKEM768X25519: self = .XWingMLKEM768X25519_SHA256_AES_GCM_256
      }
    }
  }

  public enum KEM: Sendable {
    case Curve25519_HKDF_SHA256
    case XWingMLKEM768X25519
  }

  public enum KDF: Sendable { case HKDF_SHA256 }

  public enum AEAD: Sendable { case AES_GCM_256 }

  public struct Sender {
    private let suite: Ciphersuite
    private let key: [UInt8]
    private let info: [UInt8]
    /// Known once something is sealed.
    public private(set) var encapsulatedKey: [UInt8] = []

    public init(recipientKey: Curve25519.KeyAgreement.PublicKey, ciphersuite: Ciphersuite, info: [UInt8])
      throws(CryptoError)
    {
      guard ciphersuite.encapsulated == 32 else { throw .refused }
      (suite, key, self.info) = (ciphersuite, recipientKey.rawRepresentation, info)
    }

    public init(recipientKey: XWingMLKEM768X25519.PublicKey, ciphersuite: Ciphersuite, info: [UInt8])
      throws(CryptoError)
    {
      guard ciphersuite.encapsulated == XWingMLKEM768X25519.encapsulatedLength else { throw .refused }
      (suite, key, self.info) = (ciphersuite, recipientKey.rawRepresentation, info)
    }

    /// The ciphertext; the encapsulated key is in `encapsulatedKey` then.
    public mutating func seal(_ plain: UnsafeRawBufferPointer) throws(CryptoError) -> [UInt8] {
      guard encapsulatedKey.isEmpty else { throw .refused }
      let length = suite.encapsulated + plain.count + AES.GCM.tagLength
      var result: Int32 = 0
      let sealed = [UInt8](unsafeUninitializedCapacity: length) { room, count in
        result = primitives_hpke_seal(
          suite.kind, key, info, info.count, plain.baseAddress?.assumingMemoryBound(to: UInt8.self), plain.count,
          room.baseAddress)
        count = result == 1 ? length : 0
      }
      guard result == 1 else { throw .refused }
      encapsulatedKey = Array(sealed.prefix(suite.encapsulated))
      return Array(sealed.dropFirst(suite.encapsulated))
    }
  }

  public struct Recipient {
    private let suite: Ciphersuite
    private let key: SymmetricKey
    private let info: [UInt8]
    private let encapsulatedKey: [UInt8]

    public init(
      privateKey: Curve25519.KeyAgreement.PrivateKey, ciphersuite: Ciphersuite, info: [UInt8], encapsulatedKey: [UInt8]
    ) throws(CryptoError) {
      guard ciphersuite.encapsulated == 32, encapsulatedKey.count == 32 else { throw .refused }
      (suite, key, self.info, self.encapsulatedKey) = (ciphersuite, privateKey.scalar, info, encapsulatedKey)
    }

    public init(
      privateKey: XWingMLKEM768X25519.PrivateKey, ciphersuite: Ciphersuite, info: [UInt8], encapsulatedKey: [UInt8]
    ) throws(CryptoError) {
      guard ciphersuite.encapsulated == XWingMLKEM768X25519.encapsulatedLength,
        encapsulatedKey.count == ciphersuite.encapsulated
      else { throw .refused }
      (suite, key, self.info, self.encapsulatedKey) = (ciphersuite, privateKey.seed, info, encapsulatedKey)
    }

    public mutating func open(_ text: some Collection<UInt8>) throws(CryptoError) -> [UInt8] {
      let sealed = encapsulatedKey + text
      let length = sealed.count - suite.encapsulated - AES.GCM.tagLength
      guard length >= 0 else { throw .refused }
      var result: Int32 = 0
      let plain = [UInt8](unsafeUninitializedCapacity: length + 1) { room, count in
        result = key.withBytes {
          primitives_hpke_open(suite.kind, $0, info, info.count, sealed, sealed.count, room.baseAddress)
        }
        count = result == 1 ? length : 0
      }
      guard result == 1 else { throw .refused }
      return plain
    }
  }
}

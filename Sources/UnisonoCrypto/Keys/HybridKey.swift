import Crypto

/// An X-Wing key pair: ML-KEM-768 and X25519 in one (draft-connolly-cfrg-xwing-kem, KEM 0x647a of HPKE).
///
/// What is encapsulated for it stays secret while either of the two holds, also against who records it today and has a
/// quantum computer later.
package struct HybridKey: Sendable {
  package let publicKey: HybridPublicKey
  private let key: XWingMLKEM768X25519.PrivateKey

  /// The pair of a 32-byte seed.
  package init(seed: Secret) {
    guard let key = seed.key.withUnsafeBytes({ try? XWingMLKEM768X25519.PrivateKey(seedRepresentation: Array($0), publicKey: nil) })
    else { preconditionFailure("every 32 bytes are the seed of an X-Wing key") }
    self.key = key
    publicKey = HybridPublicKey(key.publicKey)
  }

  /// What was sealed for this key by HPKE with this info (X-Wing, HKDF-SHA256, AES-256-GCM); nil: not for this key, changed, or
  /// another info.
  func open(_ sealed: [UInt8], info: [UInt8]) -> SecretBuffer? {
    defer { SecretBuffer.overwriteStackBelow() }
    let length = HybridPublicKey.encapsulatedLength
    guard sealed.count > length,
      (try? AgreementPublicKey(Array(sealed[(length - AgreementPublicKey.length)..<length]))) != nil,
      var recipient = try? HPKE.Recipient(
        privateKey: key, ciphersuite: .XWingMLKEM768X25519_SHA256_AES_GCM_256, info: .init(info),
        encapsulatedKey: .init(sealed.prefix(length))),
      var plain = try? recipient.open(sealed.dropFirst(length))
    else { return nil }
    var kept = SecretBuffer(capacity: plain.count)
    plain.withUnsafeMutableBytes { kept.take($0) }
    return kept
  }

  /// The secret that somebody encapsulated for this key, 1,120 bytes. Refuses what is not that long, and an X25519 part of low order.
  package func secret(in encapsulated: [UInt8]) throws(KeyError) -> Secret {
    guard encapsulated.count == HybridPublicKey.encapsulatedLength else { throw .length }
    _ = try AgreementPublicKey(Array(encapsulated.suffix(AgreementPublicKey.length)))
    guard let secret = try? key.decapsulate(.init(encapsulated)) else { throw .lowOrder }
    return Secret(secret)
  }
}

/// Somebody's X-Wing public key, checked: ML-KEM-768 key(1,184) ‖ X25519 key(32).
package struct HybridPublicKey: Hashable, Sendable {
  package static let length = 1_216
  package static let encapsulatedLength = 1_120
  package let bytes: [UInt8]

  /// Refuses what is not 1,216 bytes, an ML-KEM part that is not reduced (FIPS 203, 7.2), and an X25519 part of low order.
  package init(_ bytes: [UInt8]) throws(KeyError) {
    guard bytes.count == Self.length else { throw .length }
    guard Self.isReduced(bytes) else { throw .nonCanonical }
    _ = try AgreementPublicKey(Array(bytes.suffix(AgreementPublicKey.length)))
    self.bytes = bytes
  }

  fileprivate init(_ key: XWingMLKEM768X25519.PublicKey) { bytes = Array(key.rawRepresentation) }

  /// Whether the ML-KEM part holds numbers below 3,329 only: 768 of 12 bits, the lowest bits first, two in three bytes; a seed of 32
  /// bytes follows.
  private static func isReduced(_ bytes: [UInt8]) -> Bool {
    for index in stride(from: 0, to: 1_152, by: 3) {
      let (low, middle, high) = (UInt16(bytes[index]), UInt16(bytes[index + 1]), UInt16(bytes[index + 2]))
      guard low | (middle & 15) << 8 < 3_329, middle >> 4 | high << 4 < 3_329 else { return false }
    }
    return true
  }

  /// Bytes that an HPKE seal adds: encapsulated key and tag.
  static let sealOverhead = encapsulatedLength + 16

  /// encapsulated key(1120) ‖ ciphertext, for the key's holder alone (HPKE base mode with X-Wing, HKDF-SHA256 and AES-256-GCM);
  /// nil: the library refused.
  func seal(_ plain: borrowing SecretBuffer, info: [UInt8]) -> [UInt8]? {
    defer { SecretBuffer.overwriteStackBelow() }
    guard let key = try? XWingMLKEM768X25519.PublicKey(rawRepresentation: bytes),
      var sender = try? HPKE.Sender(
        recipientKey: key, ciphersuite: .XWingMLKEM768X25519_SHA256_AES_GCM_256, info: .init(info)),
      let text = plain.withUnsafeBytes({ try? sender.seal($0) })
    else { return nil }
    return Array(sender.encapsulatedKey) + text
  }

  /// A new secret, and what tells it to the key's holder alone.
  package func encapsulate() throws(KeyError) -> (secret: Secret, encapsulated: [UInt8]) {
    guard let result = try? XWingMLKEM768X25519.PublicKey(rawRepresentation: bytes).encapsulate() else { throw .nonCanonical }
    return (Secret(result.sharedSecret), Array(result.encapsulated))
  }
}

import Crypto

/// HPKE base mode with X25519, HKDF-SHA256 and AES-256-GCM; authorship comes from the envelope's signature.
enum HPKESeal {
  static let encapsulatedLength = 32
  private static let suite = HPKE.Ciphersuite(kem: .Curve25519_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .AES_GCM_256)

  /// encapsulated key(32) ‖ ciphertext; nil only for a key that slipped past its check.
  static func seal(_ plain: [UInt8], to recipient: AgreementPublicKey, info: [UInt8]) -> [UInt8]? {
    guard let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: recipient.bytes),
      var sender = try? HPKE.Sender(recipientKey: key, ciphersuite: suite, info: .init(info)),
      let text = try? sender.seal(plain)
    else { return nil }
    return Array(sender.encapsulatedKey) + text
  }

  /// nil: not for this key, changed, or another info.
  static func open(_ sealed: [UInt8], with key: AgreementKey, info: [UInt8]) -> [UInt8]? {
    guard sealed.count > encapsulatedLength,
      (try? AgreementPublicKey(Array(sealed.prefix(encapsulatedLength)))) != nil,
      var recipient = try? HPKE.Recipient(
        privateKey: key.key, ciphersuite: suite, info: .init(info),
        encapsulatedKey: .init(sealed.prefix(encapsulatedLength))),
      let plain = try? recipient.open(sealed.dropFirst(encapsulatedLength))
    else { return nil }
    return Array(plain)
  }
}

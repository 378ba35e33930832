import Crypto

/// HPKE base mode with X25519, HKDF-SHA256 and AES-256-GCM; authorship comes from the envelope's signature.
enum HPKESeal {
  static let encapsulatedLength = 32
  private static let suite = HPKE.Ciphersuite(kem: .Curve25519_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .AES_GCM_256)

  /// encapsulated key(32) ‖ ciphertext; nil only for a key that slipped past its check.
  static func seal(_ plain: borrowing SecretBuffer, to recipient: AgreementPublicKey, info: [UInt8]) -> [UInt8]? {
    defer { SecretBuffer.overwriteStackBelow() }
    guard let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: recipient.bytes),
      var sender = try? HPKE.Sender(recipientKey: key, ciphersuite: suite, info: .init(info)),
      let text = plain.withUnsafeBytes({ try? sender.seal($0) })
    else { return nil }
    return Array(sender.encapsulatedKey) + text
  }

  /// nil: not for this key, changed, or another info.
  static func open(_ sealed: [UInt8], with key: AgreementKey, info: [UInt8]) -> SecretBuffer? {
    defer { SecretBuffer.overwriteStackBelow() }
    guard sealed.count > encapsulatedLength,
      (try? AgreementPublicKey(Array(sealed.prefix(encapsulatedLength)))) != nil,
      var recipient = try? HPKE.Recipient(
        privateKey: key.key, ciphersuite: suite, info: .init(info),
        encapsulatedKey: .init(sealed.prefix(encapsulatedLength))),
      var plain = try? recipient.open(sealed.dropFirst(encapsulatedLength))
    else { return nil }
    var kept = SecretBuffer(capacity: plain.count)
    plain.withUnsafeMutableBytes { kept.take($0) }
    return kept
  }
}

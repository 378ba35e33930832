import UnisonoBase

/// A participant's keys: made with the session object, in memory only, gone with it.
package struct Identity: Sendable {
  package let signing: SigningKey
  /// Opens private messages.
  package let agreement: AgreementKey
  /// Opens re-keys.
  package let hybrid: HybridKey
  /// The first 16 bytes of the hash of the signing key.
  package let id: ParticipantID

  package init(signingSeed: Secret, agreementSeed: Secret, hybridSeed: Secret) {
    signing = SigningKey(seed: signingSeed)
    agreement = AgreementKey(seed: agreementSeed)
    hybrid = HybridKey(seed: hybridSeed)
    id = signing.publicKey.participantID
  }

  /// Fresh keys; `random` gives as many bytes as asked for.
  package init(random: (Int) -> [UInt8]) {
    self.init(
      signingSeed: Secret(random: random), agreementSeed: Secret(random: random), hybridSeed: Secret(random: random))
  }
}

extension VerifyingKey {
  /// Id of the participant that signs with the other half of this key.
  package var participantID: ParticipantID { ParticipantID(bytes: hashedID) ?? .none }
}

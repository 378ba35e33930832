import UnisonoBase

/// A participant's keys: made with the session object, in memory only, gone with it, unless its host asked for a token to go on by.
package struct Identity: Sendable {
  /// What the keys are made of, 32 bytes each.
  package struct Seeds: Sendable {
    package let signing: Secret
    package let agreement: Secret
    package let hybrid: Secret

    package init(signing: Secret, agreement: Secret, hybrid: Secret) {
      self.signing = signing
      self.agreement = agreement
      self.hybrid = hybrid
    }
  }

  package let seeds: Seeds
  package let signing: SigningKey
  /// Opens private messages.
  package let agreement: AgreementKey
  /// Opens re-keys.
  package let hybrid: HybridKey
  /// The first 16 bytes of the hash of the signing key.
  package let id: ParticipantID

  package init(_ seeds: Seeds) {
    self.seeds = seeds
    signing = SigningKey(seed: seeds.signing)
    agreement = AgreementKey(seed: seeds.agreement)
    hybrid = HybridKey(seed: seeds.hybrid)
    id = signing.publicKey.participantID
  }

  package init(signingSeed: Secret, agreementSeed: Secret, hybridSeed: Secret) {
    self.init(Seeds(signing: signingSeed, agreement: agreementSeed, hybrid: hybridSeed))
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

import UnisonoBase

/// Introduction of a participant: its keys, signed by itself (wire 5.1).
///
/// The id is the signing key's hash, so anybody may pass an introduction on and nobody can bend it. A second one that
/// brings another agreement key under a known id is for the roster to refuse.
package struct Introduction: Hashable, Sendable {
  package let signingKey: VerifyingKey
  package let agreementKey: AgreementPublicKey
  /// Re-keys are sealed to it.
  package let hybridKey: HybridPublicKey
  /// nil: no person was told.
  package let personKey: VerifyingKey?
  /// Minor protocol version; 0 if not said.
  package let minor: UInt16
  /// The signed bytes: relayed as they are.
  package let bytes: [UInt8]

  package var id: ParticipantID { signingKey.participantID }

  /// Id of the person, 16 bytes: equal for its devices in this session. Without a person the participant's id.
  package var personID: [UInt8] { personKey.map(PersonKey.id) ?? id.bytes }

  /// Introduces the holder of `identity` to a session (32 bytes, `Origin.session`).
  package init(_ identity: Identity, session: [UInt8], person: PersonKey? = nil, minor: UInt16 = 0) {
    signingKey = identity.signing.publicKey
    agreementKey = identity.agreement.publicKey
    hybridKey = identity.hybrid.publicKey
    personKey = person?.publicKey
    self.minor = minor
    var body = ItemWriter()
    body.item(1, signingKey.bytes)
    body.item(2, agreementKey.bytes)
    if let person {
      body.item(3, person.publicKey.bytes)
      body.item(4, person.vouch(for: identity.id))
    }
    if minor != 0 { body.integer(5, minor) }
    body.item(6, hybridKey.bytes)
    var whole = ItemWriter()
    whole.item(1, body.bytes)
    whole.item(2, identity.signing.sign(.intro, session + body.bytes))
    bytes = whole.bytes
  }

  /// Reads and verifies what was received.
  package init(verifying bytes: [UInt8], session: [UInt8]) throws(IntroductionError) {
    let (body, signature) = try IntroductionError.reading { () throws(WireError) in
      guard bytes.count <= WireLimits.intro else { throw WireError.count }
      return try Self.parts(bytes)
    }
    let fields = try IntroductionError.reading { () throws(WireError) in try Fields(body) }
    signingKey = try IntroductionError.checking { () throws(KeyError) in try VerifyingKey(fields.signingKey) }
    agreementKey = try IntroductionError.checking { () throws(KeyError) in try AgreementPublicKey(fields.agreementKey) }
    hybridKey = try IntroductionError.checking { () throws(KeyError) in try HybridPublicKey(fields.hybridKey) }
    if let person = fields.person {
      personKey = try IntroductionError.checking { () throws(KeyError) in try VerifyingKey(person.key) }
    } else {
      personKey = nil
    }
    minor = fields.minor
    self.bytes = bytes
    guard signingKey.verifies(signature, .intro, session + body) else { throw .signature }
    if let personKey, let vouch = fields.person?.vouch,
      !PersonKey.vouches(personKey, vouch, for: signingKey.participantID, session: session)
    {
      throw .vouch
    }
  }

  /// Whose it says it is; nil: it cannot be read. Nothing is verified.
  static func author(of bytes: [UInt8]) -> ParticipantID? {
    guard bytes.count <= WireLimits.intro, let body = try? parts(bytes).body, let fields = try? Fields(body) else { return nil }
    return ParticipantID(bytes: Hash.truncated(fields.signingKey))
  }

  private static func parts(_ bytes: [UInt8]) throws(WireError) -> (body: [UInt8], signature: [UInt8]) {
    var body: [UInt8]?
    var signature: [UInt8]?
    var items = Items(bytes)
    while let item = try items.next() {
      switch item.tag {
      case 1: body = try item.bytes(upTo: WireLimits.intro)
      case 2: signature = try item.bytes(exactly: VerifyingKey.signatureLength)
      default: try item.unknown()
      }
    }
    guard let body, let signature else { throw .truncated }
    return (body, signature)
  }

  /// The signed body's items, before any key is checked.
  private struct Fields {
    var signingKey: [UInt8]
    var agreementKey: [UInt8]
    var hybridKey: [UInt8]
    var person: (key: [UInt8], vouch: [UInt8])?
    var minor: UInt16 = 0

    init(_ body: [UInt8]) throws(WireError) {
      var signing: [UInt8]?
      var agreement: [UInt8]?
      var hybrid: [UInt8]?
      var personKey: [UInt8]?
      var vouch: [UInt8]?
      var items = Items(body)
      while let item = try items.next() {
        switch item.tag {
        case 1: signing = try item.bytes(exactly: VerifyingKey.length)
        case 2: agreement = try item.bytes(exactly: AgreementPublicKey.length)
        case 3: personKey = try item.bytes(exactly: VerifyingKey.length)
        case 4: vouch = try item.bytes(exactly: VerifyingKey.signatureLength)
        case 5: minor = try item.integer()
        case 6: hybrid = try item.bytes(exactly: HybridPublicKey.length)
        default: try item.unknown()
        }
      }
      guard let signing, let agreement, let hybrid else { throw .truncated }
      signingKey = signing
      agreementKey = agreement
      hybridKey = hybrid
      switch (personKey, vouch) {
      case (nil, nil): break
      case (let key?, let signature?): person = (key, signature)
      default: throw .truncated
      }
    }
  }
}

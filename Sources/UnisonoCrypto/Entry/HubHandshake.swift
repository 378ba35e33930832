import UnisonoBase
import UnisonoWire

/// The hub's side of an entry (wire 3.1, 3.3). Good for one connection.
///
/// In the order of work: `init` answers OPEN with CHALLENGE, in clear, and with IDENTITY, the first record of the link; `read` checks
/// ENTER's form and keys; `admit` verifies the signatures.
package struct HubHandshake: Sendable {
  /// The answer to OPEN.
  package let challenge: ChallengeFrame
  /// Signed.
  package let identity: IdentityFrame
  private let transcript: Transcript
  private let key: VerifyingKey
  private let keys: LinkKeys

  /// - Parameters:
  ///   - open: OPEN's body as it came.
  ///   - hub: the hub process's key; its id is the `hashedID` of the public half.
  ///   - asksForPass: strangers need a pass to open a room here.
  ///   - certificate: a set's word that the hub is one of its; nil: there is none.
  ///   - random: gives as many bytes as asked for.
  package init(
    answering open: [UInt8], hub: SigningKey, clock: ClockID, asksForPass: Bool = false, certificate: HubCertificate? = nil,
    random: (Int) -> [UInt8]
  ) throws(HandshakeError) {
    let frame = try HandshakeError.reading { () throws(WireError) in try OpenFrame(body: open) }
    let agreed = try HandshakeError.checking { () throws(KeyError) in
      try HybridPublicKey(frame.ephemeralKey).encapsulate()
    }
    try self.init(
      answering: open, frame, hub: hub, clock: clock, asksForPass: asksForPass, certificate: certificate, nonce: random(32),
      agreed: agreed)
  }

  init(
    answering open: [UInt8], _ frame: OpenFrame, hub: SigningKey, clock: ClockID, asksForPass: Bool,
    certificate: HubCertificate? = nil, nonce: [UInt8], agreed: (secret: Secret, encapsulated: [UInt8])
  ) throws(HandshakeError) {
    guard (frame.lowestVersion...frame.highestVersion).contains(ClientHandshake.version) else { throw .version }
    challenge = ChallengeFrame(nonce: nonce, encapsulatedKey: agreed.encapsulated)
    transcript = Transcript(open: open, challenge: challenge.body)
    key = hub.publicKey
    keys = LinkKeys(transcript, agreed: agreed.secret)
    identity = IdentityFrame(
      hubKey: key.bytes, clock: clock, asksForPass: asksForPass, certificate: certificate?.bytes,
      signature: hub.sign(.hub, transcript.hash))
  }

  /// Seals what the hub sends: the first is IDENTITY.
  package var sealer: RecordSealer { RecordSealer(key: keys.down) }
  /// Opens what the client sends: the first is ENTER.
  package var opener: RecordOpener { RecordOpener(key: keys.up) }

  /// Reads ENTER's body and checks its keys; who sent it is not known yet.
  package func read(enter body: [UInt8]) throws(HandshakeError) -> EntryClaim {
    let frame = try HandshakeError.reading { () throws(WireError) in try EnterFrame(body: body) }
    return try HandshakeError.checking { () throws(KeyError) in
      EntryClaim(frame: frame, topic: try VerifyingKey(frame.topic), signingKey: try VerifyingKey(frame.signingKey))
    }
  }

  /// Verifies the seat's signature, then the topic's, which who only listens does not have.
  package func admit(_ claim: EntryClaim) throws(HandshakeError) -> HubEntry {
    let text = transcript.claim(
      hub: key, topic: claim.topic.bytes, signingKey: claim.signingKey, turn: claim.frame.turn, role: claim.frame.role)
    guard claim.signingKey.verifies(claim.frame.seatSignature, .seat, text) else { throw .seatSignature }
    if claim.frame.role != .listener {
      guard let signature = claim.frame.enterSignature, claim.topic.verifies(signature, .enter, text) else { throw .enterSignature }
    }
    return HubEntry(
      topic: claim.topic.bytes, participant: claim.signingKey.participantID, turn: claim.frame.turn, probes: keys.probes,
      peekOnly: claim.frame.peekOnly, pass: claim.frame.pass, role: claim.frame.role)
  }
}

/// An ENTER whose form and keys are right, before its signatures are verified.
package struct EntryClaim: Hashable, Sendable {
  let frame: EnterFrame
  let topic: VerifyingKey
  let signingKey: VerifyingKey
}

/// An admitted entry: participant and room.
package struct HubEntry: Equatable, Sendable {
  /// The room's name, 32 bytes.
  package let topic: [UInt8]
  /// The only sender id that this connection's envelopes may carry.
  package let participant: ParticipantID
  /// Counts the participant's entries: of its connections the one with the greatest turn is the newest.
  package let turn: UInt32
  /// Makes and checks the codes of clock probes on this connection.
  package let probes: ProbeMAC
  /// Only wants to be shown who is in the room.
  package let peekOnly: Bool
  /// 38 bytes that may open the room; nil: none was shown. Not judged.
  package let pass: [UInt8]?
  /// As which; who listens proved nothing but who it is.
  package let role: EntryRole
}

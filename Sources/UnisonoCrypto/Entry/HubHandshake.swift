import UnisonoBase
import UnisonoWire

/// The hub's side of an entry (wire 3.1, 3.3). Good for one connection.
///
/// In the order of work: `init` answers OPEN, `read` checks ENTER's form and keys (cheap; count the address's bucket
/// after it), `admit` verifies the signatures.
package struct HubHandshake: Sendable {
  /// The signed answer to OPEN.
  package let challenge: ChallengeFrame
  private let transcript: Transcript
  private let ephemeral: AgreementKey
  private let client: AgreementPublicKey

  /// - Parameters:
  ///   - open: OPEN's body as it came.
  ///   - hub: the hub process's key; its id is the `hashedID` of the public half.
  ///   - random: gives as many bytes as asked for.
  package init(
    answering open: [UInt8], hub: SigningKey, clock: ClockID, random: (Int) -> [UInt8]
  ) throws(HandshakeError) {
    try self.init(
      answering: open, hub: hub, clock: clock, nonce: random(32), ephemeral: AgreementKey(seed: Secret(random: random)))
  }

  init(
    answering open: [UInt8], hub: SigningKey, clock: ClockID, nonce: [UInt8], ephemeral: AgreementKey
  ) throws(HandshakeError) {
    let frame = try rethrowing(as: HandshakeError.self) { try OpenFrame(body: open) }
    guard (frame.lowestVersion...frame.highestVersion).contains(1) else { throw .version }
    client = try rethrowing(as: HandshakeError.self) { try AgreementPublicKey(frame.ephemeralKey) }
    self.ephemeral = ephemeral
    var challenge = ChallengeFrame(
      nonce: nonce, ephemeralKey: ephemeral.publicKey.bytes, hubKey: hub.publicKey.bytes, clock: clock)
    transcript = Transcript(open: open, challenge: challenge.unsignedBody)
    challenge.signature = hub.sign(.hub, transcript.hash)
    self.challenge = challenge
  }

  /// Reads ENTER's body and checks its keys; who sent it is not known yet.
  package func read(enter body: [UInt8]) throws(HandshakeError) -> EntryClaim {
    try rethrowing(as: HandshakeError.self) {
      let frame = try EnterFrame(body: body)
      return EntryClaim(
        frame: frame, topic: try VerifyingKey(frame.topic), signingKey: try VerifyingKey(frame.signingKey))
    }
  }

  /// Verifies the seat's signature, then the door's.
  package func admit(_ claim: EntryClaim) throws(HandshakeError) -> HubEntry {
    let text = transcript.claim(topic: claim.topic.bytes, signingKey: claim.signingKey)
    guard claim.signingKey.verifies(claim.frame.seatSignature, .seat, text) else { throw .seatSignature }
    guard claim.topic.verifies(claim.frame.enterSignature, .enter, text) else { throw .enterSignature }
    let agreed = try rethrowing(as: HandshakeError.self) { try ephemeral.agree(with: client) }
    return HubEntry(
      topic: claim.topic.bytes, participant: claim.signingKey.participantID, probes: transcript.probeKey(agreed),
      peekOnly: claim.frame.peekOnly)
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
  /// Makes and checks the codes of clock probes on this connection.
  package let probes: ProbeMAC
  /// Only wants to be shown who is in the room.
  package let peekOnly: Bool
}

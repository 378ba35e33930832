import UnisonoBase
import UnisonoWire

/// The client's side of entering a room at a hub (wire 3.1). Good for one connection.
package struct ClientHandshake: Sendable {
  /// First frame to send.
  package let open: OpenFrame
  private let ephemeral: AgreementKey

  /// Draws nonce and ephemeral key; `random` gives as many bytes as asked for.
  package init(random: (Int) -> [UInt8]) {
    self.init(nonce: random(32), ephemeral: AgreementKey(seed: Secret(random: random)))
  }

  init(nonce: [UInt8], ephemeral: AgreementKey) {
    self.ephemeral = ephemeral
    open = OpenFrame(nonce: nonce, ephemeralKey: ephemeral.publicKey.bytes)
  }

  /// Checks the hub's CHALLENGE and proves, in answer, to hold the door's key and the own one.
  ///
  /// - Parameters:
  ///   - challenge: the frame's body as it came.
  ///   - expectedHub: the 16-byte id that the invite or a member told; nil: take what is shown.
  ///   - peekOnly: to be shown who is in the room, without entering it.
  package func answer(
    challenge: [UInt8], door: Door, identity: Identity, expectedHub: [UInt8]?, peekOnly: Bool = false
  ) throws(HandshakeError) -> ClientEntry {
    let (frame, unsigned) = try rethrowing(as: HandshakeError.self) {
      (try ChallengeFrame(body: challenge), try ChallengeFrame.unsigned(body: challenge))
    }
    guard frame.version == 1 else { throw .version }
    let hubKey = try rethrowing(as: HandshakeError.self) { try VerifyingKey(frame.hubKey) }
    guard expectedHub == nil || expectedHub == hubKey.hashedID else { throw .wrongHub }
    let transcript = Transcript(open: open.body, challenge: unsigned)
    guard hubKey.verifies(frame.signature, .hub, transcript.hash) else { throw .hubSignature }
    let agreed = try rethrowing(as: HandshakeError.self) { try ephemeral.agree(with: AgreementPublicKey(frame.ephemeralKey)) }
    let claim = transcript.claim(topic: door.topic, signingKey: identity.signing.publicKey)
    return ClientEntry(
      enter: EnterFrame(
        topic: door.topic, signingKey: identity.signing.publicKey.bytes,
        enterSignature: door.topicKey.sign(.enter, claim), seatSignature: identity.signing.sign(.seat, claim),
        peekOnly: peekOnly),
      hub: hubKey.hashedID, clock: frame.clock, probes: transcript.probeKey(agreed))
  }
}

/// A client's result of a good CHALLENGE.
package struct ClientEntry: Sendable {
  /// The answer to send.
  package let enter: EnterFrame
  /// Id of the hub that was met, 16 bytes.
  package let hub: [UInt8]
  package let clock: ClockID
  /// Makes and checks the codes of clock probes on this connection.
  package let probes: ProbeMAC
}

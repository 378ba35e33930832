import UnisonoBase
import UnisonoWire

/// The client's side of entering a room at a hub (wire 3.1). Good for one connection.
///
/// In this order: `open` is sent; `accept` reads CHALLENGE, and from there on everything is sealed; `ClientLink.identify` checks who
/// the hub is, and only then `ClientLink.enter` says which room and who.
package struct ClientHandshake: Sendable {
  package static let version: UInt8 = 2

  /// First frame to send.
  package let open: OpenFrame
  private let ephemeral: HybridKey

  /// Draws nonce and ephemeral key; `random` gives as many bytes as asked for.
  package init(random: (Int) -> [UInt8]) {
    self.init(nonce: random(32), ephemeral: HybridKey(seed: Secret(random: random)))
  }

  init(nonce: [UInt8], ephemeral: HybridKey) {
    self.ephemeral = ephemeral
    open = OpenFrame(nonce: nonce, ephemeralKey: ephemeral.publicKey.bytes)
  }

  /// The link that the hub's CHALLENGE leads to. `challenge`: the frame's body as it came.
  package func accept(challenge: [UInt8]) throws(HandshakeError) -> ClientLink {
    let frame = try HandshakeError.reading { () throws(WireError) in try ChallengeFrame(body: challenge) }
    guard frame.version == Self.version else { throw .version }
    let agreed = try HandshakeError.checking { () throws(KeyError) in try ephemeral.secret(in: frame.encapsulatedKey) }
    return ClientLink(Transcript(open: open.body, challenge: challenge), agreed: agreed)
  }
}

/// A client's link to a hub that has not proved yet who it is. Nobody between the two reads or changes what is on it.
package struct ClientLink: Sendable {
  private let transcript: Transcript
  let keys: LinkKeys

  init(_ transcript: Transcript, agreed: Secret) {
    self.transcript = transcript
    keys = LinkKeys(transcript, agreed: agreed)
  }

  /// Seals what the client sends: the first is ENTER.
  package var sealer: RecordSealer { RecordSealer(key: keys.up) }
  /// Opens what the hub sends: the first is IDENTITY.
  package var opener: RecordOpener { RecordOpener(key: keys.down) }
  /// Makes and checks the codes of clock probes on this connection.
  package var probes: ProbeMAC { keys.probes }

  /// Checks the hub's IDENTITY.
  ///
  /// - Parameters:
  ///   - expectedHub: the 16-byte id that the invite, or a member, named: the hub's own, or that of its set.
  ///   - hour: now, hours since 1970, UTC. Only a certificate is judged by it.
  package func identify(
    _ identity: IdentityFrame, expectedHub: [UInt8], hour: UInt32
  ) throws(HandshakeError) -> KnownHub {
    let key = try HandshakeError.checking { () throws(KeyError) in try VerifyingKey(identity.hubKey) }
    if key.hashedID != expectedHub {
      // What costs least comes first.
      guard let certificate = identity.certificate.flatMap({ HubCertificate(bytes: $0) }), certificate.set == expectedHub else {
        throw .wrongHub
      }
      guard !certificate.isOver(at: hour) else { throw .certificateOver }
      guard certificate.names(key.hashedID) else { throw .certificate }
    }
    guard key.verifies(identity.signature, .hub, transcript.hash) else { throw .hubSignature }
    return KnownHub(key: key, clock: identity.clock, asksForPass: identity.asksForPass)
  }

  /// Proves to the hub to hold the topic's key, unless it only listens, and the own one.
  ///
  /// - Parameters:
  ///   - access: which room, and what as.
  ///   - turn: counts this participant's entries; of one who only looks: its last.
  ///   - pass: opens the room at a hub that asks strangers for one, if nobody is in it; nil: none.
  ///   - peekOnly: to be shown who is in the room, without entering it.
  package func enter(
    _ access: RoomAccess, identity: Identity, hub: KnownHub, turn: UInt32, pass: [UInt8]? = nil, peekOnly: Bool = false
  ) -> EnterFrame {
    let claim = transcript.claim(
      hub: hub.key, topic: access.topic, signingKey: identity.signing.publicKey, turn: turn, role: access.role)
    return EnterFrame(
      topic: access.topic, signingKey: identity.signing.publicKey.bytes, turn: turn,
      enterSignature: access.key?.sign(.enter, claim), seatSignature: identity.signing.sign(.seat, claim),
      peekOnly: peekOnly, pass: pass, role: access.role)
  }
}

/// A hub that proved to be the one that was meant.
package struct KnownHub: Hashable, Sendable {
  let key: VerifyingKey
  package let clock: ClockID
  /// It opens rooms for strangers with a pass alone.
  package let asksForPass: Bool

  /// Id of the hub, 16 bytes.
  package var id: [UInt8] { key.hashedID }
}

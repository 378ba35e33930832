import Testing
import UnisonoBase

@testable import UnisonoCrypto

@Suite("Hub entry") struct HandshakeTests {
  /// Both sides of one connection, up to CHALLENGE.
  private struct Connection {
    let client: ClientHandshake
    let hub: HubHandshake

    init(_ name: String, hub key: SigningKey = Fixture.hub) throws {
      client = ClientHandshake(random: Fixture.random("client \(name)"))
      hub = try HubHandshake(
        answering: client.open.body, hub: key, clock: Fixture.clock, random: Fixture.random("hub \(name)"))
    }

    func enter(
      _ identity: Identity = Fixture.alice, door: Door = Fixture.door, expectedHub: [UInt8]? = nil
    ) throws -> ClientEntry {
      try client.answer(challenge: hub.challenge.body, door: door, identity: identity, expectedHub: expectedHub)
    }

    func admit(_ enter: [UInt8]) throws -> HubEntry { try hub.admit(hub.read(enter: enter)) }
  }

  @Test("both sides meet, and derive one probe key of their own")
  func meeting() throws {
    let connection = try Connection("one")
    let entry = try connection.enter(expectedHub: Fixture.hub.publicKey.hashedID)
    let admitted = try connection.admit(entry.enter.body)
    #expect(admitted.topic == Fixture.door.topic)
    #expect(admitted.participant == Fixture.alice.id)
    #expect(admitted.probes == entry.probes)
    #expect(entry.hub == Fixture.hub.publicKey.hashedID)
    #expect(entry.clock == Fixture.clock)
    #expect(try Connection("other").enter().probes != entry.probes)
  }

  @Test("whole entries come out as in the vectors", arguments: Vectors.good("handshake").filter { $0.side == "both" })
  func whole(_ vector: VectorCase) throws {
    let (given, expected) = (vector.given, try #require(vector.expected))
    let run = try Run(given)
    #expect(try run.client.open.body == expected.bytes("open"))
    #expect(try run.hub.challenge.body == expected.bytes("challenge"))
    let transcript = Transcript(open: run.client.open.body, challenge: run.hub.challenge.unsignedBody)
    #expect(try transcript.hash == expected.bytes("transcript"))
    let entry = try run.answer(run.hub.challenge.body)
    #expect(try entry.enter.body == expected.bytes("enter"))
    #expect(try entry.hub == expected.bytes("hub"))
    let admitted = try run.hub.admit(run.hub.read(enter: entry.enter.body))
    #expect(try admitted.topic == expected.bytes("topic"))
    #expect(try admitted.participant.bytes == expected.bytes("participant"))
    let key = ProbeMAC(key: try #require(Secret(try expected.bytes("probe_key"))))
    #expect(entry.probes == key)
    #expect(admitted.probes == key)
  }

  @Test(
    "the client accepts and refuses challenges", arguments: Vectors.cases("handshake").filter { $0.side == "client" })
  func client(_ vector: VectorCase) throws {
    let run = try Run(vector.given)
    let challenge = try vector.given.bytes("challenge")
    #expect(outcome { _ = try run.answer(challenge) } == vector.open)
  }

  @Test("the hub refuses", arguments: Vectors.cases("handshake").filter { $0.side == "hub" })
  func hub(_ vector: VectorCase) throws {
    let open = try vector.given.bytes("open")
    let enter = try vector.given.bytes("enter")
    let run = try Run(vector.given)
    let result = outcome {
      let hub = try run.answering(open)
      _ = try hub.admit(hub.read(enter: enter))
    }
    #expect(result == vector.open)
  }

  @Test("Z3: who holds the invite cannot enter under another's id with its own key")
  func anothersID() throws {
    let connection = try Connection("mallory")
    var enter = try connection.enter(Fixture.mallory).enter
    #expect(try connection.admit(enter.body).participant == Fixture.mallory.id)
    enter.signingKey = Fixture.alice.signing.publicKey.bytes
    #expect(throws: HandshakeError.seatSignature) { try connection.admit(enter.body) }
  }

  @Test("Z4: a recorded ENTER is refused at the same hub and at another")
  func replay() throws {
    let enter = try Connection("recorded").enter().enter.body
    #expect(throws: HandshakeError.seatSignature) { try Connection("again").admit(enter) }
    let other = SigningKey(seed: Fixture.secret("another hub"))
    #expect(throws: HandshakeError.seatSignature) { try Connection("recorded", hub: other).admit(enter) }
    let sameOpen = ClientHandshake(random: Fixture.random("client recorded"))
    let hub = try HubHandshake(
      answering: sameOpen.open.body, hub: Fixture.hub, clock: Fixture.clock, random: Fixture.random("later"))
    #expect(throws: HandshakeError.seatSignature) { try hub.admit(hub.read(enter: enter)) }
  }

  @Test("Z5: a hub that relays another's CHALLENGE is refused by a client that knows its id")
  func relay() throws {
    let known = SigningKey(seed: Fixture.secret("hub M"))
    let relayed = try Connection("relayed", hub: Fixture.hub)
    #expect(throws: HandshakeError.wrongHub) { try relayed.enter(expectedHub: known.publicKey.hashedID) }
    var shown = relayed.hub.challenge
    shown.hubKey = known.publicKey.bytes
    #expect(throws: HandshakeError.hubSignature) {
      try relayed.client.answer(
        challenge: shown.body, door: Fixture.door, identity: Fixture.alice, expectedHub: known.publicKey.hashedID)
    }
  }

  @Test("Z6: who knows a topic without its secret gets no seat")
  func topicAlone() throws {
    let connection = try Connection("outsider")
    let own = Door(session: Fixture.origin.session, secret: Fixture.secret("own door"))
    var enter = try connection.enter(Fixture.mallory, door: own).enter
    enter.topic = Fixture.door.topic
    #expect(throws: HandshakeError.seatSignature) { try connection.admit(enter.body) }
    let transcript = Transcript(open: connection.client.open.body, challenge: connection.hub.challenge.unsignedBody)
    let claim = transcript.claim(topic: Fixture.door.topic, signingKey: Fixture.mallory.signing.publicKey)
    enter.seatSignature = Fixture.mallory.signing.sign(.seat, claim)
    enter.enterSignature = Fixture.mallory.signing.sign(.enter, claim)
    #expect(throws: HandshakeError.enterSignature) { try connection.admit(enter.body) }
  }

  @Test("a seat's signature does not pass as a door's, nor the other way round")
  func labels() throws {
    let connection = try Connection("labels")
    let entry = try connection.enter()
    var enter = entry.enter
    swap(&enter.enterSignature, &enter.seatSignature)
    #expect(throws: HandshakeError.seatSignature) { try connection.admit(enter.body) }
  }

  /// A run whose randomness comes from a vector.
  private struct Run {
    let client: ClientHandshake
    let hub: HubHandshake
    private let given: VectorFields

    init(_ given: VectorFields) throws {
      self.given = given
      client = ClientHandshake(
        nonce: try given.bytes("client_nonce"),
        ephemeral: AgreementKey(seed: try Self.secret(given, "client_ephemeral")))
      hub = try Self.answering(client.open.body, given)
    }

    func answering(_ open: [UInt8]) throws -> HubHandshake { try Self.answering(open, given) }

    private static func answering(_ open: [UInt8], _ given: VectorFields) throws -> HubHandshake {
      try HubHandshake(
        answering: open, hub: SigningKey(seed: secret(given, "hub_seed")),
        clock: #require(ClockID(bytes: given.bytes("clock"))), nonce: given.bytes("hub_nonce"),
        ephemeral: AgreementKey(seed: secret(given, "hub_ephemeral")))
    }

    func answer(_ challenge: [UInt8]) throws -> ClientEntry {
      try client.answer(
        challenge: challenge, door: Door(session: given.bytes("session"), secret: Self.secret(given, "door")),
        identity: Identity(
          signingSeed: Self.secret(given, "seed_sign"), agreementSeed: Self.secret(given, "seed_kex")),
        expectedHub: given.has("expected_hub") ? given.bytes("expected_hub") : nil)
    }

    private static func secret(_ given: VectorFields, _ key: String) throws -> Secret {
      try #require(Secret(try given.bytes(key)))
    }
  }
}

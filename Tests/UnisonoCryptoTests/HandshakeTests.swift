import Testing
import UnisonoBase
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Hub entry") struct HandshakeTests {
  /// Both sides of one connection, up to IDENTITY.
  private struct Connection {
    let client: ClientHandshake
    let hub: HubHandshake
    let link: ClientLink

    init(_ name: String, hub key: SigningKey = Fixture.hub) throws {
      client = ClientHandshake(random: Fixture.random("client \(name)"))
      hub = try HubHandshake(
        answering: client.open.body, hub: key, clock: Fixture.clock, random: Fixture.random("hub \(name)"))
      link = try client.accept(challenge: hub.challenge.body)
    }

    func known(_ expectedHub: [UInt8] = Fixture.hub.publicKey.hashedID) throws -> KnownHub {
      try link.identify(hub.identity, expectedHub: expectedHub)
    }

    func enter(_ identity: Identity = Fixture.alice, door: Door = Fixture.door) throws -> EnterFrame {
      link.enter(door: door, identity: identity, hub: try known())
    }

    func admit(_ enter: [UInt8]) throws -> HubEntry { try hub.admit(hub.read(enter: enter)) }
  }

  @Test("both sides meet, and derive the same keys, which no other connection has")
  func meeting() throws {
    let connection = try Connection("one")
    let known = try connection.known()
    let admitted = try connection.admit(connection.enter().body)
    #expect(admitted.topic == Fixture.door.topic)
    #expect(admitted.participant == Fixture.alice.id)
    #expect(admitted.probes == connection.link.probes)
    #expect(known.id == Fixture.hub.publicKey.hashedID)
    #expect(known.clock == Fixture.clock && !known.asksForPass)
    // The same draws, and other keys: the hub's secret is drawn with the connection.
    #expect(try Connection("one").link.keys != connection.link.keys)
    var (sealer, opener) = (connection.link.sealer, connection.hub.opener)
    let frame = HubFrame.ping(7).raw
    let up = sealer.seal(RecordText(frame))
    #expect(try opener.open(Array(#require(up).dropFirst(4))) == frame)
    var (back, reader) = (connection.hub.sealer, connection.link.opener)
    let down = back.seal(RecordText(frame))
    #expect(try reader.open(Array(#require(down).dropFirst(4))) == frame)
  }

  @Test("Z3: who holds the invite cannot enter under another's id with its own key")
  func anothersID() throws {
    let connection = try Connection("mallory")
    var enter = try connection.enter(Fixture.mallory)
    #expect(try connection.admit(enter.body).participant == Fixture.mallory.id)
    enter.signingKey = Fixture.alice.signing.publicKey.bytes
    #expect(throws: HandshakeError.seatSignature) { try connection.admit(enter.body) }
  }

  @Test("Z4: a recorded ENTER is refused at the same hub and at another")
  func replay() throws {
    let enter = try Connection("recorded").enter().body
    #expect(throws: HandshakeError.seatSignature) { try Connection("again").admit(enter) }
    let sameOpen = ClientHandshake(random: Fixture.random("client recorded"))
    let hub = try HubHandshake(
      answering: sameOpen.open.body, hub: Fixture.hub, clock: Fixture.clock, random: Fixture.random("later"))
    #expect(throws: HandshakeError.seatSignature) { try hub.admit(hub.read(enter: enter)) }
  }

  @Test("Z5: a hub that shows another's key, or relays its words, is refused: it signed another handshake")
  func relay() throws {
    let known = SigningKey(seed: Fixture.secret("hub M"))
    let relayed = try Connection("relayed")
    #expect(throws: HandshakeError.wrongHub) { try relayed.known(known.publicKey.hashedID) }
    var shown = relayed.hub.identity
    shown.hubKey = known.publicKey.bytes
    #expect(throws: HandshakeError.hubSignature) {
      try relayed.link.identify(shown, expectedHub: known.publicKey.hashedID)
    }
    let elsewhere = try Connection("elsewhere")
    #expect(throws: HandshakeError.hubSignature) {
      try relayed.link.identify(elsewhere.hub.identity, expectedHub: Fixture.hub.publicKey.hashedID)
    }
  }

  @Test("Z6: who knows a topic without its secret gets no seat")
  func topicAlone() throws {
    let connection = try Connection("outsider")
    let own = Door(session: Fixture.origin.session, secret: Fixture.secret("own door"))
    var enter = try connection.enter(Fixture.mallory, door: own)
    enter.topic = Fixture.door.topic
    #expect(throws: HandshakeError.seatSignature) { try connection.admit(enter.body) }
    let transcript = Transcript(open: connection.client.open.body, challenge: connection.hub.challenge.body)
    let claim = transcript.claim(
      hub: Fixture.hub.publicKey, topic: Fixture.door.topic, signingKey: Fixture.mallory.signing.publicKey)
    enter.seatSignature = Fixture.mallory.signing.sign(.seat, claim)
    enter.enterSignature = Fixture.mallory.signing.sign(.enter, claim)
    #expect(throws: HandshakeError.enterSignature) { try connection.admit(enter.body) }
  }

  @Test("a seat's signature does not pass as a door's, nor the other way round")
  func labels() throws {
    let connection = try Connection("labels")
    var enter = try connection.enter()
    swap(&enter.enterSignature, &enter.seatSignature)
    #expect(throws: HandshakeError.seatSignature) { try connection.admit(enter.body) }
  }

  @Test("Z61: a CHALLENGE of another version is told as such, and one that was bent leads to a link that opens nothing")
  func challenges() throws {
    let connection = try Connection("bent")
    var later = connection.hub.challenge
    later.version = 3
    #expect(throws: HandshakeError.version) { try connection.client.accept(challenge: later.body) }
    var bent = connection.hub.challenge
    bent.encapsulatedKey[5] ^= 1
    var (sealer, opener) = (connection.hub.sealer, try connection.client.accept(challenge: bent.body).opener)
    let record = sealer.seal(RecordText(.identity(connection.hub.identity)))
    #expect(throws: RecordError.seal) { try opener.open(Array(#require(record).dropFirst(4))) }
  }

  @Test("keys with an X25519 part of low order, and ML-KEM keys that are not reduced, are refused")
  func badKeys() throws {
    let zero = [UInt8](repeating: 0, count: 32)
    let good = HybridKey(seed: Fixture.secret("hybrid"))
    #expect(throws: KeyError.lowOrder) { try HybridPublicKey(Array(good.publicKey.bytes.dropLast(32)) + zero) }
    #expect(throws: KeyError.length) { try HybridPublicKey(Array(good.publicKey.bytes.dropLast())) }
    let unreduced = try HybridPublicKey([0xff, 0xff, 0xff] + good.publicKey.bytes.dropFirst(3))
    #expect(throws: KeyError.nonCanonical) { try unreduced.encapsulate() }
    let (secret, encapsulated) = try good.publicKey.encapsulate()
    #expect(try good.secret(in: encapsulated) == secret)
    #expect(throws: KeyError.lowOrder) { try good.secret(in: Array(encapsulated.dropLast(32)) + zero) }
    #expect(throws: KeyError.length) { try good.secret(in: Array(encapsulated.dropLast())) }
  }
}

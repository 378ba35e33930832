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

    init(_ name: String, hub key: SigningKey = Fixture.hub, certificate: HubCertificate? = nil) throws {
      client = ClientHandshake(random: Fixture.random("client \(name)"))
      hub = try HubHandshake(
        answering: client.open.body, hub: key, clock: Fixture.clock, certificate: certificate, random: Fixture.random("hub \(name)"))
      link = try client.accept(challenge: hub.challenge.body)
    }

    func known(_ expectedHub: [UInt8] = Fixture.hub.publicKey.hashedID, hour: UInt32 = 0) throws -> KnownHub {
      try link.identify(hub.identity, expectedHub: expectedHub, hour: hour)
    }

    func enter(_ identity: Identity = Fixture.alice, door: Door = Fixture.door) throws -> EnterFrame {
      link.enter(.member(of: door), identity: identity, hub: try known(), turn: 7)
    }

    func admit(_ enter: [UInt8]) throws -> HubEntry { try hub.admit(hub.read(enter: enter)) }
  }

  @Test("both sides meet, and derive the same keys, which no other connection has")
  func meeting() throws {
    let connection = try Connection("one")
    let known = try connection.known()
    let admitted = try connection.admit(connection.enter().body)
    #expect(admitted.topic == Fixture.door.topic)
    #expect(admitted.participant == Fixture.alice.id && admitted.turn == 7)
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
      try relayed.link.identify(shown, expectedHub: known.publicKey.hashedID, hour: 0)
    }
    let elsewhere = try Connection("elsewhere")
    #expect(throws: HandshakeError.hubSignature) {
      try relayed.link.identify(elsewhere.hub.identity, expectedHub: Fixture.hub.publicKey.hashedID, hour: 0)
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
      hub: Fixture.hub.publicKey, topic: Fixture.door.topic, signingKey: Fixture.mallory.signing.publicKey, turn: enter.turn,
      role: .member)
    enter.seatSignature = Fixture.mallory.signing.sign(.seat, claim)
    enter.enterSignature = Fixture.mallory.signing.sign(.enter, claim)
    #expect(throws: HandshakeError.enterSignature) { try connection.admit(enter.body) }
  }

  @Test("N14: a hub is taken by its set's id with a certificate that is good for it, until the hour in it")
  func certificates() throws {
    let (hub, set) = (Fixture.hub.publicKey.hashedID, SigningKey(seed: Fixture.secret("set")))
    let good = HubCertificate(of: hub, by: set, until: 500)
    #expect(good.bytes.count == HubCertificate.length && good.set == set.publicKey.hashedID && good.names(hub))
    let connection = try Connection("certified", certificate: good)
    #expect(try connection.known(good.set, hour: 499).id == hub)
    #expect(try connection.known(hour: 500).id == hub, "its own id is meant: nothing is asked of the certificate")
    #expect(throws: HandshakeError.certificateOver) { try connection.known(good.set, hour: 500) }
    // Of another set, for another hub, and none at all.
    let other = SigningKey(seed: Fixture.secret("other set"))
    #expect(throws: HandshakeError.wrongHub) { try connection.known(other.publicKey.hashedID) }
    let foreign = try Connection("foreign", certificate: HubCertificate(of: other.publicKey.hashedID, by: set, until: 500))
    #expect(throws: HandshakeError.certificate) { try foreign.known(good.set) }
    #expect(throws: HandshakeError.wrongHub) { try Connection("bare").known(good.set) }
    // What certifies hubs is no hub: its key alone enters nobody under its id but who has it.
    #expect(HubCertificate(bytes: Array(good.bytes.dropLast())) == nil && HubCertificate(bytes: good.bytes + [0]) == nil)
  }

  @Test("N14: a certificate's text is read with white space around it, and nothing else is")
  func certificateText() throws {
    let good = HubCertificate(of: Fixture.hub.publicKey.hashedID, by: SigningKey(seed: Fixture.secret("set")), until: 500)
    #expect(good.text.utf8.count == 160 && HubCertificate(text: " \(good.text)\r\n") == good)
    #expect(HubCertificate(text: good.text.uppercased()) == good)
    for text in ["", " \n", String(good.text.dropLast()), good.text + "a", "0" + good.text.dropFirst(), "a " + good.text] {
      #expect(HubCertificate(text: text) == nil)
    }
  }

  @Test("N2: nobody makes an entry of another newer: both signatures cover its turn")
  func turn() throws {
    let connection = try Connection("turn")
    var enter = try connection.enter()
    enter.turn += 1
    #expect(throws: HandshakeError.seatSignature) { try connection.admit(enter.body) }
  }

  @Test("N19: an entry is good in the role alone that was signed, and who listens proves no more than who it is")
  func roles() throws {
    let connection = try Connection("roles")
    let key = SigningKey(seed: Fixture.secret("stage"))
    let known = try connection.known()
    for access in [RoomAccess.member(of: Fixture.door), .publisher(key), .listener(key.publicKey.bytes)] {
      let frame = connection.link.enter(access, identity: Fixture.alice, hub: known, turn: 7)
      let entry = try connection.admit(frame.body)
      #expect(entry.role == access.role && entry.topic == access.topic && entry.participant == Fixture.alice.id)
      for role in EntryRole.allCases where role != access.role {
        var other = frame
        other.role = role
        if role == .listener { other.enterSignature = nil }
        let expected: HandshakeError = access.role == .listener ? .malformed(.truncated) : .seatSignature
        #expect(throws: expected) { try connection.admit(other.body) }
      }
    }
    // Who has the link, and a member of the session that has not the topic's key.
    let mallory = RoomAccess.publisher(Fixture.mallory.signing)
    var forged = connection.link.enter(mallory, identity: Fixture.mallory, hub: known, turn: 7)
    forged.topic = key.publicKey.bytes
    #expect(throws: HandshakeError.seatSignature) { try connection.admit(forged.body) }
    let transcript = Transcript(open: connection.client.open.body, challenge: connection.hub.challenge.body)
    let claim = transcript.claim(
      hub: Fixture.hub.publicKey, topic: forged.topic, signingKey: Fixture.mallory.signing.publicKey, turn: 7, role: .publisher)
    forged.seatSignature = Fixture.mallory.signing.sign(.seat, claim)
    forged.enterSignature = Fixture.mallory.signing.sign(.enter, claim)
    #expect(throws: HandshakeError.enterSignature) { try connection.admit(forged.body) }
  }

  @Test("a seat's signature does not pass as a door's, nor the other way round")
  func labels() throws {
    let connection = try Connection("labels")
    var enter = try connection.enter()
    (enter.enterSignature, enter.seatSignature) = (enter.seatSignature, enter.enterSignature ?? [])
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

  @Test("X25519 keys of low order are those with which any agreement is zero, whatever their highest bit")
  func lowOrder() {
    let own = AgreementKey(seed: Secret { [UInt8](repeating: 0x42, count: $0) })
    for u in AgreementPublicKey.lowOrder {
      for high: UInt8 in [0, 0x80] {
        let bytes = u.dropLast() + [u[31] | high]
        #expect(AgreementKey.rawAgreement(own.key, Array(bytes)) == nil)
        #expect(throws: KeyError.lowOrder) { try AgreementPublicKey(Array(bytes)) }
      }
      let next = [u[0] &+ 3] + u.dropFirst()
      #expect(AgreementKey.rawAgreement(own.key, next) != nil)
      #expect(throws: Never.self) { try AgreementPublicKey(next) }
    }
    #expect(Set(AgreementPublicKey.lowOrder).count == 7)
  }

  @Test("keys with an X25519 part of low order, and ML-KEM keys that are not reduced, are refused")
  func badKeys() throws {
    let zero = [UInt8](repeating: 0, count: 32)
    let good = HybridKey(seed: Fixture.secret("hybrid"))
    #expect(throws: KeyError.lowOrder) { try HybridPublicKey(Array(good.publicKey.bytes.dropLast(32)) + zero) }
    #expect(throws: KeyError.length) { try HybridPublicKey(Array(good.publicKey.bytes.dropLast())) }
    // 3,329 is the least number that is refused: in the first place, the second, and the last of 768; the seed may be anything.
    for (index, bytes) in [(0, [0x01, 0x0d] as [UInt8]), (1, [0x10, 0xd0]), (1_150, [0x10, 0xd0])] {
      var key = good.publicKey.bytes
      key.replaceSubrange(index..<index + 2, with: bytes)
      #expect(throws: KeyError.nonCanonical) { try HybridPublicKey(key) }
    }
    var greatest = good.publicKey.bytes
    greatest.replaceSubrange(0..<3, with: [0x00, 0x0d, 0xd0])
    greatest.replaceSubrange(1_152..<1_184, with: [UInt8](repeating: 0xff, count: 32))
    #expect(throws: Never.self) { try HybridPublicKey(greatest).encapsulate() }
    let (secret, encapsulated) = try good.publicKey.encapsulate()
    #expect(try good.secret(in: encapsulated) == secret)
    #expect(throws: KeyError.lowOrder) { try good.secret(in: Array(encapsulated.dropLast(32)) + zero) }
    #expect(throws: KeyError.length) { try good.secret(in: Array(encapsulated.dropLast())) }
  }

  @Test("whole entries come out as in the vectors", arguments: Vectors.good("link").filter { $0.side == "both" })
  func whole(_ vector: VectorCase) throws {
    let (given, expected) = (vector.given, try #require(vector.expected))
    let run = try Run(given)
    let hub = try run.hub(answering: run.client.open.body)
    #expect(try run.client.open.body == expected.bytes("open"))
    #expect(try hub.challenge.body == expected.bytes("challenge"))
    #expect(try hub.identity.body == expected.bytes("identity"))
    let transcript = Transcript(open: run.client.open.body, challenge: hub.challenge.body)
    #expect(try transcript.hash == expected.bytes("transcript"))
    let keys = LinkKeys(transcript, agreed: try Run.secret(given, "secret"))
    #expect(try keys.up.bytes == expected.bytes("up") && keys.down.bytes == expected.bytes("down"))
    #expect(try keys.probes == ProbeMAC(key: Run.secret(expected, "probe_key")))
    let link = ClientLink(transcript, agreed: try Run.secret(given, "secret"))
    let (enter, known) = try run.enter(link, hub.identity)
    #expect(try enter.body == expected.bytes("enter"))
    #expect(try known.id == expected.bytes("hub"))
    #expect(known.asksForPass == hub.identity.asksForPass)
    let admitted = try hub.admit(hub.read(enter: enter.body))
    #expect(try admitted.topic == expected.bytes("topic"))
    #expect(try admitted.participant.bytes == expected.bytes("participant"))
    #expect(admitted.pass == enter.pass && admitted.peekOnly == enter.peekOnly)
  }

  @Test("the client accepts and refuses", arguments: Vectors.cases("link").filter { $0.side == "client" })
  func client(_ vector: VectorCase) throws {
    let run = try Run(vector.given)
    let (challenge, identity) = (try vector.given.bytes("challenge"), try vector.given.bytes("identity"))
    let result = outcome {
      let link = try run.client.accept(challenge: challenge)
      let frame: IdentityFrame
      do throws(WireError) { frame = try IdentityFrame(body: identity) } catch { throw HandshakeError.malformed(error) }
      _ = try run.enter(link, frame)
    }
    #expect(result == vector.open)
  }

  @Test("the hub refuses", arguments: Vectors.cases("link").filter { $0.side == "hub" })
  func hub(_ vector: VectorCase) throws {
    let open = try vector.given.bytes("open")
    let enter = try vector.given.bytes("enter")
    let run = try Run(vector.given)
    let result = outcome {
      let hub = try run.hub(answering: open)
      _ = try hub.admit(hub.read(enter: enter))
    }
    #expect(result == vector.open)
  }

  /// A run whose randomness comes from a vector.
  private struct Run {
    let client: ClientHandshake
    private let given: VectorFields

    init(_ given: VectorFields) throws {
      self.given = given
      client = ClientHandshake(
        nonce: try given.bytes("client_nonce"), ephemeral: HybridKey(seed: try Self.secret(given, "client_xwing")))
    }

    func hub(answering open: [UInt8]) throws -> HubHandshake {
      let frame: OpenFrame
      do {
        frame = try OpenFrame(body: open)
        _ = try HybridPublicKey(frame.ephemeralKey).encapsulate()
      } catch let error as WireError {
        throw HandshakeError.malformed(error)
      } catch let error as KeyError {
        throw HandshakeError.key(error)
      }
      return try HubHandshake(
        answering: open, frame, hub: SigningKey(seed: Self.secret(given, "hub_seed")),
        clock: #require(ClockID(bytes: given.bytes("clock"))), asksForPass: given.has("asks"),
        certificate: given.has("certificate") ? #require(HubCertificate(bytes: given.bytes("certificate"))) : nil,
        nonce: given.bytes("hub_nonce"),
        agreed: (secret: Self.secret(given, "secret"), encapsulated: given.bytes("encapsulated")))
    }

    func enter(_ link: ClientLink, _ identity: IdentityFrame) throws -> (EnterFrame, KnownHub) {
      let hour = given.has("hour") ? try given.integer("hour") as UInt32 : 0
      let known = try link.identify(identity, expectedHub: given.bytes("expected_hub"), hour: hour)
      let door = Door(session: try given.bytes("session"), secret: try Self.secret(given, "door"))
      let role = try #require(EntryRole(rawValue: given.has("role") ? try given.integer("role") : 0))
      let access: RoomAccess =
        switch role {
        case .member: .member(of: door)
        case .publisher: .publisher(door.topicKey)
        case .listener: .listener(door.topic)
        }
      let enter = link.enter(
        access,
        identity: Identity(
          signingSeed: try Self.secret(given, "seed_sign"), agreementSeed: try Self.secret(given, "seed_kex"),
          hybridSeed: Fixture.secret("unused")),
        hub: known, turn: try given.integer("turn"), pass: given.has("pass") ? try given.bytes("pass") : nil, peekOnly: given.has("looks"))
      return (enter, known)
    }

    static func secret(_ given: VectorFields, _ key: String) throws -> Secret {
      try #require(Secret(try given.bytes(key)))
    }
  }
}

@Suite("X-Wing") struct HybridKeyTests {
  @Test("keys and secrets are those of the draft, and what is refused is refused", arguments: Vectors.cases("xwing"))
  func vectors(_ vector: VectorCase) throws {
    let (given, expected) = (vector.given, vector.expected)
    let result = outcome {
      if given.has("public") { _ = try HybridPublicKey(given.bytes("public")).encapsulate() }
      guard given.has("seed") else { return }
      let key = HybridKey(seed: try #require(Secret(try given.bytes("seed"))))
      if let expected, expected.has("public") { #expect(try key.publicKey.bytes == expected.bytes("public")) }
      let encapsulated = try (given.has("encapsulated") ? given : #require(expected)).bytes("encapsulated")
      let secret = try key.secret(in: encapsulated)
      if let expected { #expect(try secret.bytes == expected.bytes("secret")) }
    }
    #expect(result == vector.open)
  }
}

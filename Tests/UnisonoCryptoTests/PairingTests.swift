import Testing
import UnisonoNearby

@testable import UnisonoCrypto

@Suite("Pairing") struct PairingTests {
  /// Both sides of one ask, with the keys and nonces of a vector.
  private struct Run {
    let initiator: PairingInitiator
    let intent: NearbyIntent
    let responderName: String
    let responderKey: AgreementKey
    let responderNonce: [UInt8]
    let invite: Invite

    init(_ given: VectorFields) throws {
      // Of the vectors whose intent no one knows only the bytes are used.
      intent = NearbyIntent(rawValue: try given.integer("intent")) ?? .join
      let service = NearbyService(
        identifier: try given.text("service"), usage: "Watch", deviceName: try given.text("name"),
        platform: try given.integer("platform"))
      initiator = PairingInitiator(
        intent: intent, service: service,
        key: AgreementKey(seed: try #require(Secret(try given.bytes("seed_initiator")))),
        nonce: try given.bytes("nonce_initiator"))
      responderName = try given.text("responder_name")
      responderKey = AgreementKey(seed: try #require(Secret(try given.bytes("seed_responder"))))
      responderNonce = try given.bytes("nonce_responder")
      invite = try Invite(parsing: try given.text("invite"))
    }

    func responder(_ ask: [UInt8]) throws -> PairingResponder {
      try PairingResponder(answering: ask, deviceName: responderName, key: responderKey, nonce: responderNonce)
    }
  }

  @Test(
    "F51: both sides come out as in the vectors, and each opens what the other sealed",
    arguments: Vectors.good("pairing"))
  func whole(_ vector: VectorCase) throws {
    let (run, expected) = (try Run(vector.given), try #require(vector.expected))
    #expect(try run.initiator.ask.body == expected.bytes("ask"))
    let responder = try run.responder(run.initiator.ask.body)
    #expect(try responder.offer.body == expected.bytes("offer"))
    let (reveal, keys) = try run.initiator.answer(offer: responder.offer.body)
    #expect(try reveal.body == expected.bytes("reveal"))
    #expect(try responder.check(reveal: reveal.body) == keys)
    #expect(try keys.digits.text == expected.text("digits"))
    let grant = keys.grant(run.intent == .join ? run.invite : nil)
    #expect(try grant == expected.bytes("grant"))
    #expect(try keys.open(grant: grant, of: run.intent) == (run.intent == .join ? run.invite : nil))
    if run.intent == .invite {
      #expect(try keys.pass(run.invite) == expected.bytes("pass"))
      #expect(try keys.open(pass: keys.pass(run.invite)) == run.invite)
    }
  }

  @Test("F51: what is altered, replayed, cut or not an invite is refused", arguments: Vectors.bad("pairing"))
  func bad(_ vector: VectorCase) throws {
    let (run, given) = (try Run(vector.given), vector.given)
    let result = outcome {
      if vector.side == "responder" {
        let keys = try run.responder(given.bytes("ask")).check(reveal: given.bytes("reveal"))
        if given.has("pass") { _ = try keys.open(pass: given.bytes("pass")) }
      } else {
        let (_, keys) = try run.initiator.answer(offer: given.bytes("offer"))
        if given.has("grant") { _ = try keys.open(grant: given.bytes("grant"), of: run.intent) }
      }
    }
    #expect(result == vector.open)
  }

  @Test("F51: any byte of the three first frames changed on the way makes the digits differ, or ends the ask")
  func alterations() throws {
    let service = NearbyService(identifier: "org.example.watch", usage: "Watch", deviceName: "Ann", platform: 2)
    let initiator = PairingInitiator(intent: .join, service: service, random: Fixture.random("initiator"))
    let honest = initiator.ask.body
    var same = 0
    for place in honest.indices {
      var ask = honest
      ask[place] ^= 1
      guard
        let responder = try? PairingResponder(
          answering: ask, deviceName: "tv", random: Fixture.random("responder"))
      else { continue }
      guard let answer = try? initiator.answer(offer: responder.offer.body),
        let keys = try? responder.check(reveal: answer.reveal.body)
      else { continue }
      same += keys.digits == answer.keys.digits ? 1 : 0
    }
    #expect(same == 0)
    let responder = try PairingResponder(answering: honest, deviceName: "tv", random: Fixture.random("responder"))
    for place in responder.offer.body.indices {
      var offer = responder.offer.body
      offer[place] ^= 1
      guard let answer = try? initiator.answer(offer: offer),
        let keys = try? responder.check(reveal: answer.reveal.body)
      else { continue }
      same += keys.digits == answer.keys.digits ? 1 : 0
    }
    #expect(same == 0)
  }

  @Test("Z25: a person in the middle meets the same digits by chance only: 1 % of 10,000 runs with two digits")
  func personInTheMiddle() throws {
    let service = NearbyService(identifier: "org.example.watch", usage: "Watch", deviceName: "Ann", platform: 2)
    // The keys stay, so that 10,000 runs take seconds; what each run draws anew are the nonces, which the digits hang on
    // as much as on the keys.
    let random = Fixture.random("middle")
    let keys = (0..<4).map { _ in AgreementKey(seed: Secret(random: random)) }
    let (asker, towardsAsked, asked, towardsAsker) = (keys[0], keys[1], keys[2], keys[3])
    let withAsker = try asker.agree(with: towardsAsker.publicKey)
    let withAsked = try asked.agree(with: towardsAsked.publicKey)
    let runs = 10_000
    var met = 0
    for _ in 0..<runs {
      let ann = PairingInitiator(intent: .join, service: service, key: asker, nonce: random(32))
      // The middle has Ann's promise and no more: it must promise towards the television before that offers, ...
      let mallory = PairingInitiator(intent: .join, service: service, key: towardsAsked, nonce: random(32))
      let offer = OfferFrame(key: asked.publicKey.bytes, nonce: random(32), deviceName: "tv").body
      // ... and offer to Ann before she reveals.
      let malloryOffer = OfferFrame(key: towardsAsker.publicKey.bytes, nonce: random(32), deviceName: "tv").body
      let annReveal = RevealFrame(key: asker.publicKey.bytes, nonce: random(32)).body
      let malloryReveal = RevealFrame(key: towardsAsked.publicKey.bytes, nonce: random(32)).body
      let onAnn = PairingKeys(ask: ann.ask.body, offer: malloryOffer, reveal: annReveal, agreed: withAsker)
      let onTV = PairingKeys(ask: mallory.ask.body, offer: offer, reveal: malloryReveal, agreed: withAsked)
      met += onAnn.digits.text.suffix(2) == onTV.digits.text.suffix(2) ? 1 : 0
    }
    let share = Double(met) / Double(runs)
    #expect(abs(share - 0.01) <= 0.003, "\(met) of \(runs)")
  }

  @Test("Z25: the middle cannot choose its key after it has seen the other side's: its promise would not fit")
  func lateChoice() throws {
    let service = NearbyService(identifier: "org.example.watch", usage: "Watch", deviceName: "Ann", platform: 2)
    let mallory = PairingInitiator(intent: .join, service: service, random: Fixture.random("mallory"))
    let responder = try PairingResponder(
      answering: mallory.ask.body, deviceName: "tv", random: Fixture.random("responder"))
    for other in 0..<20 {
      let random = Fixture.random("another choice \(other)")
      let reveal = RevealFrame(key: AgreementKey(seed: Secret(random: random)).publicKey.bytes, nonce: random(32))
      #expect(throws: PairingError.commit) { try responder.check(reveal: reveal.body) }
    }
  }

  @Test("F51: digits do not slip into a log by being printed")
  func printing() throws {
    let digits = PairingDigits(123_456)
    #expect(digits.text == "123456")
    #expect(PairingDigits(42).text == "000042")
    for printed in ["\(digits)", "\(Optional(digits) as Any)", String(reflecting: digits), "\([digits])"] {
      #expect(!printed.contains("123456"))
    }
    var dumped = ""
    dump(digits, to: &dumped)
    #expect(!dumped.contains("123456"))
  }
}

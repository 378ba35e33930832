import Testing
import UnisonoBase

@testable import UnisonoCrypto

@Suite("Introduction") struct IntroductionTests {
  private let session = Fixture.origin.session

  @Test("makes and verifies", arguments: Vectors.good("intro"))
  func good(_ vector: VectorCase) throws {
    let (given, expected) = (vector.given, try #require(vector.expected))
    let session = try given.bytes("session")
    let read = try Introduction(verifying: expected.bytes("intro"), session: session)
    #expect(try read.id.bytes == expected.bytes("id"))
    #expect(try read.personID == expected.bytes("person_id"))
    #expect(try read.bytes == expected.bytes("intro"))
    guard vector.deterministic == true else { return }
    let identity = Identity(
      signingSeed: try #require(Secret(try given.bytes("seed_sign"))),
      agreementSeed: try #require(Secret(try given.bytes("seed_kex"))),
      hybridSeed: try #require(Secret(try given.bytes("seed_xwing"))))
    let person = given.has("person") ? PersonKey(person: try given.bytes("person"), session: session) : nil
    let minor: UInt16 = given.has("minor") ? try given.integer("minor") : 0
    let made = Introduction(identity, session: session, person: person, minor: minor)
    #expect(made == read)
    #expect(made.minor == minor)
  }

  @Test("Z15: refuses weak keys and what is not signed", arguments: Vectors.bad("intro"))
  func bad(_ vector: VectorCase) throws {
    let intro = try vector.given.bytes("intro")
    let session = try vector.given.bytes("session")
    #expect(outcome { _ = try Introduction(verifying: intro, session: session) } == vector.open)
  }

  @Test("Z15: keys of another length are refused")
  func keyLengths() {
    for count in [0, 31, 33, 64] {
      #expect(throws: KeyError.length) { try VerifyingKey([UInt8](repeating: 9, count: count)) }
      #expect(throws: KeyError.length) { try AgreementPublicKey([UInt8](repeating: 9, count: count)) }
    }
  }

  @Test("Z15: the largest reduced y is refused for its order, the one below it passes")
  func edge() throws {
    var y: [UInt8] = [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f]
    #expect(throws: KeyError.smallOrder) { try VerifyingKey(y) }
    y[0] = 0xeb
    #expect(try VerifyingKey(y).bytes == y)
  }

  @Test("Z16: a person's key copied from another participant is refused; an own one makes another person")
  func person() throws {
    let shared = PersonKey(person: [UInt8](repeating: 1, count: 16), session: session)
    let phone = Introduction(Fixture.alice, session: session, person: shared)
    let television = Introduction(Fixture.bob, session: session, person: shared)
    #expect(phone.personID == television.personID)
    #expect(phone.id != television.id)

    let own = Introduction(
      Fixture.mallory, session: session, person: PersonKey(person: [UInt8](repeating: 2, count: 16), session: session))
    #expect(own.personID != phone.personID)

    var body = ItemWriter()
    body.item(1, Fixture.mallory.signing.publicKey.bytes)
    body.item(2, Fixture.mallory.agreement.publicKey.bytes)
    body.item(3, shared.publicKey.bytes)
    body.item(4, shared.vouch(for: Fixture.alice.id))
    body.item(6, Fixture.mallory.hybrid.publicKey.bytes)
    var copied = ItemWriter()
    copied.item(1, body.bytes)
    copied.item(2, Fixture.mallory.signing.sign(.intro, session + body.bytes))
    #expect(throws: IntroductionError.vouch) { try Introduction(verifying: copied.bytes, session: session) }
  }

  @Test("a person is somebody else in another session")
  func sessions() {
    let secret = [UInt8](repeating: 1, count: 16)
    let other = Origin(root: Fixture.bob.id, controlPolicy: 0, joinerRole: 2).session
    let here = Introduction(Fixture.alice, session: session, person: PersonKey(person: secret, session: session))
    let there = Introduction(Fixture.alice, session: other, person: PersonKey(person: secret, session: other))
    #expect(here.personID != there.personID)
  }

  @Test("every flipped bit and every introduction cut short is refused")
  func damage() throws {
    let person = PersonKey(person: [UInt8](repeating: 1, count: 16), session: session)
    let intro = Introduction(Fixture.alice, session: session, person: person, minor: 1).bytes
    #expect(intro.count <= WireLimits.intro)
    for bit in 0..<(intro.count * 8) {
      var flipped = intro
      flipped[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: IntroductionError.self, "bit \(bit)") { try Introduction(verifying: flipped, session: session) }
    }
    for count in 0..<intro.count {
      #expect(throws: IntroductionError.malformed(.truncated)) {
        try Introduction(verifying: Array(intro[..<count]), session: session)
      }
    }
  }
}

import Testing
import UnisonoBase
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Welcome") struct WelcomeTests {
  @Test("opens what another implementation sealed, and refuses what was not meant", arguments: Vectors.cases("welcome"))
  func vectors(_ vector: VectorCase) throws {
    let given = vector.given
    let door = Door(session: try given.bytes("session"), secret: try #require(Secret(try given.bytes("door"))))
    let welcomer = try #require(ParticipantID(bytes: try given.bytes("welcomer")))
    let newcomer = try #require(ParticipantID(bytes: try given.bytes("newcomer")))
    let root = try #require(ParticipantID(bytes: try given.bytes("root")))
    let seal = WelcomeSeal(scope: door.scope, welcomer: welcomer, newcomer: newcomer, hello: try given.bytes("hello"))
    let key = HybridKey(seed: try #require(Secret(try given.bytes("seed_xwing"))))
    let sealed = try given.bytes("sealed")
    var proven: ProvenRecord?
    let result = outcome {
      let (text, chain) = try seal.open(sealed, with: key)
      var keys: [ParticipantID: VerifyingKey] = [:]
      for intro in text.intros + [try given.bytes("intro")] {
        let one = try Introduction(verifying: intro, session: door.scope.session)
        keys[one.id] = one.signingKey
      }
      proven = ProvenRecord(
        text, chain: chain, welcomer: welcomer, newcomer: newcomer, root: root, keys: keys, scope: door.scope)
      if proven == nil { throw ChannelRefusal.proof }
      if let expected = vector.expected { #expect(try chain.bytes == expected.bytes("chain")) }
    }
    #expect(result == vector.open)
    guard let expected = vector.expected, let proven else { return }
    #expect(try proven.record.id.bytes == expected.bytes("record_id"))
    #expect(try proven.founding.id.bytes == expected.bytes("founding_id"))
    #expect(try proven.roster.flatMap(\.bytes) == expected.bytes("roster"))
  }

  private let text = WelcomeText(record: Fixture.founding.bytes, proof: [Fixture.founding.bytes], roster: [Fixture.alice.id])

  @Test("a newcomer opens what a member sealed for it; nobody else does")
  func roundTrip() throws {
    let seal = WelcomeSeal(
      scope: Fixture.door.scope, welcomer: Fixture.alice.id, newcomer: Fixture.bob.id, hello: [2, 1, 1])
    let sealed = try seal.seal(text, chain: Fixture.chain, to: Fixture.bob.hybrid.publicKey)
    let opened = try seal.open(sealed, with: Fixture.bob.hybrid)
    #expect(opened.text == text && opened.chain == Fixture.chain)
    #expect(throws: WelcomeError.seal) { try seal.open(sealed, with: Fixture.mallory.hybrid) }
    #expect(try seal.seal(text, chain: Fixture.chain, to: Fixture.bob.hybrid.publicKey) != sealed)
  }

  @Test("every flipped bit of a welcome is refused")
  func flips() throws {
    let seal = WelcomeSeal(
      scope: Fixture.door.scope, welcomer: Fixture.alice.id, newcomer: Fixture.bob.id, hello: [2])
    let sealed = try seal.seal(text, chain: Fixture.chain, to: Fixture.bob.hybrid.publicKey)
    for index in sealed.indices {
      var flipped = sealed
      flipped[index] ^= 1 << (index % 8)
      #expect(throws: WelcomeError.seal, "byte \(index)") { try seal.open(flipped, with: Fixture.bob.hybrid) }
    }
  }
}

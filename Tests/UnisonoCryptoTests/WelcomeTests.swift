import Testing
import UnisonoBase

@testable import UnisonoCrypto

@Suite("Welcome") struct WelcomeTests {
  @Test("opens what another implementation sealed, and refuses what was not meant", arguments: Vectors.cases("welcome"))
  func vectors(_ vector: VectorCase) throws {
    let given = vector.given
    let door = Door(session: try given.bytes("session"), secret: try #require(Secret(try given.bytes("door"))))
    let seal = WelcomeSeal(
      scope: door.scope, welcomer: try #require(ParticipantID(bytes: try given.bytes("welcomer"))),
      newcomer: try #require(ParticipantID(bytes: try given.bytes("newcomer"))), hello: try given.bytes("hello"))
    let key = AgreementKey(seed: try #require(Secret(try given.bytes("seed_kex"))))
    let sealed = try given.bytes("sealed")
    #expect(outcome { _ = try seal.open(sealed, with: key) } == vector.open)
    guard let expected = vector.expected else { return }
    let epoch = try seal.open(sealed, with: key)
    #expect(try epoch.id.bytes == expected.bytes("epoch_id"))
    #expect(try epoch.generation == expected.integer("generation"))
    #expect(try epoch.chain.bytes == expected.bytes("chain"))
  }

  @Test("a newcomer opens what a member sealed for it; nobody else does")
  func roundTrip() throws {
    let seal = WelcomeSeal(
      scope: Fixture.door.scope, welcomer: Fixture.alice.id, newcomer: Fixture.bob.id, hello: [2, 1, 1])
    let epoch = try #require(Fixture.epoch.advanced(to: 3))
    let sealed = try seal.seal(epoch, to: Fixture.bob.agreement.publicKey)
    #expect(sealed.count == WelcomeSeal.length)
    #expect(try seal.open(sealed, with: Fixture.bob.agreement) == epoch)
    #expect(throws: WelcomeError.seal) { try seal.open(sealed, with: Fixture.mallory.agreement) }
    #expect(try seal.seal(epoch, to: Fixture.bob.agreement.publicKey) != sealed)
  }

  @Test("every flipped bit of a welcome is refused")
  func flips() throws {
    let seal = WelcomeSeal(
      scope: Fixture.door.scope, welcomer: Fixture.alice.id, newcomer: Fixture.bob.id, hello: [2])
    let sealed = try seal.seal(Fixture.epoch, to: Fixture.bob.agreement.publicKey)
    for bit in 0..<(sealed.count * 8) {
      var flipped = sealed
      flipped[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: WelcomeError.seal, "bit \(bit)") { try seal.open(flipped, with: Fixture.bob.agreement) }
    }
  }
}

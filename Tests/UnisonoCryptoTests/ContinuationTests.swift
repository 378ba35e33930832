import Testing
import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto

@Suite("What is kept for another day")
struct ContinuationTests {
  private let key = [UInt8](repeating: 7, count: 32)

  private func continuation(origin: [UInt8]? = nil) throws -> Continuation {
    let identity = Identity { [UInt8](repeating: 3, count: $0) }
    let origin = origin ?? Origin(root: identity.id, controlPolicy: 0, joinerRole: 2).bytes
    let door = Secret { [UInt8](repeating: 4, count: $0) }
    let chain = Secret { [UInt8](repeating: 5, count: $0) }
    let scope = Door(session: Hash.sha256(Label.session.bytes + origin), secret: door).scope
    let record = RosterRecord.founding(
      roster: [identity.id], policy: PolicyStack.origin, chain: chain, scope: scope, author: identity.signing)
    let text = ContinuationText(
      origin: origin, made: 1_795_000_000_000_000_000, time: 77, lane: 3,
      hubs: [HubAddress(address: "192.0.2.1:7400", hub: [UInt8](repeating: 1, count: 16))],
      passes: [[UInt8](repeating: 1, count: 16): [UInt8](repeating: 2, count: 38)],
      record: WelcomeText(record: record.bytes, proof: [record.bytes], roster: [identity.id]))
    return try #require(Continuation(door: door, hub: chain, seeds: identity.seeds, chain: chain, text: text))
  }

  @Test("F94: it is opened with its key as it was sealed, and proves that its key is the group's")
  func opens() throws {
    let made = try continuation()
    let seal = ContinuationSeal(key: key)
    let sealed = try seal.seal(made) { [UInt8](repeating: 9, count: $0) }
    let opened = try seal.open(sealed)
    #expect(opened.text == made.text && opened.door == made.door && opened.chain == made.chain && opened.hub == made.hub)
    #expect(Identity(opened.seeds).id == Identity(made.seeds).id)
    #expect(opened.channel(now: 0, random: { [UInt8](repeating: 1, count: $0) }) != nil)
    #expect(try ContinuationText(reading: made.text.encoded) == made.text)
  }

  @Test("F94: another key, any changed byte and every part of it are refused")
  func refuses() throws {
    let seal = ContinuationSeal(key: key)
    let sealed = try seal.seal(try continuation()) { [UInt8](repeating: 9, count: $0) }
    #expect(throws: ContinuationError.seal) { try ContinuationSeal(key: [UInt8](repeating: 8, count: 32)).open(sealed) }
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      let expected: ContinuationError = index < 4 ? .format : index == 4 ? .version : .seal
      #expect(throws: expected) { try seal.open(changed) }
    }
    for length in sealed.indices {
      #expect(throws: ContinuationError.self) { try seal.open(Array(sealed[..<length])) }
    }
    #expect(throws: ContinuationError.length) { try seal.open(sealed + [UInt8](repeating: 0, count: 1_048_576)) }
  }

  @Test("F94: one that opens, and whose record is of another door, or names another key, proves nothing")
  func provesNothing() throws {
    let made = try continuation()
    let other = Secret { [UInt8](repeating: 6, count: $0) }
    let random: (Int) -> [UInt8] = { [UInt8](repeating: 1, count: $0) }
    for (door, chain) in [(other, made.chain), (made.door, other)] {
      let bent = try #require(Continuation(door: door, hub: other, seeds: made.seeds, chain: chain, text: made.text))
      #expect(bent.channel(now: 0, random: random) == nil)
    }
    let stranger = Identity { [UInt8](repeating: 2, count: $0) }
    let stolen = try #require(
      Continuation(door: made.door, hub: other, seeds: stranger.seeds, chain: made.chain, text: made.text))
    #expect(stolen.channel(now: 0, random: random) == nil)
  }

  @Test("F94: every part of what it says is refused, and group time goes on by the calendar, never back")
  func text() throws {
    let made = try continuation()
    let bytes = made.text.encoded
    for length in bytes.indices {
      #expect(throws: WireError.self) { try ContinuationText(reading: Array(bytes[..<length])) }
    }
    #expect(made.groupTime(at: made.text.made + 5) == made.text.time + 5)
    #expect(made.groupTime(at: 0) == made.text.time)
    #expect(made.groupTime(at: .max) - made.text.time == .seconds(10 * 365 * 86_400))
    #expect(Origin([1] + made.origin.bytes.dropFirst()) == nil)
  }
}

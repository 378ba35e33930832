import Testing
import UnisonoBase
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Key schedule") struct ScheduleTests {
  @Test("derives doors and send keys", arguments: Vectors.good("schedule"))
  func schedule(_ vector: VectorCase) throws {
    let (given, expected) = (vector.given, try #require(vector.expected))
    let origin = try given.bytes("origin")
    let root = try #require(ParticipantID(bytes: origin[1..<17]))
    let session = Origin(root: root, controlPolicy: origin[17], joinerRole: origin[18]).session
    #expect(try session == expected.bytes("session"))
    let door = Door(session: session, secret: try #require(Secret(try given.bytes("door"))))
    #expect(try door.topic == expected.bytes("topic"))
    #expect(try door.chain.bytes == expected.bytes("door_chain"))
    let chain = try #require(Secret(try given.bytes("chain")))
    let seed = try #require(Secret(try given.bytes("seed_sign")))
    let sender = Identity(signingSeed: seed, agreementSeed: seed, hybridSeed: seed).id
    #expect(try sender.bytes == expected.bytes("id"))
    let kind = try #require(EnvelopeHeader.Kind(rawValue: try given.integer("kind")))
    let lane = try given.bytes("lane")
    let header = EnvelopeHeader(
      kind: kind, epoch: .none, sender: sender,
      lane: Lane(
        index: lane[..<4].reduce(0) { $0 << 8 | UInt32($1) }, random: lane[4...].reduce(0) { $0 << 8 | UInt64($1) }),
      counter: 0)
    let key = SendKey(chain: kind == .door ? door.chain : chain, scope: door.scope, header: header)
    #expect(try key.secret.bytes == expected.bytes("send_key"))
  }

  @Test("Z1: an invite leads to no content key: the record's key comes from elsewhere")
  func door() {
    let header = Fixture.header()
    #expect(SendKey(chain: Fixture.door.chain, scope: Fixture.door.scope, header: header) != Fixture.key(header))
  }

  @Test(
    "Z7: a cloned process with the same keys, index and counter seals under another key: its lane was drawn for itself")
  func clones() throws {
    let lanes = ["one", "other"].map { name in
      Lane(index: 1, random: Fixture.random(name)(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
    for kind in [EnvelopeHeader.Kind.door, .ordered, .unordered] {
      let headers = lanes.map { Fixture.header(kind, lane: $0, counter: 0) }
      #expect(Fixture.key(headers[0]) != Fixture.key(headers[1]))
      #expect(throws: EnvelopeError.seal) {
        try Envelope.open(Fixture.seal([9], headers[0]), key: Fixture.key(headers[1]))
      }
    }
  }

  @Test("each of kind, sender, lane, topic and record has a send key of its own")
  func separation() throws {
    let other = Door(session: Fixture.origin.session, secret: Fixture.secret("test other door"))
    let next = RosterRecord.step(
      after: Fixture.founding, roster: [Fixture.alice.id], admitting: [], chain: Fixture.chain, scope: Fixture.door.scope,
      author: Fixture.alice.signing)
    let header = Fixture.header()
    let keys = [
      Fixture.key(header),
      Fixture.key(Fixture.header(.unordered)),
      Fixture.key(Fixture.header(from: Fixture.bob)),
      Fixture.key(Fixture.header(lane: Lane(index: 2, random: Fixture.lane.random))),
      SendKey(chain: Fixture.chain, scope: other.scope, header: header),
      SendKey(chain: next.chain, scope: Fixture.door.scope, header: header),
    ]
    #expect(Set(keys.map(\.secret.bytes)).count == keys.count)
  }
}

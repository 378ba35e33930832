import Testing
import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Vectors: what is sealed for some") struct SealedVectorTests {
  private struct Refused: Error, CustomStringConvertible { let description: String }

  private func scope(_ given: VectorFields) throws -> Scope {
    Scope(session: try given.bytes("session"), topic: try given.bytes("topic"))
  }

  private func participant(_ given: VectorFields, _ key: String) throws -> ParticipantID {
    try #require(ParticipantID(bytes: try given.bytes(key)))
  }

  private func key(_ given: VectorFields) throws -> AgreementKey {
    AgreementKey(seed: try #require(Secret(try given.bytes("seed_kex"))))
  }

  @Test("private messages open for whom they are meant", arguments: Vectors.cases("private"))
  func privateMessages(_ vector: VectorCase) throws {
    let given = vector.given
    var reader = ByteReader(try given.bytes("header"))
    let header = try EnvelopeHeader(reading: &reader)
    let (scope, recipient, key) = try (scope(given), participant(given, "recipient"), key(given))
    let content = try given.bytes("content")
    var text: [UInt8]?
    let result = outcome {
      guard case .private(let message)? = try InnerMessage.decode(content) else { throw VectorError.field("content") }
      text = PrivateSeal.open(message, header: header, scope: scope, recipient: recipient, key: key)
      if text == nil { throw Refused(description: "notAddressed") }
    }
    #expect(result == vector.open)
    #expect(try text == vector.expected?.bytes("text"))
  }

  @Test(
    "re-keys open for whom they are meant, and lead where an owner signed that they do",
    arguments: Vectors.cases("rekey"))
  func rekeys(_ vector: VectorCase) throws {
    let given = vector.given
    let (scope, recipient) = try (scope(given), participant(given, "recipient"))
    let key = HybridKey(seed: try #require(Secret(try given.bytes("seed_xwing"))))
    let (sender, content) = try (participant(given, "sender"), given.bytes("content"))
    var opened: RoomSecrets?
    let result = outcome {
      guard case .rekey(let message)? = try InnerMessage.decode(content) else { throw VectorError.field("content") }
      let terms = try message.levels.map { try PolicyLevel(reading: $0, hash: Hash.sha256) }.last?.terms
      guard let wrap = message.wraps.first(where: { $0.starts(with: recipient.bytes) }), let record = message.record, let terms else {
        throw Refused(description: "notAddressed")
      }
      let seal = RekeySeal(
        scope: scope, sender: sender, recipient: recipient, policy: PolicyStack.id(levels: message.levels),
        record: terms.founding)
      guard let (door, chain) = seal.open(wrap, with: key),
        let secrets = RoomSecrets(door: door, chain: chain, record: record, terms: terms, session: scope.session)
      else { throw Refused(description: "rekey") }
      opened = secrets
    }
    #expect(result == vector.open)
    guard let expected = vector.expected else { return }
    let secrets = try #require(opened)
    #expect(try secrets.door.bytes == expected.bytes("door"))
    #expect(try secrets.chain.bytes == expected.bytes("chain"))
    #expect(try secrets.place(in: scope.session).topic == expected.bytes("topic"))
    #expect(try secrets.founding.id.bytes == expected.bytes("record_id"))
  }
}

import Testing
import UnisonoBase
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Vectors: roster records") struct RecordVectorTests {
  private struct Refused: Error, CustomStringConvertible { let description: String }

  @Test("records are read, their signatures verified, and their content keys derived", arguments: Vectors.cases("record"))
  func records(_ vector: VectorCase) throws {
    let given = vector.given
    let scope = Scope(session: try given.bytes("session"), topic: try given.bytes("topic"))
    let author = try VerifyingKey(given.bytes("author"))
    let bytes = try given.bytes("record")
    let parent = given.has("parent_chain") ? Secret(try given.bytes("parent_chain")) : nil
    let own = given.has("chain") ? Secret(try given.bytes("chain")) : nil
    var read: (record: RosterRecord, chain: Secret)?
    let result = outcome {
      let record = try RosterRecord(reading: bytes, scope: scope)
      guard record.isSigned(by: author, scope: scope) else { throw Refused(description: "signature") }
      guard let chain = own ?? parent.map({ ContentKey.next(after: $0, by: record.body, scope: scope) }),
        ContentKey.commitment(to: chain, of: record.body, scope: scope) == record.body.commit
      else { throw Refused(description: "commit") }
      read = (record, chain)
    }
    #expect(result == vector.open)
    guard let expected = vector.expected else { return }
    let (record, chain) = try #require(read)
    #expect(try record.id.bytes == expected.bytes("id"))
    #expect(try record.body.kind.rawValue == expected.integer("kind"))
    #expect(try record.number == expected.integer("number"))
    #expect(try record.body.admitted.map(\.bytes) == expected.byteLists("admitted"))
    #expect(try chain.bytes == expected.bytes("chain"))
    #expect(record.bytes == bytes)
  }
}

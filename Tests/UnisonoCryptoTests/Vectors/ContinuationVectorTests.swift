import Testing
import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Vectors: tokens to go on by on another day") struct ContinuationVectorTests {
  private enum Refused: Error { case proof }

  @Test("F94: tokens say what they say, and prove that their key is the group's", arguments: Vectors.cases("continuation"))
  func tokens(_ vector: VectorCase) throws {
    var opened: Continuation?
    let result = outcome {
      let token = try ContinuationSeal(key: vector.given.bytes("key")).open(vector.given.bytes("token"))
      guard token.channel(now: 0, random: { [UInt8](repeating: 1, count: $0) }) != nil else { throw Refused.proof }
      opened = token
    }
    #expect(result == vector.open)
    guard let expected = vector.expected else { return }
    let token = try #require(opened)
    let secrets = [
      ("door", token.door), ("hub_seed", token.hub), ("seed_sign", token.seeds.signing), ("seed_kex", token.seeds.agreement),
      ("seed_xwing", token.seeds.hybrid), ("chain", token.chain),
    ]
    for (name, secret) in secrets { #expect(try secret.bytes == expected.bytes(name), "\(name)") }
    let text = token.text
    #expect(try Identity(token.seeds).id.bytes == expected.bytes("id") && text.origin == expected.bytes("origin"))
    #expect(try text.made == expected.integer("made") && text.time == GroupTime(expected.integer("time", Int64.self)))
    #expect(try text.lane == expected.integer("lane"))
    let scope = token.place.scope
    #expect(try RosterRecord(reading: text.record.record, scope: scope).id.bytes == expected.bytes("record_id"))
    let hubs = try expected.objects("hubs").map { HubAddress(address: try $0.text("address"), hub: try $0.bytes("hub")) }
    #expect(text.hubs == hubs)
    #expect(try Set(text.passes.map { $0.key + $0.value }) == Set(expected.byteLists("passes")))
    #expect(try text.levels == expected.byteLists("levels"))
    let statements = text.statements.map { statement in
      var writer = ItemWriter()
      writer.item(1, statement.body)
      writer.item(2, statement.signature)
      return writer.bytes
    }
    #expect(try statements == expected.byteLists("statements"))
    if vector.deterministic == true {
      let sealed = try vector.given.bytes("token")
      let again = try ContinuationSeal(key: vector.given.bytes("key")).seal(token) { Array(sealed[5..<(5 + $0)]) }
      #expect(again == sealed)
    }
  }
}

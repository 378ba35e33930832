import Testing
import UnisonoBase

@testable import UnisonoCrypto

@Suite("Vectors: items and values") struct TLVVectorTests {
  @Test("items are read as in the vectors", arguments: Vectors.cases("tlv").filter { $0.given.has("bytes") })
  func items(_ vector: VectorCase) throws {
    let given = vector.given
    let (bytes, known, lists) = try (given.bytes("bytes"), given.bytes("known"), given.bytes("lists"))
    var found: [(tag: UInt8, value: [UInt8])] = []
    let result = outcome {
      var items = Items(bytes, lists: lists)
      while let item = try items.next() {
        if known.contains(item.tag) { found.append((item.tag, item.value.rest)) } else { try item.unknown() }
      }
    }
    #expect(result == vector.open)
    guard let expected = try vector.expected?.objects("items") else { return }
    #expect(found.map(\.tag) == (try expected.map { try $0.integer("tag") }))
    #expect(found.map(\.value) == (try expected.map { try $0.bytes("value") }))
  }

  @Test("values are read as in the vectors", arguments: Vectors.cases("tlv").filter { $0.given.has("form") })
  func values(_ vector: VectorCase) throws {
    let given = vector.given
    let value = try given.bytes("value")
    // An item around it, as on the wire.
    var items = Items([1, 0, UInt8(value.count / 256), UInt8(value.count % 256)] + value)
    let item = try #require(try items.next())
    let (form, limit) = try (given.text("form"), given.integer("limit", Int.self))
    var read: String?
    #expect(outcome { read = try text(of: item, form, limit) } == vector.open)
    #expect(try read == vector.expected?.text("reads"))
  }

  private func text(of item: Item, _ form: String, _ limit: Int) throws -> String {
    switch form {
    case "u8": String(try item.integer(UInt8.self))
    case "u16": String(try item.integer(UInt16.self))
    case "u32": String(try item.integer(UInt32.self))
    case "u64": String(try item.integer(UInt64.self))
    case "bool": try item.boolean() ? "1" : "0"
    case "time": String(try item.time())
    case "f64": String(try item.number())
    case "id": try (item.identifier() as ParticipantID).bytes.hex
    case "ids": try (item.identifiers(upTo: limit) as [ParticipantID]).flatMap(\.bytes).hex
    case "text": try item.text(upTo: limit)
    default: throw VectorError.field(form)
    }
  }
}

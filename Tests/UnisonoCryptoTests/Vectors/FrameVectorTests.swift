import Testing
import UnisonoBase
import UnisonoNearby
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Vectors: frames, messages and registers") struct FrameVectorTests {
  @Test(
    "each is read, and written again byte for byte; what is bent is refused, what is later is skipped",
    arguments: Vectors.cases("frames"))
  func frames(_ vector: VectorCase) throws {
    let (form, type) = try (vector.given.text("form"), vector.given.integer("type", UInt8.self))
    let body = try vector.given.bytes("body")
    var written: [UInt8]?
    let result = outcome { written = try again(form, RawFrame(type: type, body: body)) }
    if vector.open == "skipped" {
      #expect(result == "ok" && written == nil)
      return
    }
    #expect(result == vector.open)
    guard vector.open == "ok", !skipsSomething(body) else { return }
    #expect(written == body)
  }

  /// What is written of what was read; nil: of a later version.
  private func again(_ form: String, _ frame: RawFrame) throws -> [UInt8]? {
    switch form {
    case "hub": return try HubFrame.decode(frame)?.raw.body
    case "pairing": return try PairingFrame.decode(frame)?.raw.body
    case "message":
      let content = [frame.type] + frame.body
      // Of an audience.
      if 37...40 ~= frame.type || frame.type == 42 { return Array(try StageMessage.decode(content).encoded.dropFirst()) }
      return try InnerMessage.decode(content).map { Array($0.encoded.dropFirst()) }
    default: return try StatementBody.decode(frame.body).map { try StatementBody.encode($0) }
    }
  }

  private func skipsSomething(_ body: [UInt8]) -> Bool {
    var items = Items(body, lists: Array(1...127))
    while let item = try? items.next() { if item.tag == 60 { return true } }
    return false
  }
}

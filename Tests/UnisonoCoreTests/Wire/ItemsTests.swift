import Testing

@testable import UnisonoBase
@testable import UnisonoWire

@Suite struct ItemsTests {
  private func item(_ tag: UInt8, _ value: [UInt8] = []) -> [UInt8] {
    [tag, 0, UInt8(value.count >> 8), UInt8(value.count & 0xFF)] + value
  }

  private func tags(_ bytes: [UInt8], lists: [UInt8] = []) throws -> [UInt8] {
    var items = Items(bytes, lists: lists)
    var tags: [UInt8] = []
    while let item = try items.next() { tags.append(item.tag) }
    return tags
  }

  @Test("tags ascend; only declared lists repeat; tag 0 is illegal")
  func order() throws {
    #expect(try tags(item(1) + item(2) + item(255)) == [1, 2, 255])
    #expect(try tags(item(1) + item(2) + item(2), lists: [2]) == [1, 2, 2])
    #expect(throws: WireError.order) { try tags(item(2) + item(1)) }
    #expect(throws: WireError.order) { try tags(item(1) + item(1), lists: [2]) }
    #expect(throws: WireError.order) { try tags(item(0)) }
  }

  @Test("an item that says more than there is, or less than a head, is cut")
  func truncated() {
    #expect(throws: WireError.truncated) { try tags([1, 0, 0, 2, 9]) }
    #expect(throws: WireError.truncated) { try tags([1, 0xFF, 0xFF, 0xFF, 9]) }
    #expect(throws: WireError.truncated) { try tags(item(1) + [2, 0, 0]) }
  }

  @Test("integers have exactly their width, booleans are 0 or 1")
  func widths() throws {
    func only(_ value: [UInt8]) throws -> Item {
      var items = Items(item(1, value))
      return try #require(try items.next())
    }
    #expect(throws: WireError.width) { try only([1, 2, 3]).integer(UInt32.self) }
    #expect(throws: WireError.width) { try only([1, 2, 3, 4, 5]).integer(UInt32.self) }
    #expect(try only([0, 0, 1, 0]).integer(UInt32.self) == 256)
    #expect(try only([1]).boolean())
    #expect(throws: WireError.range) { try only([2]).boolean() }
  }

  @Test("text is UTF-8 without NUL within its limit")
  func text() throws {
    func read(_ value: [UInt8]) throws -> String {
      var items = Items(item(1, value))
      return try #require(try items.next()).text(1, upTo: 4)
    }
    #expect(try read(Array("dä".utf8)) == "dä")
    #expect(throws: WireError.text) { try read([0xC3]) }
    #expect(throws: WireError.text) { try read([0xC0, 0x80]) }
    #expect(throws: WireError.text) { try read([0x61, 0]) }
    #expect(throws: WireError.text) { try read([]) }
    #expect(throws: WireError.text) { try read(Array("fünf".utf8)) }
  }

  @Test("lists of ids ascend without doubles")
  func identifiers() throws {
    func read(_ ids: [UInt64]) throws -> [ParticipantID] {
      var writer = ByteWriter()
      for id in ids { writer.identifier(ParticipantID(high: 0, low: id)) }
      var items = Items(item(1, writer.bytes))
      return try #require(try items.next()).identifiers(upTo: 3)
    }
    #expect(try read([1, 2, 9]).count == 3)
    #expect(throws: WireError.order) { try read([2, 1]) }
    #expect(throws: WireError.order) { try read([2, 2]) }
    #expect(throws: WireError.count) { try read([1, 2, 3, 4]) }
  }

  @Test("Z35: an unknown tag 60 is skipped, an unknown tag 200 refuses the message")
  func mustUnderstand() throws {
    let bye = InnerMessage.bye.encoded
    #expect(try InnerMessage.decode(bye + item(60, [1, 2, 3])) == .bye)
    #expect(throws: WireError.unknownMustUnderstand) { try InnerMessage.decode(bye + item(200)) }

    let ping = HubFrame.ping(7).raw
    #expect(try HubFrame.decode(RawFrame(type: ping.type, body: ping.body + item(60))) == .ping(7))
    #expect(throws: WireError.unknownMustUnderstand) {
      try HubFrame.decode(RawFrame(type: ping.type, body: ping.body + item(200)))
    }
  }

  @Test("unknown types up to 127 are skipped, others refused")
  func unknownTypes() throws {
    #expect(try HubFrame.decode(RawFrame(type: 100, body: [1, 2, 3])) == nil)
    #expect(throws: WireError.unknownMustUnderstand) { try HubFrame.decode(RawFrame(type: 200, body: [])) }
    #expect(try InnerMessage.decode([100, 1, 2]) == nil)
    #expect(throws: WireError.unknownMustUnderstand) { try InnerMessage.decode([200]) }
  }
}

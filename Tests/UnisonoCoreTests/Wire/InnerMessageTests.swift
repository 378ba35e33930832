import Testing

@testable import UnisonoBase
@testable import UnisonoReplica
@testable import UnisonoWire

@Suite struct InnerMessageTests {
  @Test("every message comes back as it was, and its bytes too", arguments: 1...20)
  func roundTrip(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    for message in generator.innerMessages() {
      let decoded = try #require(try InnerMessage.decode(message.encoded))
      #expect(decoded == message)
      #expect(decoded.encoded == message.encoded)
      #expect(message.encoded.first == message.type.rawValue)
    }
  }

  @Test("what is left of a cut message is refused, unless it was cut at an item that may be absent")
  func prefixes() throws {
    var generator = SplitMix64(seed: 3)
    for message in generator.innerMessages() {
      let bytes = message.encoded
      for length in 0..<bytes.count where length < 300 || length % 7 == 0 {
        let cut = Array(bytes[..<length])
        if let shorter = try? InnerMessage.decode(cut) { #expect(shorter.encoded == cut) }
      }
    }
    #expect(throws: WireError.truncated) { try InnerMessage.decode([]) }
  }

  @Test("hello, welcome and decline come through the door only, a new key also there, data either way, the rest in order")
  func kinds() {
    var generator = SplitMix64(seed: 4)
    for message in generator.innerMessages() {
      switch message {
      case .hello, .welcome, .decline: #expect(message.fits(.door) && !message.fits(.ordered) && !message.fits(.unordered))
      case .data, .private: #expect(!message.fits(.door) && message.fits(.ordered) && message.fits(.unordered))
      case .rekey: #expect(message.fits(.door) && message.fits(.ordered) && !message.fits(.unordered))
      default: #expect(!message.fits(.door) && message.fits(.ordered) && !message.fits(.unordered))
      }
    }
  }

  @Test("a snapshot of no parts says nothing else, and a part's number is below their count")
  func snapshotParts() {
    #expect(throws: WireError.range) {
      try InnerMessage.decode(InnerMessage.snapshot(SnapshotPart(number: 2, of: 2)).encoded)
    }
    #expect(throws: WireError.range) {
      try InnerMessage.decode(InnerMessage.snapshot(SnapshotPart(number: 0, of: 0, intros: [[1]])).encoded)
    }
    #expect(throws: WireError.count) {
      try InnerMessage.decode(InnerMessage.snapshot(SnapshotPart(number: 0, of: 65)).encoded)
    }
  }

  @Test("a re-key's message has at most 16 wraps")
  func rekeyWraps() throws {
    var message = RekeyMessage(levels: [[1]], record: [2], wraps: Array(repeating: Array(repeating: 3, count: 1_216), count: 16))
    #expect(try InnerMessage.decode(InnerMessage.rekey(message).encoded) == .rekey(message))
    message.wraps.append(message.wraps[0])
    #expect(throws: WireError.count) { try InnerMessage.decode(InnerMessage.rekey(message).encoded) }
  }

  @Test("an application message is at most 65,536 bytes")
  func dataLimit() throws {
    let largest = InnerMessage.data(number: 1, bytes: Array(repeating: 1, count: 65_536))
    #expect(try InnerMessage.decode(largest.encoded) == largest)
    #expect(throws: WireError.count) {
      try InnerMessage.decode(InnerMessage.data(number: 1, bytes: Array(repeating: 1, count: 65_537)).encoded)
    }
  }

  @Test("an unknown kind of notice counts as custom, an unknown reason of a hello as joining")
  func unknownEnumerators() throws {
    #expect(try InnerMessage.decode([10, 1, 0, 0, 1, 99]) == .notice(NoticeMessage(kind: 0)))
    let hello = HelloMessage(intro: [9], reason: .returning, freshKey: Array(repeating: 4, count: 1_216))
    var later = InnerMessage.hello(hello).encoded
    later[10] = 99
    guard case .hello(let read)? = try InnerMessage.decode(later) else { return #expect(Bool(false), "no hello") }
    #expect(read.reason == .joining && read.freshKey == hello.freshKey)
  }

  @Test("registers that this version does not know are left out of HAVE and WANT")
  func unknownRegisters() throws {
    #expect(try InnerMessage.decode([7, 1, 0, 0, 2, 90, 1, 1, 0, 0, 1, 3]) == .want([.end]))
    #expect(throws: WireError.unknownMustUnderstand) { try InnerMessage.decode([7, 1, 0, 0, 1, 190]) }
  }

  @Test("random and changed bytes never trap", arguments: 1...4)
  func random(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    for _ in 0..<1_500 {
      let body = generator.bytes(Int.random(in: 0...80, using: &generator))
      for type in UInt8(1)...22 { _ = try? InnerMessage.decode([type] + body) }
    }
    for _ in 0..<60 {
      for message in generator.innerMessages() {
        var bytes = message.encoded
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        guard let decoded = try? InnerMessage.decode(bytes) else { continue }
        #expect(try InnerMessage.decode(decoded.encoded) == decoded)
      }
    }
  }
}

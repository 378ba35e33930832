import Testing
import UnisonoBase
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Records of a link") struct RecordTests {
  private let key = Fixture.secret("link")
  private let frames = (0..<5).map { HubFrame.ping(UInt64($0)).raw }

  private func records() -> [[UInt8]] {
    var sealer = RecordSealer(key: key)
    return frames.map { Array((sealer.seal(RecordText($0)) ?? []).dropFirst(4)) }
  }

  @Test("Z65: a record that was doubled, dropped, bent or swapped does not open, and nothing after it does")
  func order() throws {
    let good = records()
    var all = RecordOpener(key: key)
    #expect(try good.map { try all.open($0) } == frames)
    var bent = good
    bent[1][7] ^= 1
    let shortened = [good[0], Array(good[1].dropLast())] + good[2...]
    let doubled = [good[0], good[0]] + good[1...]
    let swapped = [good[1], good[0]] + good[2...]
    for faulty in [doubled, [good[0]] + good[2...], bent, swapped, shortened] {
      var opener = RecordOpener(key: key)
      var opened: [RawFrame] = []
      for record in faulty { if let frame = try? opener.open(record) { opened.append(frame) } else { break } }
      #expect(opened == Array(frames.prefix(opened.count)) && opened.count < 2)
    }
    var other = RecordOpener(key: Fixture.secret("other link"))
    #expect(throws: RecordError.seal) { try other.open(good[0]) }
  }

  @Test("Z64: what is short has one length on the wire, what is long one of few, and clock probes one of their own")
  func lengths() throws {
    for count in [0, 1, 60, 500, 636] {
      #expect(RecordText(RawFrame(type: 8, body: [UInt8](repeating: 1, count: count))).bytes.count == 640)
    }
    #expect(RecordText(RawFrame(type: 9, body: [UInt8](repeating: 1, count: 64))).bytes.count == 128)
    for (count, padded) in [(637, 704), (1_000, 1_024), (1_100, 1_152), (5_000, 5_120), (262_143, 294_912)] {
      #expect(RecordText(RawFrame(type: 8, body: [UInt8](repeating: 1, count: count))).bytes.count == padded)
    }
    #expect(RecordText.greatestRecord == 294_912 + 16)
  }

  @Test("a text whose length goes beyond it, or whose padding is not zeros, holds no frame")
  func texts() throws {
    let text = RecordText(RawFrame(type: 8, body: [1, 2, 3])).bytes
    #expect(try RecordText.frame(in: text) == RawFrame(type: 8, body: [1, 2, 3]))
    var padded = text
    padded[639] = 1
    #expect(throws: WireError.trailing) { try RecordText.frame(in: padded) }
    var long = text
    long[1] = 1
    #expect(throws: WireError.truncated) { try RecordText.frame(in: long) }
    #expect(throws: WireError.truncated) { try RecordText.frame(in: [1, 0, 0]) }
  }

  @Test("after 2^32 records a link is at its end, on both sides")
  func exhausted() throws {
    var sealer = RecordSealer(key: key, counter: RecordText.mostRecords - 1)
    var opener = RecordOpener(key: key, counter: RecordText.mostRecords - 1)
    let sealed = sealer.seal(RecordText(frames[0]))
    let last = try #require(sealed)
    #expect(sealer.seal(RecordText(frames[1])) == nil)
    #expect(try opener.open(Array(last.dropFirst(4))) == frames[0])
    #expect(throws: RecordError.exhausted) { try opener.open(Array(last.dropFirst(4))) }
  }

  @Test("records are sealed and opened as in the vectors", arguments: Vectors.cases("link").filter { $0.side == "record" })
  func vectors(_ vector: VectorCase) throws {
    let given = vector.given
    let (key, counter) = (try #require(Secret(try given.bytes("key"))), try given.integer("counter", UInt64.self))
    if let expected = vector.expected {
      var sealer = RecordSealer(key: key, counter: counter)
      let frame = RawFrame(type: try given.integer("type", UInt8.self), body: try given.bytes("body"))
      let record = sealer.seal(RecordText(frame))
      #expect(try record == expected.bytes("wire"))
      var opener = RecordOpener(key: key, counter: counter)
      #expect(try opener.open(Array(#require(record).dropFirst(4))) == frame)
      return
    }
    let wire = try given.bytes("wire")
    let result = outcome {
      var assembler = FrameAssembler(limit: RecordText.greatestRecord)
      assembler.append(wire)
      var opener = RecordOpener(key: key, counter: counter)
      _ = try opener.open(#require(try assembler.nextContent()))
    }
    #expect(result == vector.open)
  }

  @Test("each length comes out as in the vectors", arguments: Vectors.cases("link").filter { $0.side == "length" })
  func lengths(_ vector: VectorCase) throws {
    let type = try vector.given.integer("type", UInt8.self)
    let text = RecordText(RawFrame(type: type, body: [UInt8](repeating: 0, count: try vector.given.integer("body_length"))))
    #expect(try text.recordLength - 4 == #require(vector.expected).integer("n"))
  }
}

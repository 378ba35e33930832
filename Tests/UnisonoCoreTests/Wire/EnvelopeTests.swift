import Testing

@testable import UnisonoBase
@testable import UnisonoWire

@Suite struct EnvelopeTests {
  @Test("a header is 50 bytes and comes back as it was")
  func header() throws {
    let header = EnvelopeHeader(
      kind: .ordered, epoch: EpochID(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C),
      sender: ParticipantID(high: 1, low: 2), lane: Lane(index: 3, random: 4), counter: 5)
    #expect(header.bytes.count == EnvelopeHeader.length)
    #expect(Array(header.bytes[..<14]) == [2, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    var reader = ByteReader(header.bytes)
    #expect(try EnvelopeHeader(reading: &reader) == header)
    for length in 0..<50 {
      var reader = ByteReader(Array(header.bytes[..<length]))
      #expect(throws: WireError.truncated) { try EnvelopeHeader(reading: &reader) }
    }
  }

  @Test("another format or kind, an epoch in a door envelope, and wrong lengths are refused")
  func badHeader() {
    var bytes = [UInt8](repeating: 0, count: 578)
    #expect(throws: WireError.range) { try EnvelopeHeader(envelope: bytes) }
    bytes[0] = 2
    #expect(throws: Never.self) { try EnvelopeHeader(envelope: bytes) }
    #expect(throws: WireError.truncated) { try EnvelopeHeader(envelope: Array(bytes.dropLast())) }
    #expect(throws: WireError.count) { try EnvelopeHeader(envelope: bytes + Array(repeating: 0, count: 229_249)) }
    bytes[9] = 1
    #expect(throws: WireError.range) { try EnvelopeHeader(envelope: bytes) }
    bytes[1] = 5
    #expect(throws: WireError.range) { try EnvelopeHeader(envelope: bytes) }
  }

  @Test("plain text is padded to the steps of the protocol")
  func padding() {
    for (length, padded) in [(69, 512), (512, 512), (513, 1_024), (5_000, 8_192), (8_193, 9_216), (70_000, 73_728)] {
      #expect(EnvelopePlain.paddedLength(content: length - 68) == padded)
    }
    #expect(EnvelopePlain.paddedLength(content: WireLimits.content) + 66 == EnvelopeHeader.envelopeLengths.upperBound)
    #expect(EnvelopePlain.paddedLength(content: 1) + 66 == EnvelopeHeader.envelopeLengths.lowerBound)
    #expect(Set((1...8_124).map(EnvelopePlain.paddedLength)) == [512, 1_024, 2_048, 4_096, 8_192])
    for content in 1...20_000 {
      let padded = EnvelopePlain.paddedLength(content: content)
      #expect(padded >= content + 68)
      #expect(padded < (content + 68 > 8_192 ? content + 68 + (content + 68) / 8 + 1 : max(513, 2 * (content + 68))))
    }
  }

  @Test("padding is exact and zero")
  func unpadding() throws {
    let plain = EnvelopePlain(signature: Array(repeating: 7, count: 64), content: [1, 2, 3])
    let padded = plain.padded
    #expect(padded.count == 512)
    #expect(try EnvelopePlain(padded: padded) == plain)
    #expect(throws: WireError.width) { try EnvelopePlain(padded: padded + Array(repeating: 0, count: 64)) }
    #expect(throws: WireError.width) { try EnvelopePlain(padded: Array(padded.dropLast())) }
    for index in 71..<512 {
      var bad = padded
      bad[index] = 1
      #expect(throws: WireError.trailing) { try EnvelopePlain(padded: bad) }
    }
    var empty = padded
    empty[67] = 0
    #expect(throws: WireError.count) { try EnvelopePlain(padded: empty) }
  }
}

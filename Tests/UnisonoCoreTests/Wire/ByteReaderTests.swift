import Testing

@testable import UnisonoBase

@Suite struct ByteReaderTests {
  @Test("taking more than remains throws and moves nothing")
  func takeIsBounded() throws {
    var reader = ByteReader([1, 2, 3])
    #expect(throws: WireError.truncated) { try reader.take(4) }
    #expect(throws: WireError.truncated) { try reader.take(Int.max) }
    #expect(throws: WireError.truncated) { try reader.take(-1) }
    #expect(try reader.integer(UInt16.self) == 0x0102)
    #expect(throws: WireError.truncated) { try reader.integer(UInt16.self) }
    #expect(try reader.integer(UInt8.self) == 3)
    try reader.finish()
  }

  @Test("a window reads only its own bytes")
  func windowsAreBounded() throws {
    var reader = ByteReader([1, 2, 3, 4])
    var window = try reader.take(2)
    #expect(window.rest == [1, 2])
    #expect(throws: WireError.truncated) { try window.integer(UInt32.self) }
    #expect(reader.rest == [3, 4])
    #expect(throws: WireError.trailing) { try reader.finish() }
  }

  @Test("numbers are finite and never minus zero, times never INT64_MIN")
  func numbers() throws {
    for bad in [Double.nan, .infinity, -.infinity, -0.0] {
      var writer = ByteWriter()
      writer.integer(bad.bitPattern)
      var reader = ByteReader(writer.bytes)
      #expect(throws: WireError.range) { try reader.number() }
    }
    var writer = ByteWriter()
    writer.number(-0.0)
    writer.time(.min)
    var reader = ByteReader(writer.bytes)
    #expect(try reader.number().sign == .plus)
    #expect(throws: WireError.range) { try reader.time() }
  }
}

import Testing

@testable import UnisonoBase
@testable import UnisonoWire

@Suite struct FrameAssemblerTests {
  @Test("frames come out whole, in order, whatever the pieces", arguments: 1...10)
  func pieces(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    let frames = (0..<20).map { _ in
      RawFrame(
        type: UInt8.random(in: 1...255, using: &generator),
        body: generator.bytes(Int.random(in: 0...300, using: &generator)))
    }
    let stream = frames.flatMap(\.encoded)
    var assembler = FrameAssembler(limit: 1_024)
    var out: [RawFrame] = []
    var start = 0
    while start < stream.count {
      let end = min(stream.count, start + Int.random(in: 1...(seed == 1 ? 1 : 400), using: &generator))
      assembler.append(Array(stream[start..<end]))
      start = end
      while let frame = try assembler.next() { out.append(frame) }
    }
    #expect(out == frames)
    #expect(assembler.pending == 0)
  }

  @Test("a length of 0 or above the limit is refused before its bytes come")
  func lengths() throws {
    var zero = FrameAssembler(limit: 1_024)
    zero.append([0, 0, 0, 0])
    #expect(throws: WireError.range) { try zero.next() }
    var long = FrameAssembler(limit: 1_024)
    long.append([0, 0, 4, 1])
    #expect(throws: WireError.count) { try long.next() }
    long.limit = WireLimits.frame
    #expect(try long.next() == nil)
    var huge = FrameAssembler(limit: WireLimits.frame)
    huge.append([0xFF, 0xFF, 0xFF, 0xFF])
    #expect(throws: WireError.count) { try huge.next() }
  }
}

import Testing
import UnisonoBase

@testable import UnisonoRuntime

@Suite("Frames of WebSockets")
struct WebSocketReaderTests {
  /// What a reader makes of `pieces`: parts with the payload of a message put together, and the code at which it stopped.
  private func read(_ pieces: [[UInt8]], limit: Int = 100_000) -> (parts: [WebSocketReader.Part], code: UInt16?) {
    var reader = WebSocketReader(limit: limit)
    var parts: [WebSocketReader.Part] = []
    var message: [UInt8] = []
    for piece in pieces {
      reader.append(piece)
      do throws(WebSocketViolation) {
        while let part = try reader.next() {
          guard case .data(let bytes, let ends) = part else {
            parts.append(part)
            if case .close = part { return (parts, nil) }
            continue
          }
          message += bytes
          guard ends else { continue }
          parts.append(.data(message, ends: true))
          message = []
        }
      } catch {
        return (parts, error.code.rawValue)
      }
    }
    return (parts, nil)
  }

  private static let hello = Array("Hello".utf8)

  @Test("F90: the examples of RFC 6455, 5.7, as far as a client may send them")
  func examples() {
    let masked: [UInt8] = [0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]
    #expect(read([[0x81] + masked]).code == 1_003)
    #expect(read([[0x82] + masked]).parts == [.data(Self.hello, ends: true)])
    #expect(read([[0x89] + masked]).parts == [.ping(Self.hello)])
    #expect(read([[0x8a] + masked]).parts == [.pong(Self.hello)])
    #expect(read([[0x81, 0x05] + Self.hello]).code == 1_002)
    #expect(read([[0x89, 0x05] + Self.hello]).code == 1_002)
    #expect(read([[0x01, 0x03, 0x48, 0x65, 0x6c], [0x80, 0x02, 0x6c, 0x6f]]).code == 1_002)
    let fragments = ClientFrames.frame(0x02, Array("Hel".utf8)) + ClientFrames.frame(0x80, Array("lo".utf8))
    #expect(read([fragments]).parts == [.data(Self.hello, ends: true)])
    for length in [256, 65_536] {
      let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      #expect(read([ClientFrames.binary(bytes)]).parts == [.data(bytes, ends: true)])
    }
  }

  @Test("F90: what a server sends is spelled as RFC 6455, 5.7 has it")
  func writer() {
    let short = [UInt8](repeating: 9, count: 125)
    #expect(WebSocketWriter.binary(short) == [0x82, 0x7d] + short)
    let long = [UInt8](repeating: 9, count: 256)
    #expect(WebSocketWriter.binary(long) == [0x82, 0x7e, 0x01, 0x00] + long)
    let longest = [UInt8](repeating: 9, count: 65_536)
    #expect(WebSocketWriter.binary(longest) == [0x82, 0x7f, 0, 0, 0, 0, 0, 1, 0, 0] + longest)
    #expect(WebSocketWriter.pong(Self.hello) == [0x8a, 0x05] + Self.hello)
    #expect(WebSocketWriter.close(.goingAway) == [0x88, 0x02, 0x03, 0xe9])
  }

  @Test("F90: wherever a stream is cut into pieces, the same is read")
  func splits() {
    let long = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
    let stream =
      ClientFrames.frame(0x02, Array(long[..<9])) + ClientFrames.ping([1, 2, 3]) + ClientFrames.frame(0x00, [])
      + ClientFrames.frame(0x80, Array(long[9...])) + ClientFrames.frame(0x8a, []) + ClientFrames.binary([7])
      + ClientFrames.close(1_000, "bye")
    let whole = read([stream])
    #expect(
      whole.parts == [
        .ping([1, 2, 3]), .data(long, ends: true), .pong([]), .data([7], ends: true), .close(.normal),
      ])
    for cut in 0...stream.count {
      #expect(read([Array(stream[..<cut]), Array(stream[cut...])]).parts == whole.parts)
    }
    #expect(read(stream.map { [$0] }).parts == whole.parts)
    var generator = SplitMix64(seed: 3)
    for _ in 0..<200 {
      var pieces: [[UInt8]] = []
      var rest = stream[...]
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...40, using: &generator))
        pieces.append(Array(piece))
        rest = rest.dropFirst(piece.count)
      }
      #expect(read(pieces).parts == whole.parts)
    }
  }

  @Test(
    "F90: what breaks RFC 6455 is refused with the code for it",
    arguments: [
      ("a reserved bit", [0xc2, 0x80, 0, 0, 0, 0], 1_002), ("an unknown opcode", [0x83, 0x80, 0, 0, 0, 0], 1_002),
      ("an unknown control opcode", [0x8b, 0x80, 0, 0, 0, 0], 1_002), ("no mask", [0x82, 0x01, 7], 1_002),
      ("a ping in parts", [0x09, 0x80, 0, 0, 0, 0], 1_002), ("a ping of 126 bytes", [0x89, 0xfe, 0, 126], 1_002),
      ("a continuation of nothing", ClientFrames.frame(0x80, [1]), 1_002),
      ("a message within a message", ClientFrames.frame(0x02, [1]) + ClientFrames.binary([2]), 1_002),
      ("text", ClientFrames.frame(0x01, [65]), 1_003),
      ("125 bytes with two of length", [0x82, 0xfe, 0, 125, 0, 0, 0, 0], 1_002),
      ("65,535 bytes with eight of length", [0x82, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0], 1_002),
      ("a negative length", [0x82, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1_002),
      ("the greatest length", [0x82, 0xff, 0x7f, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0], 1_009),
      ("a message of 1,001 bytes in parts", ClientFrames.inParts(501, 500), 1_009),
      ("half a code", ClientFrames.frame(0x88, [3]), 1_002), ("the code 1005", ClientFrames.close(1_005), 1_002),
      ("the code 1015", ClientFrames.close(1_015), 1_002), ("the code 999", ClientFrames.close(999), 1_002),
      ("the code 2999", ClientFrames.close(2_999), 1_002), ("the code 5000", ClientFrames.close(5_000), 1_002),
      ("a reason that is not UTF-8", ClientFrames.frame(0x88, [0x03, 0xe8, 0xc0, 0x80]), 1_007),
    ] as [(String, [UInt8], UInt16)])
  func hostile(what: String, bytes: [UInt8], code: UInt16) {
    #expect(read([bytes], limit: 1_000).code == code, "\(what)")
    #expect(read(bytes.map { [$0] }, limit: 1_000).code == code, "\(what), byte by byte")
  }

  @Test("F90: messages up to the limit, codes that programs define, and a Close without a code are read")
  func edges() {
    let most = [UInt8](repeating: 5, count: 1_000)
    #expect(read([ClientFrames.binary(most)], limit: 1_000).parts == [.data(most, ends: true)])
    #expect(read([ClientFrames.frame(0x88, [])]).parts == [.close(nil)])
    for code in [1_003, 1_014, 3_000, 4_999] as [UInt16] {
      #expect(read([ClientFrames.close(code)]).parts == [.close(WebSocketCloseCode(rawValue: code))])
    }
    let control = [UInt8](repeating: 1, count: 125)
    #expect(read([ClientFrames.ping(control)]).parts == [.ping(control)])
  }
}

@Suite("One record a message")
struct RecordBoundaryTests {
  private func judge(_ pieces: [(bytes: [UInt8], ends: Bool)]) -> UInt16? {
    var boundary = RecordBoundary()
    do throws(WebSocketViolation) {
      for piece in pieces { try boundary.take(piece.bytes, ends: piece.ends) }
    } catch {
      return error.code.rawValue
    }
    return nil
  }

  @Test("F90: whole records pass, in any pieces; parts of one, two at once and empty messages do not")
  func boundaries() {
    let record: [UInt8] = [0, 0, 0, 3, 1, 2, 3]
    #expect(judge([(record, true), (record, true)]) == nil)
    #expect(judge(record.dropLast().map { ([$0], false) } + [([3], true)]) == nil)
    #expect(judge([(record, false), ([], true), (record, true)]) == nil)
    #expect(judge([([], true)]) == 1_007)
    #expect(judge([([0, 0, 0], true)]) == 1_007)
    #expect(judge([(Array(record.dropLast()), true)]) == 1_007)
    #expect(judge([(record + record, true)]) == 1_007)
    #expect(judge([(record, false), ([0], false)]) == 1_007)
  }
}

/// Reads what a WebSocket client sends (RFC 6455, 5): bytes in, payload of messages and control frames out.
///
/// Payload is handed on as it comes, unmasked, so nothing is held here but the head of a frame and a control frame, 139 bytes: whoever
/// takes the payload has the limits for it. `append`, then `next` until it is nil. After it threw, or returned `close`, nothing may be
/// read.
struct WebSocketReader: Sendable {
  enum Part: Equatable, Sendable {
    /// Payload of a binary message; `ends`: the message is complete with it.
    case data([UInt8], ends: Bool)
    case ping([UInt8])
    case pong([UInt8])
    /// nil: without a code.
    case close(WebSocketCloseCode?)
  }

  private enum Opcode: UInt8 {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    var isControl: Bool { rawValue & 8 != 0 }
  }

  /// A frame whose head was read.
  private struct Frame {
    var opcode: Opcode
    var isFinal: Bool
    var mask: [UInt8]
    /// Payload that came, and that is still to come.
    var offset = 0
    var remaining: Int
  }

  /// Longest payload of a control frame.
  static let controlLength = 125

  /// Frames that complete no message: control frames, and fragments but the last.
  private(set) var extraFrames: UInt64 = 0
  /// Longest message.
  private let limit: Int
  private var input: [UInt8] = []
  private var position = 0
  private var head: [UInt8] = []
  private var frame: Frame?
  private var control: [UInt8] = []
  /// Of the message that is under way, as far as its frames were announced; nil: none is.
  private var messageLength: Int?

  init(limit: Int) { self.limit = limit }

  /// Takes bytes. Those before have been read: `next` returned nil.
  mutating func append(_ bytes: [UInt8]) {
    input = bytes
    position = 0
  }

  /// The next part; nil: more bytes are needed.
  mutating func next() throws(WebSocketViolation) -> Part? {
    if frame == nil { frame = try readHead() }
    guard var current = frame else { return nil }
    let count = min(current.remaining, input.count - position)
    if count == 0, current.remaining > 0 { return nil }
    var payload = Array(input[position..<(position + count)])
    Self.unmask(&payload, current.mask, offset: current.offset)
    position += count
    current.offset += count
    current.remaining -= count
    frame = current.remaining == 0 ? nil : current
    guard current.opcode.isControl else {
      let ends = current.isFinal && current.remaining == 0
      if ends { messageLength = nil }
      return .data(payload, ends: ends)
    }
    control += payload
    guard current.remaining == 0 else { return nil }
    defer { control = [] }
    switch current.opcode {
    case .ping: return .ping(control)
    case .pong: return .pong(control)
    default: return .close(try Self.code(of: control))
    }
  }

  // MARK: Heads of frames

  /// The head of the next frame, judged; nil: it is not complete.
  private mutating func readHead() throws(WebSocketViolation) -> Frame? {
    while position < input.count {
      head.append(input[position])
      position += 1
      if head.count == 2 { try judge(head[0], head[1]) }
      guard head.count == headLength, let opcode = Opcode(rawValue: head[0] & 15) else { continue }
      let length = try payloadLength()
      let frame = Frame(
        opcode: opcode, isFinal: head[0] & 0x80 != 0, mask: Array(head.suffix(4)), remaining: length)
      head.removeAll(keepingCapacity: true)
      if opcode.isControl || !frame.isFinal { extraFrames += 1 }
      if !opcode.isControl {
        let known = messageLength ?? 0
        guard length <= limit - known else {
          throw WebSocketViolation(code: .tooBig, text: "a message of more than \(limit) bytes")
        }
        messageLength = known + length
      }
      return frame
    }
    return nil
  }

  /// Length of a head that begins like this one, its mask included.
  private var headLength: Int {
    guard head.count >= 2 else { return 2 + 4 }
    switch head[1] & 127 {
    case 126: return 4 + 4
    case 127: return 10 + 4
    default: return 2 + 4
    }
  }

  /// Refuses by the first two bytes what needs no more to be refused.
  private func judge(_ first: UInt8, _ second: UInt8) throws(WebSocketViolation) {
    guard first & 0x70 == 0 else { throw .rule("a reserved bit") }
    guard let opcode = Opcode(rawValue: first & 15) else { throw .rule("an unknown kind of frame") }
    guard second & 0x80 != 0 else { throw .rule("a frame without a mask") }
    if opcode.isControl {
      guard first & 0x80 != 0 else { throw .rule("a control frame in parts") }
      guard second & 127 <= Self.controlLength else { throw .rule("a control frame that is too long") }
    } else {
      guard (opcode == .continuation) == (messageLength != nil) else { throw .rule("a fragment out of order") }
      guard opcode != .text else { throw WebSocketViolation(code: .unsupported, text: "a message of text") }
    }
  }

  /// Length of the payload, spelled in the shortest way.
  private func payloadLength() throws(WebSocketViolation) -> Int {
    let short = Int(head[1] & 127)
    guard short > 125 else { return short }
    let value = head[2..<(head.count - 4)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard value >= (short == 126 ? 126 : 65_536), value >> 63 == 0 else { throw .rule("a length in a wrong spelling") }
    return Int(value)
  }

  // MARK: Payload

  /// `payload` stands `offset` bytes behind the beginning of its frame's.
  private static func unmask(_ payload: inout [UInt8], _ mask: [UInt8], offset: Int) {
    let turned = (0..<8).map { mask[(offset + $0) & 3] }
    let wide = turned.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    payload.withUnsafeMutableBytes { bytes in
      let whole = bytes.count & ~7
      for index in stride(from: 0, to: whole, by: 8) {
        bytes.storeBytes(
          of: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ wide, toByteOffset: index, as: UInt64.self)
      }
      for index in whole..<bytes.count { bytes[index] ^= turned[index & 7] }
    }
  }

  private static func code(of payload: [UInt8]) throws(WebSocketViolation) -> WebSocketCloseCode? {
    if payload.isEmpty { return nil }
    guard payload.count >= 2 else { throw .rule("half a code in a Close frame") }
    let code = WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
    guard code.maySend else { throw .rule("a code that may not stand in a Close frame") }
    guard String(validating: payload[2...], as: UTF8.self) != nil else {
      throw WebSocketViolation(code: .inconsistent, text: "a reason that is not UTF-8")
    }
    return code
  }
}

/// Writes what a WebSocket server sends (RFC 6455, 5): whole messages and control frames, without masks.
enum WebSocketWriter {
  /// One binary message in one frame.
  static func binary(_ payload: [UInt8]) -> [UInt8] { frame(0x82, payload) }

  /// What goes before a payload of `count` bytes that is one binary message.
  static func binaryHead(_ count: Int) -> [UInt8] { head(0x82, count) }

  /// The answer to a Ping.
  static func pong(_ payload: [UInt8]) -> [UInt8] { frame(0x8A, payload) }

  static func close(_ code: WebSocketCloseCode) -> [UInt8] {
    frame(0x88, [UInt8(code.rawValue >> 8), UInt8(truncatingIfNeeded: code.rawValue)])
  }

  private static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] { head(first, payload.count) + payload }

  private static func head(_ first: UInt8, _ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(10)
    bytes.append(first)
    switch count {
    case ..<126: bytes.append(UInt8(count))
    case ..<65_536:
      bytes.append(126)
      append(count, octets: 2, to: &bytes)
    default:
      bytes.append(127)
      append(count, octets: 8, to: &bytes)
    }
    return bytes
  }

  private static func append(_ value: Int, octets: Int, to bytes: inout [UInt8]) {
    for index in (0..<octets).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }
}

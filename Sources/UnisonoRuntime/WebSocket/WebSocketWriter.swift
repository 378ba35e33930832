/// Writes what a WebSocket server sends (RFC 6455, 5): whole messages and control frames, without masks.
enum WebSocketWriter {
  /// One binary message in one frame.
  static func binary(_ payload: [UInt8]) -> [UInt8] { frame(0x82, payload) }

  /// The answer to a Ping.
  static func pong(_ payload: [UInt8]) -> [UInt8] { frame(0x8A, payload) }

  static func close(_ code: WebSocketCloseCode) -> [UInt8] {
    frame(0x88, [UInt8(code.rawValue >> 8), UInt8(truncatingIfNeeded: code.rawValue)])
  }

  private static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(payload.count + 10)
    bytes.append(first)
    switch payload.count {
    case ..<126: bytes.append(UInt8(payload.count))
    case ..<65_536:
      bytes.append(126)
      append(payload.count, octets: 2, to: &bytes)
    default:
      bytes.append(127)
      append(payload.count, octets: 8, to: &bytes)
    }
    bytes += payload
    return bytes
  }

  private static func append(_ value: Int, octets: Int, to bytes: inout [UInt8]) {
    for index in (0..<octets).reversed() { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
  }
}

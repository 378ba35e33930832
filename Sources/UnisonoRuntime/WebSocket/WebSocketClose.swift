/// Code of a Close frame (RFC 6455, 7.4).
struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
  let rawValue: UInt16

  static let normal = WebSocketCloseCode(rawValue: 1_000)
  static let goingAway = WebSocketCloseCode(rawValue: 1_001)
  static let protocolError = WebSocketCloseCode(rawValue: 1_002)
  static let unsupported = WebSocketCloseCode(rawValue: 1_003)
  static let inconsistent = WebSocketCloseCode(rawValue: 1_007)
  static let policy = WebSocketCloseCode(rawValue: 1_008)
  static let tooBig = WebSocketCloseCode(rawValue: 1_009)

  /// Whether it may stand in a frame at all: some are for programs to tell themselves, others nobody has defined.
  var maySend: Bool {
    switch rawValue {
    case 1_000...1_003, 1_007...1_014, 3_000...4_999: true
    default: false
    }
  }
}

/// A rule of WebSockets, or of the hub's use of them, that a client broke: the connection ends with this code.
struct WebSocketViolation: Error, Equatable, Sendable {
  var code: WebSocketCloseCode
  /// What was wrong, for the log.
  var text: String

  static func rule(_ text: String) -> WebSocketViolation { WebSocketViolation(code: .protocolError, text: text) }
}

/// Checks that each message is one frame or record of the hub's protocol, with its length field: neither a part of one nor several.
struct RecordBoundary: Sendable {
  private static let fieldLength = 4

  /// What the length field says, as far as it came.
  private var announced = 0
  private var count = 0

  /// Takes payload of a message; `ends`: the message is complete with it.
  mutating func take(_ payload: [UInt8], ends: Bool) throws(WebSocketViolation) {
    for byte in payload.prefix(max(0, Self.fieldLength - count)) { announced = announced << 8 | Int(byte) }
    count += payload.count
    let isKnown = count >= Self.fieldLength
    guard !isKnown || count <= Self.fieldLength + announced else { throw Self.violation }
    guard ends else { return }
    guard isKnown, count == Self.fieldLength + announced else { throw Self.violation }
    self = RecordBoundary()
  }

  private static let violation = WebSocketViolation(code: .inconsistent, text: "a message that is not one record")
}

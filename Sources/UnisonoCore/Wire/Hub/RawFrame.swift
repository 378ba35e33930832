/// A frame as it came: its type and body; handshakes hash the body exactly as it was on the wire.
public struct RawFrame: Hashable, Sendable {
  public var type: UInt8
  public var body: [UInt8]

  public init(type: UInt8, body: [UInt8]) {
    self.type = type
    self.body = body
  }

  /// u32 length of type and body, type, body.
  public var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.integer(UInt32(truncatingIfNeeded: body.count + 1))
    writer.integer(type)
    writer.append(body)
    return writer.bytes
  }
}

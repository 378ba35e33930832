import UnisonoBase

/// A frame as it came: its type and body; handshakes hash the body exactly as it was on the wire.
package struct RawFrame: Hashable, Sendable {
  package var type: UInt8
  package var body: [UInt8]

  package init(type: UInt8, body: [UInt8]) {
    self.type = type
    self.body = body
  }

  /// u32 length of type and body, type, body.
  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.integer(UInt32(truncatingIfNeeded: body.count + 1))
    writer.integer(type)
    writer.append(body)
    return writer.bytes
  }
}

import UnisonoBase

/// Plain text of a record of a link: one frame, padded so that its length says little of what is in it (wire 3.2).
///
/// type u8 ‖ u24 length of the body ‖ body ‖ zeros.
package struct RecordText: Hashable, Sendable {
  /// Length of the seal of a record.
  package static let tagLength = 16
  /// Least and greatest length of a record after its length field.
  package static let leastRecord = probeLength + tagLength
  package static let greatestRecord = 294_928
  /// One connection carries no more.
  package static let mostRecords: UInt64 = 1 << 32

  private static let headLength = 4
  private static let probeLength = 128
  private static let leastLength = 640

  package let bytes: [UInt8]

  /// The text of a frame of at most `WireLimits.frame` bytes.
  package init(_ frame: RawFrame) {
    let content = Self.headLength + frame.body.count
    let (length, count) = (Self.paddedLength(type: frame.type, content: content), frame.body.count)
    bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, written in
      buffer[0] = frame.type
      for index in 1...3 { buffer[index] = UInt8(truncatingIfNeeded: count >> (8 * (3 - index))) }
      _ = buffer[Self.headLength...].update(fromContentsOf: frame.body)
      buffer[content...].update(repeating: 0)
      written = length
    }
  }

  package init(_ frame: HubFrame) { self.init(frame.raw) }

  /// Bytes of the record on the wire, length field included.
  package var recordLength: Int { 4 + bytes.count + Self.tagLength }

  static func paddedLength(type: UInt8, content: Int) -> Int {
    if type == HubFrame.FrameType.probe.rawValue, content <= probeLength { return probeLength }
    guard content > leastLength else { return leastLength }
    let unit = 1 << (Int.bitWidth - 1 - content.leadingZeroBitCount - 3)
    return (content + unit - 1) / unit * unit
  }

  /// The frame in a text. Refuses a length that goes beyond it, and padding that is not zeros; how much there is is the sender's affair.
  package static func frame(in text: [UInt8]) throws(WireError) -> RawFrame {
    guard text.count >= headLength else { throw .truncated }
    let length = Int(text[1]) << 16 | Int(text[2]) << 8 | Int(text[3])
    guard length <= text.count - headLength else { throw .truncated }
    guard length < WireLimits.frame else { throw .count }
    guard text[(headLength + length)...].allSatisfy({ $0 == 0 }) else { throw .trailing }
    return RawFrame(type: text[0], body: Array(text[headLength..<(headLength + length)]))
  }
}

import UnisonoBase

/// What is sealed: a signature, the content, and zeros up to a length that blurs what was said.
package struct EnvelopePlain: Equatable, Sendable {
  package static let signatureLength = 64

  package var signature: [UInt8]
  package var content: [UInt8]

  package init(signature: [UInt8], content: [UInt8]) {
    self.signature = signature
    self.content = content
  }

  /// Length of the padded plain text for `content` bytes: up to 8,192 a power of two, at least 512; above, rounded up to an eighth of
  /// the power of two below.
  package static func paddedLength(content: Int) -> Int {
    let length = signatureLength + 4 + content
    if length <= 512 { return 512 }
    let exponent = Int.bitWidth - 1 - (length - 1).leadingZeroBitCount
    if length <= 8_192 { return 1 << (exponent + 1) }
    let unit = 1 << (Int.bitWidth - 1 - length.leadingZeroBitCount - 3)
    return (length + unit - 1) / unit * unit
  }

  package var padded: [UInt8] {
    var writer = ByteWriter()
    writer.append(signature)
    writer.integer(UInt32(truncatingIfNeeded: content.count))
    writer.append(content)
    writer.zeros(Self.paddedLength(content: content.count) - writer.bytes.count)
    return writer.bytes
  }

  /// Throws `truncated`; `count` for content of 0 or too many bytes; `width` for another length than the padding's;
  /// `trailing` for padding that is not zero.
  package init(padded: [UInt8]) throws(WireError) {
    var reader = ByteReader(padded)
    signature = try reader.array(Self.signatureLength)
    let length = Int(try reader.integer(UInt32.self))
    guard length >= 1, length <= WireLimits.content else { throw .count }
    content = try reader.array(length)
    guard padded.count == Self.paddedLength(content: length) else { throw .width }
    guard reader.rest.allSatisfy({ $0 == 0 }) else { throw .trailing }
  }
}

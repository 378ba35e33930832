/// Appends big-endian integers and bytes.
public struct ByteWriter: Sendable {
  public private(set) var bytes: [UInt8] = []

  public init() {}

  public mutating func integer(_ value: some FixedWidthInteger & UnsignedInteger) {
    var shift = value.bitWidth
    while shift > 0 {
      shift -= 8
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  public mutating func time(_ value: Int64) { integer(UInt64(bitPattern: value)) }

  /// -0 is written as 0.
  public mutating func number(_ value: Double) { integer(value == 0 ? 0 : value.bitPattern) }

  public mutating func identifier<Kind>(_ value: Identifier<Kind>) {
    integer(value.high)
    integer(value.low)
  }

  public mutating func append(_ part: some Sequence<UInt8>) { bytes.append(contentsOf: part) }
}

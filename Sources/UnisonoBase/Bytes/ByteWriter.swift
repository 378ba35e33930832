/// Appends big-endian integers and bytes.
package struct ByteWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func integer(_ value: some FixedWidthInteger & UnsignedInteger) {
    var shift = value.bitWidth
    while shift > 0 {
      shift -= 8
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  package mutating func time(_ value: Int64) { integer(UInt64(bitPattern: value)) }

  /// -0 is written as 0.
  package mutating func number(_ value: Double) { integer(value == 0 ? 0 : value.bitPattern) }

  package mutating func identifier<Kind>(_ value: Identifier<Kind>) {
    integer(value.high)
    integer(value.low)
  }

  package mutating func append(_ part: some Sequence<UInt8>) { bytes.append(contentsOf: part) }
  /// The same at once: where this is called from the other is not made for one kind of sequence.
  package mutating func append(_ part: [UInt8]) { bytes.append(contentsOf: part) }
  package mutating func zeros(_ count: Int) { bytes.append(contentsOf: repeatElement(0, count: count)) }
}

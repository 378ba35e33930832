/// Names a roster record in the header of an envelope: the first 12 bytes of the record's id. The same epoch is the same content
/// key, and the same list of who can read.
package struct EpochID: Hashable, Comparable, Sendable {
  package static let length = 12

  /// Bytes 0-7, big-endian.
  package let high: UInt64
  /// Bytes 8-11, big-endian.
  package let low: UInt32

  package init(high: UInt64, low: UInt32) {
    self.high = high
    self.low = low
  }

  /// The id in `bytes`; nil unless there are exactly 12.
  package init?(bytes: [UInt8]) {
    guard bytes.count == Self.length else { return nil }
    high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  package var bytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: high >> UInt64(56 - 8 * $0)) }
      + (0..<4).map { UInt8(truncatingIfNeeded: low >> UInt32(24 - 8 * $0)) }
  }

  /// Stands in headers of kind door, which belong to no epoch.
  package static let none = Self(high: 0, low: 0)

  package static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

/// Names a content key epoch; ordered as its eight bytes are.
package struct EpochID: Hashable, Comparable, Sendable {
  package let value: UInt64

  package init(value: UInt64) { self.value = value }

  /// The id in `bytes`; nil unless there are exactly 8.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 8 else { return nil }
    value = bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  package var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) } }

  /// Stands in headers of kind door, which belong to no epoch.
  package static let none = Self(value: 0)

  package static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

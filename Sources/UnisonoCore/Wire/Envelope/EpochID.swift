/// Names a content key epoch; ordered as its eight bytes are.
public struct EpochID: Hashable, Comparable, Sendable {
  public let value: UInt64

  public init(value: UInt64) { self.value = value }

  /// The id in `bytes`; nil unless there are exactly 8.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 8 else { return nil }
    value = bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  public var bytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) } }

  /// Stands in headers of kind door, which belong to no epoch.
  public static let none = Self(value: 0)

  public static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

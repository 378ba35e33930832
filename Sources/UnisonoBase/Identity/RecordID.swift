/// Id of a roster record: the hash of what its author signed, 32 bytes; ordered as its bytes are.
package struct RecordID: Hashable, Comparable, Sendable {
  private let first: UInt64
  private let second: UInt64
  private let third: UInt64
  private let fourth: UInt64

  package static let length = 32

  /// The id in `bytes`; nil unless there are exactly 32.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.length else { return nil }
    var words: [UInt64] = [0, 0, 0, 0]
    for (index, byte) in bytes.enumerated() { words[index / 8] = words[index / 8] << 8 | UInt64(byte) }
    (first, second, third, fourth) = (words[0], words[1], words[2], words[3])
  }

  private init(zero: Void) { (first, second, third, fourth) = (0, 0, 0, 0) }

  /// Stands where no record is named.
  package static let none = Self(zero: ())

  package var bytes: [UInt8] {
    [first, second, third, fourth].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) } }
  }

  /// Name of the record in headers of envelopes.
  package var epoch: EpochID { EpochID(high: first, low: UInt32(truncatingIfNeeded: second >> 32)) }

  package static func < (left: Self, right: Self) -> Bool {
    (left.first, left.second, left.third, left.fourth) < (right.first, right.second, right.third, right.fourth)
  }
}

extension RecordID: CustomStringConvertible {
  /// The first four bytes in hexadecimal, for the log.
  package var description: String {
    let text = String(first >> 32, radix: 16)
    return String(repeating: "0", count: 8 - text.count) + text
  }
}

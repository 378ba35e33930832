/// A 16-byte identifier; `Kind` keeps participants, clocks and policies apart at compile time.
///
/// Ordered as its bytes are, which is what every "lowest id" and every tie in the design means.
package struct Identifier<Kind>: Hashable, Comparable, Sendable {
  /// Bytes 0-7, big-endian.
  package let high: UInt64
  /// Bytes 8-15, big-endian.
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The identifier in `bytes`; nil unless there are exactly 16.
  package init?(bytes: some Sequence<UInt8>) {
    var words: (high: UInt64, low: UInt64) = (0, 0)
    var count = 0
    for byte in bytes {
      guard count < 16 else { return nil }
      if count < 8 { words.high = words.high << 8 | UInt64(byte) } else { words.low = words.low << 8 | UInt64(byte) }
      count += 1
    }
    guard count == 16 else { return nil }
    self.init(high: words.high, low: words.low)
  }

  /// The 16 bytes.
  package var bytes: [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: high >> UInt64(56 - 8 * $0)) }
      + (0..<8).map { UInt8(truncatingIfNeeded: low >> UInt64(56 - 8 * $0)) }
  }

  /// All bytes zero: nobody.
  package static var none: Self { Self(high: 0, low: 0) }

  package static func < (left: Self, right: Self) -> Bool { (left.high, left.low) < (right.high, right.low) }
}

/// Marks identifiers of participants: the first 16 bytes of the hash of a signing key.
package enum ParticipantKind: Sendable {}
/// Marks identifiers of clocks: one per hub process.
package enum ClockKind: Sendable {}
/// Marks identifiers of policies: the hash of a policy stack.
package enum PolicyKind: Sendable {}

package typealias ParticipantID = Identifier<ParticipantKind>
package typealias ClockID = Identifier<ClockKind>
package typealias PolicyID = Identifier<PolicyKind>

extension Identifier: CustomStringConvertible {
  /// The first four bytes in hexadecimal: enough to tell participants apart in a log.
  package var description: String {
    let text = String(high >> 32, radix: 16)
    return String(repeating: "0", count: 8 - text.count) + text
  }
}

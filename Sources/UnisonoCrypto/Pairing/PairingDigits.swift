/// Six digits that two people compare.
///
/// They are for screens only: whoever reads them in a log could play the other side. Printing this value does not show
/// them; `text` does.
package struct PairingDigits: Equatable, Sendable, CustomStringConvertible {
  /// Six of them, leading zeros included.
  package let text: String

  init(_ number: UInt64) {
    let digits = String(number % 1_000_000)
    text = String(repeating: "0", count: 6 - digits.count) + digits
  }

  package var description: String { "six digits" }
}

#if !hasFeature(Embedded)
  extension PairingDigits: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, children: []) }
  }
#endif

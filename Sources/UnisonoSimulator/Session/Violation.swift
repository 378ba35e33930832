import UnisonoBase

/// Something that must never happen, and did.
package struct Violation: CustomStringConvertible, Sendable {
  /// The letter of the invariant in the design's list, or a word.
  package var invariant: String
  /// True time.
  package var at: Nanoseconds
  package var what: String

  package init(invariant: String, at: Nanoseconds, what: String) {
    self.invariant = invariant
    self.at = at
    self.what = what
  }

  package var description: String { "(\(invariant)) at \(seconds(at)): \(what)" }
}

/// Seconds with milliseconds, for people.
func seconds(_ time: Nanoseconds) -> String {
  let milliseconds = (time.magnitude + 500_000) / 1_000_000
  let rest = String(milliseconds % 1_000)
  let padded = String(repeating: "0", count: 3 - rest.count) + rest
  return "\(time < 0 ? "-" : "")\(milliseconds / 1_000).\(padded) s"
}

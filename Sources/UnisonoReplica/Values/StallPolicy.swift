import UnisonoBase

/// Whether a running group waits for one that stalls: one register of the whole session, the newest counts (coordination 2.7).
///
/// Not a part of the signed policy: whoever may command may set it, and it decides nothing about rights.
package struct StallPolicy: Hashable, Sendable {
  package var waits: Bool
  /// A stall shorter than this is nobody's concern, ns; 0...60 s.
  package var debounce: Nanoseconds
  /// How long the group waits at most, ns; 0...600 s.
  package var limit: Nanoseconds

  package static let off = StallPolicy(waits: false)
  /// What a debounce or a limit that the host does not give means, and what one may be.
  package static let usualDebounce: Nanoseconds = .milliseconds(300)
  package static let usualLimit: Nanoseconds = .seconds(10)
  package static let debounces: ClosedRange<Nanoseconds> = 0...(.seconds(60))
  package static let limits: ClosedRange<Nanoseconds> = 0...(.seconds(600))

  package init(waits: Bool, debounce: Nanoseconds = usualDebounce, limit: Nanoseconds = usualLimit) {
    self.waits = waits
    self.debounce = debounce
    self.limit = limit
  }

  package var isPlausible: Bool { Self.debounces.contains(debounce) && Self.limits.contains(limit) }
}

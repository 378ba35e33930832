import UnisonoBase

/// By how much a participant's copy of an entry is ahead of the group's item time: what the group calls t is at t + `offset` in that copy.
///
/// Another cut of a film has other logos, or no recap, at its beginning.
package struct CutOffset: Hashable, Sendable {
  package var entry: EntryID
  /// ns, -`greatest`...`greatest`.
  package var offset: Nanoseconds

  /// Longer than any recap, shorter than any day.
  package static let greatest: Nanoseconds = .seconds(6 * 3_600)

  package init(entry: EntryID, offset: Nanoseconds) {
    self.entry = entry
    self.offset = offset
  }

  package static func isAllowed(_ offset: Nanoseconds) -> Bool { (-greatest...greatest).contains(offset) }
}

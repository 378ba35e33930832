import UnisonoBase

/// When and by whom something was written: orders commands of people (coordination 2.2).
package struct Stamp: Hashable, Comparable, Sendable {
  /// Group time, ns; a hybrid clock: `max(now, largest seen + 1)`.
  package var time: GroupTime
  package var author: ParticipantID

  package init(time: GroupTime, author: ParticipantID) {
    self.time = time
    self.author = author
  }

  package static func < (left: Self, right: Self) -> Bool { (left.time, left.author) < (right.time, right.author) }
}

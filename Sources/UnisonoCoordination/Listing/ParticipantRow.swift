import UnisonoBase

/// One of the list of participants, as it was made; lists share it for as long as nothing of it changes.
///
/// What depends on the clock, on the own copy of the item or on the session besides is not in it: `ParticipantList` adds that when it is
/// read.
final class ParticipantRow: Sendable {
  /// Where a participant said that it was, in the group's item time and in group time.
  struct Place: Equatable, Sendable {
    var itemTime: ItemTime
    var at: GroupTime
  }

  /// Without a position; of the local one without what is measured.
  let view: ParticipantView
  let place: Place?

  init(_ view: ParticipantView, place: Place?) {
    self.view = view
    self.place = place
  }

  func isSame(as other: ParticipantRow) -> Bool { self === other || place == other.place && view == other.view }
}

import UnisonoBase
import UnisonoReplica

/// What a person wants of the playlist.
package enum PlaylistEdit: Equatable, Sendable {
  /// `entry`: its place and time are made when it is written. `before` nil: at the end.
  case add(EntryID, entry: PlaylistEntry, before: EntryID?)
  case move(EntryID, before: EntryID?)
  case remove(EntryID)
  /// The group goes to this one.
  case select(EntryID)
  /// The group goes on to the next one, unless it went on from `follows` already; nil: from where it is.
  case next(follows: EntryID?)

  /// Call that asks for it, for refusals.
  package var operation: Operation {
    switch self {
    case .add: .addEntry
    case .move: .moveEntry
    case .remove: .removeEntry
    case .select: .selectEntry
    case .next: .nextEntry
    }
  }
}

/// What of the playlist is otherwise than people were told.
package struct PlaylistChange: Equatable, Sendable {
  /// Entries came, went or were moved.
  package var entries: Bool
  /// The group is at another entry, or at none.
  package var current: Bool
  /// Where the group is; nil: nowhere.
  package var entry: EntryID?
  /// It came there as what was before had ended.
  package var isByEnd: Bool
  /// Who brought the group there; `.none`: this participant, or nobody.
  package var originator: ParticipantID

  package init(
    entries: Bool, current: Bool, entry: EntryID? = nil, isByEnd: Bool = false, originator: ParticipantID = .none
  ) {
    self.entries = entries
    self.current = current
    self.entry = entry
    self.isByEnd = isByEnd
    self.originator = originator
  }
}

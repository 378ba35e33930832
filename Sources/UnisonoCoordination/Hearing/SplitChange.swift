import UnisonoBase
import UnisonoReplica

/// Somebody and this participant do not hear each other, or do again (wire 8.9).
package struct SplitChange: Equatable, Sendable {
  /// In which way; numbers of `unisono_split_kind`, which are bits.
  package enum Kind: UInt32, Sendable, CaseIterable {
    /// Others hear it, this participant does not.
    case unheard = 1
    /// It hears others, and not this participant.
    case deaf = 2
    /// It is at the hub and speaks, and nothing of it can be opened here.
    case unreadable = 4
  }

  package var participant: ParticipantID
  package var kind: Kind
  /// Host time at which it was found first.
  package var since: HostTime
  package var isOver: Bool

  package init(participant: ParticipantID, kind: Kind, since: HostTime, isOver: Bool) {
    self.participant = participant
    self.kind = kind
    self.since = since
    self.isOver = isOver
  }
}

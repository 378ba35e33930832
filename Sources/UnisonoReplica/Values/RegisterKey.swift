import UnisonoBase

/// The name of one replicated register (coordination 2.3; numbers of wire 11.3).
package enum RegisterKey: Hashable, Sendable {
  case clock(ClockID)
  /// Travels as levels, never as a statement.
  case policy
  case end
  case activity
  case stallPolicy
  case actionAtEnd
  case startPolicy
  case scheduledStart
  case skipPolicy
  case audience
  case rate(ItemID)
  case position(ItemID)
  case continuation(ItemID)
  case participant(ParticipantID)
  case playlistEntry(EntryID)
  case playlistCurrent
  case attachment(AttachmentSlot)
}

extension RegisterKey {
  package var isParticipant: Bool { if case .participant = self { true } else { false } }

  /// What one does to it apart from the others is decided of when they are met again (coordination 2.10).
  package var isReconciled: Bool { item != nil || self == .playlistCurrent }
  /// A coordinator beside the session's first one has it: what is said of its items and of who is on them. All else is the session's.
  package var isOfNamedCoordinator: Bool {
    switch self {
    case .rate, .position, .continuation, .participant, .stallPolicy, .actionAtEnd, .startPolicy: true
    case .clock, .policy, .end, .activity, .scheduledStart, .skipPolicy, .audience, .playlistEntry, .playlistCurrent, .attachment: false
    }
  }
  package var isAttachment: Bool { if case .attachment = self { true } else { false } }
}

import UnisonoCore

/// What a session tells its owner; delivered on the loop's thread after the state has settled.
public enum SessionEvent: Sendable {
  case state(SessionState)
  /// An effect of the coordination that concerns the host: commands, timing, participants, activity, refusals.
  case effect(CoordinationEffect)
  /// The application's bytes; the sender is proven.
  case message([UInt8], sender: ParticipantID, isReliable: Bool)
  /// There is room again for messages after one was refused.
  case writable
  case notice(NoticeMessage, originator: ParticipantID)
  /// A participant asks that this session be brought to the front.
  case foregroundRequested(ParticipantID)
  case speaking(ParticipantID, Bool)
  /// Somebody asks this host to command, or an own or another's request has an answer.
  case request(CommandRequestNews)
  /// A call that was accepted cannot be done; `operation` is the C name without its prefix.
  case requestRefused(CommandRequests.Refusal, operation: String)
  /// Nothing is taken from a participant for a while, or (`byOther`) a participant says that it takes nothing from this one.
  case ignored(Ignored)
  /// The invitation text is another one now.
  case inviteChanged
  case log(LogLevel, String)
}

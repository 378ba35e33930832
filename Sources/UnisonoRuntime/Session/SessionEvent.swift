import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

/// Output of a session to its owner; delivered on the loop's thread after the state has settled.
package enum SessionEvent: Sendable {
  case state(SessionState)
  /// For the session's coordinator.
  case playback(PlaybackEffect)
  case participants(ParticipantsChange)
  /// `originator` `.none`: this participant.
  case activity(Activity?, originator: ParticipantID)
  case succession(SuccessionChange)
  /// A participant's clock is in doubt, the own one among them, or is not any more.
  case clockDoubt(ClockDoubtNews)
  /// Somebody and this participant do not hear each other, or do again.
  case split(SplitNews)
  /// A hub is in doubt or was set aside, or is not in doubt any more.
  case hubDoubt(HubDoubtNews)
  /// A call that was accepted is refused now.
  case refused(operation: Operation, status: CoordinationStatus, message: String)
  /// The application's bytes, what they are, and the place in an item that they waited for; the sender is proven.
  case message([UInt8], label: MessageLabel?, cue: MessageCue?, sender: ParticipantID, isReliable: Bool)
  /// There is room again for messages after one was refused.
  case writable
  /// The playlist, or where the group is in it, is otherwise than it was told.
  case playlist(PlaylistChange)
  /// A start was scheduled, called off, comes nearer or is due.
  case schedule(ScheduleChange)
  /// Another's copy of the current entry, compared with the own one.
  case copy(CopyNews)
  /// Somebody said something in writing, or reacted; the own participant, too.
  case chat(ChatNews)
  /// Something is offered, comes, or is taken back.
  case attachment(AttachmentNews)
  /// `coordinator`: of whose items somebody did something; nil: the session's first one's, or it is about none.
  case notice(NoticeMessage, originator: ParticipantID, coordinator: CoordinatorName?)
  /// Somebody came, went, or is at another item.
  case person(PersonNotice)
  /// A participant asks that this session be brought to the front.
  case foregroundRequested(ParticipantID)
  case speaking(ParticipantID, Bool)
  /// A request to this host to command, or the answer to an own or another's request.
  case request(CommandRequestNews)
  /// A call that was accepted cannot be done.
  case requestRefused(CommandRequests.Refusal, operation: Operation)
  /// A participant is ignored for a while, or (`byOther`) says that it ignores this one.
  case ignored(Ignored)
  /// The own audience is opened, closed, or has more or fewer listeners.
  case audience(AudienceNews)
  /// Somebody of the own audience asks to be invited, or says something.
  case listener(ListenerNews)
  /// The invitation text is another one now.
  case inviteChanged
  case log(LogLevel, String)
}

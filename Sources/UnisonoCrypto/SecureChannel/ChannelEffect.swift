import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

/// Output of a step of a `SecureChannel`, to be carried out in order.
package enum ChannelEffect: Equatable, Sendable {
  /// Give to the hub; `to` nil: for all others.
  case transmit(envelope: [UInt8], to: [ParticipantID]?)
  /// Content keys are there: messages can be sent and read.
  case secured
  /// A proven message about registers; every statement in it is signed by its author.
  case deliver(CoordinationMessage, from: ParticipantID)
  /// The same about the registers of a coordinator beside the session's first one.
  case deliverNamed(CoordinatorName, CoordinationMessage, from: ParticipantID)
  /// A proven message that is not about registers.
  case other(InnerMessage, from: ParticipantID)
  /// Something proven of the chat: every entry is signed by its author.
  case chat(ChatSaying, from: ParticipantID)
  /// An owner moved the session to another room, which these open; `isLate`: the others are there already.
  case relocates(RoomSecrets, isLate: Bool)
  /// No member answers: this door leads nowhere any more.
  case nobodyAnswers
  /// Relocation notice at this door: levels that their authors signed. Whether they prove a move is the policy's to say.
  case relocationNotice([PolicyLevel])
  /// Notice at this door that the session was ended: levels that their authors signed, and the statement that its author signed.
  /// Whether that one might end it is the policy's to say.
  case endNotice(EndNotice)
  /// Something of this participant's was refused.
  case refused(ParticipantID, ChannelRefusal)
  /// So much of this participant's was refused, the last time for this reason, that nothing of it counts before `until`. It is
  /// informed.
  case ignored(ParticipantID, ChannelRefusal, until: HostTime)
  /// A member does not let this participant in, for this reason; members are asked again from time to time.
  case declined(DeclineMessage.Reason)
  /// Somebody who is here and speaks cannot be read, or can be again.
  case split(SplitChange)
  case log(LogLevel, String)
}

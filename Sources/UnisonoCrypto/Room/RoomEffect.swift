import UnisonoCore

/// What the shell has to carry out after a step of a `SecureRoom`, in this order.
public enum RoomEffect: Equatable, Sendable {
  /// Give to the hub; `to` nil: for all others.
  case transmit(envelope: [UInt8], to: [ParticipantID]?)
  /// Content keys are there: messages can be sent and read.
  case secured
  /// Proven words about registers; every statement in it is signed by its author.
  case deliver(CoordinationMessage, from: ParticipantID)
  /// A proven message that is not about registers.
  case other(InnerMessage, from: ParticipantID)
  /// An owner moved the room, and these open it; `isLate`: the others are there already.
  case moves(RoomSecrets, isLate: Bool)
  /// Nobody who is here answers: this door leads nowhere any more.
  case shutOut
  /// Somebody left word that the session moved: levels that their authors signed. Whether they show it is the policy's to say.
  case notice([PolicyLevel])
  case refused(ParticipantID, RoomRefusal)
  /// So much of this participant's was refused that nothing is taken from it before `until`; it is told so. The last reason.
  case ignored(ParticipantID, RoomRefusal, until: HostTime)
  /// A member says that as many are here as a session can have; who is here is asked again from time to time.
  case full
  case log(LogLevel, String)
}

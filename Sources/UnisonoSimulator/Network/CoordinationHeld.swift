import UnisonoBase
import UnisonoCoordination

/// A message that has come, and may have to wait for the keys it is sealed with.
struct CoordinationHeld {
  var message: CoordinationMessage
  /// What it is about; nil: the session's first one.
  var coordinator: CoordinatorName?
  var sender: ParticipantID
  /// True time at which it was sent.
  var sent: Nanoseconds
}

import UnisonoBase
import UnisonoCoordination

/// A message that has come, and may have to wait for the keys it is sealed with.
struct CoordinationHeld {
  var message: CoordinationMessage
  var sender: ParticipantID
  /// True time at which it was sent.
  var sent: Nanoseconds
}

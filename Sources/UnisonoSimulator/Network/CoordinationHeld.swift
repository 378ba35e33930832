import UnisonoCore

/// A message that waits for the keys it is sealed with.
struct CoordinationHeld {
  var message: CoordinationMessage
  var sender: ParticipantID
}

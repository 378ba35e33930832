import UnisonoBase
import UnisonoCoordination

/// What a coordinator beside the session's first one has to tell its host.
package enum CoordinatorNews: Sendable {
  case playback(PlaybackEffect)
  case participants(ParticipantsChange)
  case refused(operation: Operation, status: CoordinationStatus, message: String)
}

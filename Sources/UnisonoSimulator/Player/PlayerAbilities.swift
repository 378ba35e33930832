import UnisonoBase
import UnisonoCoordination

/// How fast, and how well, a model of a player does what it is told.
package struct PlayerAbilities: Hashable, Sendable {
  /// From a buffer command to being ready, ns.
  package var buffer: Nanoseconds
  /// From a seek to standing there, ns.
  package var seek: Nanoseconds
  /// From a play command to motion, ns; a start further ahead than this is made on time.
  package var start: Nanoseconds
  /// Commands it neither carries out nor completes.
  package var ignores: Set<Kind> = []
  /// Commands it refuses.
  package var refuses: Set<Kind> = []
  /// Of all other commands, how many it never completes, by chance.
  package var forgets: Double = 0
  /// It completes commands too that a newer one has superseded.
  package var completesSuperseded = false

  package typealias Kind = PlaybackCommand.Kind

  package init(
    buffer: Nanoseconds = .milliseconds(30), seek: Nanoseconds = .milliseconds(40),
    start: Nanoseconds = .milliseconds(1)
  ) {
    self.buffer = buffer
    self.seek = seek
    self.start = start
  }

  /// The longest of what it needs before it could start, ns.
  package var latency: Nanoseconds { seek + buffer + start }
}

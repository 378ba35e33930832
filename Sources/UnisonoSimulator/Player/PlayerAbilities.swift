import UnisonoCore

/// How fast, and how well, a model of a player does what it is told.
public struct PlayerAbilities: Hashable, Sendable {
  /// From a buffer command to being ready, ns.
  public var buffer: Nanoseconds
  /// From a seek to standing there, ns.
  public var seek: Nanoseconds
  /// From a play command to motion, ns; a start further ahead than this is made on time.
  public var start: Nanoseconds
  /// Commands it neither carries out nor completes.
  public var ignores: Set<Kind> = []
  /// Commands it refuses.
  public var refuses: Set<Kind> = []
  /// Of all other commands, how many it never completes, by chance.
  public var forgets: Double = 0
  /// It completes commands too that a newer one has superseded.
  public var completesSuperseded = false

  public typealias Kind = PlaybackCommand.Kind

  public init(
    buffer: Nanoseconds = .milliseconds(30), seek: Nanoseconds = .milliseconds(40),
    start: Nanoseconds = .milliseconds(1)
  ) {
    self.buffer = buffer
    self.seek = seek
    self.start = start
  }

  /// The longest of what it needs before it could start, ns.
  public var latency: Nanoseconds { seek + buffer + start }
}

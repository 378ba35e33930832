import UnisonoCore

/// A command as a host got it.
public struct ReceivedCommand: Sendable {
  /// True time.
  public var at: Nanoseconds
  public var command: PlaybackCommand
  /// The commands for rate and position that it prepares for; empty: it prepares nothing.
  var pair: [Stamp?]
  /// True time at which the host completed it; nil: it did not.
  public var completedAt: Nanoseconds?

  public var kind: PlaybackCommand.Kind { command.kind }
}

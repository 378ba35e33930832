import UnisonoCore

/// A command as a host got it.
public struct ReceivedCommand: Sendable {
  /// True time.
  public var at: Nanoseconds
  public var command: PlaybackCommand
  /// True time at which the host completed it; nil: it did not.
  public var completedAt: Nanoseconds?

  public var kind: PlaybackCommand.Kind { command.kind }
}

import UnisonoCore

/// A command as a host got it.
public struct ReceivedCommand: Sendable {
  /// True time.
  public var at: Nanoseconds
  public var command: PlaybackCommand
  /// What its coordination believed of group time when it came; nil: it had no group.
  public var clock: ClockModel?
  /// True time at which the host completed it; nil: it did not.
  public var completedAt: Nanoseconds?

  public var kind: PlaybackCommand.Kind { command.kind }
}

import UnisonoCore

/// What a session tells its owner; delivered on the loop's thread after the state has settled.
public enum SessionEvent: Sendable {
  case state(SessionState)
  /// An effect of the coordination that concerns the host: commands, timing, participants, activity, refusals.
  case effect(CoordinationEffect)
  /// The invitation text is another one now.
  case inviteChanged
  case log(LogLevel, String)
}

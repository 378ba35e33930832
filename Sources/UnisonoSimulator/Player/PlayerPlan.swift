import UnisonoBase

/// What will come of a command, unless a newer one changes it.
struct PlayerPlan {
  /// The player's course it belongs to.
  var course: UInt64
  /// Host time at which the command is done.
  var completes: HostTime
  /// Host times at which the player says where it is, as its motion changes there.
  var reports: [HostTime]
}

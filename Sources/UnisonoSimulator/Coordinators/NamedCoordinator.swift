import UnisonoBase

/// One of the session's coordinators beside the first one, and what is noted of it.
struct NamedCoordinator {
  /// Who has or had one of its name, once for each time that it was opened, oldest first.
  var participants: [Participant] = []
  /// Cells of commands, in the order in which their authors first sent them.
  var written: [WrittenCell] = []
  /// Updates that were sent.
  var messageCount = 0
  /// True times at which a person did something there, oldest first.
  var actionTimes: [Nanoseconds] = []
  /// How many of those who have one can hear each other in the largest connected group, from which true time on.
  var connectedGroups: [Dated<Int>] = []
}

/// A player about to be started by this command, whichever it is.
struct PlayerLaunch: Equatable {
  var player: WatchPlayer
  /// Its command line, which everybody on this machine can read.
  var arguments: [String]
  /// What only a private file says.
  var configuration: String
  /// Lines for its descriptor 3, once it runs.
  var requests: [String] = []
  /// The line that asks it to end.
  var quit: String
}

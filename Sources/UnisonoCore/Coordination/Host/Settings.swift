/// What the host set once for all its commands.
struct Settings: Sendable {
  var waitingReasons: [String] = []
  var limits: [String: UInt32] = [:]
  var pauseSnaps = false
  var waitLimit: Nanoseconds = Parameters.waitLimit
  /// What the host asked for before there was a session to tell.
  var stallPolicy: StallPolicy?
  var outputOffset: Nanoseconds = 0
}

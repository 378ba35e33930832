/// What the host set once for all its commands.
struct Settings: Sendable {
  var waitingReasons: [String] = []
  var limits: [String: UInt32] = [:]
  var pauseSnaps = false
  var waitLimit: Nanoseconds = Parameters.waitLimit
  var outputOffset: Nanoseconds = 0
}

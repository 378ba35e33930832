/// Notices that this machine slept: its monotonic clock stood, and whatever was measured against it is void.
///
/// Fed with how long the machine has slept since it started, as its clocks show it: the one that counts sleep minus the one that
/// does not. Reading the two takes a moment, in which a process may be interrupted, so only a growth beyond `leastSleep` counts.
package struct SleepDetector: Sendable {
  /// Nobody sleeps for less.
  package static let leastSleep = Nanoseconds.milliseconds(50)

  private var total: Nanoseconds

  /// `total`: what was slept before.
  package init(total: Nanoseconds) { self.total = total }

  /// How long the machine slept since the last call, ns; nil: it did not.
  package mutating func slept(total: Nanoseconds) -> Nanoseconds? {
    let more = total.subtracting(self.total)
    self.total = max(self.total, total)
    return more > Self.leastSleep ? more : nil
  }
}

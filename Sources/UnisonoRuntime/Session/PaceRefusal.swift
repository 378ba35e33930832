import UnisonoBase

/// For people: what was done too often, and when it may be done again.
package struct PaceRefusal: Sendable {
  /// One sentence.
  package let sentence: String

  /// `limit`: how often it may be done, as in "once in 5 s"; `end`: host time from which on it may be done again.
  private init(_ limit: String, until end: HostTime, now: HostTime) {
    let seconds = max(1, end.subtracting(now).adding(.milliseconds(999)) / .seconds(1))
    sentence = "\(limit); try again in \(seconds) s"
  }

  /// So often in `window`, ns.
  package init(most count: Int, in window: Nanoseconds, until end: HostTime, now: HostTime) {
    self.init("more than \(count) in \(window / .seconds(1)) s", until: end, now: now)
  }

  /// Once in `pause`, ns.
  package init(onceIn pause: Nanoseconds, until end: HostTime, now: HostTime) {
    self.init("once in \(pause / .seconds(1)) s", until: end, now: now)
  }
}

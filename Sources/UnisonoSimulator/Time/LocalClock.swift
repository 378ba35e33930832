import UnisonoBase

/// One participant's monotonic clock against true time, and what it believes of the hub's.
///
/// True time is the simulation's own: nanoseconds since it began. No participant can read it.
package struct LocalClock: Sendable {
  /// Host time at true time 0.
  package var base: HostTime
  /// How much faster than true time it runs, parts per million.
  package var drift: Double
  /// How far the belief about the first hub's clock is off, ns; constant.
  package var error: Nanoseconds
  /// What it says its error is at most, ns.
  package var errorBound: Nanoseconds

  /// When the machine slept, so that this clock stood: true times and lengths, oldest first.
  private(set) var sleeps: [(from: Nanoseconds, length: Nanoseconds)] = []

  /// Host time at a true time.
  package func host(at time: Nanoseconds) -> HostTime {
    let awake = sleeps.isEmpty ? time : time - slept(until: time)
    return base + awake + awake.scaled(by: drift / 1_000_000)
  }

  private func slept(until time: Nanoseconds) -> Nanoseconds {
    sleeps.reduce(0) { $0 + max(0, min($1.length, time - $1.from)) }
  }

  /// Stands from a true time on, which must not lie before an earlier sleep.
  mutating func sleep(from time: Nanoseconds, for length: Nanoseconds) { sleeps.append((time, length)) }

  /// The first true time at which this clock shows at least `host`.
  package func time(at host: HostTime) -> Nanoseconds {
    let age = host.subtracting(base)
    var time = age.scaled(by: 1 / (1 + drift / 1_000_000))
    for sleep in sleeps where time > sleep.from { time = time.adding(sleep.length) }
    while time < .max, self.host(at: time) < host { time += 1 }
    return time
  }

  /// The belief about a hub whose clock shows `hub` at true time `time`, off by `error`.
  func model(ofHub hub: Hub, error: Nanoseconds, at time: Nanoseconds) -> ClockModel {
    ClockModel(
      hostTime: host(at: time), remoteTime: hub.time(at: time) + error,
      rate: (1 + hub.drift / 1_000_000) / (1 + drift / 1_000_000), errorBound: errorBound)
  }
}

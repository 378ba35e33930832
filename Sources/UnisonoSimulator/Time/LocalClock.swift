import UnisonoCore

/// One participant's monotonic clock against true time, and what it believes of the hub's.
///
/// True time is the simulation's own: nanoseconds since it began. No participant can read it.
public struct LocalClock: Sendable {
  /// Host time at true time 0.
  public var base: HostTime
  /// How much faster than true time it runs, parts per million.
  public var drift: Double
  /// How far the belief about the hub's clock is off, ns; constant.
  public var error: Nanoseconds
  /// What it says its error is at most, ns.
  public var errorBound: Nanoseconds

  /// Host time at a true time.
  public func host(at time: Nanoseconds) -> HostTime {
    base + time + time.scaled(by: drift / 1_000_000)
  }

  /// The first true time at which this clock shows at least `host`.
  public func time(at host: HostTime) -> Nanoseconds {
    let age = host.subtracting(base)
    var time = age.scaled(by: 1 / (1 + drift / 1_000_000))
    while time < .max, self.host(at: time) < host { time += 1 }
    return time
  }

  /// The belief about a hub whose clock shows `hub` at true time `time`.
  public func model(ofHub hub: HubTime, at time: Nanoseconds) -> ClockModel {
    ClockModel(
      hostTime: host(at: time), remoteTime: hub + error, rate: 1 / (1 + drift / 1_000_000), errorBound: errorBound)
  }
}

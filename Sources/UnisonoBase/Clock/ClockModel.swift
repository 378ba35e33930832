/// What a participant knows of a remote clock: a line with an error bound that grows.
///
/// `remote(host) = remote0 + rate x (host - host0)`; true remote time lies within `errorBound + errorGrowth x age` of it.
package struct ClockModel: Equatable, Sendable {
  /// Host time at which `remoteTime` and `errorBound` hold.
  package var hostTime: HostTime
  /// Remote time (hub time) at `hostTime`.
  package var remoteTime: Int64
  /// Remote ns per host ns, 1 +- 500 ppm.
  package var rate: Double
  /// Bound of the error at `hostTime`, ns.
  package var errorBound: Nanoseconds
  /// Growth of the bound after `hostTime`, ns per ns.
  package var errorGrowth: Double

  package init(hostTime: HostTime, remoteTime: Int64, rate: Double = 1, errorBound: Nanoseconds, errorGrowth: Double = 0)
  {
    self.hostTime = hostTime
    self.remoteTime = remoteTime
    self.rate = rate
    self.errorBound = errorBound
    self.errorGrowth = errorGrowth
  }

  /// Remote time at a host time. Computed from the difference so that large readings keep their nanoseconds.
  package func remote(at host: HostTime) -> Int64 {
    let age = host.subtracting(hostTime)
    return remoteTime.adding(age).adding(age.scaled(by: rate - 1))
  }

  /// Host time at a remote time.
  package func host(at remote: Int64) -> HostTime {
    let age = remote.subtracting(remoteTime)
    return hostTime.adding(age).adding(age.scaled(by: 1 / rate - 1))
  }

  /// The stated bound at a host time, ns.
  package func error(at host: HostTime) -> Nanoseconds {
    errorBound.adding(Swift.max(0, host.subtracting(hostTime)).scaled(by: errorGrowth))
  }
}

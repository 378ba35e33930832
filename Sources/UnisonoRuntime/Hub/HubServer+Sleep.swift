import UnisonoCore

/// A hub on a machine that slept: its clock stood, so that it is another clock from now on, with another name.
extension HubServer {
  static func freshClock(_ environment: any Environment) -> ClockID {
    ClockID(bytes: environment.randomBytes(16)) ?? .none
  }

  /// Looks whether this machine slept. If so everybody has to enter anew: that is where the clock is named, and the group
  /// carries its time over from the old one.
  func noticeSleep() {
    guard sleep.slept(total: environment.timeAsleep) != nil else { return }
    clockID = Self.freshClock(environment)
    log(HubLog(.info, "this machine slept: everybody enters anew, to a clock with a new name"))
    for connection in connections.values.sorted(by: { $0.number < $1.number }) where !connection.isClosed {
      drop(connection)
      connection.stream.close()
    }
    settle()
  }
}

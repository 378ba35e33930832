import UnisonoBase

/// What a hub says of another hub's clock: a line with an error that grows (wire 3.12).
package struct ClockReading: Hashable, Sendable {
  package var clock: ClockID
  /// How far that clock is ahead of the reporting hub's, ns, at the report's time.
  package var offset: Nanoseconds
  /// How much faster it runs, parts per billion.
  package var rate: Int32
  /// Bound of the offset's error, us.
  package var error: UInt32
  /// By what that grows, us a second.
  package var growth: UInt16
  /// Seconds since its hub was found to be gone, at least 1; 0: it goes on.
  package var goneFor: UInt16

  package init(clock: ClockID, offset: Nanoseconds, rate: Int32, error: UInt32, growth: UInt16, goneFor: UInt16) {
    self.clock = clock
    self.offset = offset
    self.rate = rate
    self.error = error
    self.growth = growth
    self.goneFor = goneFor
  }

  /// How far that clock is ahead so long after the report's time, and the bound of the error then, ns.
  package func carried(by age: Nanoseconds) -> (offset: Nanoseconds, error: Nanoseconds) {
    (
      offset.adding(age.scaled(by: Double(rate) / 1e9)),
      .microseconds(Int64(error)).adding(age.absolute.scaled(by: Double(growth) / 1e6))
    )
  }
}

/// Clocks of the other hubs that make one service with the hub in use, all that it knows; it replaces the one before.
package struct ClockReport: Hashable, Sendable {
  /// The clock of the hub in use.
  package var at: HubTime
  /// Ascending by clock, each once.
  package var readings: [ClockReading]

  package init(at: HubTime, readings: [ClockReading]) {
    self.at = at
    self.readings = readings
  }
}

/// One exchange with a remote clock: four timestamps, two of each side.
package struct ClockSample: Equatable, Sendable {
  /// Host time at which the ask left.
  package var asked: HostTime
  /// Remote time at which it came.
  package var received: Int64
  /// Remote time at which the answer left.
  package var replied: Int64
  /// Host time at which it came.
  package var answered: HostTime

  package init(asked: HostTime, received: Int64, replied: Int64, answered: HostTime) {
    self.asked = asked
    self.received = received
    self.replied = replied
    self.answered = answered
  }

  /// Time on the way, both ways together, ns.
  package var roundTrip: Nanoseconds { answered.subtracting(asked).subtracting(replied.subtracting(received)) }

  /// Whether the four can be true: nothing before its cause, and under half a minute on the way.
  package var isPlausible: Bool {
    answered >= asked && replied >= received && roundTrip >= 0 && roundTrip < .seconds(30)
      && replied.subtracting(received) < .seconds(30)
  }
}

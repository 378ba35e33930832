import UnisonoBase

/// One answered clock probe: the four times from which offset and delay follow.
package struct ProbeSample: Equatable, Sendable {
  /// Times when the ask left and the answer came, host time.
  package var t1: HostTime
  package var t4: HostTime
  /// Times when the ask came and the answer left, time of the hub's clock.
  package var t2: HubTime
  package var t3: HubTime
  /// Came by UDP; else in the stream, where it may have waited behind other frames.
  package var isDatagram: Bool

  package var way: ProbeWays { isDatagram ? .datagram : .stream }

  /// Time on the way, both ways together; the hub says two of the times and may say anything.
  package var roundTrip: Nanoseconds { t4.subtracting(t1).subtracting(t3.subtracting(t2)) }
}

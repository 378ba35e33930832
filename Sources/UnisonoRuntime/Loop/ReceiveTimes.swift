import CUV
import UnisonoBase

/// Arrival times of datagrams in the kernel, in host time: a loop sees it only when its thread has woken up and is done with what
/// came before, which on the way there and on the way back is not equally long.
///
/// The kernel's notes are in calendar time, which can be set. Only an age is taken from it, the difference of two readings some
/// microseconds apart; and if calendar time moved against host time since the datagram before, not even that.
struct ReceiveTimes: Sendable {
  /// One reading of both clocks.
  struct Reading: Equatable, Sendable {
    /// Times when the kernel received the datagram, and now, calendar time.
    var stamp: Int64
    var calendar: Int64
    /// Now, host time.
    var now: HostTime
  }

  /// Nothing waits longer in a socket that is worth a sample.
  static let longestAge = Nanoseconds.seconds(1)
  /// Calendar time that is steered runs at most this much faster or slower than host time...
  private static let steering = 1e-3
  /// ...and the two are read at instants up to this far apart.
  private static let looseness = Nanoseconds.microseconds(20)
  private static let attempts = 3

  /// Calendar time minus host time, and when that was so.
  private var difference: (value: Int64, at: HostTime)?

  /// Host time of the datagram in `reading`; nil: the kernel's note cannot be trusted.
  mutating func time(_ reading: Reading) -> HostTime? {
    let now = reading.calendar.subtracting(reading.now)
    defer { difference = (now, reading.now) }
    guard let difference else { return nil }
    let most = (2 * Self.looseness).adding(reading.now.subtracting(difference.at).scaled(by: Self.steering))
    let age = reading.calendar.subtracting(reading.stamp)
    guard now.subtracting(difference.value).absolute <= most, age >= 0, age <= Self.longestAge else { return nil }
    return reading.now.subtracting(age)
  }

  /// Host time of the datagram that was read last from `socket`, `seen` just now. Before the first datagram: makes the
  /// kernel take notes.
  mutating func time(ofLastFrom socket: Int32, seen: HostTime) -> HostTime {
    var before = seen
    for _ in 0..<Self.attempts {
      var reading = Reading(stamp: 0, calendar: 0, now: 0)
      guard unisono_receive_stamp(socket, &reading.stamp, &reading.calendar) != 0 else { return seen }
      let after = Int64(clamping: uv_hrtime())
      reading.now = before.adding(after.subtracting(before) / 2)
      if after.subtracting(before) <= Self.looseness { return time(reading).map { Swift.min($0, seen) } ?? seen }
      // Interrupted in between: the two readings are of different instants.
      before = after
    }
    return seen
  }
}

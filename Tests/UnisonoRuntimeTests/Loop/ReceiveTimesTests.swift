import Testing
import UnisonoBase

@testable import UnisonoRuntime

@Suite("When datagrams came")
struct ReceiveTimesTests {
  /// A machine whose calendar clock is `calendar` ahead of its host time.
  private struct Machine {
    var times = ReceiveTimes()
    var now: HostTime = .seconds(1_000)
    var calendar = Int64.seconds(1_800_000_000)

    /// The time stated for a datagram that waited `wait` in the socket; nil: when it was seen counts.
    mutating func receive(after wait: Nanoseconds, stampedAgainst clock: Int64? = nil) -> HostTime? {
      let stamp = now - wait + (clock ?? calendar)
      return times.time(ReceiveTimes.Reading(stamp: stamp, calendar: now + calendar, now: now))
    }
  }

  @Test("F60: the time is the kernel's, however late the loop is, from the second datagram on")
  func age() {
    var machine = Machine()
    #expect(machine.receive(after: .milliseconds(1)) == nil)
    for wait in [0, 1, .microseconds(50), .milliseconds(20), .seconds(1)] as [Int64] {
      machine.now += .seconds(16)
      #expect(machine.receive(after: wait) == machine.now - wait)
    }
  }

  @Test(
    "K2: the calendar clock is set: the datagrams around it are taken when they are seen, all others as before",
    arguments: [-.seconds(3_600), -.milliseconds(5), .milliseconds(20), .seconds(31_536_000)] as [Int64])
  func calendarIsSet(step: Nanoseconds) {
    var machine = Machine()
    _ = machine.receive(after: 0)
    machine.now += .seconds(2)
    // While it waited in the socket.
    let before = machine.calendar
    machine.calendar += step
    #expect(machine.receive(after: .milliseconds(1), stampedAgainst: before) == nil)
    machine.now += .seconds(2)
    #expect(machine.receive(after: .milliseconds(1)) == machine.now - .milliseconds(1))
    // Between two of them.
    machine.calendar -= step
    machine.now += .seconds(2)
    #expect(machine.receive(after: .milliseconds(1)) == nil)
    machine.now += .seconds(2)
    #expect(machine.receive(after: .milliseconds(1)) == machine.now - .milliseconds(1))
  }

  @Test("F60: a calendar clock that is steered by 500 ppm costs nothing; impossible notes are not believed")
  func steeredAndImpossible() {
    var machine = Machine()
    _ = machine.receive(after: 0)
    for _ in 0..<10 {
      machine.now += .seconds(16)
      machine.calendar += .milliseconds(8)
      #expect(machine.receive(after: .microseconds(70)) == machine.now - .microseconds(70))
    }
    #expect(machine.receive(after: -1) == nil, "from the future")
    #expect(machine.receive(after: .seconds(1) + 1) == nil, "too old")
    #expect(machine.times.time(ReceiveTimes.Reading(stamp: .min, calendar: .max, now: .min)) == nil)
    #expect(machine.times.time(ReceiveTimes.Reading(stamp: .max, calendar: .min, now: .max)) == nil)
  }
}

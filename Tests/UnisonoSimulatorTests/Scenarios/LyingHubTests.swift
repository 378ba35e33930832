import Testing
import UnisonoBase
import UnisonoSimulator

/// A hub that tells one of three another time than the others (wire 8.7); all measure its clock as the library does.
@Suite struct LyingHubTests {
  private func room() -> SimulatedSession {
    let room = SimulatedSession(seed: 11, participants: ["A", "B", "C"], delay: .milliseconds(15))
    for person in room.people { person.measuresClock() }
    return room
  }

  @Test(
    "8.7: a hub is wrong by 10 s, or 100 ms, to C from its first answer on: C, A and B name who contradicts",
    arguments: [Int64.seconds(10), -.seconds(10), .milliseconds(100), -.milliseconds(100)])
  func shifted(shift: Nanoseconds) {
    let room = room()
    room.c.isLiedTo(shift: shift)
    room.join()
    room.run(for: .seconds(20))
    #expect(room.a.contradictingClocks == ["C"])
    #expect(room.b.contradictingClocks == ["C"])
    #expect(room.c.contradictingClocks == ["A", "B"])
  }

  @Test("8.7: a hub makes C's clock 1 % fast: C is named within 3 s of being off by more than it says")
  func drifting() throws {
    let room = room()
    room.join()
    room.run(for: .seconds(60))
    #expect(room.violations.isEmpty)
    room.c.isLiedTo(drift: 10_000)
    // The filter believes no such drift at first, and then takes it for a new clock's.
    var wrong: Nanoseconds?
    var named: Nanoseconds?
    while named == nil, room.now < .seconds(120) {
      room.run(for: .milliseconds(100))
      let clock = try #require(room.c.clockError)
      if wrong == nil, clock.error.length > clock.bound { wrong = room.now }
      if room.a.contradictingClocks == ["C"] { named = room.now }
    }
    #expect(try #require(named) <= #require(wrong) + .seconds(3))
  }
}

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

  @Test("8.8: who went by the only other one's wrong time goes by the group's once that is back",
    arguments: [-Nanoseconds.seconds(76_900), -.seconds(30), .seconds(3_600), .milliseconds(300)])
  func wrongSenior(by error: Nanoseconds) throws {
    let room = SimulatedSession(seed: 12, participants: ["A", "B", "C", "D"], delay: .milliseconds(15), hubs: 2)
    room.join(["A"])
    room.join(["B"])
    room.join(["C", "D"])
    room.gather(on: "X")
    room.run(for: .seconds(5))
    room.partition(["A", "C"], ["B", "D"])
    room.run(for: .seconds(4))
    room.b.isKnownToLie()
    room.b.clockIsOff(by: error, bound: .milliseconds(1))
    room.run(for: .seconds(15))
    let apart = try #require(room.d.clockError)
    #expect(apart.error.length > Nanoseconds.milliseconds(200), "D did not go by B's time")
    room.b.vanish(hubNoticesAfter: 0)
    room.heal()
    room.run(for: .seconds(60))
    let healed = try #require(room.d.clockError)
    #expect(healed.error.length <= healed.bound && healed.bound < .milliseconds(10))
    room.d.seek(to: .seconds(100))
    room.run(for: .seconds(5))
    #expect([room.a, room.c, room.d].map(\.groupPosition) == [.seconds(100), .seconds(100), .seconds(100)])
  }
}

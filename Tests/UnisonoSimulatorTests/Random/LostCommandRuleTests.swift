import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoPlayer
@testable import UnisonoReplica
@testable import UnisonoSimulator

/// (h) asks for what the group can know, and for all of it.
@Suite struct LostCommandRuleTests {
  /// A and B and C, who pauses; if `isApart`, A is elsewhere.
  private func room(isApart: Bool) -> (room: SimulatedSession, played: Statement?) {
    let room = SimulatedSession(participants: ["A", "B", "C"], delay: .milliseconds(50), hubs: 2)
    room.join()
    room.gather(on: "X")
    room.b.play()
    room.run(for: .seconds(2))
    let played = room.participants[0].coordination.facts.registers[.rate("X")]
    if isApart { room.partition(["B", "C"], ["A"]) }
    room.run(for: .seconds(5))
    room.c.pause()
    return (room, played)
  }

  /// What (h) says if whoever is there knows of nothing but what was there before the pause.
  private func verdict(_ room: SimulatedSession, before played: Statement?) -> [String] {
    if room.reach != nil { room.heal() }
    room.run(for: .seconds(20))
    for participant in room.participants where participant.isRunning {
      participant.coordination.replace(.rate("X"), with: played)
    }
    InvariantCheck(room: room, script: Script(seed: 1, profile: .mixed, specs: [], steps: [])).check()
    return room.violations.filter { $0.invariant == "h" }.map(\.what)
  }

  @Test("(h) does not ask for a pause whose author, and all who were told of it, left before anybody who is there came")
  func toldToNobody() {
    let (room, played) = room(isApart: true)
    room.run(for: .milliseconds(300))
    room.c.leave()
    room.b.leave()
    #expect(verdict(room, before: played) == [])
  }

  @Test("(h) asks for a pause whose author left at once, if anybody who is there was told of it")
  func toldToOne() {
    let (room, played) = room(isApart: false)
    room.run(for: .milliseconds(30))
    room.c.leave()
    room.b.leave()
    #expect(verdict(room, before: played).count == 1)
  }

  @Test("(h) asks for a pause of one who is there, whomever else it told")
  func authorStays() {
    let (room, played) = room(isApart: true)
    room.run(for: .milliseconds(300))
    room.b.leave()
    #expect(verdict(room, before: played).count == 1)
  }

  @Test("(h) asks for a pause that nobody was told of, if its author told them other things for long: it should have")
  func toldOtherThings() throws {
    let (room, played) = room(isApart: false)
    for _ in 0..<10 {
      room.run(for: .seconds(1))
      room.c.seek(to: .seconds(100))
    }
    room.c.leave()
    room.run(for: .seconds(1))
    let pause = try #require(room.written.last { $0.author == "C" && $0.key == .rate("X") })
    for participant in room.participants { participant.heard.remove(CellName(key: pause.key, stamp: pause.stamp)) }
    #expect(verdict(room, before: played).count == 1)
  }
}

import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoSimulator

@Suite("Exchange of what was lost on the way") struct ExchangeTests {
  private func exchanges(_ room: SimulatedSession, since time: Nanoseconds) -> Int {
    room.people.reduce(0) { count, person in
      count + person.history.sent.count { if case .have = $0.value.message { $0.at >= time } else { false } }
    }
  }

  @Test("J17: four that play over a satellite tell where they are all the time, and exchange nothing for that")
  func positionsUnderWay() {
    let room = SimulatedSession(
      seed: 5, participants: ["A", "B", "C", "D"], delay: .milliseconds(300), jitter: .milliseconds(40))
    room.join()
    room.gather(on: "X")
    room.a.play()
    room.run(for: .seconds(20))
    #expect(room.allPlay)
    let start = room.now
    room.run(for: .seconds(120))
    #expect(exchanges(room, since: start) == 0)
    #expect(room.violations.isEmpty)
  }

  @Test("J17: a word that was lost on the way is exchanged all the same")
  func lostWord() {
    let room = SimulatedSession(seed: 6, participants: ["A", "B", "C"], delay: .milliseconds(300))
    room.join()
    room.gather(on: "X")
    room.a.play()
    room.run(for: .seconds(10))
    let start = room.now
    room.c.doesNotHear(room.b, for: .seconds(2))
    let suspension = room.b.suspend("user-action-required")
    room.run(for: .seconds(30))
    #expect(exchanges(room, since: start) > 0)
    #expect(room.c.view.participants.first { $0.id == room.b.id }?.suspensionReasons == ["user-action-required"])
    room.b.end(suspension)
    room.run(for: .seconds(5))
    #expect(room.violations.isEmpty)
  }

  @Test("N6: what the hub says was lost is asked for at once, of the one who was there first, and once in five seconds")
  func lostByTheHub() {
    let room = SimulatedSession(seed: 7, participants: ["A", "B", "C"], delay: .milliseconds(50))
    room.join()
    room.gather(on: "X")
    room.run(for: .seconds(10))
    let start = room.now
    func asked(_ person: Person) -> Int {
      room.c.history.sent.count {
        if case .have = $0.value.message { $0.at >= start && $0.value.to == person.id } else { false }
      }
    }
    room.c.doesNotHear(room.b, for: .milliseconds(300))
    let suspension = room.b.suspend("user-action-required")
    room.run(for: .milliseconds(300))
    for _ in 0..<3 {
      room.c.isToldOfLosses([room.b, room.a])
      room.run(for: .milliseconds(300))
    }
    room.run(for: .milliseconds(400))
    #expect(asked(room.a) == 1 && asked(room.b) == 0)
    #expect(room.c.view.participants.first { $0.id == room.b.id }?.suspensionReasons == ["user-action-required"])
    room.b.end(suspension)
    room.run(for: .seconds(5))
    #expect(room.violations.isEmpty)
  }
}

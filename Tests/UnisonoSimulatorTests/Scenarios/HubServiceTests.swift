import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoSimulator

/// One room at several hubs of a service, whose clocks are hours apart and drift (coordination 2.1, wire 3.12); all measure the clock of
/// the hub they are at as the library does.
@Suite struct HubServiceTests {
  private func room(
    seed: UInt64 = 5, _ names: [String] = ["A", "B", "C"], hubs: Int = 3, control: ControlPolicy = .everyone
  ) -> SimulatedSession {
    let room = SimulatedSession(
      seed: seed, participants: names, delay: .milliseconds(15), jitter: .milliseconds(2), control: control)
    room.isServed(by: hubs)
    for (index, person) in room.people.enumerated() {
      person.measuresClock()
      person.goes(to: index % hubs)
    }
    return room
  }

  private func playing(seed: UInt64 = 5, _ names: [String] = ["A", "B", "C"]) -> SimulatedSession {
    let room = room(seed: seed, names)
    room.join(Array(names.prefix(3)))
    room.gather(on: "X")
    room.a.play()
    room.run(for: .seconds(20))
    return room
  }

  /// What each believes of group time is within what it says of that, against `person`.
  private func agrees(_ room: SimulatedSession, with person: Person, within limit: Nanoseconds) -> Bool {
    guard let reference = person.clockError else { return false }
    return room.people.filter(\.hasJoined).allSatisfy { other in
      guard let belief = other.clockError else { return false }
      let apart = (belief.error - reference.error).length
      return apart <= belief.bound + reference.bound && apart <= limit
    }
  }

  /// How far apart participants see the group.
  private func spread(_ room: SimulatedSession) -> Nanoseconds {
    let positions = room.people.filter(\.hasJoined).map(\.groupPosition)
    return (positions.max() ?? 0) - (positions.min() ?? 0)
  }

  private func mappings(_ room: SimulatedSession) -> [(clock: ClockID, value: ClockValue, at: Nanoseconds)] {
    room.people.flatMap(\.mappings).sorted { $0.at < $1.at }
  }

  @Test("N11: at hubs whose clocks are a day apart and drift all go by one of these clocks, and play in step")
  func apart() {
    let room = playing()
    #expect(room.allPlay && spread(room) < .milliseconds(3))
    for _ in 0..<20 {
      room.run(for: .seconds(90))
      #expect(agrees(room, with: room.a, within: .milliseconds(2)))
      #expect(spread(room) < .milliseconds(3))
    }
    #expect(mappings(room).count == 1)
    #expect(room.violations.isEmpty)
  }

  @Test("N11: the hub of group time's clock dies: its clock goes on by memory, and after 20 s another is mapped, without a jump")
  func death() {
    let room = playing()
    let before = room.now
    room.serviceLoses(0, to: 1)
    var worst: Nanoseconds = 0
    for _ in 0..<120 {
      room.run(for: .milliseconds(500))
      worst = max(worst, spread(room))
      if room.now > before + .seconds(5) { #expect(agrees(room, with: room.b, within: .milliseconds(4))) }
    }
    #expect(room.allPlay && worst < .milliseconds(4))
    let later = mappings(room).filter { $0.at > before }
    #expect(later.count == 1 && later.first?.value.turn == 1 && later.first.map { !$0.value.isGuess } ?? false)
    #expect(later.first.map { $0.at - before } ?? 0 > .seconds(20))
    // Half an hour later the hubs that are left drifted by more than all this.
    room.run(for: .seconds(1_800))
    #expect(agrees(room, with: room.b, within: .milliseconds(2)))
    #expect(spread(room) < .milliseconds(3))
    #expect(room.violations.isEmpty)
  }

  @Test("N11: who comes to another hub right after that knows group time, and does not guess it", arguments: [4, 15, 40])
  func newcomer(after seconds: Int64) {
    let room = playing(["A", "B", "C", "D"])
    room.serviceLoses(0, to: 1)
    room.run(for: .seconds(seconds))
    room.d.goes(to: 2)
    room.d.measuresClock()
    room.enter("D")
    room.d.transition(to: "X")
    room.run(for: .seconds(6))
    #expect(agrees(room, with: room.b, within: .milliseconds(4)))
    #expect(room.allPlay && spread(room) < .milliseconds(4))
    #expect(mappings(room).allSatisfy { !$0.value.isGuess })
    #expect(room.violations.isEmpty)
  }

  @Test("N11: who alone may command wakes long after the hub of group time's clock died: it knows group time, and guesses none")
  func wakesLate() {
    let room = room(control: .hostsOnly)
    room.join()
    room.gather(on: "X")
    room.a.play()
    room.run(for: .seconds(20))
    room.a.goes(to: 1)
    room.a.sleep(for: .seconds(90))
    room.run(for: .seconds(5))
    room.serviceLoses(0, to: 1)
    room.run(for: .seconds(88))
    #expect(room.a.view.timing.status == .playing && agrees(room, with: room.b, within: .milliseconds(4)))
    room.run(for: .seconds(5))
    let later = mappings(room).filter { $0.value.turn > 0 }
    #expect(later.count == 1 && later.allSatisfy { !$0.value.isGuess })
    #expect(agrees(room, with: room.b, within: .milliseconds(4)) && spread(room) < .milliseconds(4))
    #expect(room.violations.isEmpty)
  }

  @Test("a hub that others do not hear for 15 s keeps the clock that group time goes by")
  func shortCut() {
    let room = playing()
    room.serviceDoesNotHear(0, for: .seconds(15))
    room.run(for: .seconds(60))
    #expect(mappings(room).count == 1)
    #expect(agrees(room, with: room.a, within: .milliseconds(2)))
    #expect(room.violations.isEmpty)
  }

  @Test("a hub that others did not hear for minutes is heard again: all go by the clock that was mapped last")
  func longCut() {
    let room = playing()
    room.serviceDoesNotHear(0, for: .seconds(300))
    room.run(for: .seconds(400))
    #expect(Set(mappings(room).map(\.value.turn)) == [0, 1])
    #expect(agrees(room, with: room.a, within: .milliseconds(2)))
    #expect(spread(room) < .milliseconds(3))
    // The clock that is to follow was mapped before; what was said of it then is no use any more.
    let second = mappings(room).last
    room.serviceLoses(second.map { _ in 1 } ?? 1, to: 2)
    room.run(for: .seconds(1_200))
    room.serviceLoses(2, to: 0)
    room.run(for: .seconds(600))
    #expect(agrees(room, with: room.a, within: .milliseconds(2)))
    #expect(room.allPlay && spread(room) < .milliseconds(3))
  }

  @Test("N12: a hub that is wrong of others' clocks by 100 ms is contradicted by who is at these, and named")
  func lie() {
    let room = playing(["A", "B", "C"])
    room.serviceLies(at: 2, by: .milliseconds(100))
    room.run(for: .seconds(30))
    #expect(room.a.contradictingClocks == ["C"])
    #expect(room.b.contradictingClocks == ["C"])
    #expect(room.c.contradictingClocks == ["A", "B"])
    #expect(room.c.history.clockDoubts.last.map { $0.value.participant == room.c.id && !$0.value.isOver } ?? false)
  }

  @Test("N12: a hub that is wrong of its own clock by 100 ms is contradicted by who is at others, and named")
  func ownLie() {
    let room = room()
    room.c.isLiedTo(shift: .milliseconds(100))
    room.join()
    room.run(for: .seconds(30))
    #expect(room.a.contradictingClocks == ["C"])
    #expect(room.c.contradictingClocks == ["A", "B"])
  }
}

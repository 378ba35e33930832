import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoSimulator

/// Starts that wait until people say that they are ready; the last participant is the one that does not.
@Suite struct ReadyTests {
  private func asked(_ setting: Setting, _ policy: StartPolicy = StartPolicy(waiting: .first)) -> SimulatedSession {
    let room = setting.paused()
    room.a.setStartPolicy(policy)
    room.run(for: .seconds(1))
    return room
  }

  private func last(_ room: SimulatedSession) -> Person { room[room.names.last ?? ""] }

  private func allButLastAreReady(_ room: SimulatedSession) {
    for name in room.names.dropLast() { room[name].says(.ready) }
    room.run(for: .seconds(1))
  }

  @Test("G7: the first start waits for all persons, and everybody sees for whom and why", arguments: Setting.all)
  func first(_ setting: Setting) {
    let room = asked(setting)
    allButLastAreReady(room)
    let late = last(room)
    let before = room.now
    room.a.play()
    room.run(for: .seconds(30))
    #expect(room.nonePlays)
    for person in room.people {
      #expect(person.status == .waiting)
      #expect(person.view.waitingFor == [WaitingFor(participant: late.id, reason: "not-ready")])
      #expect(person.view.participants.first { $0.id == room.a.id }?.word == .ready)
    }
    late.says(.ready)
    room.converge()
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    for player in room.players { #expect(player.starts(since: before).map(\.position) == [0]) }
    // It was started: nobody is asked any more.
    late.says(.notReady)
    room.a.pause()
    room.run(for: .seconds(1))
    room.a.play()
    room.converge()
    #expect(room.allPlay)
  }

  @Test("G7: without the policy nobody is waited for, and words are shown", arguments: Setting.all)
  func off(_ setting: Setting) {
    let room = setting.paused()
    last(room).says(.notReady)
    room.run(for: .seconds(1))
    room.a.play()
    room.converge()
    #expect(room.allPlay)
    #expect(room.a.view.participants.first { $0.id == last(room).id }?.word == .notReady)
  }

  @Test("G8: who never gets ready is waited for up to the limit, and everybody is told who was left", arguments: Setting.all)
  func limit(_ setting: Setting) {
    let room = asked(setting, StartPolicy(waiting: .first, limit: .seconds(25)))
    allButLastAreReady(room)
    let late = last(room)
    late.says(.notReady)
    room.run(for: .seconds(1))
    let before = room.now
    room.a.play()
    room.run(for: .seconds(25) - .milliseconds(100))
    #expect(room.nonePlays)
    room.run(for: .milliseconds(200) + room.convergence)
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    for person in room.people {
      let left = person.history.notices.filter { $0.at > before && $0.value.notice.kind == NoticeMessage.Kind.leftWaiting.rawValue }
      #expect(left.map(\.value.originator) == [late.id])
    }
  }

  @Test("G8: a player that cannot start is given up after ten seconds while a person is still waited for")
  func slowPlayer() {
    let room = asked(Setting(participants: 3, delay: 20))
    room.a.says(.ready)
    room.c.says(.ready)
    room.c.changePlayer { $0.ignores = [.buffer, .seek] }
    room.run(for: .seconds(1))
    room.a.play()
    room.run(for: .seconds(15))
    #expect(room.nonePlays)
    #expect(room.a.view.waitingFor == [WaitingFor(participant: room.b.id, reason: "not-ready")])
    #expect(room.c.view.suspensionReasons == ["stall-recovery"])
    room.b.says(.ready)
    room.run(for: .seconds(2))
    #expect(room.a.player.isPlaying && room.b.player.isPlaying)
  }

  @Test("G9: who may command goes on without somebody by name, or without all", arguments: Setting.crowds)
  func without(_ setting: Setting) {
    let room = asked(setting)
    room.a.play()
    room.run(for: .seconds(5))
    #expect(room.b.view.waitingFor.map(\.participant) == room.people.dropFirst().map(\.id).sorted())
    room.b.start(without: [last(room)])
    room.run(for: .seconds(2))
    let rest = room.people.dropFirst().dropLast().map(\.id).filter { $0 != room.b.id }
    #expect(room.nonePlays != rest.isEmpty)
    if !rest.isEmpty {
      #expect(room.c.view.waitingFor.map(\.participant).sorted() == ([room.b.id] + rest).sorted().filter { $0 != room.b.id })
      room.c.start()
      room.run(for: .seconds(2))
    }
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    // Whoever was not waited for is told of, but for who went on itself.
    let left = [last(room).id] + rest.filter { $0 != room.c.id }
    for person in room.people {
      let told = person.history.notices.filter { $0.value.notice.kind == NoticeMessage.Kind.leftWaiting.rawValue }
      #expect(told.map(\.value.originator) == left)
      #expect(person.history.timing.last?.value.cause == .play)
    }
  }

  @Test("G9: who may not command is refused, and so is who goes on while nobody is waited for")
  func refused() {
    let room = SimulatedSession(seed: 3, participants: ["A", "B"], delay: .milliseconds(20), control: .hostsOnly)
    room.join()
    room.gather(on: "X")
    room.b.setStartPolicy(StartPolicy(waiting: .first))
    room.a.start()
    room.run(for: .seconds(1))
    #expect(room.b.history.refusals.map(\.value.operation) == [.setStartPolicy])
    #expect(room.a.history.refusals.map(\.value.status) == [.state])
    #expect(room.people.allSatisfy { $0.view.startPolicy == .none })
    room.a.setStartPolicy(StartPolicy(waiting: .first))
    room.a.play()
    room.run(for: .seconds(3))
    room.b.start(without: [room.b])
    room.run(for: .seconds(3))
    #expect(room.b.history.refusals.map(\.value.status) == [.denied, .denied])
    #expect(room.nonePlays)
    // It may say that it is ready.
    room.b.says(.ready)
    room.converge()
    #expect(room.allPlay)
  }

  @Test("G10: every start from a pause waits; who presses play is not asked; another item asks anew", arguments: Setting.all)
  func every(_ setting: Setting) {
    let room = asked(setting, StartPolicy(waiting: .every))
    for person in room.people.dropFirst() { person.says(.ready) }
    room.run(for: .seconds(1))
    room.a.play()
    room.converge()
    #expect(room.allPlay)
    room.a.pause()
    let away = last(room)
    away.says(.notReady)
    room.run(for: .seconds(1))
    room.a.play()
    room.run(for: .seconds(12))
    #expect(room.nonePlays)
    away.says(.ready)
    room.converge()
    #expect(room.allPlay)
    // A seek while all play asks nobody.
    away.says(.notReady)
    room.run(for: .seconds(1))
    room.a.seek(to: .seconds(300))
    room.run(for: .seconds(3))
    #expect(room.allPlay)
    room.gather(on: "Y")
    #expect(room.people.allSatisfy { $0.view.participants.allSatisfy { $0.word == .notSaid } })
  }

  @Test("G13: another speed, or a seek, while persons are waited for waits on, no longer than before", arguments: Setting.crowds)
  func commandsMeanwhile(_ setting: Setting) {
    let room = asked(setting, StartPolicy(waiting: .first, limit: .seconds(20)))
    allButLastAreReady(room)
    room.a.says(.notSaid)
    room.a.play()
    room.run(for: .seconds(5))
    room.b.play(rate: 1.5)
    room.run(for: .seconds(5))
    room.b.seek(to: .seconds(60))
    room.run(for: .seconds(5))
    #expect(room.nonePlays)
    // Who pressed play is excused still.
    for person in room.people {
      #expect(person.view.waitingFor == [WaitingFor(participant: last(room).id, reason: "not-ready")])
    }
    room.run(for: .seconds(5) + .milliseconds(200) + room.convergence)
    #expect(room.allPlay)
    for player in room.players { #expect(player.rate == 1.5 && player.position >= .seconds(60)) }
  }

  @Test("G13: more people than a command can name want another speed: no person is waited for any more")
  func manyCommands() {
    let room = SimulatedSession(seed: 5, participants: SimulatedSession.names(19), delay: .milliseconds(10))
    room.join()
    room.gather(on: "X")
    room.a.setStartPolicy(StartPolicy(waiting: .first, limit: .seconds(600)))
    room.run(for: .seconds(1))
    for (index, person) in room.people.prefix(16).enumerated() {
      person.play(rate: index % 2 == 0 ? 1 : 1.5)
      room.run(for: .seconds(2))
    }
    #expect(room.nonePlays)
    #expect(room.a.view.waitingFor.count == 3)
    room.people[16].play(rate: 1)
    room.run(for: .seconds(2))
    room.people[17].play(rate: 2)
    room.run(for: .seconds(2))
    #expect(room.allPlay)
  }

  @Test("G13: a pause withdraws the start, and the next one is the first still", arguments: Setting.all)
  func withdrawn(_ setting: Setting) {
    let room = asked(setting)
    room.a.play()
    room.run(for: .seconds(5))
    room.b.pause()
    room.run(for: .seconds(2))
    #expect(room.people.allSatisfy { $0.status == .paused })
    room.a.play()
    room.run(for: .seconds(5))
    #expect(room.nonePlays)
    for person in room.people { person.says(.ready) }
    room.converge()
    #expect(room.allPlay)
  }

  @Test("G13: what a start waits for is what its command says, whatever the policy becomes", arguments: Setting.all)
  func policyChangesMeanwhile(_ setting: Setting) {
    let room = asked(setting, StartPolicy(waiting: .first, limit: .seconds(15)))
    room.a.play()
    room.run(for: .seconds(2))
    room.b.setStartPolicy(.none)
    room.run(for: .seconds(5))
    #expect(room.nonePlays)
    #expect(room.people.allSatisfy { $0.view.startPolicy == .none })
    room.run(for: .seconds(8) + .milliseconds(200) + room.convergence)
    #expect(room.allPlay)
  }

  @Test("G13: who comes while persons are waited for is not waited for, and one that goes is not any more", arguments: Setting.crowds)
  func comingAndGoing(_ setting: Setting) {
    let room = setting.empty()
    let names = room.names
    room.join(Array(names.dropLast()))
    room.gather(on: "X")
    room.a.setStartPolicy(StartPolicy(waiting: .first))
    for name in names.dropLast(2) { room[name].says(.ready) }
    room.run(for: .seconds(1))
    room.a.play()
    room.run(for: .seconds(3))
    room.join([names.last ?? ""])
    last(room).transition(to: "X")
    room.run(for: .seconds(3))
    let awaited = room[names[names.count - 2]]
    #expect(last(room).view.waitingFor == [WaitingFor(participant: awaited.id, reason: "not-ready")])
    awaited.leave()
    room.converge()
    #expect(room.allPlay)
  }

  @Test("G13: nobody makes the group wait for persons longer than ten minutes")
  func boundless() {
    let room = Setting(participants: 2, delay: 20).paused()
    let stamp = Stamp(time: room.groupTime, author: room.b.id)
    for ahead in [Nanoseconds.seconds(601), .max - room.groupTime] {
      room.a.receive(
        .update([
          Statement(
            key: .rate("X"), author: room.b.id, policy: .none, time: stamp.time,
            value: .rate(
              RateValue(
                rank: .command, rate: 1, at: 0, deadline: stamp.time, readyUntil: stamp.time + ahead)))
        ]), from: room.b)
      room.run(for: .seconds(1))
      #expect(room.a.status == .paused)
    }
  }

  @Test("G12: a person with two devices is waited for once, and ready by either of them", arguments: Setting.crowds)
  func devices(_ setting: Setting) {
    let room = asked(setting)
    room.areOnePerson(["B", "C"])
    for person in room.people where !["A", "B", "C"].contains(person.name) { person.says(.ready) }
    room.run(for: .seconds(1))
    room.a.play()
    room.run(for: .seconds(5))
    #expect(room.nonePlays)
    #expect(room.a.view.waitingFor == [WaitingFor(participant: min(room.b.id, room.c.id), reason: "not-ready")])
    room.c.says(.notReady)
    room.run(for: .seconds(1))
    room.b.says(.ready)
    room.run(for: .seconds(5))
    #expect(room.nonePlays, "one of its devices says otherwise")
    room.c.says(.notSaid)
    room.converge()
    #expect(room.allPlay)
  }

  @Test("G12: who presses play on one device is not asked on the other", arguments: Setting.crowds)
  func ownDevices(_ setting: Setting) {
    let room = asked(setting)
    room.areOnePerson(["A", "B"])
    for person in room.people where !["A", "B"].contains(person.name) { person.says(.ready) }
    room.run(for: .seconds(1))
    room.a.play()
    room.converge()
    #expect(room.allPlay)
  }
}

import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoSimulator

/// What a running group does when a person leaves; the last participant is the one.
@Suite struct LeavingTests {
  private func playing(_ setting: Setting, _ leaving: StartPolicy.Leaving = .pause) -> SimulatedSession {
    let room = setting.paused()
    room.a.setStartPolicy(StartPolicy(waiting: .none, leaving: leaving))
    room.a.play()
    room.run(atMost: .seconds(5)) { $0.allPlay }
    room.run(for: .seconds(3))
    return room
  }

  private func last(_ room: SimulatedSession) -> Person { room[room.names.last ?? ""] }

  private func others(_ room: SimulatedSession) -> [Person] { Array(room.people.dropLast()) }

  @Test("G11: somebody leaves: the group pauses once, in step, and is told for whom", arguments: Setting.all)
  func leaves(_ setting: Setting) {
    let room = playing(setting)
    let before = room.now
    let (leaver, place) = (last(room), room.a.player.position)
    leaver.leave()
    room.converge()
    #expect(others(room).allSatisfy { $0.status == .paused && !$0.player.isPlaying })
    for person in others(room) {
      #expect(person.player.kinds(since: before) == [.pause])
      #expect((person.player.position - place).length <= room.convergence)
      let told = person.history.timing.last?.value
      #expect(told?.cause == .left && told?.originator == leaver.id)
      #expect(person.history.notices.filter { $0.at > before }.isEmpty)
    }
    // Once: who plays on is not paused again.
    room.a.play()
    room.run(for: .seconds(60))
    #expect(others(room).allSatisfy { $0.player.isPlaying })
  }

  @Test("G11: by the usual policy the group goes on", arguments: Setting.all)
  func goesOn(_ setting: Setting) {
    let room = playing(setting, .goOn)
    last(room).leave()
    #expect(room.commands(during: .seconds(40)) == [])
    #expect(room.a.status == .playing)
  }

  @Test("G11: somebody's process dies: the group pauses when it goes off the list", arguments: Setting.all)
  func dies(_ setting: Setting) {
    let room = playing(setting)
    last(room).vanish(hubNoticesAfter: .milliseconds(500))
    room.run(for: .seconds(29))
    #expect(others(room).allSatisfy { $0.player.isPlaying })
    room.run(for: .seconds(2) + .milliseconds(500) + room.convergence)
    #expect(others(room).allSatisfy { $0.status == .paused })
    let told = room.a.history.timing.last?.value
    #expect(told?.cause == .left && told?.originator == last(room).id)
  }

  @Test("G11: who acts after somebody was lost has decided: nobody pauses for that one later", arguments: Setting.all)
  func decided(_ setting: Setting) {
    let room = playing(setting)
    last(room).vanish(hubNoticesAfter: .milliseconds(500))
    room.run(for: .seconds(5))
    room.a.pause()
    room.run(for: .seconds(1))
    room.a.play()
    room.run(for: .seconds(40))
    #expect(others(room).allSatisfy { $0.player.isPlaying })
  }

  @Test("G11: a link that comes back, another item or a suspension is no leaving", arguments: Setting.all)
  func staysIn(_ setting: Setting) {
    let room = playing(setting)
    last(room).loseLink(hubNoticesAfter: .milliseconds(300), backAfter: .seconds(8))
    room.run(for: .seconds(45))
    #expect(room.allPlay)
    let suspension = last(room).suspend("user-action-required")
    room.run(for: .seconds(35))
    last(room).end(suspension)
    room.run(for: .seconds(3))
    #expect(room.allPlay)
    last(room).transition(to: "Y")
    room.run(for: .seconds(35))
    #expect(others(room).allSatisfy { $0.player.isPlaying })
  }

  @Test("G11: somebody leaves while a start waits: it is withdrawn", arguments: Setting.crowds)
  func whileWaiting(_ setting: Setting) {
    let room = setting.paused()
    room.a.setStartPolicy(StartPolicy(waiting: .first, leaving: .pause))
    room.a.play()
    room.run(for: .seconds(3))
    last(room).leave()
    room.converge()
    #expect(others(room).allSatisfy { $0.status == .paused })
  }

  @Test("G12: one device of a person leaves: the group goes on; the last one does: it pauses", arguments: Setting.crowds)
  func devices(_ setting: Setting) {
    let room = playing(setting)
    let names = Array(room.names.suffix(2))
    room.areOnePerson(names)
    room.run(for: .seconds(1))
    room[names[1]].leave()
    #expect(room.commands(during: .seconds(5)) == [])
    #expect(room.a.status == .playing)
    room[names[0]].leave()
    room.converge()
    #expect(room.a.status == .paused)
  }

  @Test("G14: who says that somebody left who is there is named itself")
  func lie() {
    let room = playing(Setting(participants: 3, delay: 20))
    let cells = RateValue(rank: .command, rate: 0, at: .seconds(3), named: [room.c.id])
    let pause = Statement(
      key: .rate("X"), author: room.b.id, policy: .none, time: room.groupTime, value: .rate(cells))
    room.a.receive(.update([pause]), from: room.b)
    room.run(for: .milliseconds(1))
    let told = room.a.history.timing.last?.value
    #expect(told?.status == .paused && told?.cause == .pause && told?.originator == room.b.id)
  }

  @Test("G14: the one who would pause first is gone, too: the next one does")
  func nextKeeper() {
    let room = playing(Setting(participants: 4, delay: 20))
    room.a.stopProcess(for: .seconds(30))
    room.d.leave()
    room.run(for: .seconds(5))
    #expect(room.b.status == .paused && room.c.status == .paused)
  }
}

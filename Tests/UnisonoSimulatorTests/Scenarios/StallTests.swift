import Testing
import UnisonoCoordination
import UnisonoReplica
import UnisonoSimulator

/// A running group and one that stalls: the last participant's player is the one.
@Suite struct StallTests {
  private func playing(_ setting: Setting, _ policy: StallPolicy? = StallPolicy(waits: true)) -> SimulatedSession {
    let room = setting.paused()
    if let policy { room.a.setStallPolicy(policy) }
    room.a.play()
    room.run(atMost: .seconds(5)) { $0.allPlay }
    room.run(for: .seconds(2))
    return room
  }

  private func othersPlay(_ room: SimulatedSession) -> Bool { room.players.dropLast().allSatisfy { $0.isPlaying } }

  private func last(_ room: SimulatedSession) -> Person { room[room.names.last ?? ""] }

  @Test(
    "W1: one stalls longer than the debounce: all stand at one position, and everybody sees for whom and why",
    arguments: Setting.all)
  func held(_ setting: Setting) {
    let room = playing(setting)
    let stalling = last(room)
    let stood = stalling.groupPosition
    stalling.stalls(for: nil)
    room.run(for: .milliseconds(295))
    #expect(room.people.allSatisfy { $0.status == .playing })
    room.run(for: room.convergence)
    #expect(room.nonePlays)
    #expect(room.spread == 0)
    #expect((room.a.player.position - stood).length <= .milliseconds(100))
    for person in room.people {
      #expect(person.status == .waiting)
      #expect(person.view.waitingFor == [WaitingFor(participant: stalling.id, reason: "stall-recovery")])
      let told = person.history.timing.last?.value
      #expect(told?.cause == .stall && told?.originator == (person.id == stalling.id ? .none : stalling.id))
    }
  }

  @Test("W1: a stall shorter than the debounce stops nobody", arguments: Setting.all)
  func short(_ setting: Setting) {
    let room = playing(setting)
    last(room).stalls(for: .milliseconds(250))
    #expect(room.commands(during: .seconds(3)) == [])
    #expect(room.a.status == .playing)
  }

  @Test("W1: without the policy a stall stops nobody, and is shown", arguments: Setting.all)
  func off(_ setting: Setting) {
    let room = playing(setting, nil)
    last(room).stalls(for: .seconds(2))
    #expect(room.commands(during: .seconds(3)) == [])
    #expect(room.a.status == .playing)
  }

  @Test("W2: when it is ready all resume together, from where they stand", arguments: Setting.all)
  func resumed(_ setting: Setting) {
    let room = playing(setting)
    let before = room.now
    last(room).stalls(for: .seconds(3))
    room.run(for: .seconds(2))
    #expect(room.nonePlays)
    let stood = room.a.player.position
    room.run(for: .seconds(1) + .milliseconds(200) + room.convergence)
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    for player in room.players where player.commands(since: before).count > 1 {
      #expect(player.starts(since: before).last?.position == stood)
      #expect(player.kinds(since: before) == [.seek, .play])
    }
    // And nobody is held again for the same stall.
    #expect(room.commands(during: .seconds(5)) == [])
  }

  @Test("W3: somebody pauses while waiting: when it is ready the group is paused", arguments: Setting.all)
  func pausedMeanwhile(_ setting: Setting) {
    let room = playing(setting)
    last(room).stalls(for: .seconds(3))
    room.run(for: .seconds(2))
    room.a.pause()
    room.run(for: .seconds(4))
    #expect(room.nonePlays)
    #expect(room.people.allSatisfy { $0.status == .paused })
    #expect(room.spread == 0)
  }

  @Test("W4: somebody plays immediately: the group plays without it, and it catches up", arguments: Setting.all)
  func immediately(_ setting: Setting) {
    let room = playing(setting)
    last(room).stalls(for: .seconds(4))
    room.run(for: .seconds(2))
    room.a.playImmediately()
    room.converge()
    #expect(othersPlay(room))
    // Its stall goes on, and nobody is stopped for it again.
    room.run(for: .seconds(1))
    #expect(room.a.player.isPlaying)
    room.run(for: .seconds(3))
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
  }

  @Test("W5: it is never ready: after the limit the group resumes without it and says so", arguments: Setting.all)
  func neverReady(_ setting: Setting) {
    let room = playing(setting, StallPolicy(waits: true, limit: .seconds(4)))
    let before = room.now
    let stalling = last(room)
    stalling.stalls(for: nil)
    room.run(for: .milliseconds(300) + .seconds(4) - .milliseconds(100))
    #expect(room.nonePlays)
    room.run(for: .milliseconds(300) + room.convergence)
    #expect(othersPlay(room))
    #expect(stalling.view.suspensionReasons == ["stall-recovery"])
    let shown = room.a.view.participants.first { $0.id == stalling.id }
    #expect(shown?.suspensionReasons == ["stall-recovery"])
    room.run(for: .seconds(20))
    #expect(room.a.player.starts(since: before).count == 1)
  }

  @Test("W6: the one that stalls leaves: the others resume at once", arguments: Setting.all)
  func leaves(_ setting: Setting) {
    let room = playing(setting)
    last(room).stalls(for: nil)
    room.run(for: .seconds(2))
    #expect(room.nonePlays)
    last(room).leave()
    room.converge()
    #expect(othersPlay(room))
  }

  @Test("W6: the one that stalls is suspended: the others resume at once", arguments: Setting.all)
  func suspends(_ setting: Setting) {
    let room = playing(setting)
    last(room).stalls(for: nil)
    room.run(for: .seconds(2))
    #expect(room.nonePlays)
    _ = last(room).suspend("user-action-required")
    room.converge()
    #expect(othersPlay(room))
  }

  @Test("W6: the one that stalls dies: the others resume when the hub says so", arguments: Setting.all)
  func dies(_ setting: Setting) {
    let room = playing(setting)
    last(room).stalls(for: nil)
    room.run(for: .seconds(2))
    last(room).vanish(hubNoticesAfter: .milliseconds(500))
    room.run(for: .milliseconds(500) + room.convergence)
    #expect(othersPlay(room))
  }

  @Test("W9: a third stall within a minute: the group goes on, and that one is suspended", arguments: Setting.all)
  func thirdStall(_ setting: Setting) {
    let room = playing(setting)
    let stalling = last(room)
    for _ in 1...2 {
      stalling.stalls(for: .seconds(1))
      room.run(for: .milliseconds(800))
      #expect(room.nonePlays)
      room.run(for: .seconds(4))
      #expect(room.allPlay)
    }
    let before = room.now
    stalling.stalls(for: .seconds(3))
    room.run(for: .seconds(2))
    #expect(othersPlay(room))
    for player in room.players.dropLast() { #expect(player.commands(since: before).isEmpty) }
    #expect(stalling.view.suspensionReasons == ["stall-recovery"])
    room.run(for: .seconds(2))
    #expect(stalling.view.suspensionReasons.isEmpty)
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    // A minute later it is waited for again.
    room.run(for: .seconds(60))
    stalling.stalls(for: .seconds(1))
    room.run(for: .milliseconds(800))
    #expect(room.nonePlays)
  }
}

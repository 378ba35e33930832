import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoSimulator

/// Traces about items, links and the host in which the group ran on, jumped, or said too much.
@Suite struct SessionHoleTests {
  @Test("H17: A plays X and leaves it; B comes 15 s later: paused where A left, for both of them")
  func leftPlaying() {
    let room = Setting(participants: 2, delay: 20).joined()
    room.a.transition(to: "X")
    room.run(for: .seconds(2))
    room.a.play()
    room.run(for: .seconds(3))
    let left = room.player("A").position
    room.a.transition(to: nil)
    room.run(for: .seconds(15))
    room.b.transition(to: "X")
    room.run(for: .seconds(1))
    #expect(!room.player("B").isPlaying)
    #expect((room.player("B").position - left).length <= .milliseconds(60))
    room.a.transition(to: "X")
    room.run(for: .seconds(1))
    #expect(room.player("A").position == room.player("B").position)
  }

  @Test("H20: a rate change a third of a second ahead: the position everybody reads neither jumps back nor stands")
  func rateChangeAhead() {
    let room = Setting(participants: 3, delay: 20).playing(for: .seconds(3))
    // The lead is for the farthest one; the near one learns of it early.
    room.c.changeLink {
      $0.up = .milliseconds(130)
      $0.down = .milliseconds(130)
    }
    room.c.loseLink(backAfter: .milliseconds(10))
    room.run(for: .seconds(8))
    var last = room.people.map(\.groupPosition)
    room.a.play(rate: 2)
    var steps: [ItemTime] = []
    for _ in 0..<500 {
      room.run(for: .milliseconds(2))
      let positions = room.people.map(\.groupPosition)
      for (one, other) in zip(last, positions).prefix(2) { steps.append(other - one) }
      last = positions
    }
    #expect(steps.allSatisfy { (.milliseconds(1)...(.milliseconds(5))).contains($0) })
    // Not at once, but not later than the farthest needs.
    #expect(steps.prefix(100).allSatisfy { $0 < .milliseconds(3) })
    for player in room.players { #expect(player.rate == 2) }
    #expect(room.spread <= inStep)
  }

  @Test("H21: B is back before the hub notices that its old link is over: it is waited for, not counted as gone")
  func oldLinkEndsLate() {
    let room = Setting(participants: 2, delay: 20).playing()
    room.b.loseLink(noticedAfter: .milliseconds(500), hubNoticesAfter: .seconds(3), backAfter: .seconds(2))
    room.run(for: .milliseconds(3_300))
    room.b.changePlayer { $0.seek = .seconds(1) }
    let before = room.now
    room.a.seek(to: .seconds(90))
    room.run(for: .seconds(3))
    #expect(room.spread <= inStep)
    for player in room.players { #expect(player.starts(since: before).map(\.position) == [.seconds(90)]) }
  }

  @Test("H22: one member answers a joiner, whatever the size of the room; heartbeats thin out as it grows")
  func onlyOneAnswers() {
    let names = (0..<16).map { "P\($0)" }
    let room = SimulatedSession(participants: names + ["Z"], delay: .milliseconds(20))
    room.join(names)
    room.run(for: .seconds(10))
    let before = room.now
    func sent(since time: Nanoseconds, _ isCounted: (CoordinationMessage) -> Bool) -> Int {
      room.people.flatMap(\.history.sent).count { $0.at > time && isCounted($0.value.message) }
    }
    room.join(["Z"])
    let answers = sent(since: before) { if case .snapshot = $0 { true } else { false } }
    #expect(answers == 1)
    // Each tells the newcomer its delay, and not everybody again; one beat for all is sixteen deliveries.
    let beats = room.people.flatMap(\.history.sent).filter { $0.at > before }.reduce(0) { sum, sent in
      if case .beat = sent.value.message { sum + (sent.value.to == nil ? names.count : 1) } else { sum }
    }
    #expect((names.count...(9 * names.count)).contains(beats))
    room.run(for: .seconds(10))
    let quiet = room.now
    room.run(for: .seconds(60))
    // 17 of them: every 4.25 s each, four a second together.
    let regular = sent(since: quiet) { if case .beat = $0 { true } else { false } }
    #expect((200...290).contains(regular))
    #expect(sent(since: quiet) { if case .beat = $0 { false } else { true } } == 0)
  }

  @Test("H23: B's copy is five minutes shorter: its end pauses nobody else")
  func shorterCopy() {
    let room = Setting(participants: 3, delay: 20).playing()
    let before = room.now
    room.b.playerWanders(rate: 0)
    room.b.playerEnds(at: room.player("B").position)
    room.run(for: .seconds(5))
    for name in ["A", "C"] {
      #expect(room.player(name).isPlaying)
      #expect(room.player(name).commands(since: before).isEmpty)
    }
    #expect(room.a.status == .playing)
  }

  @Test("H25: a process that stood still for twelve seconds tells its host once, and the newest")
  func afterStandingStill() {
    let room = Setting(participants: 2, delay: 20).playing()
    room.b.stopProcess(for: .seconds(12))
    let before = room.now
    for step in Int64(1)...5 {
      room.run(for: .seconds(1))
      room.a.pause()
      room.run(for: .milliseconds(300))
      room.a.seek(to: .seconds(100 * step))
      room.run(for: .milliseconds(300))
      room.a.playImmediately()
    }
    room.run(until: before + .seconds(12) + .milliseconds(5))
    #expect(room.player("B").commands(since: before).count == 1)
    room.converge()
    #expect(room.player("B").kinds(since: before) == [.play])
    #expect(room.spread <= inStep)
    #expect(room.player("B").position > .seconds(500))
  }
}

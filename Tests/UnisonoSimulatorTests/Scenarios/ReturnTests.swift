import Testing
import UnisonoSimulator

@Suite struct ReturnTests {
  @Test(
    "J8: A, alone behind a broken link, paused 20 s ago and the others watched on: A follows them",
    arguments: Setting.crowds)
  func pausedAlone(_ setting: Setting) {
    let room = setting.playing()
    room.a.loseLink(noticedAfter: .milliseconds(100), hubNoticesAfter: .milliseconds(300), backAfter: .seconds(24))
    room.run(for: .seconds(4))
    room.a.pause()
    room.run(for: .seconds(1))
    #expect(!room.player("A").isPlaying)
    let before = room.now
    room.run(for: .seconds(24))
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    for name in room.names where name != "A" { #expect(room.player(name).commands(since: before).isEmpty) }
  }

  @Test("J9: A and B lost each other and A paused: paused for both when they meet", arguments: [Int64(2), 30, 80])
  func bothAlone(delay: Int64) {
    let room = Setting(participants: 2, delay: delay).playing()
    room.a.loseLink(noticedAfter: .milliseconds(100), hubNoticesAfter: .milliseconds(300), backAfter: .seconds(24))
    room.run(for: .seconds(4))
    room.a.pause()
    room.run(for: .seconds(1))
    #expect(room.player("B").isPlaying)
    room.run(for: .seconds(24))
    #expect(room.nonePlays)
    for person in room.people { #expect(person.status == .paused) }
    #expect((room.a.groupPosition - room.b.groupPosition).length == 0)
  }

  @Test("J10: a hiccup of 2 s in which A paused: the pause counts", arguments: Setting.crowds)
  func pauseInAHiccup(_ setting: Setting) {
    let room = setting.playing()
    room.a.loseLink(noticedAfter: .milliseconds(100), hubNoticesAfter: .milliseconds(300), backAfter: .seconds(2))
    room.run(for: .seconds(1))
    room.a.pause()
    room.run(for: .seconds(3) + room.convergence)
    #expect(room.nonePlays)
    for person in room.people { #expect(person.status == .paused) }
  }

  @Test("J10: the same, and somebody changed the rate after it, while A was away: that counts, too")
  func rateAfterThePause() {
    let room = Setting(participants: 3, delay: 20).playing()
    room.a.loseLink(noticedAfter: .milliseconds(100), hubNoticesAfter: .milliseconds(300), backAfter: .seconds(2))
    room.run(for: .seconds(1))
    room.a.pause()
    room.run(for: .milliseconds(400))
    room.b.play(rate: 1.5)
    room.run(for: .seconds(4))
    for player in room.players { #expect(player.rate == 1.5) }
    #expect(room.spread <= inStep)
  }

  /// Four with a second hub to go to.
  private func withTwoHubs(seed: UInt64) -> SimulatedSession {
    let room = SimulatedSession(
      seed: seed, participants: ["A", "B", "C", "D"], delay: .milliseconds(20), jitter: .milliseconds(5), hubs: 2)
    room.join()
    room.gather(on: "X")
    return room
  }

  @Test(
    "J6: the host of the hub leaves while all play: state, clock and playback go on at the next hub, nobody jumps",
    arguments: 1...5 as ClosedRange<UInt64>)
  func hubLeaves(_ seed: UInt64) {
    let room = withTwoHubs(seed: seed)
    room.a.play(rate: 1.5)
    room.run(for: .seconds(3))
    let before = room.now
    let rest = ["B", "C", "D"]
    room.a.leave()
    room.hubDies(noticedAfter: .milliseconds(50), within: .milliseconds(400))
    room.run(for: .seconds(8))
    for name in rest {
      let player = room.player(name)
      let expected = player.position(at: before) + (room.now - before).scaled(by: 1.5)
      #expect((player.position - expected).length <= .milliseconds(2))
      #expect(player.commands(since: before).isEmpty)
      #expect(player.rate == 1.5)
    }
    room.b.pause()
    room.run(for: .seconds(1))
    for name in rest { #expect(!room.player(name).isPlaying) }
    #expect(room.violations.isEmpty)
  }

  @Test(
    "J11: the hub dies between play and start: one start, everybody in it",
    arguments: 1...8 as ClosedRange<UInt64>)
  func hubDiesBeforeTheStart(_ seed: UInt64) {
    let room = withTwoHubs(seed: seed)
    for person in room.people { person.changePlayer { $0.buffer = .milliseconds(200) } }
    let before = room.now
    room.a.play()
    room.run(for: .milliseconds(100))
    room.hubDies(within: .milliseconds(600))
    room.run(for: .seconds(6))
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    for player in room.players { #expect(player.starts(since: before).count == 1) }
    #expect(room.members(ofHub: 1).count == 4)
  }

  @Test(
    "J11: the hub dies while one is still buffering, and that one is the first at the next hub: the start waits for all",
    arguments: 1...8 as ClosedRange<UInt64>)
  func firstAtTheNextHub(_ seed: UInt64) {
    let room = withTwoHubs(seed: seed)
    room.d.changePlayer { $0.buffer = .milliseconds(900) }
    let before = room.now
    room.a.play()
    room.run(for: .milliseconds(500))
    room.d.loseLink(backAfter: .milliseconds(100))
    room.hubDies(noticedAfter: .milliseconds(100), within: .milliseconds(1_100))
    room.run(for: .seconds(6))
    #expect(room.allPlay)
    for player in room.players {
      let starts = player.starts(since: before)
      #expect(starts.count == 1)
      #expect(starts.allSatisfy { $0.position.length <= inStep })
    }
  }
}

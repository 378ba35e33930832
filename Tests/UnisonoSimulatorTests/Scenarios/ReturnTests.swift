import Testing
import UnisonoCore
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
}

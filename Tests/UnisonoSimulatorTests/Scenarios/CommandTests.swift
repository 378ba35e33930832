import Testing
import UnisonoSimulator

@Suite struct CommandTests {
  @Test(
    "C1: A plays, 100 ms later B pauses: both pause at equal positions, and nothing more comes", arguments: Setting.all)
  func playThenPause(_ setting: Setting) {
    let room = setting.paused()
    for person in room.people { person.snapsPauses() }
    room.a.play()
    room.run(for: .milliseconds(100))
    room.b.pause()
    room.converge()
    #expect(room.nonePlays)
    #expect(room.spread == 0)
    for person in room.people { #expect(person.status == .paused) }
    #expect(room.commands(during: .milliseconds(200)) == [])
    #expect(room.violations.isEmpty)
  }

  @Test("C1: where 100 ms are enough to begin, both play before they pause")
  func playsBeforePause() {
    let room = Setting.near.paused()
    for person in room.people { person.snapsPauses() }
    let before = room.now
    room.a.play()
    room.run(for: .milliseconds(100))
    #expect(room.allPlay)
    room.b.pause()
    room.converge()
    for name in room.names { #expect(room.player(name).kinds(since: before - 1) == [.buffer, .play, .pause]) }
    #expect(room.spread == 0)
  }

  @Test("C2: A seeks to 2 s and plays, B pauses after 100 ms: B was told seek, (buffer) play, pause, both at 2.1 s")
  func seekPlayPause() {
    for setting in Setting.all {
      let room = setting.paused()
      for person in room.people { person.snapsPauses() }
      let before = room.now
      room.a.seek(to: .seconds(2))
      room.a.play()
      #expect(room.run(atMost: room.convergence) { $0.allPlay }, "\(setting.testDescription)")
      // The earliest start is the group's; who gets word of it late jumps onto its line.
      let first = room.players.flatMap { $0.starts(since: before) }.min { $0.at < $1.at }
      let start = first ?? PlayerView.Start(at: 0, position: 0, rate: 0)
      room.run(until: start.at + .milliseconds(100))
      room.b.pause()
      room.converge()
      let told = room.player("B").kinds(since: before)
      #expect(told.first == .seek)
      #expect(told.filter { $0 == .play }.count == 1)
      #expect(told.suffix(2) == [.play, .pause])
      #expect(room.spread == 0)
      #expect((room.player("B").position - start.position - .milliseconds(100)).length <= inStep)
      #expect((room.player("B").position - .milliseconds(2_100)).length <= .milliseconds(25))
      #expect(room.commands(during: .milliseconds(200)) == [])
    }
  }

  @Test("C3: A seeks forward 2 s and C is slow to: C's old position never undoes the seek", arguments: Setting.crowds)
  func slowSeeker(_ setting: Setting) {
    let room = setting.playing()
    for person in room.people { person.reports(every: .milliseconds(100)) }
    room.c.changePlayer { $0.seek = .seconds(1) }
    let target = room.player("A").position + .seconds(2)
    let before = room.now
    room.a.seek(to: target)
    for _ in 0..<10 {
      room.run(for: .milliseconds(50))
      room.c.playerReports(rate: 1, position: target - .seconds(2))
    }
    room.converge()
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    for player in room.players {
      #expect(player.position >= target)
      #expect(player.commands(since: before - 1).allSatisfy { $0.command.itemTime >= target })
      #expect(player.kinds(since: before - 1) == [.seek, .play])
    }
    #expect(room.commands(during: .milliseconds(200)) == [])
  }

  @Test(
    "C4: playing for 200 ms, B seeks back to 50 ms: A's report from ahead drags nobody forward", arguments: Setting.all)
  func seekBack(_ setting: Setting) {
    let room = setting.playing(for: .milliseconds(200))
    let before = room.now
    room.b.seek(to: .milliseconds(50))
    room.run(for: .milliseconds(10))
    room.a.playerReports(rate: 1, position: .milliseconds(210))
    room.converge()
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    for player in room.players {
      #expect(player.starts(since: before).map(\.position) == [.milliseconds(50)])
      #expect(player.kinds(since: before - 1) == [.seek, .play])
    }
    #expect(room.commands(during: .milliseconds(200)) == [])
  }

  @Test("C5: 300 ms from A to B with snap on: when A pauses, B stands at A's position exactly")
  func pauseSnaps() {
    let room = Setting(participants: 2, delay: 150).playing()
    room.a.snapsPauses()
    let before = room.now
    room.a.pause()
    let position = room.player("A").position
    room.converge()
    #expect(room.nonePlays)
    #expect(room.player("B").position == room.player("A").position)
    #expect((room.player("B").position - position).length <= inStep)
    #expect(room.player("B").kinds(since: before) == [.pause])
    #expect(room.commands(during: .milliseconds(200)) == [])
  }

  @Test("G100: with snap off, B, whose link was silent, hears of a pause 10 s late, and stands where A does")
  func pauseHeardLate() {
    let room = Setting(participants: 2, delay: 10).playing()
    room.b.loseLink(noticedAfter: .seconds(10), hubNoticesAfter: .seconds(10), backAfter: .seconds(11))
    room.a.pause()
    room.run(for: .seconds(15))
    room.converge()
    #expect(room.nonePlays)
    #expect((room.player("B").position - room.player("A").position).length < .milliseconds(60))
  }

  @Test("C5: with snap off, B stays where it stopped")
  func pauseWithoutSnap() {
    let room = Setting(participants: 2, delay: 150).playing()
    room.a.pause()
    let position = room.player("A").position
    room.converge()
    #expect(room.nonePlays)
    #expect((room.player("B").position - position - .milliseconds(300)).length <= inStep)
  }

  @Test("G93: with snap off, whoever stopped late goes to where somebody jumps to, also where the others stand already")
  func jumpsBesideWhoStoppedLate() {
    let room = Setting(participants: 3, delay: 150).playing()
    room.a.pause()
    let position = room.player("A").position
    room.converge()
    #expect(room.player("B").position != position)
    room.a.seek(to: position)
    room.converge()
    for player in room.players { #expect(player.position == position) }
    #expect(room.commands(during: .milliseconds(200)) == [])
  }

  @Test("C6: A plays again, or pauses again: no second command to anybody", arguments: Setting.all)
  func repeated(_ setting: Setting) {
    let room = setting.playing()
    room.a.play()
    #expect(room.commands(during: .seconds(1)) == [])
    room.a.pause()
    room.converge()
    room.a.pause()
    #expect(room.commands(during: .seconds(1)) == [])
  }

  @Test("C7: B's player missed a pause and reports moving positions: it is told pause again", arguments: Setting.all)
  func missedPause(_ setting: Setting) {
    let room = setting.playing()
    room.b.changePlayer { $0.ignores = [.pause] }
    let before = room.now
    room.a.pause()
    room.converge()
    #expect(room.player("B").isPlaying)
    room.b.changePlayer { $0.ignores = [] }
    for _ in 0..<20 {
      room.run(for: .milliseconds(100))
      room.b.playerReports(rate: room.player("B").rate, position: room.player("B").position)
    }
    #expect(!room.player("B").isPlaying)
    #expect(room.player("B").kinds(since: before) == [.pause, .pause])
  }

  @Test("C8: a player reports a pause that no person made: the group does not pause", arguments: Setting.all)
  func routeChange(_ setting: Setting) {
    let room = setting.playing()
    let written = room.written.count
    room.b.playerWanders(rate: 0)
    room.run(for: .seconds(2))
    for person in room.people { #expect(person.status == .playing) }
    for name in room.names where name != "B" { #expect(room.player(name).isPlaying) }
    #expect(room.written.count == written)
  }

  @Test("C9: a player reports pause right before the end: nothing restarts", arguments: Setting.all)
  func pauseAtEnd(_ setting: Setting) {
    let room = setting.playing()
    let end = room.player("B").position
    let before = room.now
    for person in room.people {
      person.playerWanders(rate: 0)
      person.playerEnds(at: end)
    }
    room.run(for: .seconds(5))
    #expect(room.players.allSatisfy { $0.starts(since: before).isEmpty })
    #expect(room.players.allSatisfy { !$0.kinds(since: before).contains(.play) })
    for person in room.people { #expect(person.status == .paused) }
  }

  @Test("C10: B's player takes 3 s to seek: no second corrective seek meanwhile", arguments: Setting.all)
  func slowSeek(_ setting: Setting) {
    let room = setting.playing()
    room.b.changePlayer { $0.seek = .seconds(3) }
    let before = room.now
    room.a.seek(to: .seconds(60))
    for _ in 0..<28 {
      room.run(for: .milliseconds(100))
      room.b.playerReports(rate: 0, position: room.player("B").position)
    }
    #expect(room.player("B").kinds(since: before - 1) == [.seek])
    room.converge()
    #expect(room.allPlay)
    #expect(room.player("B").kinds(since: before - 1) == [.seek, .play])
    #expect(room.spread <= inStep)
  }

  @Test("C11: A pauses and B seeks at once: paused at the sought place, everywhere", arguments: Setting.all)
  func pauseAndSeek(_ setting: Setting) {
    let room = setting.playing()
    room.a.pause()
    room.b.seek(to: .seconds(30))
    room.converge()
    #expect(room.nonePlays)
    for player in room.players { #expect(player.position == .seconds(30)) }
    for person in room.people { #expect(person.status == .paused) }
    #expect(room.commands(during: .milliseconds(200)) == [])
  }

  @Test("C12: a pause crosses the start decision: paused, everywhere", arguments: Setting.all)
  func pauseCrossesStart(_ setting: Setting) {
    for wait in stride(from: Int64(0), through: 400, by: 13) {
      let room = setting.paused()
      room.a.play()
      // Before it has heard of the play, its pause would repeat the state, which does nothing.
      room.run(atMost: room.roundTrip) { $0.b.status != .paused }
      room.run(for: .milliseconds(wait))
      room.b.pause()
      room.converge()
      #expect(room.nonePlays, "pause after \(wait) ms")
      for person in room.people { #expect(person.status == .paused, "pause after \(wait) ms") }
      #expect(room.commands(during: .milliseconds(200)) == [])
    }
  }

  @Test("G62: a pause that comes while a slow player is on its way to where the group is lets it go there", arguments: [true, false])
  func pausedOnTheWay(isReturning: Bool) {
    let room = Setting(participants: 3, delay: 20).paused()
    for person in room.people { person.snapsPauses(false) }
    room.b.changePlayer { $0.seek = .milliseconds(900) }
    if isReturning {
      let suspension = room.b.suspend("scrubbing")
      room.a.seek(to: .seconds(600))
      room.a.play()
      room.run(for: .seconds(5))
      room.b.end(suspension)
    } else {
      room.a.seek(to: .seconds(600))
      room.run(for: .milliseconds(100))
      room.a.play()
    }
    room.run(for: .milliseconds(200))
    room.a.pause()
    room.run(for: .seconds(3))
    #expect(room.nonePlays && room.player("A").position >= .seconds(600))
    #expect((room.player("B").position - room.player("A").position).length <= .milliseconds(200))
  }
}

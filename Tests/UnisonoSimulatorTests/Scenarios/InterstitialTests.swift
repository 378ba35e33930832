import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoPlayer
import UnisonoReplica
import UnisonoSimulator

/// Ranges of one's own copy that are not the group's (coordination 2.21).
@Suite struct InterstitialTests {
  private let reason = "playing-interstitial"

  /// How far B's player is from where A's is, once it has left out so much that A's copy does not have.
  private func error(_ room: SimulatedSession, without length: Nanoseconds) -> Nanoseconds {
    (room.player("B").position - length - room.player("A").position).length
  }

  @Test("G77: two with different ranges at different places stay together, and move nobody", arguments: Setting.all)
  func differentPlaces(_ setting: Setting) {
    let room = setting.paused()
    room.a.sees([20...25])
    room.b.sees([10...14, 40...44])
    room.a.play()
    room.run(for: .seconds(9))
    #expect(room.allPlay && error(room, without: 0) <= inStep)
    let others = room.names.filter { $0 != "A" && $0 != "B" }
    let before = room.now
    // B is in its first range, and nobody waits.
    room.run(for: .seconds(3))
    #expect(room.b.view.suspensionReasons == [reason] && room.a.view.suspensionReasons.isEmpty)
    #expect((.seconds(10)...(.seconds(14))).contains(room.player("B").position) && room.player("B").isPlaying)
    for person in room.people where person.name != "B" {
      let seen = person.view.participants.first { $0.id == room.b.id }
      #expect(seen?.suspensionReasons == [reason])
      // For the others it stands where it came into its range.
      if let position = seen?.position { #expect(position.itemTime <= .seconds(10)) }
    }
    room.run(for: .seconds(5))
    #expect(room.allPlay && room.b.view.suspensionReasons.isEmpty && error(room, without: .seconds(4)) <= inStep)
    // A in its own, B on.
    room.run(for: .seconds(6))
    #expect(room.a.view.suspensionReasons == [reason] && room.player("B").isPlaying)
    room.run(for: .seconds(7))
    #expect(room.allPlay && (room.player("A").position - .seconds(5) - (room.player("B").position - .seconds(4))).length <= inStep)
    room.run(for: .seconds(14))
    #expect(room.allPlay && (room.player("A").position - .seconds(5) - (room.player("B").position - .seconds(8))).length <= inStep)
    for name in others { #expect(room.player(name).commands(since: before).isEmpty) }
    #expect(room.violations.isEmpty)
  }

  @Test("G77: at the same place, of different lengths: each comes back in one step when its own is over", arguments: Setting.all)
  func samePlace(_ setting: Setting) {
    let room = setting.paused()
    room.a.sees([10...13])
    room.b.sees([10...16])
    room.a.play()
    room.run(for: .seconds(12))
    #expect(room.a.isSuspended && room.b.isSuspended)
    let before = room.now
    room.run(for: .seconds(3))
    #expect(!room.a.isSuspended && room.b.isSuspended)
    room.run(for: .seconds(4))
    #expect(room.allPlay && (room.player("A").position - .seconds(3) - (room.player("B").position - .seconds(6))).length <= inStep)
    #expect(room.player("A").kinds(since: before) == [.play] && room.player("B").kinds(since: before) == [.play])
    #expect(room.violations.isEmpty)
  }

  @Test("G78: alone nothing is missed by it: what comes after it comes when it is over")
  func alone() {
    let room = Setting(participants: 2, delay: 20).joined()
    room.a.transition(to: "X")
    room.a.sees([10...14])
    room.run(for: .seconds(1))
    room.a.play()
    room.run(for: .seconds(12))
    #expect(room.a.view.suspensionReasons == [reason])
    room.run(for: .seconds(4))
    // It has played all of it, and no more than it takes to go on is lost.
    #expect(!room.a.isSuspended && room.a.player.isPlaying)
    #expect((.seconds(14)...(.seconds(16))).contains(room.player("A").position))
    let now = room.player("A").position
    room.b.transition(to: "X")
    room.run(for: .seconds(3))
    #expect(room.allPlay && (room.player("B").position - (room.player("A").position - .seconds(4))).length <= inStep)
    #expect((room.player("A").position - now - .seconds(3)).length <= .milliseconds(50))
  }

  @Test("G79: a seek of the group to the place of a range lands on its beginning; a seek over it leaves it out", arguments: Setting.all)
  func groupSeek(_ setting: Setting) {
    let room = setting.paused()
    room.b.sees([10...14])
    room.a.seek(to: .seconds(10))
    room.run(for: .seconds(3))
    #expect(room.player("A").position == .seconds(10) && room.player("B").position == .seconds(10) && !room.b.isSuspended)
    room.a.play()
    room.run(for: .seconds(2))
    #expect(room.b.view.suspensionReasons == [reason] && room.player("B").position < .seconds(14))
    // A jump meanwhile is caught up with afterwards.
    room.a.seek(to: .seconds(30))
    room.run(for: .seconds(2))
    #expect(room.b.isSuspended)
    room.run(for: .seconds(4))
    #expect(room.allPlay && !room.b.isSuspended && room.player("A").position > .seconds(30))
    #expect(error(room, without: .seconds(4)) <= inStep)
    room.a.seek(to: .seconds(2))
    room.run(for: .seconds(3))
    #expect(room.player("B").position < .seconds(8) && error(room, without: 0) <= inStep)
    room.a.seek(to: .seconds(20))
    room.run(for: .seconds(3))
    #expect(room.allPlay && !room.b.isSuspended && error(room, without: .seconds(4)) <= inStep)
    room.b.undoJump()
    room.run(for: .seconds(2))
    #expect(room.player("B").position < .seconds(10) && error(room, without: 0) <= inStep && room.violations.isEmpty)
  }

  @Test("G80: a seek of one's own into a range leads all to where it was cut in; one to its end leaves it out", arguments: Setting.all)
  func ownSeek(_ setting: Setting) {
    let room = setting.paused()
    room.b.sees([10...14])
    room.b.seek(to: .seconds(12))
    room.run(for: .seconds(3))
    #expect(room.player("A").position == .seconds(10) && room.player("B").position == .seconds(10))
    room.b.seek(to: .seconds(14))
    room.run(for: .seconds(3))
    #expect(room.player("A").position == .seconds(10) && room.player("B").position == .seconds(14))
    room.a.play()
    room.run(for: .seconds(3))
    #expect(room.allPlay && !room.b.isSuspended && error(room, without: .seconds(4)) <= inStep)
    room.b.seek(to: .seconds(34))
    room.run(for: .seconds(3))
    #expect((.seconds(30)...(.seconds(34))).contains(room.player("A").position) && error(room, without: .seconds(4)) <= inStep)
  }

  @Test("G81: a pause of the group does not cut the range short; who comes out of it stands with the others", arguments: Setting.all)
  func groupPause(_ setting: Setting) {
    let room = setting.paused()
    room.b.sees([10...14])
    room.a.play()
    room.run(for: .seconds(12))
    #expect(room.b.isSuspended)
    room.a.pause()
    room.run(for: .milliseconds(500))
    #expect(room.player("B").isPlaying && !room.player("A").isPlaying)
    room.run(for: .seconds(4))
    #expect(room.nonePlays && !room.b.isSuspended && error(room, without: .seconds(4)) <= .milliseconds(100))
    room.a.play()
    room.run(for: .seconds(3))
    #expect(room.allPlay && error(room, without: .seconds(4)) <= inStep && room.violations.isEmpty)
  }

  @Test("G82: what its person does in the range is its own: a pause stops it alone, a seek out of it is the group's", arguments: Setting.all)
  func ownCommands(_ setting: Setting) {
    let room = setting.paused()
    room.b.sees([10...18])
    room.a.play()
    room.run(for: .seconds(12))
    let before = room.now
    let written = room.written.count
    room.b.pause()
    room.run(for: .seconds(2))
    let stood = room.player("B").position
    #expect(!room.player("B").isPlaying && room.player("A").isPlaying && (.seconds(11)...(.seconds(13))).contains(stood))
    room.b.play()
    room.run(for: .seconds(1))
    #expect(room.player("B").isPlaying && (room.player("B").position - stood - .seconds(1)).length <= .milliseconds(300))
    room.b.seek(to: .seconds(17))
    room.run(for: .seconds(1))
    #expect(room.player("B").isPlaying && room.player("B").position < .seconds(12))
    #expect(room.written.count == written && room.player("A").commands(since: before).isEmpty)
    room.b.seek(to: .seconds(58))
    room.run(for: .seconds(4))
    #expect(room.allPlay && !room.b.isSuspended && room.player("A").position >= .seconds(50))
    #expect(error(room, without: .seconds(8)) <= inStep && room.violations.isEmpty)
  }

  @Test("G83: a range that stalls is seen to its end, and is no stall of the group", arguments: [Setting.all[2], Setting.all[4]])
  func stalls(_ setting: Setting) {
    let room = setting.paused()
    room.a.setStallPolicy(StallPolicy(waits: true))
    room.b.sees([10...14])
    room.a.play()
    room.run(for: .seconds(12))
    #expect(room.b.isSuspended)
    room.b.stalls(for: .seconds(3))
    room.run(for: .seconds(4))
    #expect(room.b.view.suspensionReasons == [reason] && room.player("A").isPlaying)
    room.run(for: .seconds(4))
    #expect(room.allPlay && !room.b.isSuspended && error(room, without: .seconds(4)) <= inStep && room.violations.isEmpty)
  }

  @Test("G84: a start waits for who is in a range where the group waits for that, and all begin together", arguments: Setting.all)
  func waitedFor(_ setting: Setting) {
    let room = setting.paused()
    for person in room.people { person.waits(for: [reason]) }
    room.b.sees([10...14])
    room.a.play()
    room.run(for: .seconds(12))
    room.a.pause()
    room.run(for: .milliseconds(300))
    room.a.play()
    room.run(for: .milliseconds(700))
    #expect(room.a.status == .waiting && !room.player("A").isPlaying && room.player("B").isPlaying)
    room.run(for: .seconds(4))
    #expect(room.allPlay && error(room, without: .seconds(4)) <= inStep && room.violations.isEmpty)
  }

  @Test("G85: the library's player plays through its range, follows no group in it, and counts none of it as skew", arguments: [2, 3])
  func player(_ participants: Int) {
    let room = Setting(participants: participants, delay: 20).watching()
    room.b.sees([10...14])
    room.a.does(.play)
    room.run(for: .seconds(9))
    let before = room.now
    room.run(for: .seconds(3))
    #expect(room.b.view.suspensionReasons == [reason] && room.b.renderedRate > 0.9)
    #expect(room.b.media.timeControl == TimeControl(.playing))
    #expect((.seconds(10)...(.seconds(14))).contains(room.b.renderedPosition))
    #expect(room.b.rendered(.seek, since: before).isEmpty)
    room.run(for: .seconds(6))
    #expect((room.b.renderedPosition - .seconds(4) - room.a.renderedPosition).length <= inBands)
    #expect((room.b.media.statistics.skew.maximum ?? 0) <= .seconds(1))
    #expect(!room.b.isSuspended && room.a.rendered(.pause, since: before).isEmpty && room.violations.isEmpty)
  }

  @Test("G92: the library's player that comes out of one short range after another is with the group soon after each")
  func shortRanges() {
    let room = Setting(participants: 2, delay: 20).watching()
    let length = Nanoseconds.milliseconds(300)
    let ranges = (Nanoseconds(0)..<8).map { index in
      let start: Nanoseconds = .seconds(4 * (index + 1)) + length * index
      return InterstitialRange(start: start, end: start + length)
    }
    room.b.sees(ranges, in: "X")
    room.a.does(.play)
    for count in 1...Nanoseconds(ranges.count) {
      room.run(atMost: .seconds(10)) { $0.b.isSuspended }
      room.run(atMost: .seconds(3)) { !$0.b.isSuspended }
      room.run(for: .seconds(2))
      let away = (room.b.renderedPosition - length * count - room.a.renderedPosition).length
      #expect(away <= .milliseconds(40), "\(away / 1_000_000) ms after \(count)")
    }
    #expect(room.violations.isEmpty)
  }

  @Test("G85: the group's item ends while a range plays; the range at the end of a copy is no part of the group's item")
  func ends() {
    let room = Setting(participants: 3, delay: 20).joined()
    for person in room.people { person.has(.cut(end: person.name == "B" ? .seconds(24) : .seconds(20))) }
    room.gather(on: "X")
    room.b.sees([20...24])
    room.a.setActionAtEnd(.pause)
    room.a.seek(to: .seconds(15))
    room.run(for: .seconds(2))
    room.a.play()
    room.run(for: .seconds(7))
    #expect(room.player("A").position == .seconds(20) && room.player("B").position > .seconds(20))
    #expect(room.b.view.suspensionReasons == [reason])
    room.run(for: .seconds(5))
    #expect(room.nonePlays && !room.b.isSuspended && room.player("B").position == .seconds(24) && room.violations.isEmpty)
  }

  @Test("G86: who comes to an item that it plays already sees the ranges ahead, and one that it is within from its beginning", arguments: [7, 12])
  func brought(_ second: Int64) {
    let room = Setting(participants: 2, delay: 20).joined()
    room.a.sees([10...14])
    room.a.transition(to: "X", proposing: Proposal(rate: 1, itemTime: .seconds(second)))
    room.run(for: .milliseconds(3_500))
    #expect(room.a.view.suspensionReasons == [reason] && (.seconds(10)...(.seconds(14))).contains(room.player("A").position))
    room.run(for: .seconds(4))
    #expect(!room.a.isSuspended && (.seconds(14)...(.seconds(18))).contains(room.player("A").position))
    room.b.transition(to: "X")
    room.run(for: .seconds(3))
    #expect(room.allPlay && (room.player("A").position - .seconds(4) - room.player("B").position).length <= inStep)
    #expect(room.violations.isEmpty)
  }

  @Test("G86: who comes to an item standing within a range is sent to its beginning; at its end it stays")
  func broughtStanding() {
    let room = Setting(participants: 2, delay: 20).joined()
    for (second, stands) in [(12, 10), (14, 14)] as [(Int64, Int64)] {
      let item = ItemID("at \(second)")
      room.a.sees([10...14], in: item)
      room.a.transition(to: item, proposing: Proposal(rate: 0, itemTime: .seconds(second)))
      room.run(for: .seconds(2))
      #expect(room.player("A").position == .seconds(stands) && room.a.groupPosition == .seconds(stands))
    }
    #expect(room.violations.isEmpty)
  }

  @Test("G87: ranges that are given while the player is sent somewhere count from there, whenever they come", arguments: [50, 300, 700, 1_000, 1_300])
  func givenOnTheWay(_ milliseconds: Int64) {
    let room = Setting(participants: 2, delay: 20).paused()
    room.b.changePlayer { $0.seek = .seconds(1) }
    room.b.seek(to: .seconds(30))
    room.run(for: .milliseconds(milliseconds / 2))
    room.a.play()
    room.run(for: .milliseconds(milliseconds / 2))
    room.b.sees([10...14])
    // What is 30 s of the group's is 34 s of its copy now: it goes there, and begins with the others.
    room.run(for: .seconds(4))
    #expect(room.allPlay && !room.b.isSuspended && error(room, without: .seconds(4)) <= inStep && room.player("A").position >= .seconds(30))
    #expect(room.violations.isEmpty)
  }

  @Test("G88: a player that was sent to a range is in it once it is there; one that does nothing of it is in none")
  func sentThere() {
    let room = Setting(participants: 2, delay: 20).joined()
    room.a.transition(to: "X")
    room.a.sees([30...34])
    room.a.changePlayer { $0.seek = .seconds(1) }
    room.run(for: .seconds(1))
    room.a.play()
    room.run(for: .seconds(2))
    room.a.seek(to: .seconds(30))
    room.run(for: .milliseconds(500))
    #expect(!room.a.isSuspended)
    room.a.pause()
    room.run(for: .seconds(2))
    #expect(!room.a.player.isPlaying && !room.a.isSuspended && room.player("A").position == room.a.groupPosition)
    room.a.seek(to: .seconds(30))
    room.run(for: .seconds(2))
    room.a.play()
    room.run(for: .seconds(2))
    #expect(room.a.view.suspensionReasons == [reason] && (.seconds(31)...(.seconds(33))).contains(room.player("A").position))
    room.run(for: .seconds(3))
    #expect(!room.a.isSuspended)
    room.a.changePlayer { $0.ignores = [.play] }
    room.a.seek(to: .seconds(29))
    room.run(for: .seconds(8))
    #expect(room.a.view.suspensionReasons.isEmpty && room.player("A").position > .seconds(34))
    // As for anybody who does not do what it is told.
    room.run(for: .seconds(4))
    #expect(room.a.view.suspensionReasons == ["stall-recovery"])
  }

  @Test(
    "G89: who is apart and on its way to its range pauses where it is shown, and sees the range from its beginning",
    arguments: [50, 500, 900, 1_000, 1_050, 1_300, 2_500])
  func sentThereApart(_ milliseconds: Int64) {
    let room = Setting(participants: 2, delay: 20).paused()
    room.a.sees([30...34])
    room.a.changePlayer { $0.seek = .seconds(1) }
    let scrub = room.a.suspend("scrubbing")
    room.a.seek(to: .seconds(30))
    room.run(for: .milliseconds(100))
    room.a.play()
    room.run(for: .milliseconds(milliseconds))
    room.a.pause()
    room.run(for: .seconds(2))
    let stands = room.player("A").position
    #expect(!room.player("A").isPlaying && (.seconds(30)...(.seconds(34))).contains(stands))
    #expect(room.a.view.suspensionReasons.contains(reason) == (stands != .seconds(30)))
    room.a.play()
    room.run(for: .milliseconds(1_200))
    #expect(room.a.view.suspensionReasons == ["scrubbing", reason] && (.seconds(30)...(.seconds(34))).contains(room.player("A").position))
    room.run(for: .seconds(4))
    #expect(room.a.view.suspensionReasons == ["scrubbing"] && room.player("A").position > .seconds(34))
    room.a.end(scrub)
    room.run(for: .seconds(3))
    #expect(!room.a.isSuspended && room.player("A").position == 0 && room.violations.isEmpty)
  }

  @Test("G96: who plays apart and is sent past a range, just out of another, plays on there at its own speed")
  func sentPastApart() {
    let room = Setting(participants: 2, delay: 20).paused()
    room.a.sees([0...1, 20...21])
    let scrub = room.a.suspend("scrubbing")
    room.a.play()
    room.run(for: .milliseconds(1_300))
    #expect(room.a.view.suspensionReasons == ["scrubbing"] && room.player("A").isPlaying)
    room.a.seek(to: .seconds(60))
    room.run(for: .seconds(2))
    #expect(room.a.view.suspensionReasons == ["scrubbing"] && room.player("A").isPlaying)
    #expect((.seconds(61)...(.seconds(64))).contains(room.player("A").position))
    #expect(room.player("A").commands.allSatisfy { $0.command.kind != .play || $0.command.rate == 1 })
    room.a.end(scrub)
    room.run(for: .seconds(3))
    #expect(!room.a.isSuspended && room.violations.isEmpty)
  }

  @Test(
    "G104: whose live edge the group is beyond comes into a range when its player does, and is told nothing anew",
    arguments: [false, true])
  func behindTheGroup(_ isApart: Bool) {
    let room = SimulatedSession(participants: ["A", "B"], delay: .milliseconds(20))
    room.b.has(.live(edge: .seconds(60_000), window: .seconds(100_000)))
    room.b.reports(every: .seconds(1))
    room.join()
    room.gather(on: "X")
    let edge = room.player("B").range?.upperBound ?? 0
    room.b.sees([InterstitialRange(start: edge + .seconds(20), end: edge + .seconds(25))], in: "X")
    let apart = isApart ? ["scrubbing"] : []
    for reason in apart { _ = room.b.suspend(reason) }
    let person = isApart ? room.b : room.a
    person.seek(to: edge + .seconds(90))
    room.run(for: .seconds(1))
    let before = room.now
    person.play()
    room.run(for: .seconds(8))
    #expect(room.b.view.suspensionReasons == apart && room.player("B").isPlaying)
    #expect((edge + .seconds(5)...(edge + .seconds(14))).contains(room.player("B").position))
    #expect(room.player("B").commands(since: before).count <= 3)
    room.run(atMost: .seconds(20)) { $0.player("B").position >= edge + .seconds(22) }
    #expect(room.b.view.suspensionReasons == apart + [reason])
    room.run(for: .seconds(8))
    #expect(room.b.view.suspensionReasons == apart && room.player("B").isPlaying && room.violations.isEmpty)
  }

  @Test("G105: who comes into its range in the turn in which it is given others is in it: others of another item leave it there")
  func givenLate() {
    for item in ["X", "Y"] as [ItemID] {
      let room = Setting(participants: 2, delay: 20).paused()
      room.b.sees([10...14])
      room.a.play()
      room.run(atMost: .seconds(20)) { $0.player("B").position >= .seconds(9) }
      room.b.stopProcess(for: .seconds(2))
      room.run(for: .seconds(1))
      room.b.sees([10...14, 60...64], in: item)
      room.run(for: .milliseconds(1_500))
      // Those of the item end the one that it is in: it is with the others behind that.
      #expect(room.b.view.suspensionReasons == (item == "X" ? [] : [reason]))
      room.run(for: .seconds(4))
      #expect(room.allPlay && !room.b.isSuspended && error(room, without: .seconds(4)) <= inStep && room.violations.isEmpty)
    }
  }

  @Test("G85: backwards a range is passed over, and what is given later counts from where the player is")
  func backwards() {
    let room = Setting(participants: 3, delay: 20).paused()
    room.b.sees([10...14])
    room.a.seek(to: .seconds(15))
    room.run(for: .seconds(2))
    #expect(room.player("B").position == .seconds(19))
    room.a.play(rate: -1)
    room.run(for: .seconds(10))
    #expect(!room.b.isSuspended && room.player("B").position < .seconds(10) && error(room, without: 0) <= inStep)
    room.a.pause()
    room.a.seek(to: .seconds(30))
    room.run(for: .seconds(2))
    room.b.sees([])
    room.run(for: .seconds(2))
    #expect(room.player("B").position == .seconds(30) && room.player("A").position == .seconds(30))
    room.b.sees([5...6])
    room.run(for: .seconds(2))
    #expect(room.player("B").position == .seconds(31) && room.player("A").position == .seconds(30) && room.violations.isEmpty)
  }

  @Test("G110: ranges that are given to who just woke count from where its player went by itself, in a range or not", arguments: [0, 5, 15])
  func givenAfterSleep(_ seconds: Int64) {
    let room = Setting(participants: 2, delay: 20).joined()
    room.b.stopProcess(for: .seconds(2))
    room.run(for: .seconds(1))
    room.b.transition(to: "X", proposing: Proposal(rate: 1, itemTime: .seconds(seconds)))
    room.b.sees([3...4, 10...20])
    room.run(for: .milliseconds(900))
    room.b.sleep(for: .seconds(6))
    room.run(for: .seconds(9))
    room.a.transition(to: "X")
    room.run(for: .seconds(20))
    #expect(room.allPlay && room.b.view.suspensionReasons.isEmpty && error(room, without: .seconds(11)) <= inStep)
    #expect(room.violations.isEmpty)
  }

  @Test("G110: a player that came into a range before it was let in is where its group is afterwards", arguments: [1, 8])
  func cameIntoRangeBefore(_ seconds: Int64) {
    let room = Setting(participants: 2, delay: 20).joined()
    room.b.loseLink(hubNoticesAfter: 0, backAfter: .seconds(3))
    room.b.sleep(for: .seconds(1))
    room.run(for: .milliseconds(1_100))
    room.b.sees([10...15])
    room.b.transition(to: "X", proposing: Proposal(rate: 1, itemTime: .seconds(seconds)))
    room.run(for: .seconds(9))
    room.a.transition(to: "X")
    room.run(for: .seconds(20))
    #expect(room.allPlay && room.b.view.suspensionReasons.isEmpty && error(room, without: .seconds(5)) <= inStep)
    #expect(room.violations.isEmpty)
  }

  @Test("G110: who ends its suspension at a place that is in a range by then begins with the range")
  func givenWhileSuspended() {
    let room = Setting(participants: 2, delay: 20).joined()
    let suspension = room.b.suspend("away")
    room.b.transition(to: "X", proposing: Proposal(rate: 0, itemTime: .seconds(12)))
    room.run(for: .seconds(1))
    room.b.sees([10...15])
    room.run(for: .seconds(1))
    room.b.end(suspension)
    room.run(for: .seconds(1))
    #expect(room.player("B").position == .seconds(10) && room.b.groupPosition == .seconds(10) && room.violations.isEmpty)
  }

  @Test("G110: who asks to be told again before it is known what the group does is told again then", arguments: [true, false])
  func askedBefore(_ isMember: Bool) {
    let room = Setting(participants: 2, delay: 20).empty()
    room.join(isMember ? ["A", "B"] : ["A"])
    if !isMember {
      room.b.synchronises(after: .seconds(12))
      room.enter("B")
    }
    // Nobody sees that its player stands still for a while.
    room.b.stopProcess(for: .seconds(8))
    room.run(for: .seconds(1))
    room.b.transition(to: "X", proposing: Proposal(rate: 1, itemTime: .seconds(100)))
    room.run(for: .seconds(1))
    room.b.stalls(for: .seconds(3))
    room.run(for: .seconds(4))
    room.b.reapply()
    if isMember { room.b.sleep(for: .seconds(3)) }
    room.run(for: .seconds(10))
    room.a.transition(to: "X")
    room.run(for: .seconds(10))
    #expect(room.allPlay && error(room, without: 0) <= inStep && room.violations.isEmpty)
  }

  @Test("G127: who may not command, at an item without a state, sees its ranges as its player runs by itself", arguments: [true, false])
  func runsByItself(_ isBrought: Bool) {
    let room = SimulatedSession(participants: ["A", "B"], delay: .milliseconds(20), control: .hostsOnly)
    room.join()
    room.b.sees([2...4, 12...17])
    room.b.transition(to: "X", proposing: isBrought ? Proposal(rate: 1, itemTime: 0) : nil)
    if !isBrought {
      let scrub = room.b.suspend("scrubbing")
      room.run(for: .seconds(1))
      room.b.play()
      room.run(for: .seconds(6))
      #expect(room.b.view.suspensionReasons == ["scrubbing"] && room.player("B").position > .seconds(4))
      room.b.end(scrub)
    }
    room.run(atMost: .seconds(14)) { $0.player("B").position >= .milliseconds(12_500) }
    #expect(room.b.status == .none && room.player("B").isPlaying && room.b.view.suspensionReasons == [reason])
    room.run(for: .seconds(6))
    #expect(room.player("B").isPlaying && room.b.view.suspensionReasons.isEmpty)
    // What becomes the group's state is where its player is without its ranges.
    room.a.setRole(of: room.b, to: .host)
    room.run(for: .seconds(1))
    room.a.transition(to: "X")
    room.run(for: .seconds(3))
    #expect(room.allPlay && error(room, without: .seconds(7)) <= inStep && room.violations.isEmpty)
  }

  @Test("G127: who runs by itself, and seeks, which it may not, as its process stands still in a range, goes on from where that ends")
  func runsByItselfUnseen() {
    let room = SimulatedSession(participants: ["A", "B"], delay: .milliseconds(20), control: .hostsOnly)
    room.join()
    room.b.sees([2...4, 12...17])
    room.b.transition(to: "X", proposing: Proposal(rate: 1, itemTime: 0))
    room.run(atMost: .seconds(5)) { $0.b.isSuspended }
    room.b.stopProcess(for: .milliseconds(2_100))
    room.run(for: .seconds(1))
    room.b.seek(to: .seconds(60))
    room.run(atMost: .seconds(14)) { $0.player("B").position >= .milliseconds(11_500) }
    #expect(room.b.history.refusals.map(\.value.status) == [.denied])
    #expect(room.player("B").isPlaying && room.b.view.suspensionReasons.isEmpty)
    room.run(for: .seconds(1))
    #expect(room.b.view.suspensionReasons == [reason] && room.violations.isEmpty)
  }

  @Test("G77: whose machine sleeps while its player lacks data in a range is back once it is through", arguments: Setting.all)
  func sleepsStalledInRange(_ setting: Setting) {
    let room = setting.paused()
    room.b.sees([0...30])
    room.a.play()
    room.run(for: .seconds(4))
    #expect(room.b.view.suspensionReasons == [reason])
    room.b.stalls(for: .seconds(7))
    room.run(for: .milliseconds(100))
    room.b.sleep(for: .seconds(10))
    // 26 s of the range, and what its player lacked data for while it was awake, are to come after that.
    room.run(for: .seconds(10) + .seconds(26))
    #expect(room.b.view.suspensionReasons == [reason] && room.player("B").isPlaying)
    room.run(for: .seconds(9))
    #expect(room.b.view.suspensionReasons.isEmpty && room.allPlay && error(room, without: .seconds(30)) <= inStep)
    #expect(room.violations.isEmpty)
  }
}

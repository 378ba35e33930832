import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoSimulator

@Suite struct SkipTests {
  private let entry = EntryID(high: 1 << 40, low: 1)
  private let other = EntryID(high: 1 << 40, low: 2)
  private let intro = SkipRange(begin: .seconds(10), end: .seconds(100), kind: .intro)

  /// All are at X, which is an entry of the list with these ranges, and the group is there; it leaves out what of them is of `kinds`.
  private func room(
    _ setting: Setting, _ ranges: [SkipRange], skipping kinds: [SkipRange.Kind] = [.intro], duration: Nanoseconds = 0
  ) -> SimulatedSession {
    let room = setting.paused()
    room.a.adds("X", as: entry, copy: Copy(duration: duration), ranges: ranges)
    room.a.adds("Y", as: other)
    room.run(for: .milliseconds(500))
    room.b.setSkipPolicy(kinds)
    room.a.edits(.select(entry))
    room.run(for: .seconds(1))
    return room
  }

  /// X is an entry with an intro, which is left out; the group plays it.
  private func playWithIntro(_ room: SimulatedSession) {
    room.a.adds("X", as: entry, ranges: [intro])
    room.run(for: .milliseconds(500))
    room.b.setSkipPolicy([.intro])
    room.a.edits(.select(entry))
    room.run(for: .seconds(1))
    room.a.play()
  }

  private func ranges(_ person: Person) -> [NoticeMessage] {
    person.history.notices.map(\.value.notice).filter { $0.kind == NoticeMessage.Kind.rangeSkipped.rawValue }
  }

  /// Seeks that players were told since a true time because the group left something out.
  private func skips(_ room: SimulatedSession, since time: Nanoseconds = 0) -> [[ItemTime]] {
    room.players.map { player in
      player.commands(since: time).filter { $0.command.kind == .seek && $0.command.cause == .range }.map(\.command.itemTime)
    }
  }

  private func allAre(_ room: SimulatedSession, in places: ClosedRange<Nanoseconds>) -> Bool {
    room.players.allSatisfy { places.contains($0.position) }
  }

  @Test("G49: the group plays into the intro: all go on at its end at once, by one command, and are told why", arguments: Setting.all)
  func together(_ setting: Setting) throws {
    let room = room(setting, [intro])
    room.a.play()
    room.run(for: .seconds(8))
    #expect(allAre(room, in: .seconds(4)...(.seconds(10))))
    room.run(for: .seconds(8))
    #expect(allAre(room, in: .seconds(100)...(.seconds(110))) && room.allPlay && room.spread <= inStep)
    #expect(skips(room) == room.people.map { _ in [.seconds(100)] })
    for person in room.people {
      let notice = try #require(ranges(person).first)
      #expect(notice.text == "intro" && notice.itemTime == .seconds(100) && ranges(person).count == 1)
      #expect(person.history.notices.last?.value.originator == ParticipantID.none)
      #expect(person.history.timing.last?.value.cause == .range)
    }
    // And it stays where it is.
    room.run(for: .seconds(20))
    #expect(skips(room).allSatisfy { $0.count == 1 })
  }

  @Test("G50: somebody takes it back: the intro plays for all; once more: all are behind it", arguments: Setting.all)
  func undo(_ setting: Setting) {
    let room = room(setting, [intro])
    room.a.play()
    room.run(for: .seconds(16))
    #expect(allAre(room, in: .seconds(100)...(.seconds(110))))
    room.b.undoJump()
    room.run(for: .seconds(15))
    #expect(allAre(room, in: .seconds(20)...(.seconds(26))) && room.allPlay && room.spread <= inStep)
    room.a.pause()
    room.run(for: .seconds(2))
    room.a.play()
    room.run(for: .seconds(10))
    #expect(allAre(room, in: .seconds(27)...(.seconds(40))) && room.allPlay)
    room.a.undoJump()
    room.run(for: .seconds(5))
    #expect(allAre(room, in: .seconds(100)...(.seconds(120))))
  }

  @Test("G50: who seeks into a range, or to its beginning, sees it; the next one is left out again", arguments: [Setting.near, Setting.crowds[0]])
  func sought(_ setting: Setting) {
    let recap = SkipRange(begin: .seconds(150), end: .seconds(200), kind: .recap)
    let more = SkipRange(begin: .seconds(200), end: .seconds(230), kind: .other)
    let room = room(setting, [intro, recap, more], skipping: [.intro, .recap, .other])
    room.a.play()
    room.run(for: .seconds(3))
    room.a.seek(to: intro.begin)
    room.run(for: .seconds(10))
    #expect(allAre(room, in: .seconds(15)...(.seconds(21))))
    room.b.seek(to: .seconds(95))
    room.run(for: .seconds(10))
    #expect(allAre(room, in: .seconds(100)...(.seconds(106))) && skips(room).allSatisfy { $0 == [] })
    // Two that follow each other at once are left out together.
    room.b.seek(to: .seconds(145))
    room.run(for: .seconds(12))
    #expect(allAre(room, in: .seconds(230)...(.seconds(240))) && skips(room).allSatisfy { $0 == [.seconds(230)] })
  }

  @Test("G51: who comes while the group goes on at a range's end, or later, is where the group is", arguments: [100, 400, 5_000] as [Int64])
  func late(_ delay: Int64) {
    let room = SimulatedSession(seed: 7, participants: ["A", "B", "C"], delay: .milliseconds(30))
    room.join(["A", "B"])
    for person in [room.a, room.b] { person.transition(to: "X") }
    room.run(for: .seconds(1))
    playWithIntro(room)
    room.run(atMost: .seconds(20)) { $0.player("A").commands(since: 0).contains { $0.command.cause == .range } }
    room.run(for: .milliseconds(delay))
    room.join(["C"])
    room.c.transition(to: "X")
    room.run(for: .seconds(12))
    #expect(room.allPlay && room.spread <= inStep)
    #expect(room.player("C").position >= .seconds(100) && room.player("C").position <= .seconds(125))
  }

  @Test("G51: who slept while the group started, stalled and went on is told of no range: there is none")
  func noRange() {
    let room = Setting.near.paused()
    room.a.setStallPolicy(StallPolicy(waits: true))
    room.b.play()
    room.run(for: .seconds(3))
    room.a.changePlayer { $0.seek = .milliseconds(800) }
    room.b.seek(to: .seconds(1_000))
    room.run(for: .milliseconds(300))
    room.b.sleep(for: .seconds(20))
    room.run(for: .seconds(11))
    room.a.stalls(for: .seconds(4))
    room.run(for: .seconds(20))
    #expect(room.allPlay && room.spread <= inStep)
    for person in room.people {
      #expect(ranges(person).isEmpty && !person.history.timing.contains { $0.value.cause == .range })
    }
  }

  @Test("G51: whose turn it was to write it dies at that moment: another one does")
  func keeperDies() {
    let room = room(Setting(participants: 3, delay: 20), [intro])
    room.a.play()
    room.run(atMost: .seconds(20)) { $0.player("A").position >= .seconds(9) }
    room.run(for: .milliseconds(700))
    room.a.vanish(hubNoticesAfter: .seconds(2))
    room.run(for: .seconds(20))
    for name in ["B", "C"] { #expect(room.player(name).position >= .seconds(100) && room.player(name).position <= .seconds(130)) }
  }

  @Test("G52: credits that end with the entry go on like its end: to the next entry, once", arguments: Setting.all)
  func atTheEnd(_ setting: Setting) {
    let credits = SkipRange(begin: .seconds(5), end: .seconds(60), kind: .credits)
    let room = room(setting, [credits], skipping: [.credits], duration: .milliseconds(60_400))
    room.a.play()
    room.run(for: .seconds(12))
    for person in room.people {
      #expect(person.currentEntry == other)
      let moves = person.history.playlistChanges.filter(\.value.current)
      #expect(moves.map(\.value.isByEnd) == [false, true])
    }
    room.run(for: .seconds(20))
    #expect(room.people.allSatisfy { $0.currentEntry == other } && !room.allPlay)
  }

  @Test("G52: where nobody knows how long the entry is, its end is where players stand: the same comes of it")
  func atThePlayersEnd() {
    let credits = SkipRange(begin: .seconds(5), end: .seconds(60), kind: .credits)
    let setting = Setting(participants: 3, delay: 20).joined()
    for person in setting.people { person.has(.cut(end: .seconds(60))) }
    setting.gather(on: "X")
    setting.a.adds("X", as: entry, ranges: [credits])
    setting.a.adds("Y", as: other)
    setting.run(for: .milliseconds(500))
    setting.b.setSkipPolicy([.credits])
    setting.a.edits(.select(entry))
    setting.run(for: .seconds(1))
    setting.a.play()
    setting.run(for: .seconds(14))
    #expect(setting.people.allSatisfy { $0.currentEntry == other })
  }

  @Test("G53: somebody's copy is another cut: it goes on at its own place, in step", arguments: Setting.all)
  func cut(_ setting: Setting) {
    let room = room(setting, [intro])
    room.b.isAhead(by: .seconds(12))
    room.run(for: .seconds(2))
    room.a.play()
    room.run(for: .seconds(18))
    let (a, b) = (room.player("A").position, room.player("B").position)
    #expect(a >= .seconds(100) && a <= .seconds(112) && (b - .seconds(12) - a).length <= inStep)
    #expect(skips(room)[1] == [.seconds(112)])
  }

  @Test("G54: a group that leaves out nothing plays all; turned on within a range it is behind it")
  func policy() {
    let room = room(Setting(participants: 3, delay: 20), [intro], skipping: [.credits])
    room.a.play()
    room.run(for: .seconds(25))
    #expect(allAre(room, in: .seconds(15)...(.seconds(26))) && skips(room).allSatisfy(\.isEmpty))
    room.c.setSkipPolicy([.intro, .credits])
    room.run(for: .seconds(5))
    #expect(allAre(room, in: .seconds(100)...(.seconds(106))) && room.allPlay)
    #expect(room.people.allSatisfy { $0.view.skipPolicy == SkipPolicy(kinds: [.intro, .credits]) })
  }

  @Test("G54: who may not command sets nothing, and is told; backwards nothing is left out")
  func denied() {
    let room = SimulatedSession(seed: 2, participants: ["A", "B"], delay: .milliseconds(20), control: .hostsOnly)
    room.join()
    room.gather(on: "X")
    room.a.adds("Y", as: entry, ranges: [intro])
    room.run(for: .milliseconds(500))
    room.b.setSkipPolicy([.intro])
    room.run(for: .seconds(1))
    #expect(room.b.history.refusals.map(\.value.operation) == [.setSkipPolicy] && room.a.view.skipPolicy == .none)
    room.a.setSkipPolicy([.intro])
    room.a.edits(.select(entry))
    room.a.play()
    room.run(for: .seconds(16))
    #expect(allAre(room, in: .seconds(12)...(.seconds(17))))
    for person in room.people { person.transition(to: "Y", proposing: Proposal(rate: -1, itemTime: .seconds(105))) }
    room.run(for: .seconds(12))
    #expect(allAre(room, in: .seconds(90)...(.seconds(99))) && skips(room).allSatisfy(\.isEmpty))
  }

  @Test("G74: an entry that begins with its intro begins behind it; who seeks to 0 sees it", arguments: Setting.all)
  func beginning(_ setting: Setting) {
    let room = room(setting, [SkipRange(begin: 0, end: .seconds(40), kind: .intro)])
    room.a.play()
    room.run(for: .seconds(8))
    #expect(allAre(room, in: .seconds(40)...(.seconds(48))) && room.allPlay && room.spread <= inStep)
    room.a.seek(to: 0)
    room.run(for: .seconds(8))
    #expect(allAre(room, in: .seconds(4)...(.seconds(9))) && skips(room).allSatisfy { $0.count == 1 })
  }

  @Test("G75: somebody pauses or seeks while the group goes on at a range's end: what the person did counts", arguments: Setting.all)
  func meanwhile(_ setting: Setting) {
    let room = room(setting, [intro])
    room.a.play()
    room.run(atMost: .seconds(20)) { $0.player("A").commands(since: 0).contains { $0.command.cause == .range } }
    room.b.pause()
    room.run(for: .seconds(4))
    let places = room.players.map(\.position)
    #expect(!room.allPlay && (places.max() ?? 0) - (places.min() ?? 0) <= .milliseconds(100))
    room.b.seek(to: .seconds(3))
    room.b.play()
    let before = room.now
    room.run(atMost: .seconds(20)) { !skips($0, since: before).allSatisfy(\.isEmpty) }
    room.b.seek(to: .seconds(50))
    room.run(for: .seconds(6))
    #expect(allAre(room, in: .seconds(50)...(.seconds(56))) && room.spread <= inStep)
  }

  @Test("G76: both halves leave it out: when the net is whole all are at one place")
  func partition() {
    let room = SimulatedSession(seed: 3, participants: ["A", "B", "C", "D"], delay: .milliseconds(20), hubs: 2)
    room.join()
    room.gather(on: "X")
    playWithIntro(room)
    room.run(for: .seconds(6))
    room.partition(["A", "B"], ["C", "D"])
    room.run(for: .seconds(20))
    #expect(allAre(room, in: .seconds(100)...(.seconds(125))))
    room.heal()
    room.run(for: .seconds(30))
    #expect(room.allPlay && room.spread <= inStep && allAre(room, in: .seconds(120)...(.seconds(160))))
    #expect(skips(room).allSatisfy { $0.count <= 2 })
  }
}

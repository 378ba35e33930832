import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoPlayer
import UnisonoReplica
import UnisonoSimulator

/// The group is where somebody's copy has not begun yet, or has ended already (coordination 2.18).
@Suite struct CutEdgeTests {
  private let entry = EntryID(high: 1 << 40, low: 1)
  /// B's copy begins where the group's item time is 10 s.
  private let offset: Nanoseconds = -.seconds(10)

  /// All are at X, which is an entry of the list, and B has said what its copy is; paused at the beginning.
  private func room(_ setting: Setting, _ offset: Nanoseconds? = nil, ends: Nanoseconds? = nil) -> SimulatedSession {
    let room = setting.joined()
    if let ends { for person in room.people { person.has(.cut(end: person.name == "B" ? ends : ends + .seconds(40))) } }
    room.gather(on: "X")
    return stated(in: room, offset ?? self.offset)
  }

  /// The same, where the library's players drive renderers.
  private func watching(
    _ setting: Setting = Setting(participants: 3, delay: 20), abilities: RendererAbilities = .init(), ends: Nanoseconds? = nil
  ) -> SimulatedSession {
    let room = setting.watching(abilities: abilities)
    if let ends { for person in room.people { person.changeRenderer { $0.duration = person.name == "B" ? ends : ends + .seconds(40) } } }
    return stated(in: room, offset)
  }

  private func stated(in room: SimulatedSession, _ offset: Nanoseconds) -> SimulatedSession {
    room.a.adds("X", as: entry)
    room.run(for: .milliseconds(500))
    room.a.edits(.select(entry))
    room.run(for: .seconds(1))
    room.b.isAhead(by: offset)
    room.run(for: .seconds(2))
    return room
  }

  /// How far B's player is from where it would be in A's copy.
  private func error(_ room: SimulatedSession) -> Nanoseconds {
    (room.player("B").position - offset - room.player("A").position).length
  }

  private func renderedError(_ room: SimulatedSession) -> Nanoseconds {
    (room.b.renderedPosition - offset - room.a.renderedPosition).length
  }

  /// Where a person's player is, and whether it runs: the host's own, or the library's.
  private func seen(_ hasPlayer: Bool) -> (position: (Person) -> ItemTime, runs: (Person) -> Bool) {
    hasPlayer ? ({ $0.renderedPosition }, { $0.renderedRate != 0 }) : ({ $0.player.position }, { $0.player.isPlaying })
  }

  /// All play from 30 s on; B's copy ends at 50 s of its own, the others' 40 s later.
  private func playingUpToEnds(_ hasPlayer: Bool) -> SimulatedSession {
    let room = hasPlayer ? watching(ends: .seconds(50)) : room(Setting(participants: 3, delay: 20), ends: .seconds(50))
    room.a.seek(to: .seconds(30))
    room.run(for: .seconds(2))
    room.a.play()
    room.run(for: .seconds(2))
    return room
  }

  @Test("G70: whose cut has not begun where the group plays stands at its beginning, and starts in step", arguments: Setting.all)
  func notBegun(_ setting: Setting) throws {
    let room = room(setting)
    #expect(room.player("B").position == 0)
    room.a.seek(to: .seconds(3))
    room.run(for: .seconds(2))
    room.a.play()
    room.run(atMost: .seconds(1)) { $0.player("A").isPlaying }
    let began = room.now
    var stood = true
    var knew = true
    while room.player("A").position < .seconds(10) {
      stood = stood && !room.player("B").isPlaying && room.player("B").position == 0
      // It sees that the group plays, and that nothing else is expected of its own player yet.
      knew = knew && room.b.status == .playing && room.b.view.timing.line.rate == 1 && room.b.view.timing.reach?.lowerBound == 0
      room.run(for: .milliseconds(100))
    }
    #expect(stood && knew)
    // Nobody waited for it.
    #expect(room.now - began <= .milliseconds(7_200))
    room.run(for: .milliseconds(100))
    #expect(room.allPlay && error(room) <= inStep)
    #expect(room.player("B").kinds(since: began) == [.play])
    let play = try #require(room.player("B").commands.last)
    #expect(play.command.itemTime == 0)
    // In time, and not so early that clocks would have drifted apart.
    #expect((room.player("A").position(at: play.at) - .seconds(8)).length <= .milliseconds(30))
    for person in room.people where person.name != "B" { #expect(room.player(person.name).kinds(since: began).isEmpty) }
    #expect(!room.b.isSuspended && room.violations.isEmpty)
  }

  @Test("G70: the group jumps to before its beginning: it goes to that, the others play on at once", arguments: [true, false])
  func jumpedBefore(immediately: Bool) {
    let room = room(Setting(participants: 3, delay: 20))
    room.a.seek(to: .seconds(60))
    room.run(for: .seconds(2))
    room.a.play()
    room.run(for: .seconds(5))
    #expect(room.allPlay && error(room) <= inStep)
    if immediately { room.a.seekImmediately(to: .seconds(6)) } else { room.a.seek(to: .seconds(6)) }
    room.run(for: .seconds(2))
    #expect(room.player("A").isPlaying && !room.player("B").isPlaying && room.player("B").position == 0)
    room.run(for: .seconds(4))
    #expect(room.allPlay && error(room) <= inStep && room.violations.isEmpty)
  }

  @Test("G70: a running player whose cut begins in a moment goes to its beginning first, and is told to play when it is there")
  func jumpedJustBefore() throws {
    let room = room(Setting(participants: 3, delay: 20))
    room.a.seek(to: .seconds(60))
    room.run(for: .seconds(2))
    room.a.play()
    room.run(for: .seconds(5))
    #expect(room.allPlay)
    let jumped = room.now
    room.a.seekImmediately(to: .seconds(9))
    room.run(for: .milliseconds(500))
    #expect(room.player("A").isPlaying && !room.player("B").isPlaying && room.player("B").position == 0)
    room.run(for: .seconds(2))
    #expect(room.player("B").kinds(since: jumped) == [.seek, .play])
    #expect(room.allPlay && error(room) <= inStep && room.violations.isEmpty)
  }

  @Test("G70: it says so while all play, and its player goes to its beginning until the group is there")
  func statedWhilePlaying() {
    let room = room(Setting(participants: 3, delay: 20), 0)
    room.a.play()
    room.run(for: .seconds(4))
    #expect(room.allPlay)
    room.b.isAhead(by: offset)
    room.run(for: .seconds(1))
    #expect(room.player("A").isPlaying && !room.player("B").isPlaying && room.player("B").position == 0)
    room.run(for: .seconds(7))
    #expect(room.allPlay && error(room) <= inStep && room.violations.isEmpty)
  }

  @Test("G71: the library's player does so over any renderer", arguments: [true, false])
  func renderer(isExact: Bool) {
    let room = watching(abilities: RendererAbilities(startsExactly: isExact))
    room.a.does(.play)
    room.run(for: .seconds(3))
    let began = room.now
    #expect(room.a.renderedRate > 0.9 && room.b.renderedRate == 0 && room.b.renderedPosition == 0)
    #expect(room.b.media.timeControl == TimeControl(.waiting, .coordinatedPlayback) && room.b.media.rate == 1)
    room.run(for: .seconds(6))
    #expect(room.b.renderedRate == 0 && room.b.renderedPosition == 0 && !room.b.isSuspended)
    room.run(for: .seconds(4))
    #expect(room.b.renderedRate > 0.9 && renderedError(room) <= inBands)
    #expect(room.b.media.timeControl.status == .playing)
    #expect(room.b.rendered(.seek, since: began).isEmpty)
    #expect(room.a.rendered(.seek, since: began).isEmpty && room.violations.isEmpty)
  }

  @Test("G72: a pause, another rate and a jump reach who waits at its beginning, too")
  func commanded() {
    let room = room(Setting(participants: 3, delay: 20))
    room.a.play()
    room.run(for: .seconds(3))
    room.b.pause()
    room.run(for: .seconds(1))
    #expect(room.nonePlays && room.player("B").position == 0)
    room.c.play(rate: 2)
    room.run(for: .seconds(1))
    #expect(room.player("A").rate == 2 && !room.player("B").isPlaying && room.player("B").position == 0)
    room.run(for: .seconds(4))
    #expect(room.player("B").rate == 2 && error(room) <= 2 * inStep)
    room.c.seek(to: .seconds(4))
    room.run(for: .seconds(1))
    #expect(room.player("A").rate == 2 && !room.player("B").isPlaying && room.player("B").position == 0)
    // By its own person to a place that its copy has.
    room.b.seek(to: .seconds(5))
    room.run(for: .seconds(2))
    #expect(room.player("A").position >= .seconds(15) && room.player("B").rate == 2 && error(room) <= 2 * inStep)
    // Backwards it comes to its beginning, and stands there.
    room.a.play(rate: -2)
    room.run(for: .seconds(6))
    #expect(room.player("A").position < .seconds(9) && room.player("A").rate == -2)
    #expect(room.violations.isEmpty)
  }

  @Test("G72: whose output is late or early begins that much before or after the others are there", arguments: [300, -300])
  func outputOffset(late: Int64) {
    let room = room(Setting(participants: 3, delay: 20))
    room.b.delaysOutput(by: .milliseconds(late))
    room.a.play()
    room.run(atMost: .seconds(20)) { $0.player("B").isPlaying }
    #expect((room.player("A").position - .seconds(10) + .milliseconds(late)).length <= .milliseconds(20))
    room.run(for: .seconds(1))
    #expect((room.player("B").position - offset - room.player("A").position - .milliseconds(late)).length <= inStep)
    #expect(room.violations.isEmpty)
  }

  @Test("G102: who was on its way elsewhere from its beginning when its suspension began goes back to that")
  func arrivedMeanwhile() {
    let room = room(Setting(participants: 3, delay: 20))
    room.b.changePlayer { $0.seek = .seconds(1) }
    room.a.seek(to: .seconds(60))
    room.run(for: .milliseconds(300))
    let suspension = room.b.suspend("scrubbing")
    room.run(for: .seconds(2))
    #expect(room.player("B").position == .seconds(50))
    room.a.seek(to: .seconds(3))
    room.a.play()
    room.run(for: .seconds(1))
    room.b.end(suspension)
    room.run(for: .seconds(2))
    #expect(room.player("A").isPlaying && !room.player("B").isPlaying && room.player("B").position == 0)
    room.run(for: .seconds(5))
    #expect(room.allPlay && error(room) <= inStep && room.violations.isEmpty)
  }

  @Test("G103: where a range that its cut begins with was seen, it stands behind that, and starts from there in step")
  func beginsWithRange() {
    let room = room(Setting(participants: 3, delay: 20))
    room.b.sees([0...8])
    room.a.seek(to: .seconds(10))
    room.run(for: .seconds(2))
    room.a.play()
    room.run(for: .seconds(12))
    #expect(room.allPlay && room.player("B").position > .seconds(8))
    room.a.pause()
    room.run(for: .seconds(1))
    room.a.seek(to: .seconds(3))
    room.run(for: .seconds(2))
    #expect(room.nonePlays && room.player("A").position == .seconds(3) && room.player("B").position == .seconds(8))
    room.a.play()
    room.run(for: .seconds(3))
    #expect(room.player("A").isPlaying && !room.player("B").isPlaying && room.player("B").position == .seconds(8))
    room.run(for: .seconds(6))
    #expect(room.allPlay && (room.player("B").position - .seconds(8) - offset - room.player("A").position).length <= inStep)
    #expect(!room.b.isSuspended && room.violations.isEmpty)
  }

  @Test("G72: who comes later, or back from being apart, waits at its beginning, too")
  func comesLater() {
    let room = room(Setting(participants: 3, delay: 20))
    room.a.play()
    room.run(for: .seconds(2))
    let suspension = room.b.suspend("scrubbing")
    room.b.seek(to: .seconds(40))
    room.run(for: .seconds(1))
    room.b.end(suspension)
    room.run(for: .seconds(1))
    #expect(room.player("A").isPlaying && !room.player("B").isPlaying && room.player("B").position == 0)
    room.b.transition(to: "Y")
    room.run(for: .seconds(1))
    room.b.transition(to: "X")
    room.run(for: .seconds(1))
    #expect(room.player("A").isPlaying && !room.player("B").isPlaying && room.player("B").position == 0)
    room.b.loseLink(backAfter: .seconds(1))
    room.run(for: .seconds(7))
    #expect(room.allPlay && error(room) <= inStep && room.violations.isEmpty)
  }

  @Test("G72: a group that waits for stalls does not wait for who has not begun, though its player says that it has no data")
  func stallsMeanwhile() {
    let room = room(Setting(participants: 3, delay: 20))
    room.a.setStallPolicy(StallPolicy(waits: true))
    room.a.play()
    room.run(for: .seconds(2))
    room.b.stalls(for: .seconds(3))
    room.run(for: .seconds(4))
    #expect(room.player("A").isPlaying && room.player("A").kinds(since: room.now - .seconds(5)).isEmpty)
    room.run(for: .seconds(7))
    #expect(room.allPlay && error(room) <= inStep && room.violations.isEmpty)
  }

  @Test("G73: who says once all have ended that its copy is another cut goes to where the group is", arguments: Setting.all)
  func anotherCutAtTheEnd(_ setting: Setting) {
    let room = setting.joined()
    for person in room.people { person.has(.cut(end: .seconds(200))) }
    room.gather(on: "X")
    room.a.adds("X", as: entry)
    room.run(for: .milliseconds(500))
    room.a.edits(.select(entry))
    room.a.seek(to: .seconds(195))
    room.run(for: .seconds(2))
    room.a.play()
    room.run(for: .seconds(10))
    #expect(room.nonePlays && room.player("B").position >= .seconds(200))
    room.b.isAhead(by: -.seconds(121))
    room.run(for: .seconds(2))
    #expect((room.player("B").position - .seconds(79)).length <= .milliseconds(40))
    room.b.pause()
    room.run(for: .seconds(2))
    #expect((room.player("B").position - .seconds(79)).length <= .milliseconds(40))
    room.a.seek(to: .seconds(150))
    room.run(for: .seconds(1))
    room.a.play()
    room.run(for: .seconds(4))
    #expect(room.allPlay && (room.player("B").position + .seconds(121) - room.player("A").position).length <= inStep)
    #expect(room.violations.isEmpty)
  }

  @Test("G73: where a copy ends sooner its player stands at its end, and is back when the group is", arguments: [false, true])
  func ended(hasPlayer: Bool) {
    let (position, runs) = seen(hasPlayer)
    let room = playingUpToEnds(hasPlayer)
    #expect(runs(room.a) && runs(room.b))
    // Its copy ends where the group is at 60 s.
    room.a.seek(to: .seconds(80))
    room.run(for: .seconds(4))
    #expect(runs(room.a) && !runs(room.b) && position(room.b) == .seconds(50))
    #expect(room.a.status == .playing && !room.b.isSuspended)
    room.a.seek(to: .seconds(55))
    room.run(for: .seconds(3))
    #expect(runs(room.a) && runs(room.b))
    #expect((position(room.b) - offset - position(room.a)).length <= .milliseconds(100))
    room.run(for: .seconds(5))
    #expect(runs(room.a) && !runs(room.b) && position(room.b) == .seconds(50))
    #expect(room.violations.isEmpty)
  }

  @Test(
    "G73: the item has ended with the longest copy, also where a jump led past the end of the shortest",
    arguments: [false, true], [false, true])
  func jumpedPastEnd(hasPlayer: Bool, immediately: Bool) {
    let (position, runs) = seen(hasPlayer)
    let room = playingUpToEnds(hasPlayer)
    if immediately { room.a.seekImmediately(to: .seconds(80)) } else { room.a.seek(to: .seconds(80)) }
    room.run(for: .seconds(4))
    #expect(runs(room.a) && !runs(room.b) && position(room.b) == .seconds(50))
    if hasPlayer { #expect(room.b.notices(.itemEnded).count == 1) }
    let before = room.now
    room.c.setStallPolicy(StallPolicy(waits: true))
    room.b.reapply()
    room.run(for: .seconds(8))
    #expect(room.people.allSatisfy { $0.status == .paused })
    #expect(!runs(room.a) && position(room.a) == .seconds(90) && position(room.b) == .seconds(50))
    if hasPlayer { #expect(room.b.notices(.itemEnded, since: before).isEmpty) }
    #expect(room.violations.isEmpty)
  }

  @Test("G73: who says that its copy has more at the beginning takes the group there: the others stand at theirs", arguments: [false, true])
  func beforeEverybody(hasPlayer: Bool) {
    let (position, runs) = seen(hasPlayer)
    let room = stated(in: hasPlayer ? Setting(participants: 3, delay: 20).watching() : everything(), .seconds(12))
    // 7 s before the group's beginning.
    room.b.seek(to: .seconds(5))
    room.run(for: .seconds(2))
    room.b.play()
    room.run(for: .seconds(3))
    for person in [room.a, room.c] { #expect(!runs(person) && position(person) == 0 && person.status == .playing) }
    #expect(runs(room.b) && position(room.b) >= .seconds(7))
    room.run(for: .seconds(8))
    for person in [room.a, room.c] {
      #expect(runs(person) && (position(room.b) - .seconds(12) - position(person)).length <= (hasPlayer ? inBands : inStep))
    }
    #expect(room.violations.isEmpty)
  }

  /// Hosts that say what they can reach.
  private func everything() -> SimulatedSession {
    let room = Setting(participants: 3, delay: 20).joined()
    for person in room.people { person.has(.cut(end: .seconds(7_000))) }
    room.gather(on: "X")
    return room
  }

  @Test("G111: a live item's window that is said to be another cut: its host is told where to be, not again and again")
  func movingWindow() throws {
    let room = Setting(participants: 3, delay: 20).joined()
    room.b.has(.live(edge: 0, window: 0))
    let host = try #require(room.player("B").range).upperBound
    room.b.has(.live(edge: .seconds(100) - host, window: .seconds(300)))
    room.gather(on: "X")
    room.a.adds("X", as: entry)
    room.run(for: .milliseconds(500))
    room.a.edits(.select(entry))
    room.a.play()
    room.run(for: .seconds(5))
    let before = room.now
    // The group is before the beginning of that copy, which its window will not reach.
    room.b.isAhead(by: -.seconds(390))
    room.run(for: .seconds(20))
    #expect(room.player("B").commands(since: before).count <= 8)
    #expect(room.player("A").isPlaying && room.violations.isEmpty)
  }
}

import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoSimulator

@Suite struct CutTests {
  private let entry = EntryID(high: 1 << 40, low: 1)
  private let other = EntryID(high: 1 << 40, low: 2)
  private let ahead: Nanoseconds = .seconds(12)

  /// All are at X, which is an entry of the list, and the group is there; B's copy of it is 12 s ahead.
  private func room(_ setting: Setting, isPlaying: Bool) -> SimulatedSession {
    let room = isPlaying ? setting.playing() : setting.paused()
    room.a.adds("X", as: entry)
    room.a.adds("Y", as: other)
    room.run(for: .milliseconds(500))
    room.a.edits(.select(entry))
    room.run(for: .seconds(1))
    room.b.isAhead(by: ahead)
    room.run(for: .seconds(3))
    return room
  }

  /// How far B's player is from where it would be in A's copy, given 12 s.
  private func error(_ room: SimulatedSession) -> Nanoseconds {
    (room.player("B").position - ahead - room.player("A").position).length
  }

  @Test("G45: who has another cut plays at its own place of it, in step; a jump and a pause lead both to one picture", arguments: Setting.all)
  func together(_ setting: Setting) {
    let room = room(setting, isPlaying: true)
    #expect(room.allPlay && error(room) <= inStep)
    room.a.seek(to: .seconds(100))
    room.run(for: .seconds(5))
    #expect(room.player("A").position >= .seconds(100) && error(room) <= inStep)
    room.b.seek(to: .seconds(312))
    room.run(for: .seconds(5))
    #expect((.seconds(300)...(.seconds(306))).contains(room.player("A").position) && error(room) <= inStep)
    room.b.pause()
    room.run(for: .seconds(3))
    #expect(!room.allPlay && error(room) <= .milliseconds(100))
    room.b.undoJump()
    room.run(for: .seconds(3))
    #expect((.seconds(100)...(.seconds(110))).contains(room.player("A").position) && error(room) <= .milliseconds(100))
  }

  @Test("G45: stating it moves the own player alone, and everybody sees it; 0 takes it back")
  func stating() throws {
    let room = Setting(participants: 3, delay: 20).paused()
    room.a.adds("X", as: entry)
    room.run(for: .milliseconds(500))
    room.a.edits(.select(entry))
    room.run(for: .seconds(1))
    room.a.seek(to: .seconds(60))
    room.run(for: .seconds(3))
    room.b.isAhead(by: ahead, in: entry)
    #expect(room.commands(during: .seconds(3)).filter { !$0.hasPrefix("B") } == [])
    #expect(room.player("A").position == .seconds(60) && room.player("B").position == .seconds(72))
    for person in room.people {
      let seen = try #require(person.view.participants.first { $0.id == room.b.id })
      #expect(seen.cutOffset == ahead)
      // Each is told places in its own copy.
      #expect(person.view.timing.line.at == (person.id == room.b.id ? .seconds(72) : .seconds(60)))
    }
    room.b.isAhead(by: 0)
    room.run(for: .seconds(3))
    #expect(room.player("B").position == .seconds(60))
  }

  @Test("G46: it is of its entry alone, and counts again when the group comes back to that", arguments: [Setting.near, Setting.crowds[0]])
  func anotherEntry(_ setting: Setting) {
    let room = room(setting, isPlaying: false)
    room.a.seek(to: .seconds(30))
    room.run(for: .seconds(3))
    #expect(room.player("B").position == .seconds(42))
    for (id, item, isOther) in [(other, "Y" as ItemID, true), (entry, "X", false)] {
      room.a.edits(.select(id))
      room.run(for: .seconds(1))
      for person in room.people { person.transition(to: item) }
      room.run(for: .seconds(3))
      room.a.seek(to: .seconds(50))
      room.run(for: .seconds(3))
      #expect(room.player("A").position == .seconds(50))
      #expect(room.player("B").position == (isOther ? .seconds(50) : .seconds(62)))
    }
  }

  @Test("G47: it outlives a link that is lost for a while, and who comes later is at one picture with all", arguments: Setting.crowds)
  func lostLink(_ setting: Setting) {
    let room = room(setting, isPlaying: true)
    room.b.loseLink(backAfter: .seconds(20))
    room.run(for: .seconds(40))
    #expect(room.allPlay && error(room) <= inStep)
    room.c.isAhead(by: -.seconds(3))
    room.run(for: .seconds(5))
    #expect(error(room) <= inStep)
    #expect((room.player("A").position - .seconds(3) - room.player("C").position).length <= inStep)
  }

  @Test("G48: an offset of an entry that is not there is refused, and nobody moves")
  func refused() {
    let room = Setting.near.paused()
    room.b.isAhead(by: ahead, in: entry)
    #expect(room.commands(during: .seconds(2)) == [])
    #expect(room.b.history.refusals.last?.value.operation == .setCutOffset)
    room.b.isAhead(by: ahead)
    room.run(for: .seconds(1))
    #expect(room.b.history.refusals.map(\.value.status) == [.notFound, .notFound])
  }

  @Test("G61: who states it while a start waits is prepared, and after a pause stands, at its own place", arguments: [true, false])
  func whilePreparing(isPausedSoon: Bool) {
    let room = room(Setting(participants: 3, delay: 20), isPlaying: false)
    room.c.setStartPolicy(StartPolicy(waiting: .every, limit: .seconds(20), leaving: .goOn))
    room.run(for: .seconds(1))
    room.a.play()
    room.run(for: .seconds(2))
    room.b.isAhead(by: .seconds(300))
    room.run(for: isPausedSoon ? .milliseconds(200) : .seconds(2))
    #expect(room.player("B").position - room.player("A").position == .seconds(300))
    room.c.pause()
    room.run(for: .seconds(2))
    #expect(room.player("B").position - room.player("A").position == .seconds(300))
    #expect(room.nonePlays && room.violations.isEmpty)
  }

  @Test("G91: who states it while it stands ready for a start is not ready before it is at its own place, and starts with all")
  func whileReady() {
    let room = room(Setting(participants: 2, delay: 20), isPlaying: false)
    room.b.changePlayer { $0.seek = .seconds(3) }
    room.a.setStartPolicy(StartPolicy(waiting: .every, limit: .seconds(20), leaving: .goOn))
    room.run(for: .seconds(1))
    room.a.play()
    room.a.says(.ready)
    room.run(for: .seconds(5))
    #expect(room.nonePlays && room.player("B").position == ahead)
    // One turn reads both.
    room.b.readsTogether(within: .milliseconds(5))
    let before = room.now
    room.b.isAhead(by: .seconds(300))
    room.b.says(.ready)
    room.run(for: .seconds(2))
    #expect(room.nonePlays)
    room.run(for: .seconds(4))
    #expect(room.allPlay && (room.player("B").position - .seconds(300) - room.player("A").position).length <= inStep)
    #expect(room.players.map { $0.starts(since: before).map(\.position) } == [[0], [.seconds(300)]] && room.violations.isEmpty)
  }

  @Test("G61: who states it while its player stalls, or it is suspended, comes to its own place of it")
  func whileStalled() {
    let room = room(Setting(participants: 3, delay: 20), isPlaying: true)
    room.a.setStallPolicy(StallPolicy(waits: true))
    room.run(for: .seconds(1))
    room.b.stalls(for: .seconds(6))
    room.run(for: .seconds(4))
    room.b.isAhead(by: .seconds(300))
    room.run(for: .seconds(10))
    #expect(room.violations.isEmpty && room.allPlay)
    let suspension = room.c.suspend("scrubbing")
    room.c.seek(to: .seconds(700))
    room.run(for: .seconds(1))
    room.c.isAhead(by: .seconds(100))
    room.run(for: .seconds(1))
    #expect(room.player("C").position >= .seconds(700) && room.player("C").position <= .seconds(703))
    room.c.end(suspension, proposing: .seconds(700))
    room.run(for: .seconds(5))
    #expect((.seconds(600)...(.seconds(606))).contains(room.player("A").position))
    #expect((room.player("C").position - .seconds(100) - room.player("A").position).length <= inStep)
    #expect((room.player("B").position - .seconds(300) - room.player("A").position).length <= inStep)
  }

  @Test("G61: who comes first to an item of which it has another cut is at its own place of it", arguments: [true, false])
  func beginning(isAhead: Bool) {
    let room = room(Setting(participants: 2, delay: 20), isPlaying: false)
    let offset: Nanoseconds = isAhead ? .seconds(30) : -.seconds(30)
    room.a.edits(.select(other))
    room.run(for: .seconds(1))
    room.b.isAhead(by: offset, in: other)
    room.run(for: .milliseconds(500))
    room.b.transition(to: "Y")
    room.run(for: .seconds(1))
    room.a.transition(to: "Y")
    room.run(for: .seconds(2))
    // A copy that begins later has nothing of the group's beginning.
    #expect(room.player("A").position == 0 && room.player("B").position == max(0, offset))
    if !isAhead { room.a.seek(to: .seconds(30)) }
    room.a.play()
    room.run(for: .seconds(3))
    #expect(room.allPlay && (room.player("B").position - offset - room.player("A").position).length <= inStep)
    #expect(room.violations.isEmpty)
  }

  @Test("G94: what one brought to an item, and may propose only later, is at its place of the cut that it states meanwhile")
  func broughtBefore() {
    let room = SimulatedSession(participants: ["A", "B"], delay: .milliseconds(20), control: .perRole)
    room.join()
    room.gather(on: "X")
    room.a.adds("Y", as: other)
    room.run(for: .milliseconds(500))
    room.a.edits(.select(other))
    room.a.setRole(of: room.b, to: .viewer)
    room.run(for: .seconds(1))
    room.b.transition(to: "Y", proposing: Proposal(rate: 0, itemTime: .seconds(500)))
    room.run(for: .seconds(1))
    room.b.isAhead(by: -.seconds(100), in: other)
    room.run(for: .seconds(1))
    room.a.setRole(of: room.b, to: .member)
    room.run(for: .seconds(1))
    room.a.transition(to: "Y")
    room.run(for: .seconds(2))
    #expect(room.player("B").position == .seconds(500) && room.player("A").position == .seconds(600))
    #expect(room.violations.isEmpty)
  }
}

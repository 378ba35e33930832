import Testing
import UnisonoBase
import UnisonoReplica
import UnisonoSimulator

/// What was done apart must not drag a group that went on, however the meeting goes. Found by random runs.
@Suite struct ApartTests {
  private func room(_ names: [String], seed: UInt64 = 1) -> SimulatedSession {
    let room = SimulatedSession(seed: seed, participants: names, delay: .milliseconds(20), hubs: 2)
    room.join()
    room.gather(on: "X")
    room.a.play()
    room.run(for: .seconds(2))
    return room
  }

  /// Everybody plays in step, and nobody but `returner` was told anything since.
  private func expectUndisturbed(_ room: SimulatedSession, but returner: String, since: Nanoseconds) {
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    for name in room.names where name != returner { #expect(room.player(name).commands(since: since).isEmpty) }
  }

  @Test("J8: C, alone, paused 20 s ago; while it meets the others, one of them goes: C follows all the same")
  func oneGoesDuringTheMeeting() {
    let room = room(["A", "B", "C"])
    room.c.loseLink(noticedAfter: .milliseconds(500), hubNoticesAfter: .seconds(1), backAfter: .seconds(24))
    room.run(for: .seconds(4))
    room.c.pause()
    room.run(for: .seconds(18))
    let before = room.now
    // It reads that it is back, and that B is gone, in one turn.
    room.c.stopProcess(for: .seconds(4))
    room.b.loseLink(noticedAfter: .milliseconds(200), hubNoticesAfter: .milliseconds(3_800), backAfter: .seconds(5))
    room.run(for: .seconds(10))
    expectUndisturbed(room, but: "C", since: before)
  }

  @Test("J8: whom C met is gone before anything was decided: C is still apart, and what it does counts as done alone")
  func meetingNobodyAfterAll() {
    let room = room(["A", "B", "C"])
    room.c.loseLink(noticedAfter: .milliseconds(100), hubNoticesAfter: .milliseconds(300), backAfter: .seconds(10))
    room.run(for: .milliseconds(10_150))
    for person in [room.a, room.b] { person.stopProcess(for: .milliseconds(400)) }
    room.partition(
      ["C"], ["A", "B"], noticedAfter: .milliseconds(100), hubNoticesAfter: .milliseconds(100))
    room.run(for: .seconds(4))
    #expect(room.members(ofHub: 0) == ["C"])
    #expect(room.members(ofHub: 1) == ["A", "B"])
    let before = room.now
    room.c.pause()
    room.run(for: .seconds(12))
    room.heal()
    room.run(for: .seconds(12))
    #expect(room.members(ofHub: 1) == ["A", "B", "C"])
    expectUndisturbed(room, but: "C", since: before)
  }

  @Test("J8: after 40 s apart the others are known all the same when they come to C's hub: C follows them")
  func longApart() {
    let room = room(["A", "B", "C"])
    room.partition(["A", "B"], ["C"])
    room.run(for: .seconds(5))
    room.c.pause()
    room.run(for: .seconds(40))
    let before = room.now
    room.heal()
    room.hubDies(0)
    room.run(for: .seconds(8))
    #expect(room.members(ofHub: 1) == ["A", "B", "C"])
    expectUndisturbed(room, but: "C", since: before)
  }

  @Test(
    "2.10: alone on an item of its own, C played long ago and sought just now: the seek counts, that it plays is a proposal"
  )
  func halfAPair() throws {
    let room = room(["A", "B", "C"])
    room.partition(["A", "B"], ["C"])
    room.run(for: .seconds(4))
    room.c.transition(to: "Y")
    room.run(for: .seconds(2))
    room.c.play()
    room.run(for: .seconds(9))
    let before = room.now
    room.c.seek(to: .seconds(500))
    room.heal()
    room.run(for: .seconds(8))
    #expect(room.members(ofHub: 0) == ["A", "B", "C"])
    #expect(room.player("C").isPlaying)
    #expect(room.player("C").commands(since: before).isEmpty)
    let told = room.c.updates(since: before).flatMap { message -> [Statement] in
      if case .update(let statements) = message { statements } else { [] }
    }
    let rates = told.compactMap { if case .rate(let value) = $0.value { value.rank } else { nil } }
    let positions = told.compactMap { if case .position(let value) = $0.value { value.rank } else { nil } }
    #expect(Set(rates) == [.proposal])
    #expect(Set(positions) == [.command])
    room.b.transition(to: "Y")
    room.run(for: .seconds(1))
    #expect(room.player("B").isPlaying)
    #expect((room.player("B").position - room.player("C").position).length <= inStep)
  }

  @Test("J8: alone for so long that the others are off its list, C finds nobody at a hub once more: it is still apart")
  func aloneAtAHubAgain() {
    let room = room(["A", "B", "C"])
    room.partition(["A", "B"], ["C"])
    room.run(for: .seconds(12))
    room.c.loseLink(backAfter: .seconds(22))
    room.run(for: .seconds(10))
    room.c.pause()
    room.run(for: .seconds(16))
    #expect(room.members(ofHub: 1) == ["C"])
    let before = room.now
    room.heal()
    room.run(for: .seconds(10))
    #expect(room.members(ofHub: 0) == ["A", "B", "C"])
    expectUndisturbed(room, but: "C", since: before)
  }

  @Test(
    "J8: A and B, each alone, meet when the others are off their lists: what A did alone does not count against them")
  func twoOfFourMeet() {
    let room = room(["A", "B", "C", "D"])
    room.partition(["C", "D"], ["A", "B"])
    room.run(for: .seconds(12))
    room.b.loseLink(backAfter: .seconds(24))
    room.run(for: .seconds(2))
    room.a.loseLink(backAfter: .seconds(24))
    room.run(for: .seconds(12))
    room.a.pause()
    room.run(for: .seconds(14))
    #expect(room.members(ofHub: 1) == ["A", "B"])
    let before = room.now
    room.heal()
    room.run(for: .seconds(10))
    #expect(room.members(ofHub: 0) == ["A", "B", "C", "D"])
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    for name in ["C", "D"] { #expect(room.player(name).commands(since: before).isEmpty) }
  }

  @Test("G112: B, who may not command, played alone by a time that was false: that comes back to nobody once it is that time")
  func heldWordOfBefore() {
    let room = SimulatedSession(
      seed: 3, participants: ["A", "B"], delay: .milliseconds(20), hubs: 2, control: .hostsOnly, joinerRole: .member)
    room.join()
    room.gather(on: "X")
    room.run(for: .seconds(2))
    // A's machine sleeps, then its hub dies: group time is lost, and A guesses one that is long before B's.
    room.a.sleep(for: .seconds(32))
    room.run(for: .seconds(17))
    room.b.play()
    room.run(for: .milliseconds(1_500))
    room.hubDies(0)
    room.run(for: .seconds(8))
    room.b.sleep(for: .seconds(15))
    room.run(for: .seconds(40))
    #expect(room.members(ofHub: 1) == ["A", "B"])
    let before = room.now
    room.run(for: .seconds(60))
    #expect(room.nonePlays && room.violations.isEmpty)
    #expect(room.player("B").commands(since: before).isEmpty)
  }
}

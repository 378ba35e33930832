import Testing
import UnisonoBase
import UnisonoPlayer
import UnisonoSimulator

/// Nobody else is on the item: whatever the renderer needs before it plays, nothing of the item is missed.
@Suite struct PlayerAloneTests {
  private static let exact = RendererAbilities(startsExactly: true)
  private static let plain = RendererAbilities()

  private func alone(_ abilities: RendererAbilities, _ habits: RendererModel.Habits = .init()) -> SimulatedSession {
    Setting(participants: 1, delay: 1).watching(habits, abilities: abilities)
  }

  /// It plays, where the group is, and came there without a correction.
  private func expectInStep(_ room: SimulatedSession, since time: Nanoseconds) {
    #expect(room.a.renderedRate > 0.9)
    #expect(room.a.skew.length <= .milliseconds(5))
    #expect(room.a.rendered(.nudge, since: time).isEmpty)
    #expect(room.a.media.statistics.seeks <= 1)
    #expect(room.violations.isEmpty)
  }

  @Test("F20: alone, a renderer that starts exactly is told so in time, and plays from the first sample on")
  func exactStart() throws {
    let room = alone(Self.exact)
    let before = room.now
    room.a.does(.play)
    room.run(for: .seconds(3))
    let play = try #require(room.a.rendered(.play, since: before).first)
    #expect(play.value.itemTime == 0)
    // It was told before its instant: nothing had to be cut off.
    #expect(room.now - before - room.a.renderedPosition >= .milliseconds(25))
    #expect(room.now - before - room.a.renderedPosition <= .milliseconds(35))
    expectInStep(room, since: before)
    // From wherever it was paused.
    room.a.does(.pause)
    room.run(for: .seconds(1))
    let stood = room.a.renderedPosition
    let again = room.now
    room.a.does(.play)
    room.run(for: .seconds(2))
    #expect(room.a.rendered(.play, since: again).map(\.value.itemTime) == [stood])
    expectInStep(room, since: again)
  }

  @Test("F27: alone, the line begins when a renderer that needs a moment does: nothing is to be made up for")
  func latency() {
    let room = alone(Self.plain, .init { $0.start = .milliseconds(60) })
    // The first start shows how long it takes.
    room.a.does(.play)
    room.run(for: .seconds(4))
    room.a.does(.pause)
    room.run(for: .seconds(1))
    let before = room.now
    room.a.does(.play)
    room.run(for: .seconds(3))
    expectInStep(room, since: before)
  }

  @Test("F20: alone, play() while the item still loads begins at its beginning", arguments: [true, false])
  func loading(isExact: Bool) {
    let room = Setting(participants: 1, delay: 1).joined()
    room.a.usesPlayer(
      over: RendererModel(.init { $0.load = .seconds(5) }, abilities: isExact ? Self.exact : Self.plain))
    room.a.does(.insert(PlayerItem(id: "X"), after: nil))
    let before = room.now
    room.a.does(.play)
    room.run(for: .seconds(8))
    #expect(room.a.renderedRate > 0.9)
    #expect(room.a.renderedPosition > .milliseconds(2_900) && room.a.renderedPosition <= .milliseconds(3_001))
    #expect(room.a.rendered(.seek, since: before).isEmpty)
    #expect(room.a.notices(.timeJumped).isEmpty)
    #expect(room.a.skew.length <= .milliseconds(25))
    #expect(room.violations.isEmpty)
  }

  @Test("F26: alone, the next item of the queue begins at its beginning")
  func nextItem() {
    let room = Setting(participants: 1, delay: 1)
      .watching(.init { $0.duration = .seconds(4) }, abilities: Self.exact, duration: .seconds(4))
    room.a.changeRenderer { $0.load = .seconds(1) }
    room.a.does(.insert(PlayerItem(id: "Y", duration: .seconds(4)), after: "X"))
    room.a.does(.play)
    room.run(for: .seconds(6))
    #expect(room.a.media.item?.id == "Y")
    let plays = room.a.rendered(.play).map(\.value.itemTime)
    #expect(plays == [0, 0])
    #expect(room.a.renderedRate > 0.9)
  }

  @Test("F23: alone, a seek while playing plays from the very place sought", arguments: [true, false])
  func seek(isExact: Bool) throws {
    let room = alone(isExact ? Self.exact : Self.plain, .init { $0.seek = .milliseconds(700) })
    room.a.does(.play)
    room.run(for: .seconds(4))
    let before = room.now
    let request = room.a.seeks(to: .seconds(60))
    room.run(for: .seconds(4))
    #expect(room.a.rendered(.seek, since: before).map(\.value.itemTime) == [.seconds(60)])
    #expect((room.a.renderedPosition - .milliseconds(63_300)).length <= .milliseconds(2))
    #expect(room.a.notices(.seekDone).map(\.request) == [request])
    #expect(room.a.notices(.seekDone).map(\.outcome) == [.done])
    expectInStep(room, since: before)
    // A small one is a seek as well, not something to be nudged.
    let here = room.a.renderedPosition
    room.a.seeks(to: here - .milliseconds(300))
    room.run(for: .seconds(1))
    #expect(room.a.renderedPosition < here + .milliseconds(710))
  }

  @Test("F25: what is repeated is repeated from there on, whatever the renderer needs for it")
  func replay() {
    let room = Setting.near.watchingOn(.init { $0.seek = .milliseconds(400) }, for: .seconds(20))
    let before = room.now
    room.a.does(.replay(back: .seconds(10), rate: 2))
    room.run(for: .seconds(3))
    let sought = room.a.rendered(.seek, since: before).map(\.value.itemTime)
    let from = room.a.player.commands(since: before - 1).first { $0.command.kind == .play }?.command.itemTime
    #expect(sought.count == 1 && sought.first == from)
  }

  @Test("F20: in company nothing of the beginning is missed either: a start that is known in time is told as it is")
  func isInGroup() {
    let room = Setting.near.watching(abilities: Self.exact)
    let before = room.now
    room.a.does(.play)
    room.run(for: .seconds(2))
    for person in room.people {
      #expect(person.rendered(.play, since: before).map(\.value.itemTime) == [0])
      #expect(person.skew.length <= .milliseconds(3))
    }
  }

  @Test("F20: somebody who comes while the line of one alone is put off plays by the same line")
  func somebodyComes() {
    let room = Setting(participants: 2, delay: 20).joined()
    for person in room.people {
      let isLate = person.id == room.a.id
      person.usesPlayer(over: RendererModel(.init { $0.load = isLate ? .seconds(3) : .milliseconds(100) }))
    }
    room.a.does(.insert(PlayerItem(id: "X"), after: nil))
    room.run(for: .milliseconds(1_200))
    room.a.does(.play)
    room.run(for: .milliseconds(500))
    room.b.does(.insert(PlayerItem(id: "X"), after: nil))
    room.run(atMost: .seconds(1)) { $0.b.renderedRate > 0 }
    let began = room.now
    let from = room.b.renderedPosition
    room.run(for: .seconds(6))
    // By then it plays on, undisturbed by the one that can only join now.
    #expect(room.b.rendered(.seek, since: began).isEmpty)
    #expect((room.b.renderedPosition - from - (room.now - began)).length <= .milliseconds(40))
    for person in room.people { #expect(person.renderedRate > 0.9) }
    #expect(room.renderedSpread <= inBands)
    #expect(room.violations.isEmpty)
  }
}

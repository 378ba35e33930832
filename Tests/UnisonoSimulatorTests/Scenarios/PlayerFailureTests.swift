import Testing
import UnisonoBase
import UnisonoPlayer
import UnisonoSimulator

/// Players that cannot do what they are told, or do nothing: what is told, to their own people and to the others, is so.
@Suite struct PlayerFailureTests {
  /// A's, which is given; B's does everything.
  private func room(_ habits: RendererModel.Habits, reverses: Bool = true) -> SimulatedSession {
    let room = Setting.near.joined()
    room.a.usesPlayer(over: RendererModel(habits, abilities: RendererAbilities(playsBackwards: reverses)))
    room.b.usesPlayer(over: RendererModel(abilities: RendererAbilities(playsBackwards: true)))
    for person in room.people { person.does(.insert(PlayerItem(id: "X", startTime: .seconds(600)), after: nil)) }
    room.run(for: .seconds(2))
    return room
  }

  /// A stands, and everybody knows that and why; B goes on as the group does.
  private func expectApart(_ room: SimulatedSession, rate: Double, since time: Nanoseconds) {
    #expect(room.a.renderedRate == 0)
    #expect(room.a.media.runningRate == 0)
    #expect(room.a.media.rate == 0)
    #expect(room.a.media.timeControl == TimeControl(.paused))
    #expect(room.a.notices(.rate, since: time).last?.rateReason == .setRateFailed)
    #expect(room.a.notices(.rate, since: time).last?.rate == 0)
    #expect(room.a.view.suspensionReasons == ["coordinated-playback-not-possible"])
    let seen = room.b.view.participants.first { $0.id == room.a.id }
    #expect(seen?.suspensionReasons == ["coordinated-playback-not-possible"])
    #expect(seen?.ready == false)
    #expect(seen?.rate == 0)
    #expect((room.b.renderedRate - rate).magnitude < 0.1)
    #expect(room.b.skew.length <= inBands)
    #expect(room.b.notices(.rate, since: time).allSatisfy { $0.rateReason != .setRateFailed })
  }

  @Test("W10: a rate that A's renderer cannot play: it stands, says so, and moves nobody", arguments: [true, false])
  func cannotReverse(isOwn: Bool) {
    let room = room(.init(), reverses: false)
    room.b.does(.play)
    room.run(for: .seconds(3))
    let before = room.now
    (isOwn ? room.a : room.b).does(.setRate(-1))
    room.run(for: .seconds(5))
    expectApart(room, rate: -1, since: before)
    #expect(room.a.rendered(.pause, since: before).count == 1)
    #expect(room.b.rendered(.seek, since: before).isEmpty)
    // The next command that it can carry out has it back.
    room.b.does(.setRate(1))
    room.run(for: .seconds(5))
    for person in room.people {
      #expect(person.skew.length <= inBands)
      #expect(person.media.timeControl == TimeControl(.playing))
    }
    #expect(!room.a.isSuspended)
    #expect(room.violations.isEmpty)
  }

  @Test("W10: a rate that A's renderer fails to play: it stands, says so, and moves nobody", arguments: [true, false])
  func failsRate(isOwn: Bool) {
    let room = room(.init { $0.greatestRate = 1.25 })
    room.b.does(.play)
    room.run(for: .seconds(3))
    let before = room.now
    (isOwn ? room.a : room.b).does(.setRate(1.5))
    room.run(for: .seconds(5))
    expectApart(room, rate: 1.5, since: before)
    room.b.does(.setRate(1))
    room.run(for: .seconds(5))
    for person in room.people { #expect(person.skew.length <= inBands) }
    #expect(!room.a.isSuspended)
  }

  @Test("W10: from a pause, too, the failed rate is told as such")
  func failsFromAPause() {
    let room = room(.init { $0.greatestRate = 1.25 })
    let before = room.now
    room.a.does(.setRate(1.5))
    room.run(for: .seconds(5))
    expectApart(room, rate: 1.5, since: before)
  }

  @Test("W10: alone, what could not be played goes on from where it stood")
  func aloneItGoesOn() {
    let room = Setting(participants: 1, delay: 1).watchingOn()
    room.a.does(.setRate(-1))
    room.run(for: .seconds(3))
    let stood = room.a.renderedPosition
    #expect(room.a.renderedRate == 0)
    #expect(room.a.notices(.rate).last?.rateReason == .setRateFailed)
    room.a.does(.play)
    room.run(for: .seconds(1))
    #expect(room.a.renderedRate > 0.9)
    #expect((room.a.renderedPosition - stood - .seconds(1)).length <= .milliseconds(80))
    #expect(!room.a.isSuspended)
  }

  @Test(
    "W10: alone, one that it can play, set at once after one that failed, is played from where it stood",
    arguments: [5, 60, 400])
  func aloneAnotherRate(_ pause: Int64) {
    let room = Setting(participants: 1, delay: 1).watchingOn()
    room.a.changeRenderer { $0.greatestRate = 1.25 }
    room.a.does(.setRate(1.5))
    room.run(for: .milliseconds(pause))
    #expect(room.a.view.suspensionReasons == ["coordinated-playback-not-possible"])
    let stood = room.a.renderedPosition
    room.a.does(.setRate(1.25))
    room.run(for: .seconds(2))
    #expect(room.a.media.timeControl == TimeControl(.playing))
    #expect(room.a.renderedRate == 1.25)
    #expect((room.a.renderedPosition - stood - .milliseconds(2_500)).length <= .milliseconds(150))
    #expect(!room.a.isSuspended)
    #expect(room.violations.isEmpty)
  }

  @Test("W10: a renderer that breaks down while it plays is shown as such at once, and the group goes on")
  func breaksDown() {
    let room = Setting.near.watchingOn()
    let before = room.now
    room.a.changeRenderer { $0.isStuck = true }
    room.a.rendererSays(.failed)
    room.run(for: .seconds(1))
    #expect(room.a.media.itemStatus == .failed)
    expectApart(room, rate: 1, since: before)
  }

  @Test(
    "W11: who neither loads, buffers nor plays is shown as that, to itself and to the others",
    arguments: [
      [RendererCommand.Kind.load], [.cue, .play], [.play],
    ])
  func doesNothing(_ ignored: Set<RendererCommand.Kind>) {
    let room = room(.init { $0.ignores = ignored })
    room.b.does(.play)
    room.run(for: .seconds(25))
    #expect(room.a.view.statistics.commandsOverdue >= 1)
    #expect(room.a.view.suspensionReasons == ["stall-recovery"])
    #expect(room.a.media.timeControl.status == .waiting)
    #expect(room.a.media.timeControl.reason == (ignored == [.load] ? .evaluatingBufferingRate : .toMinimizeStalls))
    let seen = room.b.view.participants.first { $0.id == room.a.id }
    #expect(seen?.suspensionReasons == ["stall-recovery"])
    #expect(seen?.ready == false)
    #expect(room.b.renderedRate > 0.9)
    #expect(room.b.skew.length <= inBands)
    if ignored != [.load] {
      room.a.changeRenderer { $0.ignores = [] }
      room.b.does(.setRate(1.25))
      room.run(for: .seconds(5))
      #expect(!room.a.isSuspended)
      for person in room.people { #expect(person.skew.length <= inBands) }
    }
    #expect(room.violations.isEmpty)
  }

  @Test("W11: pressing buttons all the time does not hide who does nothing")
  func alwaysNew() {
    let room = room(.init { $0.ignores = [.play, .pause] })
    room.b.does(.play)
    var shown = 0
    for second in 0..<60 {
      room.run(for: .seconds(1))
      room.b.does(.setRate(second % 2 == 0 ? 1.25 : 1))
      if second == 15 { #expect(room.a.view.statistics.commandsOverdue >= 1) }
      if second >= 15, room.b.view.participants.first(where: { $0.id == room.a.id })?.ready == false { shown += 1 }
    }
    // It is told again each time somebody does something, and has two seconds then: about half of the time it is shown apart.
    #expect(shown >= 15)
    #expect(room.b.renderedRate > 0.9)
    #expect(room.b.skew.length <= inBands)
    room.a.changeRenderer { $0.ignores = [] }
    // By then it is given up once more; the next command has it back.
    room.run(for: .seconds(3))
    room.b.does(.setRate(1.25))
    room.run(for: .seconds(5))
    #expect(!room.a.isSuspended)
    #expect(room.a.skew.length <= inBands)
    #expect(room.violations.isEmpty)
  }

  @Test("W11: alone it is shown, too, and once it plays it has missed nothing")
  func aloneAndSlow() {
    let room = Setting(participants: 1, delay: 1).joined()
    room.a.usesPlayer(over: RendererModel(.init { $0.load = .seconds(15) }))
    room.a.does(.insert(PlayerItem(id: "X"), after: nil))
    room.a.does(.play)
    room.run(for: .seconds(12))
    #expect(room.a.view.suspensionReasons == ["stall-recovery"])
    #expect(room.a.view.statistics.commandsOverdue == 1)
    room.run(for: .seconds(5))
    #expect(!room.a.isSuspended)
    #expect(room.a.renderedRate > 0.9)
    #expect((room.a.renderedPosition - .seconds(2)).length <= .milliseconds(80))
    #expect(room.a.rendered(.seek).isEmpty)
    #expect(room.a.skew.length <= .milliseconds(25))
  }

  @Test("W11: a renderer that says it plays and does not move stalls, until it does")
  func stuck() {
    let room = room(.init())
    room.b.does(.play)
    room.run(for: .seconds(5))
    room.a.changeRenderer { $0.isStuck = true }
    let before = room.now
    room.run(for: .seconds(5))
    #expect(room.a.media.timeControl == TimeControl(.waiting, .toMinimizeStalls))
    #expect(room.b.view.participants.first { $0.id == room.a.id }?.suspensionReasons == ["stall-recovery"])
    #expect(room.a.media.statistics.stalls == 1)
    #expect(room.a.rendered(.seek, since: before).count <= 2)
    room.a.changeRenderer { $0.isStuck = false }
    room.run(for: .seconds(8))
    #expect(room.a.media.timeControl == TimeControl(.playing))
    #expect(!room.a.isSuspended)
    #expect(room.a.skew.length <= inBands)
    #expect(room.violations.isEmpty)
  }
}

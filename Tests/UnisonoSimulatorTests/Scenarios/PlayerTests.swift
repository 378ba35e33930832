import Testing
import UnisonoPlayer
import UnisonoSimulator

@Suite struct PlayerTests {
  @Test("F20: play() asks the group first, then everybody plays, in step", arguments: Setting.all)
  func playAsksTheGroup(_ setting: Setting) {
    let room = setting.watching()
    let before = room.now
    room.a.does(.play)
    #expect(room.a.rendered(.play).isEmpty)
    room.run(for: .seconds(4))
    for person in room.people {
      #expect(person.renderedRate > 0.9)
      #expect(person.media.timeControl == TimeControl(.playing))
      #expect(person.rendered(.play, since: before).count == 1)
      #expect(person.rendered(.seek, since: before).isEmpty)
      #expect(person.skew.length <= inBands)
    }
    #expect(room.renderedSpread <= inBands)
    room.b.does(.pause)
    room.run(for: .seconds(1))
    for person in room.people {
      #expect(person.renderedRate == 0)
      #expect(person.media.timeControl == TimeControl(.paused))
    }
    #expect(room.violations.isEmpty)
  }

  @Test("C5: with pause snap who paused stands on the frame that all come to: nobody waits at the next start")
  func oneFrame() {
    let room = Setting(participants: 2, delay: 50)
      .watching(.init { $0.grid = .milliseconds(40) })
    room.a.snapsPauses()
    room.a.does(.play)
    // Somewhere between two frames.
    room.run(atMost: .seconds(5)) { $0.a.renderedPosition > .milliseconds(2_000) }
    while room.a.renderedPosition % .milliseconds(40) > .milliseconds(10) { room.run(for: .milliseconds(1)) }
    room.a.does(.pause)
    room.run(for: .seconds(2))
    #expect(room.a.renderedPosition % .milliseconds(40) == 0)
    #expect(room.b.renderedPosition == room.a.renderedPosition)
    room.a.does(.play)
    let asked = room.now
    room.run(atMost: .seconds(2)) { $0.people.allSatisfy { $0.renderedRate > 0 } }
    // One way of 100 ms, 30 ms of buffering, and the lead: half of both round trips, 20 ms, and the 20 ms that a start takes.
    #expect(room.now - asked <= .milliseconds(275))
    room.run(for: .milliseconds(500))
    #expect(room.renderedSpread <= inBands)
  }

  @Test("F21: item status and time control are told, with the reason for waiting")
  func statusAndTimeControl() {
    let room = Setting.near.joined()
    let habits = RendererModel.Habits {
      $0.load = .milliseconds(500); $0.buffer = .milliseconds(200)
    }
    for person in room.people { person.usesPlayer(over: RendererModel(habits)) }
    for person in room.people { person.does(.insert(PlayerItem(id: "X"), after: nil)) }
    room.run(for: .milliseconds(10))
    #expect(room.a.media.itemStatus == .unknown)
    // It comes while the item still loads: it is kept, and applied when that is ready.
    room.a.does(.play)
    room.run(for: .milliseconds(100))
    #expect(room.a.media.timeControl == TimeControl(.waiting, .evaluatingBufferingRate))
    room.run(for: .milliseconds(450))
    #expect(room.a.media.itemStatus == .ready)
    #expect(room.a.media.timeControl == TimeControl(.waiting, .coordinatedPlayback))
    room.run(for: .seconds(3))
    #expect(room.a.media.timeControl == TimeControl(.playing))
    let told = room.a.notices(.timeControl).map(\.timeControl)
    #expect(
      told == [
        TimeControl(.waiting, .evaluatingBufferingRate), TimeControl(.waiting, .coordinatedPlayback),
        TimeControl(.playing),
      ])
    #expect(room.a.notices(.itemStatus).map(\.itemStatus) == [.unknown, .ready])
    #expect(room.renderedSpread <= inBands)
  }

  @Test("F21: an item that cannot be loaded fails, and the group goes on without its player")
  func failedItem() {
    let room = Setting.near.joined()
    room.a.usesPlayer()
    room.b.usesPlayer(over: RendererModel(.init { $0.fails = -106 }))
    for person in room.people { person.does(.insert(PlayerItem(id: "X"), after: nil)) }
    room.run(for: .seconds(2))
    #expect(room.b.media.itemStatus == .failed)
    #expect(room.b.notices(.itemStatus).last?.status == -106)
    room.a.does(.play)
    room.run(for: .seconds(3))
    #expect(room.a.renderedRate > 0.9)
    #expect(room.b.isSuspended)
    #expect(room.people.map { $0.view.participants.first { $0.id == room.b.id }?.failure } == [-106, -106])
  }

  @Test("F22: rate changes and jumps are told with their reason and whose they are")
  func notices() {
    let room = Setting.near.watching()
    room.a.does(.play)
    room.run(for: .seconds(2))
    #expect(room.a.notices(.rate).map(\.rateReason) == [.setRateCalled])
    #expect(room.b.notices(.rate).map(\.rateReason) == [.participant])
    #expect(room.b.notices(.rate).first?.originator == room.a.id)
    #expect(room.b.notices(.rate).first?.rate == 1)
    room.b.seeks(to: .seconds(60))
    room.run(for: .seconds(2))
    #expect(room.a.notices(.timeJumped).map(\.originator) == [room.b.id])
    #expect(room.b.notices(.timeJumped).map(\.originator) == [.none])
    // A barrier is no change of rate.
    #expect(room.a.notices(.rate).count == 1)
    room.a.does(.interruptionBegin)
    room.run(for: .seconds(1))
    #expect(room.a.notices(.rate).last?.rateReason == .interrupted)
    #expect(room.a.notices(.rate).last?.rate == 0)
    #expect(room.b.renderedRate > 0.9)
  }

  @Test("F23: the default rate is play()'s; the newer seek cancels the older, which hears so")
  func ratesAndSeeks() {
    let room = Setting.near.watching()
    room.a.does(.setDefaultRate(1.5))
    room.a.does(.play)
    room.run(for: .seconds(2))
    for person in room.people { #expect(person.media.rate == 1.5) }
    let first = room.a.seeks(to: .seconds(100))
    room.run(for: .milliseconds(20))
    let second = room.a.seeks(to: .seconds(200))
    room.run(for: .seconds(2))
    let answers = room.a.notices(.seekDone)
    #expect(answers.map(\.request) == [first, second])
    #expect(answers.map(\.outcome) == [.cancelled, .done])
    for person in room.people { #expect(person.renderedPosition > .seconds(200)) }
    #expect(room.renderedSpread <= inBands)
    // Paused, alone with its tolerances; and to where everybody is already.
    room.a.does(.pause)
    room.run(for: .seconds(1))
    let before = room.now
    let third = room.a.seeks(to: .seconds(50), before: .seconds(1), after: 0)
    room.run(for: .seconds(1))
    #expect(room.a.rendered(.seek, since: before).map(\.value.toleranceBefore) == [.seconds(1)])
    #expect(room.b.rendered(.seek, since: before).map(\.value.toleranceBefore) == [0])
    let fourth = room.a.seeks(to: .seconds(50))
    room.run(for: .seconds(1))
    #expect(room.a.notices(.seekDone).suffix(2).map(\.request) == [third, fourth])
    #expect(room.a.notices(.seekDone).suffix(2).allSatisfy { $0.outcome == .done })
  }

  @Test("F23: a seek of somebody else cancels one's own; each is answered exactly once")
  func seekCancelledByAnother() {
    let room = Setting.near.watchingOn()
    room.people.forEach { $0.changeRenderer { $0.seek = .seconds(1) } }
    let own = room.a.seeks(to: .seconds(100))
    room.run(for: .milliseconds(300))
    let other = room.b.seeks(to: .seconds(300))
    room.run(for: .seconds(5))
    #expect(room.a.notices(.seekDone).map(\.request) == [own])
    #expect(room.a.notices(.seekDone).map(\.outcome) == [.cancelled])
    #expect(room.b.notices(.seekDone).map(\.request) == [other])
    #expect(room.b.notices(.seekDone).map(\.outcome) == [.done])
    #expect(room.renderedSpread <= inBands)
  }

  @Test("F23: play immediately waits for nobody")
  func immediately() {
    let room = Setting.near.watching()
    room.b.changeRenderer {
      $0.buffer = .seconds(4); $0.seek = .seconds(2)
    }
    room.a.does(.playImmediately(rate: 1))
    room.run(for: .milliseconds(200))
    #expect(room.a.renderedRate > 0.9)
    room.run(for: .seconds(8))
    #expect(room.renderedSpread <= inBands)
  }

  @Test("F26: the queue goes on at the end of an item, for everybody, and nobody misses the next one's beginning")
  func queueGoesOn() {
    let room = Setting.near.watching(.init { $0.duration = .seconds(10) }, duration: .seconds(10))
    for person in room.people { person.does(.insert(PlayerItem(id: "Y", duration: .seconds(10)), after: "X")) }
    room.run(for: .seconds(1))
    // What is only in the queue disturbs nobody.
    for person in room.people { #expect(person.media.item?.id == "X") }
    room.a.does(.play)
    room.run(for: .seconds(14))
    for person in room.people {
      #expect(person.media.item?.id == "Y")
      #expect(person.notices(.itemEnded).count == 1)
      #expect(person.renderedRate > 0.9)
      #expect(person.renderedPosition > .seconds(1))
    }
    #expect(room.renderedSpread <= inBands)
    room.run(for: .seconds(10))
    // Nothing is left: it stands at the end, and is told once.
    for person in room.people {
      #expect(person.renderedRate == 0)
      #expect(person.notices(.itemEnded).count == 2)
      #expect(person.media.timeControl.status == .paused)
    }
  }

  @Test("F26: the action at the end is the session's: where it is pause, all stay on the item and stand there")
  func pauseAtTheEnd() {
    let room = Setting.near.watching(.init { $0.duration = .seconds(10) }, duration: .seconds(10))
    for person in room.people { person.does(.insert(PlayerItem(id: "Y", duration: .seconds(10)), after: "X")) }
    room.b.setActionAtEnd(.pause)
    room.run(for: .seconds(1))
    for person in room.people { #expect(person.view.actionAtEnd == .pause) }
    room.a.does(.play)
    room.run(for: .seconds(14))
    for person in room.people {
      #expect(person.media.item?.id == "X")
      #expect(person.notices(.itemEnded).count == 1)
      #expect(person.media.timeControl.status == .paused)
      #expect(person.view.timing.status == .paused)
      #expect(person.renderedPosition == .seconds(10))
    }
    // The person may go on, and the newest setting counts.
    room.a.setActionAtEnd(.advance)
    room.a.does(.seek(id: 1, to: .seconds(8), before: 0, after: 0))
    room.run(for: .seconds(1))
    room.b.does(.play)
    room.run(for: .seconds(6))
    for person in room.people {
      #expect(person.media.item?.id == "Y")
      #expect(person.renderedRate > 0.9)
    }
  }

  @Test("F26: where the action at the end is none, nothing is paused, and one seek to the beginning loops for all")
  func nothingAtTheEnd() {
    let room = Setting.near.watching(.init { $0.duration = .seconds(10) }, duration: .seconds(10))
    for person in room.people { person.does(.insert(PlayerItem(id: "Y", duration: .seconds(10)), after: "X")) }
    room.a.setActionAtEnd(.none)
    room.a.does(.play)
    room.run(for: .seconds(14))
    for person in room.people {
      #expect(person.media.item?.id == "X")
      #expect(person.notices(.itemEnded).count == 1)
      #expect(person.media.rate == 1)
      #expect(person.media.timeControl == TimeControl(.waiting, .coordinatedPlayback))
      #expect(person.view.timing.status == .playing)
      #expect(person.view.suspensionReasons.isEmpty)
    }
    room.b.does(.seek(id: 1, to: 0, before: 0, after: 0))
    room.run(for: .seconds(4))
    for person in room.people {
      #expect(person.renderedRate > 0.9)
      #expect(person.renderedPosition > .seconds(2))
      #expect(!person.notices(.rate).contains { $0.rate == 0 })
    }
    #expect(room.renderedSpread <= inBands)
    // Once it is to pause there after all, it does.
    room.run(for: .seconds(9))
    room.a.setActionAtEnd(.pause)
    room.run(for: .seconds(2))
    for person in room.people { #expect(person.media.timeControl.status == .paused) }
  }

  @Test("F26: a pause of the next item is a person's doing: no player that comes later goes on over it")
  func pauseOfTheNextItem() {
    let room = Setting.near.watching()
    for person in room.people { person.does(.insert(PlayerItem(id: "Y"), after: "X")) }
    room.a.does(.play)
    room.run(for: .seconds(3))
    room.a.does(.advance)
    room.run(for: .seconds(3))
    #expect(room.a.media.item?.id == "Y")
    #expect(room.a.renderedRate > 0.9)
    // B watches X on.
    #expect(room.b.media.item?.id == "X")
    #expect(room.b.renderedRate > 0.9)
    room.a.does(.pause)
    room.run(for: .seconds(1))
    room.b.does(.advance)
    room.run(for: .seconds(3))
    #expect(room.b.media.item?.id == "Y")
    for person in room.people { #expect(person.renderedRate == 0) }
  }
}

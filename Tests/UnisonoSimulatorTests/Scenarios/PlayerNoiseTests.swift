import Testing
import UnisonoPlayer
import UnisonoReplica
import UnisonoSimulator

@Suite struct PlayerNoiseTests {
  @Test("C8: a pause that no person made does not pause the group; at most that one is suspended")
  func strayPause() {
    let room = Setting.near.watchingOn()
    let before = room.now
    // Short: nothing comes of it.
    room.b.rendererWanders(rate: 0)
    room.run(for: .milliseconds(200))
    room.b.rendererWanders(rate: 1)
    room.run(for: .seconds(2))
    #expect(!room.b.isSuspended)
    #expect(room.b.history.suspensions.filter { $0.at > before && !$0.value.isEmpty }.isEmpty)
    #expect(room.a.renderedRate > 0.9)
    // Long: a route change.
    room.b.rendererWanders(rate: 0)
    room.run(for: .seconds(2))
    #expect(room.b.view.suspensionReasons == ["stall-recovery"])
    #expect(room.b.media.timeControl == TimeControl(.waiting, .toMinimizeStalls))
    #expect(room.a.renderedRate > 0.9)
    #expect(room.a.rendered(.pause, since: before).isEmpty)
    // Its person wants to go on.
    room.b.does(.play)
    room.run(for: .seconds(3))
    #expect(!room.b.isSuspended)
    #expect(room.renderedSpread <= inBands)
    #expect(room.a.rendered(.play, since: before).isEmpty)
  }

  @Test("C9: the renderer pauses right before it ends: the end it is, and nothing restarts", arguments: [true, false])
  func pauseBeforeEnd(knowsDuration: Bool) {
    let habits = RendererModel.Habits {
      $0.duration = .seconds(6); $0.pausesBeforeEnd = true
    }
    let room = Setting.near.watching(habits, duration: knowsDuration ? .seconds(6) : nil)
    room.a.does(.play)
    room.run(for: .seconds(5))
    let before = room.now
    room.run(for: .seconds(10))
    for person in room.people {
      #expect(person.renderedRate == 0)
      #expect(person.rendered(.play, since: before).isEmpty)
      #expect(person.rendered(.seek, since: before).isEmpty)
      #expect(person.notices(.itemEnded).count == 1)
      #expect(person.notices(.rate).last?.rateReason == .itemEnded)
      #expect(person.history.suspensions.allSatisfy { $0.value.isEmpty })
      #expect(person.media.statistics.stalls == 0)
    }
  }

  @Test("C9: a renderer that stops right before the end and says no more has ended: no stall, and the queue goes on")
  func stopsBeforeEnd() {
    let room = Setting.near.watching(.init { $0.duration = .seconds(6) }, duration: .seconds(6))
    for person in room.people { person.does(.insert(PlayerItem(id: "Y"), after: "X")) }
    room.a.does(.play)
    room.run(atMost: .seconds(9)) { $0.a.renderedPosition > .milliseconds(5_700) }
    for person in room.people { person.rendererWanders(rate: 0) }
    room.run(for: .seconds(4))
    for person in room.people {
      #expect(person.notices(.itemEnded).count == 1)
      #expect(person.media.statistics.stalls == 0)
      #expect(person.history.suspensions.allSatisfy { $0.value.isEmpty })
      #expect(person.media.item?.id == "Y")
      #expect(person.renderedRate > 0.9)
    }
  }

  @Test("F24: a renderer that says it buffers while it seeks in play, as it was told to, does not stall, however long")
  func seekNoiseInPlay() {
    let room = Setting(participants: 1, delay: 1).watchingOn(
      .init {
        $0.isNoisy = true; $0.seek = .seconds(2)
      })
    room.a.seeks(to: .seconds(60))
    room.run(for: .seconds(1))
    #expect(room.a.media.timeControl.reason != .none)
    room.run(for: .seconds(3))
    #expect(room.a.media.statistics.stalls == 0)
    #expect(room.a.history.suspensions.allSatisfy { $0.value.isEmpty })
    #expect(room.a.renderedRate > 0.9)
    #expect(room.a.renderedPosition > .seconds(61))
  }

  @Test("C9: play after the end starts nothing; a seek back does")
  func afterTheEnd() {
    let room = Setting.near.watching(.init { $0.duration = .seconds(4) }, duration: .seconds(4))
    room.a.does(.play)
    room.run(for: .seconds(8))
    room.a.seeks(to: .seconds(1))
    room.run(for: .seconds(1))
    room.a.does(.play)
    room.run(for: .milliseconds(1_500))
    for person in room.people { #expect(person.renderedRate > 0.9) }
    #expect(room.renderedSpread <= inBands)
  }

  @Test("F24: buffering by the own seek is no stall; a renderer that resumes after a seek is stopped once")
  func seekNoise() {
    let room = Setting.near.watching(
      .init {
        $0.isNoisy = true; $0.resumesAfterSeek = true
      },
      abilities: RendererAbilities(cues: false))
    let before = room.now
    room.a.seeks(to: .seconds(30))
    room.run(for: .seconds(2))
    for person in room.people {
      #expect(person.renderedRate == 0)
      #expect(person.rendered(.pause, since: before).count == 1)
      #expect(person.media.statistics.stalls == 0)
      #expect(person.view.suspensionReasons.isEmpty)
    }
    // Moved again by itself it is left alone: nobody fights with a renderer.
    room.b.rendererWanders(rate: 1)
    room.b.rendererWanders(rate: 1)
    room.run(for: .seconds(1))
    #expect(room.b.rendered(.pause, since: before).count <= 2)
    #expect(room.a.renderedRate == 0)
  }

  @Test("F22: stopped because nothing of it is shown: told as BACKGROUNDED, the group goes on, back when it is seen")
  func background() {
    let room = Setting.near.watchingOn()
    room.b.does(.shown(false))
    room.run(for: .seconds(1))
    // Out of sight is no reason to stop.
    #expect(room.b.renderedRate > 0.9)
    let before = room.now
    room.b.rendererWanders(rate: 0)
    room.run(for: .seconds(2))
    #expect(room.b.notices(.rate).last?.rateReason == .backgrounded)
    #expect(room.b.notices(.rate).last?.rate == 0)
    #expect(room.b.media.timeControl == TimeControl(.paused))
    #expect(room.b.media.statistics.stalls == 0)
    #expect(room.b.view.suspensionReasons == ["user-action-required"])
    #expect(room.a.renderedRate > 0.9)
    room.b.does(.shown(true))
    room.run(for: .seconds(3))
    #expect(room.b.view.suspensionReasons.isEmpty)
    #expect(room.b.renderedRate > 0.9)
    #expect(room.renderedSpread <= inBands)
    #expect(room.a.rendered(.pause, since: before).isEmpty)
  }

  @Test("F24: a stall outlasts the debounce: a suspension, which ends by itself")
  func stall() {
    let room = Setting.near.watchingOn()
    let before = room.now
    room.b.rendererStarves(for: .milliseconds(250))
    room.run(for: .seconds(2))
    #expect(room.b.history.suspensions.filter { $0.at > before }.isEmpty)
    room.b.rendererStarves(for: .seconds(2))
    room.run(for: .seconds(1))
    #expect(room.b.view.suspensionReasons == ["stall-recovery"])
    #expect(room.b.media.statistics.stalls == 1)
    #expect(room.a.renderedRate > 0.9)
    room.run(for: .seconds(5))
    #expect(!room.b.isSuspended)
    #expect(room.renderedSpread <= inBands)
    #expect(room.a.rendered(.play, since: before).isEmpty)
  }

  @Test("F24: where the group waits for stalls it stops for B's, and goes on with it")
  func heldStall() {
    let room = Setting.near.watchingOn()
    room.a.setStallPolicy(StallPolicy(waits: true))
    room.run(for: .seconds(1))
    let before = room.now
    room.b.changeRenderer { $0.buffer = .seconds(2) }
    room.b.rendererStarves(for: .seconds(2))
    room.run(for: .milliseconds(600))
    #expect(room.b.view.suspensionReasons.isEmpty)
    #expect(room.a.media.timeControl == TimeControl(.waiting, .coordinatedPlayback))
    #expect(room.a.renderedRate == 0)
    room.run(for: .seconds(4))
    for person in room.people {
      #expect(person.renderedRate > 0.9)
      #expect(person.history.suspensions.filter { $0.at >= before && !$0.value.isEmpty }.isEmpty)
    }
    #expect(room.renderedSpread <= inBands)
  }

  @Test("F24: while B stalls its person presses pause: the group pauses")
  func pauseInStall() {
    let room = Setting.near.watchingOn()
    room.b.rendererStarves(for: .seconds(60))
    room.run(for: .seconds(1))
    room.b.does(.pause)
    room.run(for: .seconds(1))
    for person in room.people { #expect(person.renderedRate == 0) }
    #expect(room.a.media.timeControl == TimeControl(.paused))
  }

  @Test("F24: an interruption ends when the host says resume, or when its person plays", arguments: [true, false])
  func interruption(resumes: Bool) {
    let room = Setting.near.watchingOn()
    room.b.does(.interruptionBegin)
    room.b.does(.interruptionBegin)
    room.run(for: .seconds(3))
    room.run(for: .milliseconds(1))
    #expect(room.b.refused == [.beginInterruption])
    #expect(room.b.renderedRate == 0)
    #expect(room.b.view.suspensionReasons == ["audio-session-interrupted"])
    #expect(room.a.renderedRate > 0.9)
    room.b.does(.interruptionEnd(resume: resumes))
    room.run(for: .seconds(3))
    if !resumes {
      #expect(room.b.renderedRate == 0)
      room.b.does(.play)
      room.run(for: .seconds(3))
    }
    #expect(room.b.view.suspensionReasons.isEmpty)
    #expect(room.renderedSpread <= inBands)
    #expect(room.a.rendered(.play).count == 1)
  }
}

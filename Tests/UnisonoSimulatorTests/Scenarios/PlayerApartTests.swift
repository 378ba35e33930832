import Testing
import UnisonoPlayer
import UnisonoSimulator

@Suite struct PlayerApartTests {
  @Test("F25: an interstitial: the main item stands where it was, and catches up with the group after it")
  func interstitial() {
    let room = Setting.near.watchingOn()
    let before = room.now
    room.a.does(.interstitialBegin)
    room.run(for: .milliseconds(500))
    let stood = room.a.renderedPosition
    #expect(room.a.media.timeControl == TimeControl(.waiting, .interstitial))
    room.a.does(.play)
    room.run(for: .milliseconds(1))
    #expect(room.a.refused == [.play])
    room.run(for: .seconds(5))
    #expect(room.a.renderedPosition == stood)
    #expect(room.b.renderedRate > 0.9)
    room.a.does(.interstitialEnd)
    room.run(for: .seconds(3))
    #expect(room.a.media.timeControl == TimeControl(.playing))
    #expect(room.renderedSpread <= inBands)
    #expect(room.b.rendered(.pause, since: before).isEmpty)
    room.a.does(.interstitialEnd)
    room.run(for: .milliseconds(1))
    #expect(room.a.refused.last == .endInterstitial)
  }

  @Test("F25: scrubbing: the own picture follows, only the release moves the group", arguments: [true, false])
  func scrubbing(commits: Bool) {
    let room = Setting.near.watchingOn()
    let before = room.now
    room.a.does(.scrubBegin)
    #expect(room.b.renderedRate > 0.9)
    for step in 1...20 {
      room.a.does(.scrubTo(.seconds(60) + .seconds(1) * Int64(step)))
      room.run(for: .milliseconds(30))
    }
    room.run(for: .milliseconds(300))
    #expect(room.a.renderedPosition == .seconds(80))
    // One seek at a time, the last always.
    #expect(room.a.rendered(.seek, since: before).count < 12)
    #expect(room.b.renderedRate > 0.9)
    #expect(room.b.rendered(.cue, since: before).isEmpty)
    room.a.does(.scrubEnd(commit: commits))
    room.run(for: .seconds(4))
    for person in room.people {
      #expect(person.renderedRate > 0.9)
      #expect((person.renderedPosition > .seconds(80)) == commits)
    }
    #expect(room.renderedSpread <= inBands)
    #expect(room.b.rendered(.cue, since: before).count == (commits ? 1 : 0))
    room.a.does(.scrubTo(0))
    room.run(for: .milliseconds(1))
    #expect(room.a.refused == [.scrubTo])
  }

  @Test("F25: what did they say: back 10 s at double speed, in step again without asking, the group undisturbed")
  func replay() {
    let room = Setting.near.watchingOn(for: .seconds(20))
    let before = room.now
    let here = room.a.renderedPosition
    room.a.does(.replay(back: .seconds(10), rate: 2))
    room.run(for: .seconds(1))
    #expect(room.a.renderedRate > 1.9)
    #expect(room.a.renderedPosition < here - .seconds(7))
    #expect(room.a.isSuspended)
    room.a.does(.replay(back: .seconds(10), rate: 2))
    room.run(for: .milliseconds(1))
    #expect(room.a.refused == [.replay])
    room.run(for: .seconds(11))
    #expect(!room.a.isSuspended)
    #expect(room.a.media.rate == 1)
    #expect((room.a.renderedRate - 1).magnitude < 0.03)
    #expect(room.renderedSpread <= .milliseconds(30))
    for kind in [RendererCommand.Kind.play, .pause, .seek, .cue] {
      #expect(room.b.rendered(kind, since: before).isEmpty)
    }
    #expect(room.a.rendered(.seek, since: before).count == 1)
  }

  @Test("F25: who plays on while it is still being sought plays as fast as the group")
  func replayTakenBack() {
    let room = Setting.near.watchingOn(.init { $0.seek = .milliseconds(270) }, for: .seconds(20))
    room.a.does(.replay(back: .seconds(2), rate: 2))
    room.run(for: .milliseconds(190))
    room.a.does(.play)
    room.run(for: .seconds(5))
    #expect(!room.a.isSuspended)
    #expect((room.a.renderedRate - 1).magnitude < 0.03)
    #expect(room.renderedSpread <= .milliseconds(40))
  }

  @Test("F25: what is repeated is faster than the group, however fast that is and whatever was asked for")
  func replayCatchesUp() {
    let room = Setting.near.watching()
    room.a.does(.setRate(2))
    room.run(for: .seconds(20))
    room.a.does(.replay(back: .seconds(4), rate: 1))
    room.run(for: .seconds(2))
    #expect(room.a.renderedRate > 2.4)
    room.run(for: .seconds(10))
    #expect(!room.a.isSuspended)
    #expect(room.renderedSpread <= .milliseconds(30))
  }

  @Test("F25: the group pauses while A repeats something: A plays up to there, and stands with the others")
  func pauseWhileRepeating() {
    let room = Setting.near.watchingOn(for: .seconds(20))
    room.a.does(.replay(back: .seconds(10), rate: 2))
    room.run(for: .seconds(2))
    room.b.does(.pause)
    room.run(for: .seconds(1))
    let stood = room.b.renderedPosition
    #expect(room.a.renderedRate > 1.9)
    room.run(for: .seconds(8))
    #expect(!room.a.isSuspended)
    #expect(room.a.renderedRate == 0)
    #expect((room.a.renderedPosition - stood).length <= .milliseconds(40))
    #expect(room.b.renderedPosition == stood)
  }

  @Test("F28: while others speak the content is lower, in a ramp that turns round midway; the own volume is kept")
  func ducking() {
    let room = Setting.near.watching()
    room.a.does(.setVolume(0.5))
    room.run(for: .milliseconds(10))
    let before = room.now
    room.a.does(.othersSpeak(true))
    room.run(for: .milliseconds(100))
    let midway = room.a.rendered(.volume, since: before).last?.value.volume ?? 0
    #expect((midway - 0.325).magnitude < 0.04)
    room.run(for: .milliseconds(160))
    #expect(room.a.rendered(.volume).last?.value.volume == 0.5 * 0.3)
    room.a.does(.othersSpeak(false))
    room.run(for: .milliseconds(400))
    let rising = room.a.rendered(.volume).last?.value.volume ?? 0
    #expect((rising - 0.325).magnitude < 0.04)
    // Midway it turns round from where it is, which is a step further at most.
    room.a.does(.othersSpeak(true))
    let turned = room.now
    room.run(for: .milliseconds(30))
    let first = room.a.rendered(.volume, since: turned).first?.value.volume ?? 1
    #expect(first <= rising + 0.01 && first > rising - 0.1)
    room.a.does(.othersSpeak(false))
    room.run(for: .seconds(1))
    #expect(room.a.rendered(.volume).last?.value.volume == 0.5)
    let steps = room.a.rendered(.volume, since: before).map(\.value.volume)
    for (one, other) in zip(steps, steps.dropFirst()) { #expect((one - other).magnitude < 0.06) }
  }

  @Test("F24: alone, nothing is missed by a stall, an interruption or an interstitial: it goes on where it stood")
  func alone() {
    let room = Setting(participants: 1, delay: 1).watchingOn()
    room.a.rendererStarves(for: .seconds(3))
    room.run(for: .seconds(2))
    let stalled = room.a.renderedPosition
    room.run(for: .seconds(2))
    #expect(room.a.renderedRate > 0.9)
    #expect(room.a.renderedPosition < stalled + .milliseconds(1_200))
    room.a.does(.interruptionBegin)
    room.run(for: .seconds(3))
    let interrupted = room.a.renderedPosition
    room.a.does(.interruptionEnd(resume: true))
    room.run(for: .seconds(1))
    #expect(room.a.renderedRate > 0.9)
    #expect(room.a.renderedPosition < interrupted + .milliseconds(1_100))
    room.a.does(.interstitialBegin)
    room.run(for: .seconds(3))
    let stood = room.a.renderedPosition
    room.a.does(.interstitialEnd)
    room.run(for: .seconds(1))
    #expect(room.a.renderedRate > 0.9)
    #expect(room.a.renderedPosition < stood + .milliseconds(1_100))
    #expect(room.violations.isEmpty)
  }
}

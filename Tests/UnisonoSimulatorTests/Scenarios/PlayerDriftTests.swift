import Testing
import UnisonoBase
import UnisonoPlayer
import UnisonoSimulator

@Suite struct PlayerDriftTests {
  @Test("D1: B's player loses 100 ms each second: bounded corrections, no storm of seeks", arguments: [true, false])
  func losing(canNudge: Bool) {
    let room = Setting.near.watchingOn(abilities: RendererAbilities(nudges: canNudge))
    let before = room.now
    room.b.changeRenderer { $0.pace = 0.9 }
    room.b.does(.setVolume(1))
    var worst: Nanoseconds = 0
    room.watch(for: .seconds(120)) { worst = max(worst, $0.b.skew.length) }
    let seeks = room.b.rendered(.seek, since: before)
    #expect(seeks.count <= 16)
    #expect(!seeks.isEmpty)
    for (one, other) in zip(seeks, seeks.dropFirst()) { #expect(other.at - one.at >= .milliseconds(1_500)) }
    #expect(worst <= .milliseconds(3_500))
    #expect(room.a.rendered(.seek, since: before).isEmpty)
    #expect(room.a.rendered(.pause, since: before).isEmpty)
  }

  @Test("D3: 100 ppm for an hour: inside the band, without a seek", arguments: [100.0, -200])
  func anHour(ppm: Double) {
    let room = Setting.near.watchingOn(.init { $0.drift = ppm })
    room.run(for: .seconds(10))
    let before = room.now
    var worst: Nanoseconds = 0
    room.watch(for: .seconds(3_600), every: .milliseconds(500)) { worst = max(worst, $0.a.skew.length) }
    // The band, and what A's clock is off by itself.
    #expect(worst <= .milliseconds(5) + .microseconds(500))
    for person in room.people {
      #expect(person.rendered(.seek, since: before).isEmpty)
      #expect(person.mostNudges(in: .seconds(10), since: before) <= 1)
      let nudges = person.rendered(.nudge, since: before)
      #expect(nudges.allSatisfy { abs($0.value.rate - 1) <= 0.001 })
      // Its own rate error is learnt and taken out, so that there is next to nothing to correct.
      #expect(nudges.count <= 40)
      let constant = (nudges.last?.value.rate ?? 1) - 1
      #expect((constant * 1_000_000 + ppm).magnitude <= 25)
    }
    // Nothing has built up, and a pause and a play later nothing has to be learnt again.
    room.a.does(.pause)
    room.run(for: .seconds(2))
    room.a.does(.play)
    room.run(for: .seconds(12))
    let again = room.now
    room.run(for: .seconds(300))
    for person in room.people {
      #expect(person.skew.length <= .milliseconds(5) + .microseconds(500))
      #expect(person.rendered(.nudge, since: again).count <= 4)
    }
    #expect(room.violations.isEmpty)
  }

  @Test("F27: renderers that round speeds, and clocks that tick by the frame, are kept in step")
  func hardRenderers() {
    let quantised = RendererModel.Habits {
      $0.rateQuantum = 0.01; $0.drift = 150
    }
    let fine = RendererModel.Habits {
      $0.rateQuantum = 0.000_5; $0.drift = 120
    }
    let framed = RendererModel.Habits {
      $0.frame = .milliseconds(40); $0.drift = -150
    }
    let room = Setting(participants: 4, delay: 5).joined()
    room.a.usesPlayer(over: RendererModel(quantised))
    room.b.usesPlayer(over: RendererModel(framed, abilities: RendererAbilities(deadBand: .milliseconds(20))))
    room.c.usesPlayer(
      over: RendererModel(
        .init {
          $0.noise = .milliseconds(5); $0.drift = 200
        }))
    room.d.usesPlayer(over: RendererModel(fine))
    for person in room.people { person.does(.insert(PlayerItem(id: "X"), after: nil)) }
    room.run(for: .seconds(1))
    room.a.does(.play)
    room.run(for: .seconds(10))
    let before = room.now
    var worst: [String: Nanoseconds] = [:]
    room.watch(for: .seconds(600), every: .milliseconds(100)) { room in
      for person in room.people { worst[person.name] = max(worst[person.name] ?? 0, person.skew.length) }
    }
    #expect(worst["A"] ?? .max <= .milliseconds(8))
    // Half a frame that cannot be seen, and half a frame's band.
    #expect(worst["B"] ?? .max <= .milliseconds(41))
    #expect(worst["C"] ?? .max <= .milliseconds(9))
    #expect(worst["D"] ?? .max <= .milliseconds(8))
    for person in room.people {
      #expect(person.rendered(.seek, since: before).isEmpty)
      #expect(person.rendered(.nudge, since: before).count <= 60)
    }
    let steady = before + .seconds(60)
    for person in [room.b, room.c, room.d] { #expect(person.mostNudges(in: .seconds(10), since: steady) <= 1) }
    // Whoever knows steps of 1 % alone can do no better than on and off again, seldom.
    #expect(room.a.mostNudges(in: .seconds(10), since: steady) <= 2)
    #expect(room.a.mostNudges(in: .seconds(30), since: steady) <= 2)
    #expect(room.a.media.statistics.skew.percentile95 ?? .max <= .milliseconds(6))
  }

  @Test("F27: a renderer that ignores nudges is found out, and sought instead")
  func brokenRateControl() {
    let room = Setting.near.watchingOn()
    room.b.changeRenderer {
      $0.honoursNudges = false; $0.drift = 3_000
    }
    let before = room.now
    var worst: Nanoseconds = 0
    room.watch(for: .seconds(100)) { worst = max(worst, $0.b.skew.length) }
    let seeks = room.b.rendered(.seek, since: before).count
    #expect((1...6).contains(seeks))
    #expect(worst <= .milliseconds(420))
    // What comes after the first seconds is left to seeks: the speed is not tried again and again.
    #expect(room.b.rendered(.nudge, since: before + .seconds(30)).count <= 10)
  }

  @Test(
    "F27: what a start costs is learnt: the next one is on time", arguments: [40, 150, 300], [true, false])
  func startLatency(milliseconds: Int64, saysSoEarly: Bool) {
    let latency = Nanoseconds.milliseconds(milliseconds)
    let room = Setting.near.joined()
    // B's never needs anything.
    room.a.usesPlayer(
      over: RendererModel(
        .init {
          $0.start = latency
          $0.saysSoEarly = saysSoEarly
        }))
    room.b.usesPlayer(over: RendererModel(.init { $0.start = 0 }))
    for person in room.people { person.does(.insert(PlayerItem(id: "X"), after: nil)) }
    room.run(for: .seconds(2))
    room.b.does(.play)
    room.run(for: .seconds(3))
    room.b.does(.pause)
    room.run(for: .seconds(1))
    let again = room.now
    room.b.does(.play)
    room.run(atMost: .seconds(2)) { $0.people.allSatisfy { $0.renderedRate > 0 } }
    room.run(for: .milliseconds(20))
    // Before anything was corrected.
    #expect(room.renderedSpread <= .milliseconds(5))
    #expect((room.a.media.statistics.startLatency - latency).length <= .milliseconds(5))
    #expect(room.b.media.statistics.startLatency <= .milliseconds(3))
    room.run(for: .seconds(1))
    #expect(room.a.rendered(.seek, since: again).isEmpty)
  }

  @Test("F27: a renderer that starts exactly needs no correction")
  func exactStart() {
    let room = Setting.near.watchingOn(abilities: RendererAbilities(startsExactly: true, nudges: false))
    room.run(for: .seconds(20))
    for person in room.people {
      #expect(person.skew.length <= .milliseconds(2))
      #expect(person.media.statistics.seeks == 0)
      #expect(person.rendered(.play).count == 1)
    }
  }

  @Test("D5: B's output is 0.4 s late: its player stays that far ahead, is never corrected, and moves nobody")
  func lateOutput() {
    let room = Setting.near.watching()
    room.b.delaysOutput(by: .milliseconds(400))
    room.a.does(.play)
    room.run(for: .seconds(5))
    let before = room.now
    room.run(for: .seconds(60))
    #expect((room.b.renderedPosition - room.a.renderedPosition - .milliseconds(400)).length <= inBands)
    #expect(room.b.rendered(.seek, since: before).isEmpty)
    #expect(room.b.mostNudges(in: .seconds(10), since: before) <= 1)
    #expect(room.a.rendered(.seek).isEmpty)
    #expect(room.a.rendered(.play).count == 1)
  }

  @Test("W7: seek while playing, and C lands 2 s off when it is ready: C alone is corrected")
  func missedSeek() {
    let room = Setting(participants: 3, delay: 10).watchingOn()
    room.c.changeRenderer { $0.nextSeekMisses = .seconds(2) }
    let before = room.now
    room.a.seeks(to: .seconds(100))
    room.run(for: .seconds(6))
    for person in room.people { #expect(person.skew.length <= inBands) }
    #expect(room.renderedSpread <= inBands)
    #expect(room.c.media.statistics.seeks <= 1)
    for person in [room.a, room.b] {
      #expect(person.rendered(.seek, since: before).isEmpty)
      #expect(person.rendered(.cue, since: before).count == 1)
      #expect(person.rendered(.play, since: before).count == 1)
    }
  }

  @Test("C10: B takes 3 s to seek: no second corrective seek meanwhile, and the next aim includes what it cost")
  func slowSeeks() {
    let room = Setting.near.watchingOn(.init { $0.isNoisy = true })
    room.b.changeRenderer { $0.seek = .seconds(3) }
    let before = room.now
    room.a.seeks(to: .seconds(100))
    room.run(for: .seconds(8))
    #expect(room.b.rendered(.seek, since: before).isEmpty)
    #expect(room.b.rendered(.cue, since: before).count == 1)
    #expect(room.renderedSpread <= inBands)
    // Its buffering was the seek's, and nobody's stall.
    #expect(room.b.media.statistics.stalls == 0)
    // Now it falls behind by itself, by more than nudges can mend.
    let hiccup = room.now
    room.b.rendererStarves(for: .milliseconds(900))
    room.run(for: .seconds(12))
    let seeks = room.b.rendered(.seek, since: hiccup)
    #expect(seeks.count == 1)
    if let aim = seeks.first {
      let group = room.b.groupPosition - (room.now - aim.at)
      #expect(aim.value.itemTime - group >= .milliseconds(2_500))
    }
    #expect(room.b.skew.length <= .milliseconds(100))
  }
}

import Testing
import UnisonoBase
import UnisonoPlayer
import UnisonoSimulator

/// Players that are thrown off their place for a moment, and how soon they are back.
@Suite struct PlayerBlowTests {
  /// Where B was away from the group at some times after a disturbance, and what it was told meanwhile.
  struct Return {
    /// Greatest distance from 2 s on, and from 10 s on, until 20 s.
    var afterTwo: Nanoseconds = 0
    var afterTen: Nanoseconds = 0
    var seeks: [Nanoseconds] = []
  }

  /// A room that plays and whose members have sought once, so that what a seek takes is known.
  private func room(
    _ habits: RendererModel.Habits, abilities: RendererAbilities = .init()
  ) -> SimulatedSession {
    let room = Setting.near.watchingOn(habits, abilities: abilities)
    room.a.seeks(to: .seconds(100))
    room.run(for: .seconds(20))
    return room
  }

  private func watch(_ room: SimulatedSession, from end: Nanoseconds, bias: Nanoseconds = 0) -> Return {
    var back = Return()
    room.watch(for: .seconds(20)) { room in
      let away = (room.b.skew - bias).length
      if room.now >= end + .seconds(2) { back.afterTwo = max(back.afterTwo, away) }
      if room.now >= end + .seconds(10) { back.afterTen = max(back.afterTen, away) }
    }
    // Who starts exactly is told another start in place of a seek.
    let told = room.b.rendered(.seek, since: end - .seconds(1)) + room.b.rendered(.play, since: end - .seconds(1))
    back.seeks = told.map(\.at)
    return back
  }

  /// Within 40 ms 2 s after a stall of B that begins now, within 5 ms after 10 s, with one seek at most.
  private func expectReturn(
    in room: SimulatedSession, after length: Nanoseconds, stall: (Person) -> Void
  ) {
    let end = room.now + length
    stall(room.b)
    let back = watch(room, from: end)
    #expect(back.afterTwo <= .milliseconds(40))
    #expect(back.afterTen <= .milliseconds(5))
    #expect(back.seeks.count <= 1)
  }

  static let lengths: [Int64] = [60, 100, 200, 350, 700]

  @Test(
    "D7: a player that stalls for a moment is within 40 ms 2 s later, and within 5 ms after 10 s",
    arguments: lengths, [20, 150, 600])
  func shortStalls(milliseconds: Int64, seek: Int64) {
    let room = room(.init { $0.seek = .milliseconds(seek) })
    let length = Nanoseconds.milliseconds(milliseconds)
    expectReturn(in: room, after: length) { $0.rendererStarves(for: length) }
    #expect(room.a.skew.length <= .milliseconds(5))
    #expect(room.violations.isEmpty)
  }

  @Test(
    "D7: so is one that says nothing of its stall", arguments: lengths, [20, 150, 600])
  func silentStalls(milliseconds: Int64, seek: Int64) {
    let room = room(.init { $0.seek = .milliseconds(seek) })
    let length = Nanoseconds.milliseconds(milliseconds)
    expectReturn(in: room, after: length) { $0.rendererStandsSilently(for: length) }
  }

  @Test("D7: so is one that starts exactly, with its own start in place of a seek", arguments: lengths, [false, true])
  func exactStarts(milliseconds: Int64, nudges: Bool) {
    let abilities = RendererAbilities(startsExactly: true, nudges: nudges)
    let room = room(.init { $0.seek = .milliseconds(150) }, abilities: abilities)
    let length = Nanoseconds.milliseconds(milliseconds)
    expectReturn(in: room, after: length) { $0.rendererStarves(for: length) }
  }

  @Test(
    "D8: one that shows frames of 40 ms, or whose speed does not change, is back within 40 ms, as well as it can be told",
    arguments: [100, 200, 350, 700], [20, 150, 600])
  func coarseOnes(milliseconds: Int64, seek: Int64) {
    let length = Nanoseconds.milliseconds(milliseconds)
    let framed = RendererModel.Habits {
      $0.seek = .milliseconds(seek); $0.frame = .milliseconds(40)
    }
    let deaf = RendererModel.Habits {
      $0.seek = .milliseconds(seek); $0.honoursNudges = false
    }
    for (habits, abilities, bias) in [
      (framed, RendererAbilities(), Nanoseconds.milliseconds(20)), (deaf, RendererAbilities(nudges: false), 0),
      (deaf, RendererAbilities(), 0),
    ] {
      let room = room(habits, abilities: abilities)
      let end = room.now + length
      room.b.rendererStarves(for: length)
      // Half a frame that it does not tell of.
      let back = watch(room, from: end, bias: bias)
      #expect(back.afterTwo <= .milliseconds(40))
      #expect(back.seeks.count <= 2)
      #expect(room.b.media.statistics.skew.last?.length ?? .max <= .milliseconds(60))
    }
  }

  @Test("D8: one that lands anywhere is nudged for longer, and sought no more than thrice in 30 s")
  func inexactSeeks() {
    let room = room(.init())
    let before = room.now
    for (index, miss) in [Int64(900), -700, 800, -900, 700, -800, 900, -700].enumerated() {
      room.b.changeRenderer { $0.nextSeekMisses = .milliseconds(miss) }
      room.b.rendererStarves(for: .milliseconds(200))
      room.run(for: .seconds(index % 2 == 0 ? 6 : 9))
    }
    let seeks = room.b.rendered(.seek, since: before).map(\.at)
    #expect(!seeks.isEmpty)
    for (one, other) in zip(seeks, seeks.dropFirst()) { #expect(other - one >= .seconds(2)) }
    for first in seeks { #expect(seeks.count { $0 >= first && $0 < first + .seconds(30) } <= 3) }
    #expect(room.b.media.statistics.skew.percentile95 ?? 0 > .milliseconds(40))
  }

  @Test("D8: stalls that come one after another are not made worse by seeks: at most one in 2 s, three in 30 s")
  func manyStalls() {
    let room = room(.init { $0.seek = .milliseconds(150) })
    let before = room.now
    for _ in 0..<20 {
      room.b.rendererStarves(for: .milliseconds(150))
      room.run(for: .seconds(3))
    }
    let seeks = room.b.rendered(.seek, since: before).map(\.at)
    for (one, other) in zip(seeks, seeks.dropFirst()) { #expect(other - one >= .seconds(2)) }
    for first in seeks { #expect(seeks.count { $0 >= first && $0 < first + .seconds(30) } <= 3) }
    room.run(for: .seconds(32))
    #expect(room.b.skew.length <= .milliseconds(5))
  }

  @Test("D9: a player that shows frames of 40 ms is not nudged to and fro", arguments: [0, 1_000])
  func noToAndFro(noise: Int64) {
    for nudges in nudges(noise: noise) { #expect(nudges <= 4) }
  }

  @Test("D9: of players that say by 2.3 ms at random where they are few are nudged, and none to and fro")
  func fewByChance() {
    // Whether one is depends on when it began within a frame: about one of ten is, for some seconds of two minutes.
    let nudges = stride(from: Int64(2_300), to: 2_340, by: 5).flatMap(nudges)
    #expect(nudges.count == 32)
    #expect(nudges.count { $0 > 0 } <= 8)
    #expect(nudges.max() ?? 0 <= 8)
  }

  /// How often each of four was nudged in 12 s at most, while they played for two minutes; all were in step then.
  private func nudges(noise: Int64) -> [Int] {
    let habits = RendererModel.Habits {
      $0.frame = .milliseconds(40); $0.noise = .microseconds(noise)
    }
    let room = Setting(participants: 4, delay: 30, jitter: 15).watchingOn(habits, for: .seconds(12))
    let before = room.now
    room.run(for: .seconds(120))
    for person in room.people { #expect((person.skew - .milliseconds(20)).length <= .milliseconds(25)) }
    return room.people.map { $0.mostNudges(in: .seconds(12), since: before) }
  }
}

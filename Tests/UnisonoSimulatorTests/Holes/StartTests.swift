import Testing
import UnisonoReplica
import UnisonoSimulator

/// Traces in which a start hung, came twice, or left somebody behind.
@Suite struct StartTests {
  @Test("H12: whoever gave the play stands still: the next one starts when that counts as silent, not when it wakes")
  func silentStarter() {
    let room = Setting(participants: 3, delay: 20).paused()
    room.a.changePlayer { $0.ignores = [.buffer] }
    room.a.play()
    room.run(for: .milliseconds(1))
    room.a.stopProcess(for: .seconds(12))
    #expect(room.run(atMost: .milliseconds(5_500)) { $0.player("B").isPlaying && $0.player("C").isPlaying })
  }

  @Test("H12: the starter is silent and another never gets ready: the third one starts at the deadline")
  func silentStarterAndOneUnready() {
    let room = Setting(participants: 3, delay: 20).paused()
    room.a.changePlayer { $0.ignores = [.buffer] }
    room.c.changePlayer { $0.ignores = [.buffer] }
    room.a.play()
    room.run(for: .milliseconds(1))
    room.a.stopProcess(for: .seconds(40))
    #expect(!room.run(atMost: .milliseconds(9_500)) { $0.player("B").isPlaying })
    #expect(room.run(atMost: .milliseconds(1_500)) { $0.player("B").isPlaying })
  }

  @Test(
    "H12: the one who should start hears nobody, but is heard: the next keeper takes over a second after it was due")
  func deafKeeper() {
    let room = Setting(participants: 3, delay: 20).paused()
    room.a.changePlayer { $0.buffer = .milliseconds(300) }
    room.a.changeLink { $0.down += .seconds(4) }
    room.a.play()
    #expect(!room.run(atMost: .milliseconds(900)) { $0.player("B").isPlaying })
    #expect(room.run(atMost: .milliseconds(900)) { $0.player("B").isPlaying && $0.player("C").isPlaying })
    room.run(for: .seconds(8))
    #expect(room.spread <= inStep)
  }

  @Test("H13: all lose the hub between play and start: nobody starts alone, the first one back not either")
  func allLoseTheHub() {
    let room = Setting(participants: 3, delay: 20).paused()
    let before = room.now
    room.a.play()
    room.run(for: .milliseconds(50))
    for (index, person) in room.people.enumerated() {
      person.loseLink(
        noticedAfter: .milliseconds(20 * Int64(index)), backAfter: .milliseconds(600 + 200 * Int64(index)))
    }
    // The last one is back 1,050 ms after the play; until then there is nobody to start with.
    room.run(until: before + .milliseconds(1_050))
    #expect(room.nonePlays)
    room.run(for: .seconds(4))
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    for player in room.players { #expect(player.starts(since: before).map(\.position) == [0]) }
  }

  @Test("H14: one who was cut off starts later and alone: on return the start of the many counts")
  func loneStart() {
    let room = Setting(participants: 4, delay: 20).paused()
    let before = room.now
    room.a.changePlayer { $0.buffer = .milliseconds(500) }
    room.a.play()
    room.run(for: .milliseconds(30))
    room.a.loseLink(backAfter: .milliseconds(4_500))
    room.run(for: .milliseconds(4_400))
    #expect(room.allPlay)
    #expect(room.spread > .seconds(1))
    room.run(for: .seconds(3))
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    for name in ["B", "C", "D"] { #expect(room.player(name).kinds(since: before - 1) == [.buffer, .play]) }
  }

  @Test("H15: who was waited for while suspended stays waited for until it is ready: nobody misses content")
  func backFromAWaitedSuspension() {
    let room = Setting(participants: 3, delay: 20).playing()
    for person in room.people { person.waits(for: ["ad"]) }
    room.a.changePlayer { $0.seek = .milliseconds(700) }
    let ad = room.a.suspend("ad")
    room.run(for: .milliseconds(500))
    let before = room.now
    room.b.seek(to: .seconds(60))
    room.run(for: .seconds(4))
    #expect(room.players.dropFirst().allSatisfy { !$0.isPlaying })
    room.a.end(ad)
    room.run(for: .milliseconds(600))
    #expect(room.players.dropFirst().allSatisfy { !$0.isPlaying })
    room.run(for: .seconds(2))
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    for player in room.players { #expect(player.starts(since: before).map(\.position) == [.seconds(60)]) }
  }

  @Test("H16: who arrives within a moment of the play is waited for; who strolls in later never holds it")
  func gatherWindow() {
    for (arrival, isWaitedFor) in [(Int64(1_000), true), (2_000, false)] {
      let room = Setting(participants: 3, delay: 20).joined()
      for name in ["A", "B"] { room[name].transition(to: "X") }
      room.run(for: .seconds(2))
      room.b.changePlayer { $0.buffer = .seconds(3) }
      room.c.changePlayer {
        $0.buffer = .seconds(4)
        $0.seek = .seconds(4)
      }
      let before = room.now
      room.a.play()
      room.run(for: .milliseconds(arrival))
      room.c.transition(to: "X")
      room.run(until: before + .milliseconds(3_500))
      #expect(room.player("A").isPlaying == !isWaitedFor, "C arrives after \(arrival) ms")
      room.run(for: .seconds(8))
      #expect(room.allPlay)
      #expect(room.spread <= inStep)
    }
  }

  @Test(
    "H24: two stall a moment apart: everybody stands at one place, which is written, that of the one farther behind")
  func twoStalls() {
    let room = Setting(participants: 4, delay: 20, jitter: 10).paused()
    room.a.setStallPolicy(StallPolicy(waits: true))
    room.a.play()
    room.run(for: .seconds(3))
    let least = room.player("C").position
    room.c.stalls(for: nil)
    room.run(for: .milliseconds(40))
    room["D"].stalls(for: nil)
    room.run(for: .seconds(2))
    #expect(room.nonePlays)
    #expect(room.spread == 0)
    for person in room.people {
      #expect(person.status == .waiting)
      #expect((person.groupPosition - least).length <= .milliseconds(5))
    }
  }

  @Test("H26: the ghost of a crashed app, whose restart has a new id, holds a start no longer than it may be silent")
  func ghost() {
    let room = Setting(participants: 4, delay: 20).empty()
    room.join(["A", "B", "C"])
    room.gather(on: "X")
    room.c.vanish(hubNoticesAfter: .seconds(15))
    room.join(["D"])
    room["D"].transition(to: "X")
    room.run(for: .milliseconds(200))
    room.a.play()
    #expect(room.run(atMost: .milliseconds(5_300)) { $0.allPlay })
    room.a.pause()
    room.run(for: .seconds(1))
    room.a.play()
    #expect(room.run(atMost: room.convergence) { $0.allPlay })
  }
}

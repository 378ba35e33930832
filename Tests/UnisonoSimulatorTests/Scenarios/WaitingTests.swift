import Testing
import UnisonoBase
import UnisonoSimulator

@Suite struct WaitingTests {
  @Test(
    "W8: the starter's process stops after its play: the next keeper starts within 2 s of when it was due",
    arguments: Setting.crowds)
  func starterStops(_ setting: Setting) {
    let room = setting.paused()
    room.a.play()
    room.run(for: .milliseconds(1))
    room.a.stopProcess(for: .seconds(12))
    room.a.changePlayer { $0.ignores = [.buffer] }
    // Until it counts as silent it is waited for, so the start is due 5 s after its last message.
    room.run(for: .seconds(5) + .seconds(2) + room.convergence)
    for name in room.names where name != "A" { #expect(room.player(name).isPlaying) }
    room.run(for: .seconds(10))
    #expect(room.b.status == .playing)
  }

  @Test("Z82: a player that never prepares is waited for twice; then all start at once, and it catches up when it is well", arguments: Setting.crowds)
  func neverReady(_ setting: Setting) {
    let room = setting.paused()
    let broken = room.names.last ?? ""
    let others = room.names.dropLast()
    room[broken].changePlayer { $0.ignores = [.buffer, .seek, .play] }
    for limit in [Nanoseconds.seconds(10), .seconds(10), 0] {
      room.a.play()
      if limit > 0 {
        room.run(for: limit - .milliseconds(500))
        #expect(room.nonePlays)
        room.run(for: .seconds(1))
      }
      room.run(for: room.convergence)
      #expect(others.allSatisfy { room.player($0).isPlaying })
      room.a.pause()
      room.run(for: .seconds(1))
    }
    for person in room.people {
      #expect(person.view.participants.filter { $0.isGivenUp }.map { $0.id } == [room[broken].id])
    }
    room[broken].changePlayer { $0.ignores = [] }
    room.a.play()
    room.converge()
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
  }

  @Test("2.7: a seek while waiting: who was ready for the old place is waited for again, and misses nothing")
  func oldReadinessIsVoid() {
    let room = Setting(participants: 3, delay: 20).paused()
    room.a.changePlayer { $0.seek = .milliseconds(800) }
    room.b.changePlayer {
      $0.buffer = .seconds(2)
      $0.seek = .milliseconds(5)
    }
    let before = room.now
    room.a.play()
    room.run(for: .seconds(1))
    room.b.changePlayer { $0.buffer = 0 }
    room.b.seek(to: .seconds(60))
    room.run(for: .milliseconds(700))
    #expect(room.nonePlays)
    room.run(for: .seconds(2))
    #expect(room.allPlay)
    for player in room.players { #expect(player.starts(since: before).map(\.position) == [.seconds(60)]) }
  }
}

@Suite struct NewcomerTests {
  @Test("2.6: a newcomer whose clock is not synchronised yet is waited for, and misses nothing", arguments: Setting.all)
  func notSynchronisedYet(_ setting: Setting) {
    let room = setting.empty()
    let comer = room.names.last ?? ""
    room.join(Array(room.names.dropLast()))
    room.gather(on: "X")
    room[comer].synchronises(after: .seconds(1))
    room.enter(comer)
    room[comer].transition(to: "X")
    room.run(for: .milliseconds(900))
    let before = room.now
    room.a.play()
    room.run(for: .seconds(4))
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    for player in room.players { #expect(player.starts(since: before).map(\.position) == [0]) }
  }

  @Test("2.6: a newcomer whose clock never synchronises holds a start for the gather window only")
  func neverSynchronises() {
    let room = Setting(participants: 3, delay: 20).empty()
    room.join(["A", "B"])
    room.gather(on: "X")
    room.c.synchronises(after: .seconds(1_000))
    room.enter("C")
    room.c.transition(to: "X")
    room.run(for: .seconds(1))
    let before = room.now
    room.a.play()
    room.run(for: .seconds(4))
    for name in ["A", "B"] {
      #expect(room.player(name).starts(since: before).first.map { $0.at - before <= .milliseconds(1_900) } == true)
    }
  }
}

@Suite struct LastOneReadyTests {
  @Test(
    "2.6: on a path that jitters the start costs two trips, whoever is ready first",
    arguments: 1...20 as ClosedRange<UInt64>)
  func twoTrips(_ seed: UInt64) {
    let room = Setting(participants: 2, delay: 30, jitter: 40, seed: seed).paused()
    for person in room.people {
      person.changePlayer { $0 = PlayerAbilities(buffer: .milliseconds(5), seek: .milliseconds(40)) }
    }
    let before = room.now
    room.a.play()
    room.run(for: .seconds(2))
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    // One way is 60...140 ms; the keeper's way would take three of them before the lead.
    let starts = room.players.compactMap { $0.starts(since: before).first?.at }
    #expect(starts.allSatisfy { $0 - before <= .milliseconds(370) })
  }
}

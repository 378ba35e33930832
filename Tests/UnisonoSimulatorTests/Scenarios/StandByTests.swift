import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoPlayer
import UnisonoReplica
import UnisonoSimulator

/// Hosts get ready while the group pauses, and a start waits for nobody (coordination 2.23).
@Suite struct StandByTests {
  /// All get ready while the group pauses, and a pause takes them to one place.
  private func getReadyAhead(_ room: SimulatedSession) {
    for person in room.people {
      person.preparesAhead()
      person.snapsPauses()
    }
  }

  /// Paused at 0 on X, and all are ready to start there; a pause takes all to one place.
  private func standing(_ setting: Setting) -> SimulatedSession {
    let room = setting.paused()
    getReadyAhead(room)
    room.run(for: .seconds(2))
    return room
  }

  /// How long it takes from A's play until all run, ns.
  private func start(_ room: SimulatedSession) throws -> Nanoseconds {
    let before = room.now
    room.a.play()
    try #require(room.run(atMost: .seconds(5)) { $0.allPlay })
    return room.now - before
  }

  @Test("G113: all have got ready while the group paused: a play begins the way there and back sooner", arguments: Setting.all)
  func sooner(_ setting: Setting) throws {
    let asked = try start(setting.paused())
    let room = standing(setting)
    let before = room.now
    let known = try start(room)
    // Who hears of it last asks nobody any more: its way to the hub, and the others' from there, are spared.
    #expect(known <= asked - .milliseconds(2 * setting.delay - setting.jitter - setting.asymmetry))
    room.run(for: .seconds(1))
    #expect(room.spread <= inStep)
    for player in room.players {
      #expect(player.kinds(since: before - 1) == [.play])
      #expect(player.starts(since: before).map(\.position) == [0])
    }
  }

  @Test("G113: a host is asked once, half a second after the pause, and nothing of it is shown")
  func oneCommand() throws {
    let room = Setting(participants: 3, delay: 20).playing()
    getReadyAhead(room)
    let before = room.now
    room.a.pause()
    room.run(for: .seconds(10))
    for person in room.people {
      let commands = person.player.commands(since: before - 1)
      #expect(commands.map { $0.kind } == [.pause, .buffer])
      let buffer = try #require(commands.last)
      #expect(buffer.at - commands[0].at >= .milliseconds(500) && buffer.at - commands[0].at < .milliseconds(700))
      #expect(buffer.command.isAhead && buffer.command.anticipatedRate == 1)
      #expect(buffer.command.itemTime.subtracting(person.player.position).length <= .milliseconds(40))
      #expect(person.status == .paused)
      #expect(person.history.timing.last?.value.status == .paused)
    }
  }

  @Test("G113: a host that never answers is late for nothing, and is waited for as anybody")
  func neverReady() {
    let room = Setting(participants: 3, delay: 20).paused()
    room.b.changePlayer { $0.ignores = [.buffer] }
    for person in room.people { person.preparesAhead() }
    room.run(for: .seconds(30))
    #expect(!room.b.isSuspended)
    #expect(room.b.history.overdue.isEmpty)
    room.a.play()
    #expect(!room.run(atMost: .milliseconds(9_500)) { $0.player("A").isPlaying })
    #expect(room.run(atMost: .seconds(1)) { $0.player("A").isPlaying && $0.player("C").isPlaying })
  }

  @Test("G114: one that does not get ready ahead, is not yet, or is not any more: the play waits for it")
  func notStanding() {
    let slow: (Person) -> Void = { $0.changePlayer { $0.buffer = .seconds(3) } }
    let cases: [(String, (SimulatedSession) -> Void)] = [
      ("does not want to", { $0.b.preparesAhead(false) }),
      ("its player wandered", { $0.b.playerReports(rate: 0, position: .seconds(7)) }),
      ("it stalls", { $0.b.stalls(for: .milliseconds(400)) }),
      ("the group was sent elsewhere", { room in
        room.a.seek(to: .seconds(60))
        room.run(for: .milliseconds(300))
      }),
    ]
    for (why, change) in cases {
      let room = standing(Setting(participants: 3, delay: 20))
      slow(room.b)
      change(room)
      room.run(for: .milliseconds(100))
      room.a.play()
      #expect(!room.run(atMost: .milliseconds(2_500)) { !$0.nonePlays }, "\(why)")
      #expect(room.run(atMost: .seconds(4)) { $0.allPlay }, "\(why)")
      room.run(for: .seconds(1))
      #expect(room.spread <= inStep, "\(why)")
    }
  }

  @Test("G114: one that comes while the group pauses is waited for until it has got ready")
  func newcomer() throws {
    let room = Setting(participants: 3, delay: 20).joined()
    getReadyAhead(room)
    for name in ["A", "B"] { room[name].transition(to: "X") }
    room.run(for: .seconds(3))
    room.c.changePlayer {
      $0.buffer = .seconds(2)
      $0.seek = .seconds(2)
    }
    room.c.transition(to: "X")
    room.run(for: .milliseconds(300))
    room.a.play()
    #expect(!room.run(atMost: .milliseconds(1_500)) { !$0.nonePlays })
    try #require(room.run(atMost: .seconds(4)) { $0.allPlay })
    room.a.pause()
    room.run(for: .seconds(6))
    let known = try start(room)
    #expect(known <= .milliseconds(110))
  }

  @Test("G114: who is suspended is waited for if the reason is one that is waited for, and else not")
  func suspended() throws {
    for (isWaitedFor, reason) in [(true, "ad"), (false, "phone")] {
      let room = standing(Setting(participants: 3, delay: 20))
      for person in room.people { person.waits(for: ["ad"]) }
      let suspension = room.c.suspend(reason)
      room.run(for: .seconds(1))
      let before = room.now
      room.a.play()
      #expect(room.run(atMost: .milliseconds(150)) { $0.player("A").isPlaying && $0.player("B").isPlaying } != isWaitedFor)
      room.run(until: before + .seconds(2))
      room.c.end(suspension)
      try #require(room.run(atMost: .seconds(3)) { $0.allPlay })
      room.run(for: .seconds(1))
      #expect(room.spread <= inStep)
    }
  }

  @Test("G115: one that was ready has no data when the start comes: all wait, and go on together")
  func readyNoMore() {
    let room = standing(Setting(participants: 3, delay: 20))
    room.a.setStallPolicy(StallPolicy(waits: true))
    room.run(for: .seconds(1))
    room.a.play()
    room.run(for: .milliseconds(10))
    room.b.stalls(for: .seconds(3))
    #expect(room.run(atMost: .seconds(2)) { $0.a.status == .waiting })
    #expect(room.run(atMost: .seconds(5)) { $0.allPlay })
    room.run(for: .seconds(2))
    #expect(room.spread <= inStep)
  }

  @Test("G116: two play at once, or one plays as another jumps or pauses: all do the same in the end", arguments: Setting.all)
  func atOnce(_ setting: Setting) {
    let others: [(String, (Person) -> Void)] = [
      ("plays", { $0.play() }), ("jumps", { $0.seek(to: .seconds(90)) }), ("pauses", { $0.pause() }), ("plays faster", { $0.play(rate: 1.5) }),
    ]
    for (what, act) in others {
      for later in [0, 1, 30, 110] as [Int64] {
        let room = standing(setting)
        room.a.play()
        room.run(for: .milliseconds(later))
        act(room.b)
        room.converge()
        room.run(for: .seconds(3))
        #expect(room.allPlay || room.nonePlays, "B \(what) \(later) ms later")
        #expect(room.spread <= inStep, "B \(what) \(later) ms later")
        for player in room.players { #expect(player.commands.suffix(6).count { $0.kind == .play } <= 2, "B \(what) \(later) ms later") }
      }
    }
  }

  @Test("G117: a start that waits for persons or an instant, or at another rate, begins as without")
  func otherStarts() throws {
    let persons = standing(Setting(participants: 3, delay: 20))
    persons.a.setStartPolicy(StartPolicy(waiting: .every))
    persons.run(for: .seconds(1))
    persons.a.says(.ready)
    persons.b.says(.ready)
    persons.a.play()
    #expect(!persons.run(atMost: .seconds(3)) { !$0.nonePlays })
    persons.c.says(.ready)
    #expect(persons.run(atMost: .seconds(1)) { $0.allPlay })

    let scheduled = standing(Setting(participants: 3, delay: 20))
    scheduled.a.schedulesStart(of: "X", in: .seconds(10))
    scheduled.run(for: .seconds(8))
    scheduled.b.play()
    #expect(!scheduled.run(atMost: .milliseconds(1_900)) { !$0.nonePlays })
    #expect(scheduled.run(atMost: .milliseconds(200)) { $0.allPlay })

    let faster = standing(Setting(participants: 3, delay: 20))
    let before = faster.now
    faster.a.play(rate: 1.5)
    try #require(faster.run(atMost: .seconds(2)) { $0.allPlay })
    for player in faster.players { #expect(player.kinds(since: before - 1) == [.buffer, .play]) }
  }

  @Test("G117: alone, with a late output, or among more than 16 no host is told to get ready ahead")
  func notAsked() {
    func asked(_ room: SimulatedSession, _ name: String = "A") -> Bool { room.player(name).commands.contains { $0.command.isAhead } }
    let alone = Setting(participants: 1, delay: 20).paused()
    alone.a.preparesAhead()
    alone.run(for: .seconds(5))
    #expect(!asked(alone))

    let late = Setting(participants: 2, delay: 20).paused()
    late.a.delaysOutput(by: .milliseconds(200))
    for person in late.people { person.preparesAhead() }
    late.run(for: .seconds(5))
    #expect(!asked(late) && asked(late, "B"))

    let crowd = SimulatedSession(
      seed: 1, participants: SimulatedSession.names(17), delay: .milliseconds(5), jitter: 0)
    crowd.join()
    crowd.gather(on: "X")
    for person in crowd.people { person.preparesAhead() }
    crowd.run(for: .seconds(5))
    #expect(!asked(crowd))
    crowd.people[16].leave()
    crowd.run(for: .seconds(5))
    #expect(asked(crowd))
  }

  @Test("F131: the library's player gets ready by itself: the picture stands, and a play begins sooner")
  func player() throws {
    for abilities in [RendererAbilities(cues: false), RendererAbilities(startsExactly: true)] {
      let room = Setting(participants: 2, delay: 50).watching(abilities: abilities)
      for person in room.people { person.snapsPauses() }
      room.a.does(.play)
      room.run(for: .seconds(5))
      room.a.does(.pause)
      room.run(for: .milliseconds(400))
      let (before, places) = (room.now, room.people.map(\.renderedPosition))
      room.run(for: .seconds(3))
      for (person, place) in zip(room.people, places) {
        #expect(person.renderedPosition == place)
        #expect(person.media.rate == 0)
        #expect(person.notices(.timeControl, since: before).isEmpty && person.notices(.rate, since: before).isEmpty)
      }
      let pressed = room.now
      room.a.does(.play)
      try #require(room.run(atMost: .seconds(1)) { $0.people.allSatisfy { $0.renderedRate != 0 } })
      // One lead: both ways to the hub, 20 ms, and what it takes this renderer to begin.
      #expect(room.now - pressed <= .milliseconds(150))
      room.run(for: .seconds(3))
      #expect(room.a.renderedPosition.subtracting(room.b.renderedPosition).length <= inStep)
    }
  }
}

import Testing
import UnisonoBase
import UnisonoReplica

@testable import UnisonoSimulator

@Suite struct SleepTests {
  private func room(hubs: Int = 1) -> SimulatedSession {
    let room = SimulatedSession(seed: 5, participants: ["A", "B", "C"], delay: .milliseconds(20), hubs: hubs)
    room.join()
    room.gather(on: "X")
    return room
  }

  /// All play, A sleeps for 20 s, and after 2 s of them the hub dies; there is another one.
  private func asleepAsHubDies() -> SimulatedSession {
    let room = room(hubs: 2)
    room.b.play()
    room.run(for: .seconds(2))
    room.a.sleep(for: .seconds(20))
    room.run(for: .seconds(2))
    room.hubDies()
    return room
  }

  @Test("4: A sleeps while its start is prepared, and wakes: it writes no start in what it takes for the present")
  func wakesIntoBarrier() {
    let room = room()
    room.a.changePlayer { $0.buffer = .milliseconds(900) }
    room.b.play()
    room.run(for: .milliseconds(300))
    room.a.sleep(for: .seconds(8))
    room.run(for: .seconds(7))
    #expect(room.player("B").isPlaying)
    let before = room.now
    room.run(for: .seconds(3))
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    for name in ["B", "C"] { #expect(room.player(name).commands(since: before).isEmpty) }
    for update in room.a.updates(since: before) {
      guard case .update(let statements) = update else { continue }
      for statement in statements { if case .continuation = statement.key { Issue.record("A wrote \(statement)") } }
    }
  }

  @Test("4: what A commands in the moment after waking counts as of then: it is the last command")
  func commandsOnWaking() {
    let room = room()
    room.a.play()
    room.run(for: .seconds(2))
    room.a.sleep(for: .seconds(6))
    room.run(for: .seconds(3))
    room.b.seek(to: .seconds(500))
    room.run(for: .seconds(3) + .milliseconds(20))
    room.a.pause()
    room.run(for: .seconds(2))
    #expect(room.nonePlays)
    for player in room.players { #expect(player.position >= .seconds(500)) }
  }

  @Test("2.1: A sleeps, the others go on to another hub: A, waking there, does not move group time")
  func wakesAtAnotherHub() {
    let room = asleepAsHubDies()
    room.run(for: .seconds(14))
    let before = room.b.groupPosition
    let began = room.now
    room.run(for: .seconds(8))
    #expect(room.members(ofHub: 1) == ["A", "B", "C"])
    #expect((room.b.groupPosition - before - (room.now - began)).length <= .milliseconds(40))
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
  }

  @Test("2.6: at another hub a smaller connection number is no older connection: who meets there is no longer apart")
  func smallerNumbers() {
    let room = SimulatedSession(seed: 5, participants: ["A", "B"], delay: .milliseconds(20), hubs: 2)
    room.join()
    room.gather(on: "X")
    for _ in 0..<3 {
      room.a.loseLink(backAfter: .seconds(1))
      room.run(for: .seconds(3))
    }
    room.a.changeLink { $0.up += .milliseconds(100) }
    room.hubDies()
    room.run(for: .seconds(6))
    room.b.seek(to: .seconds(100))
    room.a.play()
    room.run(for: .seconds(2))
    #expect(room.allPlay)
    for player in room.players { #expect(player.position >= .seconds(100)) }
    #expect(room.spread <= inStep)
  }

  @Test(
    "2.1: A, awake and alone at another hub, guessed group time: the guess is not what the group goes by when it comes there"
  )
  func guessedTime() {
    let room = SimulatedSession(seed: 4, participants: ["A", "B", "C"], delay: .milliseconds(20), hubs: 2)
    room.join()
    room.gather(on: "X")
    room.a.play()
    room.run(for: .seconds(2))
    room.a.sleep(for: .seconds(11))
    room.run(for: .seconds(8))
    room.partition(["B", "C"], ["A"])
    room.run(for: .seconds(12))
    #expect(room.members(ofHub: 1) == ["A"])
    room.heal()
    room.run(for: .seconds(8))
    #expect(room.members(ofHub: 0) == ["A", "B", "C"])
    #expect(room.spread <= inStep)
    let line = room.player("B").position
    let began = room.now
    room.hubDies(0)
    room.run(for: .seconds(6))
    #expect(room.members(ofHub: 1) == ["A", "B", "C"])
    #expect((room.player("B").position - line - (room.now - began)).length <= .milliseconds(40))
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    room.a.seek(to: .seconds(300))
    room.run(for: .seconds(2))
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
  }

  @Test(
    "2.1: A and B slept and met at a hub: they do not guess group time while C, who knows it, is still on its way in",
    arguments: Array(stride(from: 0, to: 10_000, by: 200)))
  func guessOfTwo(milliseconds: Int) {
    let room = SimulatedSession(seed: 4, participants: ["A", "B", "C"], delay: .milliseconds(20), hubs: 2)
    room.join()
    room.gather(on: "X")
    room.c.changeLink {
      $0.up = .milliseconds(270)
      $0.down = .milliseconds(270)
    }
    room.a.play()
    room.run(for: .seconds(4))
    room.a.sleep(for: .seconds(7) + .milliseconds(Int64(milliseconds)))
    room.b.sleep(for: .seconds(8) + .milliseconds(Int64(milliseconds)))
    room.run(for: .seconds(2))
    room.hubDies(0)
    room.run(for: .seconds(5))
    room.hubReturns(0)
    room.run(for: .seconds(40))
    #expect(room.members(ofHub: 0) == ["A", "B", "C"] || room.members(ofHub: 1) == ["A", "B", "C"])
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    let player = room.player("C")
    for time in stride(from: room.now - .seconds(46), to: room.now, by: 100_000_000) {
      let moved = player.position(at: time + .milliseconds(100)) - player.position(at: time)
      #expect((moved - .milliseconds(100)).length <= .milliseconds(40))
    }
  }

  @Test("2.1: A slept and plays alone at a hub that it does not know: its guess of group time does not stop it")
  func guessWhilePlaying() {
    let room = SimulatedSession(seed: 4, participants: ["A", "B"], delay: .milliseconds(20), hubs: 2)
    room.join()
    room.gather(on: "X")
    room.b.leave()
    room.run(for: .seconds(20))
    room.a.sleep(for: .seconds(7))
    room.run(for: .seconds(6))
    room.hubDies(0)
    room.run(for: .seconds(1) + .milliseconds(20))
    room.a.play()
    let began = room.now
    room.run(for: .seconds(20))
    #expect(room.members(ofHub: 1) == ["A"])
    #expect(room.player("A").isPlaying)
    #expect((room.player("A").position - (room.now - began)).length <= .milliseconds(150))
  }

  @Test("2.1: A, back from sleep, maps a hub's clock though its room was not secured yet when it had measured that")
  func mapsOnceSecured() {
    let room = SimulatedSession(
      seed: 4, participants: ["A", "B"], delay: .milliseconds(20), hubs: 2, control: .perRole)
    room.join()
    room.gather(on: "X")
    room.a.setRole(of: room.b, to: .viewer)
    room.run(for: .seconds(1))
    room.b.changeLink { $0.up += .milliseconds(150) }
    room.a.sleep(for: .seconds(20))
    room.run(for: .seconds(18))
    room.hubDies(0)
    room.run(for: .seconds(2) + .milliseconds(200))
    room.a.seek(to: .seconds(700))
    room.run(for: .seconds(15))
    #expect(room.members(ofHub: 1) == ["A", "B"])
    for player in room.players { #expect(player.position == .seconds(700)) }
  }

  @Test(
    "2.1: A, awake and alone at a hub, does not guess group time in the moment in which B comes, who knows it",
    arguments: Array(stride(from: 0, to: 10_000, by: 200)))
  func guessAtTheMeeting(milliseconds: Int) {
    let room = SimulatedSession(seed: 4, participants: ["A", "B"], delay: .milliseconds(20), hubs: 2)
    room.join()
    room.gather(on: "X")
    room.a.play()
    room.run(for: .seconds(2))
    room.a.sleep(for: .seconds(8) + .milliseconds(Int64(milliseconds)))
    room.run(for: .seconds(1))
    room.hubDies(0)
    room.run(for: .seconds(4))
    room.hubReturns(0)
    room.run(for: .seconds(35))
    #expect(room.members(ofHub: 0) == ["A", "B"] || room.members(ofHub: 1) == ["A", "B"])
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    let player = room.player("B")
    for time in stride(from: room.now - .seconds(38), to: room.now, by: 100_000_000) {
      let moved = player.position(at: time + .milliseconds(100)) - player.position(at: time)
      #expect((moved - .milliseconds(100)).length <= .milliseconds(40))
    }
  }

  @Test(
    "2.1: A slept and hears nobody where it wakes, as its link stalls: what it guesses of group time moves nobody back")
  func guessAmongOthers() {
    let room = asleepAsHubDies()
    #expect(room.run(atMost: .seconds(20)) { $0.members(ofHub: 1) == ["A", "B", "C"] })
    let before = (time: room.now, position: room.player("B").position)
    room.run(for: .milliseconds(60))
    room.a.stallLink(for: .seconds(8))
    room.run(for: .seconds(10))
    room.a.seek(to: .seconds(300))
    room.run(for: .milliseconds(40))
    #expect(
      (room.player("B").position(at: room.now - .milliseconds(20)) - before.position - (room.now - before.time)
        + .milliseconds(20)).length <= inStep)
    room.run(for: .seconds(2))
    #expect(room.allPlay)
    for player in room.players { #expect(player.position > .seconds(300) && player.position < .seconds(303)) }
    #expect(room.spread <= inStep)
  }

  @Test(
    "2.1: A guessed group time alone, and D goes by it: B, who comes and knows it, is heard at once and not moved back")
  func guessAmongNewcomers() {
    let room = SimulatedSession(seed: 4, participants: ["A", "B", "C", "D"], delay: .milliseconds(20), hubs: 2)
    room.join(["A", "B", "C"])
    for person in [room.a, room.b, room.c] { person.transition(to: "X") }
    room.run(for: .seconds(2))
    room.b.play()
    room.run(for: .seconds(2))
    room.a.sleep(for: .seconds(11))
    room.run(for: .seconds(8))
    room.partition(["B", "C"], ["A", "D"])
    room.run(for: .seconds(12))
    room.join(["D"])
    room.d.transition(to: "X")
    room.run(for: .seconds(1))
    #expect(room.members(ofHub: 1) == ["A", "D"])
    for person in [room.b, room.c] { person.synchronises(after: .seconds(2)) }
    let before = (time: room.now, position: room.player("B").position)
    room.heal()
    room.hubDies(0)
    room.run(for: .seconds(6))
    #expect(room.members(ofHub: 1) == ["A", "B", "C", "D"])
    #expect((room.player("B").position - before.position - (room.now - before.time)).length <= inStep)
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    room.b.pause()
    room.converge()
    #expect(room.nonePlays)
  }

  @Test(
    "2.1: A guessed group time, and B, who knows it and played a moment ago, comes: what A commands then is the last command",
    arguments: Array(stride(from: 50, to: 1_500, by: 50)))
  func commandsWithGuess(milliseconds: Int) {
    let room = SimulatedSession(seed: 4, participants: ["A", "B"], delay: .milliseconds(20), hubs: 2)
    room.join()
    room.gather(on: "X")
    room.a.sleep(for: .seconds(11))
    room.run(for: .seconds(8))
    room.partition(["A"], ["B"])
    room.hubDies(0)
    room.hubReturns(0)
    room.run(for: .seconds(11))
    #expect(room.members(ofHub: 0) == ["A"])
    room.heal()
    #expect(room.run(atMost: .seconds(8)) { !$0.b.isHeard })
    room.b.play()
    #expect(room.run(atMost: .seconds(2)) { $0.members(ofHub: 0) == ["A", "B"] })
    room.run(for: .milliseconds(Int64(milliseconds)))
    room.a.play(rate: 2)
    room.run(for: .seconds(5))
    for player in room.players { #expect(player.rate == 2) }
    #expect(room.spread <= 2 * inStep)
  }

  @Test("2.1: A and B both guessed group time, B by seconds later: they meet, and a play of A starts both at once")
  func twoGuesses() {
    let room = SimulatedSession(seed: 4, participants: ["A", "B"], delay: .milliseconds(20), hubs: 2)
    room.join()
    room.gather(on: "X")
    room.a.sleep(for: .seconds(22))
    room.run(for: .seconds(7))
    room.b.sleep(for: .seconds(15))
    room.run(for: .seconds(4))
    room.partition(["A"], ["B"])
    room.hubDies(0)
    room.hubReturns(0)
    room.run(for: .seconds(18))
    #expect(room.members(ofHub: 0) == ["A"] && room.members(ofHub: 1) == ["B"])
    room.heal()
    #expect(room.run(atMost: .seconds(8)) { $0.members(ofHub: 0) == ["A", "B"] })
    room.run(for: .seconds(8))
    room.a.play()
    room.run(for: .seconds(2))
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
  }

  @Test("G124: hosts only, the only host is gone, the hub is another: who slept there, or comes, has group time by heartbeats")
  func wakesWhereNobodyMaps() {
    let room = SimulatedSession(
      seed: 5, participants: ["A", "B", "C", "D"], delay: .milliseconds(20), hubs: 2, control: .hostsOnly,
      succession: SuccessionTerms(rule: .nobody))
    room.join(["A", "B", "C"])
    room.gather(on: "X")
    room.run(for: .seconds(3))
    room.a.vanish(hubNoticesAfter: .seconds(1))
    room.run(for: .seconds(2))
    room.hubDies()
    room.run(for: .seconds(5))
    room.c.sleep(for: .seconds(6))
    room.run(for: .seconds(12))
    #expect(room.c.participant.read { $0.waitsForClock })
    room.run(for: .seconds(12))
    room.join(["D"])
    room.d.transition(to: "X")
    room.run(for: .seconds(14))
    for person in [room.c, room.d] {
      #expect(person.view.participants.count == 3)
      if let (error, bound) = person.clockError {
        #expect(error.length <= bound && bound < .milliseconds(150))
      } else {
        Issue.record("\(person.name) does not know group time")
      }
    }
    room.run(for: .seconds(40))
    #expect(room.violations.isEmpty)
  }

  @Test("G125: hosts only, the host slept as the hub died: where it wakes only viewers know group time, and nobody is moved")
  func wakesAmongViewers() {
    let room = SimulatedSession(
      seed: 5, participants: ["A", "B", "C"], delay: .milliseconds(20), hubs: 2, control: .hostsOnly,
      succession: SuccessionTerms(rule: .nobody))
    room.join()
    room.gather(on: "X")
    room.a.play()
    room.run(for: .seconds(4))
    room.a.sleep(for: .seconds(20))
    room.run(for: .seconds(2))
    room.hubDies()
    room.run(for: .seconds(10))
    let before = room.now
    room.run(for: .seconds(40))
    #expect(room.members(ofHub: 1) == ["A", "B", "C"])
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    for name in ["B", "C"] {
      for time in stride(from: before, to: room.now, by: 100_000_000) {
        let moved = room.player(name).position(at: time + .milliseconds(100)) - room.player(name).position(at: time)
        #expect((moved - .milliseconds(100)).length <= .milliseconds(40))
      }
    }
    for person in room.people {
      if let (error, bound) = person.clockError {
        #expect(error.length <= bound && bound < .milliseconds(150))
      } else {
        Issue.record("\(person.name) does not know group time")
      }
    }
    room.a.seek(to: .seconds(500))
    room.run(for: .seconds(3))
    #expect(room.allPlay)
    for player in room.players { #expect(player.position > .seconds(500)) }
    #expect(room.violations.isEmpty)
  }
}

import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoSimulator

@Suite struct SuspensionTests {
  /// A scrubs and B plays, alone; the scrub goes on.
  private func scrubbing(delay: Int64) -> (room: SimulatedSession, scrub: UInt64) {
    let room = Setting(participants: 2, delay: delay).paused()
    // Not ready in the very instant in which the other's readiness comes: that would leave the start to the keeper.
    room.b.changePlayer { $0.buffer += .milliseconds(5) }
    let scrub = room.a.suspend("user-is-changing-current-time")
    room.run(for: .seconds(1))
    room.b.play()
    return (room, scrub)
  }

  @Test("S1: while A scrubs B plays alone at once, and A's player is left alone", arguments: [Int64(2), 30, 60])
  func playWhileScrubbing(delay: Int64) {
    let (room, _) = scrubbing(delay: delay)
    let before = room.now - 1
    room.run(for: room.b.ownLatency + .milliseconds(100))
    #expect(room.player("B").isPlaying)
    room.run(for: .seconds(3))
    #expect(room.player("A").commands(since: before).isEmpty)
    #expect(!room.player("A").isPlaying)
  }

  @Test("S2: A ends its scrub proposing 0.4 s: both there, B sees one remote seek", arguments: [Int64(2), 30, 60])
  func scrubEnds(delay: Int64) {
    let (room, scrub) = scrubbing(delay: delay)
    room.run(for: .seconds(2))
    let before = room.now
    room.a.end(scrub, proposing: .milliseconds(400))
    room.converge()
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    let told = room.player("B").commands(since: before)
    #expect(told.map(\.kind) == [.seek, .play])
    #expect(told.first?.command.originator == room.a.id)
    #expect(told.first?.command.itemTime == .milliseconds(400))
    for player in room.players {
      #expect(player.starts(since: before).map(\.position).allSatisfy { ($0 - .milliseconds(400)).length <= inStep })
    }
    #expect(room.commands(during: .milliseconds(200)) == [])
  }

  @Test(
    "S3: A ends without a proposal: it rejoins at the present position and rate, the group is not moved",
    arguments: Setting.all)
  func rejoin(_ setting: Setting) {
    let room = setting.playing()
    let suspension = room.a.suspend("user-action-required")
    room.a.pause()
    room.run(for: .seconds(3))
    #expect(!room.player("A").isPlaying)
    let before = room.now
    room.a.end(suspension)
    room.converge()
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    // Whoever commanded last did not just now.
    let rejoining = room.player("A").commands(since: before - 1).map(\.command)
    #expect(rejoining.first?.cause == .rejoin && rejoining.first?.originator == ParticipantID.none, "\(rejoining)")
    for name in room.names where name != "A" { #expect(room.player(name).commands(since: before).isEmpty) }
    #expect(room.commands(during: .milliseconds(200)) == [])
  }

  @Test(
    "S4: A holds two: still apart after the first ends, back after the second; a third end is an error",
    arguments: Setting.all)
  func twoSuspensions(_ setting: Setting) {
    let room = setting.playing()
    let first = room.a.suspend("audio-session-interrupted")
    let second = room.a.suspend("user-action-required")
    room.run(for: .milliseconds(100))
    room.b.pause()
    room.converge()
    #expect(room.player("A").isPlaying)
    room.a.end(first)
    room.converge()
    #expect(room.a.isSuspended)
    #expect(room.player("A").isPlaying)
    room.a.end(second)
    room.converge()
    #expect(!room.a.isSuspended)
    #expect(room.nonePlays)
    #expect(room.a.history.refusals.isEmpty)
    room.a.end(second)
    room.run(for: .milliseconds(10))
    #expect(room.a.history.refusals.map(\.value.status) == [.state])
  }

  @Test(
    "S5: an interstitial of 5 s at A that is not waited for: the group goes on, A catches up", arguments: Setting.all)
  func interstitial(_ setting: Setting) {
    let room = setting.paused()
    let suspension = room.a.suspend("playing-interstitial")
    room.run(for: .seconds(1))
    let before = room.now
    room.b.play()
    room.converge()
    for name in room.names { #expect(room.player(name).isPlaying == (name != "A")) }
    room.run(until: before + .seconds(5))
    let catching = room.now
    room.a.end(suspension)
    room.converge()
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    for name in room.names where name != "A" { #expect(room.player(name).commands(since: catching).isEmpty) }
  }

  @Test(
    "S6: the same, waited for: the start waits for A up to the wait limit and says for whom and why",
    arguments: Setting.all)
  func waitedFor(_ setting: Setting) {
    let room = setting.paused()
    for person in room.people {
      person.waits(for: ["playing-interstitial"], upTo: UInt32(setting.participants))
      person.waits(atMost: .seconds(3))
    }
    _ = room.a.suspend("playing-interstitial")
    room.run(for: .seconds(1))
    let before = room.now
    room.b.play()
    room.run(for: .milliseconds(2_900))
    #expect(room.nonePlays)
    #expect(room.b.status == .waiting)
    let told = room.b.history.timing.filter { $0.at >= before }.flatMap { $0.value.waitingFor }
    #expect(told.contains(WaitingFor(participant: room.a.id, reason: "playing-interstitial")))
    room.run(for: .milliseconds(100) + room.convergence)
    for name in room.names { #expect(room.player(name).isPlaying == (name != "A")) }
  }

  @Test("S6: a waited-for suspension that ends lets all start together")
  func waitedForEnds() {
    for setting in Setting.all {
      let room = setting.paused()
      for person in room.people { person.waits(for: ["playing-interstitial"]) }
      let suspension = room.a.suspend("playing-interstitial")
      room.run(for: .seconds(1))
      let before = room.now
      room.b.play()
      room.run(for: .seconds(4))
      #expect(room.nonePlays)
      room.a.end(suspension)
      room.converge()
      #expect(room.allPlay, "\(setting.testDescription)")
      for player in room.players {
        #expect(player.starts(since: before).allSatisfy { $0.position.length <= .milliseconds(20) })
      }
    }
  }

  @Test("S7: the limit for the reason is 1 and the group is 3: nobody waits")
  func participantLimit() {
    let room = Setting(participants: 3, delay: 20).paused()
    for person in room.people { person.waits(for: ["playing-interstitial"], upTo: 1) }
    _ = room.a.suspend("playing-interstitial")
    room.run(for: .seconds(1))
    room.b.play()
    room.converge()
    #expect(room.player("B").isPlaying)
    #expect(room.player("C").isPlaying)
  }

  @Test(
    "S8: A, suspended, seeks and changes rate: its delegate is commanded at once, nothing leaves A",
    arguments: Setting.all)
  func localCommands(_ setting: Setting) {
    let room = setting.playing()
    _ = room.a.suspend("user-action-required")
    room.run(for: .seconds(1))
    let before = room.now
    let written = room.written.count
    room.a.seek(to: .seconds(80))
    room.run(for: .milliseconds(60))
    room.a.play(rate: 2)
    room.run(for: .milliseconds(60))
    #expect((room.player("A").position - .seconds(80)).length <= .milliseconds(250))
    #expect(room.player("A").rate == 2)
    let told = room.player("A").commands(since: before - 1)
    #expect(!told.isEmpty)
    #expect(told.allSatisfy { $0.command.isLocal })
    room.run(for: .seconds(2))
    #expect(room.written.count == written)
    for name in room.names where name != "A" { #expect(room.player(name).commands(since: before).isEmpty) }
  }

  @Test(
    "S9: what did they say: A goes back 10 s at rate 2 and ends at the group's time: B is undisturbed",
    arguments: Setting.all)
  func whatDidTheySay(_ setting: Setting) {
    let room = setting.playing(for: .seconds(15))
    let before = room.now
    let suspension = room.a.suspend("what-happened")
    room.a.seek(to: room.player("A").position - .seconds(10))
    room.run(for: .milliseconds(200))
    room.a.play(rate: 2)
    room.run(for: .seconds(10))
    room.a.end(suspension)
    room.converge()
    #expect(room.player("A").rate == 1)
    #expect(room.spread <= inStep)
    for name in room.names where name != "A" { #expect(room.player(name).commands(since: before).isEmpty) }
  }

  @Test("S10: A dies while B waits for its suspension: B's wait ends at once", arguments: Setting.all)
  func waitedForDies(_ setting: Setting) {
    let room = setting.paused()
    for person in room.people { person.waits(for: ["playing-interstitial"]) }
    _ = room.a.suspend("playing-interstitial")
    room.run(for: .seconds(1))
    room.b.play()
    room.run(for: .seconds(1))
    #expect(room.nonePlays)
    room.a.vanish(hubNoticesAfter: 0)
    room.converge()
    #expect(room.allPlay)
  }

  @Test("S11: B's host never completes a command: it gets the next one all the same", arguments: Setting.all)
  func neverCompletes(_ setting: Setting) {
    let room = setting.paused()
    room.b.changePlayer { $0.ignores = [.buffer, .seek] }
    room.a.play()
    room.run(for: .seconds(10) + room.convergence)
    #expect(room.player("A").isPlaying)
    #expect(room.b.isSuspended)
    room.b.changePlayer { $0.ignores = [] }
    let before = room.now
    room.a.pause()
    room.converge()
    #expect(room.nonePlays)
    #expect(!room.b.isSuspended)
    #expect(room.player("B").kinds(since: before) == [.pause])
  }

  @Test("S12: B is suspended by the library; its person presses pause: the group pauses", arguments: Setting.all)
  func pauseWhileStalled(_ setting: Setting) {
    let room = setting.paused()
    room.b.changePlayer { $0.ignores = [.buffer, .seek] }
    room.a.play()
    room.run(for: .seconds(10) + room.convergence)
    #expect(room.b.isSuspended)
    room.b.pause()
    room.converge()
    #expect(room.nonePlays)
    for person in room.people { #expect(person.status == .paused) }
  }

  @Test("S13: A ends a suspension proposing t while B pauses: paused at t", arguments: Setting.all)
  func proposalAndPause(_ setting: Setting) {
    for gap in [Int64(0), 5, 30, 90] {
      let room = setting.playing()
      let suspension = room.a.suspend("user-is-changing-current-time")
      room.run(for: .seconds(1))
      room.a.end(suspension, proposing: .seconds(70))
      room.run(for: .milliseconds(gap))
      room.b.pause()
      room.run(for: 2 * room.convergence)
      #expect(room.nonePlays, "\(gap) ms apart")
      for person in room.people { #expect(person.status == .paused) }
      // A pause that came when all had started again counts from where they were.
      for player in room.players { #expect((player.position - .seconds(70)).length <= .milliseconds(gap) + inStep) }
      #expect(room.commands(during: .milliseconds(200)) == [])
    }
  }

  @Test(
    "G90: who is back while its player is on its way to where it sent it goes on to the group's place, and starts with all",
    arguments: [50, 400, 950])
  func backOnTheWay(_ milliseconds: Int64) {
    let room = Setting(participants: 2, delay: 20).playing()
    room.a.changePlayer { $0.seek = .seconds(1) }
    let scrub = room.a.suspend("scrubbing")
    room.a.pause()
    room.a.seek(to: .seconds(30))
    room.run(for: .milliseconds(milliseconds))
    let before = room.now
    room.a.end(scrub, proposing: .seconds(30))
    room.converge()
    #expect(room.allPlay && room.spread <= inStep)
    let starts = room.names.compactMap { room.player($0).starts(since: before).first }
    #expect(starts.count == 2 && starts.allSatisfy { ($0.position - .seconds(30)).length <= inStep })
    #expect(room.violations.isEmpty)
  }

  @Test("G102: who begins a suspension on its way, arrives, and is back where it came from is sent there, and starts with all")
  func arrivedMeanwhile() {
    let room = Setting(participants: 3, delay: 20).paused()
    room.a.changePlayer { $0.seek = .seconds(1) }
    room.c.changePlayer { $0.buffer = .seconds(3) }
    room.b.seek(to: .seconds(30))
    room.run(for: .milliseconds(300))
    let scrub = room.a.suspend("scrubbing")
    room.run(for: .seconds(2))
    #expect(room.player("A").position == .seconds(30))
    room.b.seek(to: 0)
    room.run(for: .milliseconds(200))
    let before = room.now
    room.b.play()
    room.run(for: .milliseconds(500))
    room.a.end(scrub)
    room.run(for: .seconds(5))
    #expect(room.allPlay && room.spread <= inStep)
    #expect(room.player("A").starts(since: before).first.map { $0.position.length <= inStep } == true)
    #expect(room.player("A").kinds(since: before) == [.seek, .play])
    #expect(room.violations.isEmpty)
  }

  @Test("G102: who begins a suspension on its way, and pauses before it is there, stands where it was sent")
  func pausedOnItsWay() {
    let room = Setting(participants: 2, delay: 20).paused()
    room.a.changePlayer { $0.seek = .seconds(1) }
    room.b.seek(to: .seconds(30))
    room.run(for: .milliseconds(300))
    _ = room.a.suspend("scrubbing")
    room.a.pause()
    room.run(for: .seconds(2))
    #expect(room.player("A").position == .seconds(30))
    #expect(room.violations.isEmpty)
  }

  @Test(
    "Q4: a transition while suspended is proposed when the suspension ends, and the host stands by it",
    arguments: Setting.all)
  func transitionWhileSuspended(_ setting: Setting) {
    for moves in [false, true] {
      let room = setting.paused()
      let suspension = room.a.suspend("user-action-required")
      room.a.transition(to: "Y", proposing: Proposal(rate: 1, itemTime: .seconds(50)))
      room.run(for: .seconds(1))
      if moves { room.a.seek(to: .seconds(700)) }
      room.run(for: .seconds(3))
      room.a.end(suspension)
      room.converge()
      #expect(room.a.status == .playing)
      #expect((room.a.groupPosition - .seconds(54)).length <= .seconds(1))
      #expect((room.player("A").position - room.a.groupPosition).length <= inStep, "moves: \(moves)")
      let before = room.now
      room.b.transition(to: "Y")
      room.converge()
      #expect((room.player("B").position - room.player("A").position).length <= inStep)
      #expect(room.player("A").commands(since: before).isEmpty)
    }
  }
}

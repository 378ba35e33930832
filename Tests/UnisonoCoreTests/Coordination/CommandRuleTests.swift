import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// Play, pause, seek and rate: one test a rule, named after the scenario or the trace that shaped it.
@Suite struct CommandRuleTests {
  @Test("C6: playing again and pausing again command nobody")
  func again() {
    var room = RuleHarness.playing(2)
    room.give(.rateChange(rate: 1, immediately: false), to: 1)
    room.run(.seconds(1))
    #expect(room.commands == [[], []])
    room.give(.rateChange(rate: 0, immediately: false), to: 1)
    room.run(.seconds(1))
    room.give(.rateChange(rate: 0, immediately: false), to: 0)
    room.run(.seconds(1))
    #expect(room.kinds(of: 0) == [.pause] && room.kinds(of: 1) == [.pause])
  }

  @Test("H2: a pause and a seek at once: paused at the sought place")
  func pauseAndSeek() {
    var room = RuleHarness.playing(3)
    room.give(.rateChange(rate: 0, immediately: false), to: 0)
    room.give(.seek(to: .seconds(372), resumeImmediately: false), to: 1)
    room.run(.seconds(1))
    #expect(room.isInStep)
    #expect(room.nodes[2].view.timing.status == .paused)
    #expect(room.position(of: 2) == .seconds(372))
  }

  @Test("H2: a seek that did not see the play does not un-play the group")
  func playAndSeek() {
    var room = RuleHarness.joined(3)
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.give(.seek(to: .seconds(372), resumeImmediately: false), to: 1)
    room.run(.seconds(1))
    #expect(room.isInStep)
    #expect(room.nodes[2].view.timing.status == .playing)
    #expect(room.position(of: 2) > .seconds(372))
  }

  @Test("H1: a pause beats a start that crosses it")
  func pauseBeatsStart() {
    var room = RuleHarness.joined(2)
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.milliseconds(35))
    room.give(.rateChange(rate: 0, immediately: false), to: 1)
    room.run(.seconds(1))
    #expect(room.isInStep)
    #expect(room.statuses == [.paused])
    #expect(room.kinds(of: 0).last == .pause && room.kinds(of: 1).last == .pause)
  }

  @Test("O6: two plays at once: the later one's rate, whoever starts")
  func twoPlays() {
    var room = RuleHarness.joined(2)
    room.give(.rateChange(rate: 1.5, immediately: false), to: 0)
    room.run(.milliseconds(5))
    room.give(.rateChange(rate: 1, immediately: false), to: 1)
    room.run(.seconds(1))
    #expect(room.isInStep)
    #expect(room.nodes[0].view.timing.line.rate == 1)
  }

  @Test("D4: a rate change while playing is continuous")
  func rateChange() {
    var room = RuleHarness.playing(2)
    let before = room.position(of: 1)
    let start = room.now
    room.give(.rateChange(rate: 2, immediately: false), to: 0)
    var last = before
    for _ in 0..<100 {
      room.run(.milliseconds(2))
      for index in 0...1 {
        #expect(room.position(of: index) >= last - 1)
      }
      last = room.position(of: 1)
    }
    #expect(room.isInStep)
    #expect(last - before > (room.now - start))
    #expect(room.kinds(of: 0) == [.play] && room.kinds(of: 1) == [.play])
  }

  @Test("D5: an output offset leads one's own host only")
  func outputOffset() {
    var room = RuleHarness.playing(2)
    room.give(.setOutputOffset(.milliseconds(400)), to: 1)
    room.run(.seconds(1))
    #expect(room.commands[0].isEmpty)
    #expect(room.kinds(of: 1) == [.play])
    let command = room.commands[1][0]
    let line = Line(at: command.itemTime, rate: 1, since: command.hostTime ?? 0)
    #expect(line.position(at: room.now) - room.position(of: 1) == .milliseconds(400))
  }

  @Test("2.8: who learns late of a change of rate while its clock is being slewed is told a line that is right at once")
  func lateWhileSlewing() throws {
    var room = RuleHarness.playing(2)
    let model = ClockModel(hostTime: room.now, remoteTime: room.now, rate: 0.98, errorBound: room.clockError)
    room.give(.clock(model, roundTrip: room.delay * 2), to: 1)
    room.delay = .milliseconds(1_500)
    room.give(.rateChange(rate: 2, immediately: true), to: 0)
    room.run(room.delay)
    let command = try #require(room.commands[1].first { $0.rate == 2 })
    let line = Line(at: command.itemTime, rate: command.rate, since: try #require(command.hostTime))
    #expect(line.since < room.now - .seconds(1))
    #expect((line.position(at: room.now) - room.position(of: 1)).absolute <= .milliseconds(1))
  }

  @Test("H23: an item's end is a continuation: a seek back that crosses it wins")
  func endedAndSeek() throws {
    var room = RuleHarness.playing(2)
    let pair = try #require(room.pair(of: "X", at: 0))
    let ended = Statement(
      key: .continuation("X"), author: room.ids[1], policy: RuleHarness.policy, time: room.now,
      value: .continuation(ContinuationValue(base: pair, sequence: 2, kind: .ended(at: .seconds(95)))))
    room.give(.message(.update([ended]), from: room.ids[1]), to: 1)
    room.give(.seek(to: 0, resumeImmediately: false), to: 0)
    room.give(.message(.update([ended]), from: room.ids[1]), to: 0)
    #expect(room.nodes[0].view.timing.status == .waiting)
    room.run(.seconds(1))
    #expect(room.statuses == [.playing])
  }

  @Test("H25: a burst after a sleep is merged before the host is told: one command")
  func burst() {
    var room = RuleHarness.playing(2)
    let before = room.commands[1].count
    var sleeper = room.nodes[1]
    room.linked.remove(1)
    var updates: [Statement] = []
    for step in 0..<4 {
      room.give(.rateChange(rate: step.isMultiple(of: 2) ? 0 : 1, immediately: true), to: 0)
      updates += [RegisterKey.rate("X"), .position("X"), .continuation("X")].compactMap { room.nodes[0].facts.registers[$0] }
      room.run(.milliseconds(300))
    }
    for statement in updates {
      _ = sleeper.handle(.message(.update([statement]), from: room.ids[0]), now: room.now)
    }
    let commands = sleeper.settle(now: room.now).filter { if case .playback(.command) = $0 { true } else { false } }
    #expect(commands.count == 1)
    #expect(before == 0)
  }

  @Test("a slider without a suspension: the first seek at once, then one per 100 ms, the last always")
  func slider() {
    var room = RuleHarness.joined(2)
    for step in 1...20 {
      room.give(.seek(to: .seconds(Int64(step)), resumeImmediately: false), to: 0)
      room.run(.milliseconds(10))
    }
    room.run(.milliseconds(300))
    #expect(room.commands[1].count <= 4)
    #expect(room.commands[1].first?.itemTime == .seconds(1))
    #expect(room.position(of: 1) == .seconds(20))
    room.give(.seek(to: .seconds(30), resumeImmediately: false), to: 0)
    room.give(.seek(to: .seconds(40), resumeImmediately: false), to: 0)
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.milliseconds(500))
    #expect(room.statuses == [.playing])
    #expect(room.position(of: 1) > .seconds(40))
  }

  @Test("C5: with pause snap all stand exactly where the originator paused")
  func pauseSnaps() {
    var room = RuleHarness.playing(2)
    room.delay = .milliseconds(300)
    room.give(.setPauseSnaps(true), to: 0)
    room.give(.rateChange(rate: 0, immediately: false), to: 0)
    room.run(.seconds(1))
    for index in 0...1 {
      #expect(room.kinds(of: index) == [.pause])
      #expect(room.commands[index].first?.snap == true)
    }
    #expect(room.commands[0].first?.itemTime == room.commands[1].first?.itemTime)
  }

  @Test("C2: a seek and a play, then a pause: the others get seek, play, pause")
  func seekPlayPause() {
    var room = RuleHarness.joined(2)
    room.give(.seek(to: .seconds(2), resumeImmediately: false), to: 0)
    room.run(.milliseconds(100))
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.milliseconds(150))
    room.give(.rateChange(rate: 0, immediately: false), to: 1)
    room.run(.seconds(1))
    let kinds = room.kinds(of: 1).filter { $0 != .buffer }
    #expect(kinds == [.seek, .play, .pause])
    #expect(room.isInStep)
    #expect(room.position(of: 0) > .seconds(2) && room.position(of: 0) < .milliseconds(2_200))
  }

  @Test("D2: what a stale player reports moves nobody")
  func staleReport() {
    var room = RuleHarness.playing(2)
    for _ in 0..<3 {
      let position = PlaybackReport.Position(itemTime: .seconds(50), hostTime: room.now)
      room.give(.report(PlaybackReport(rate: 1, position: position)), to: 1)
      room.run(.seconds(2))
    }
    #expect(room.commands == [[], []])
    #expect(room.position(of: 0) < .seconds(10))
    let shown = room.nodes[0].view.participants.first { $0.id == room.ids[1] }?.position
    #expect(shown?.itemTime == .seconds(50))
  }

  @Test("W5: after the wait limit the group starts without the one that is not ready, and W4: at once if asked to")
  func withoutOne() {
    var room = RuleHarness.joined(3)
    room.hostLatency[2] = .seconds(60)
    room.give(.setWaitLimit(.seconds(2)), to: 0)
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.milliseconds(1_900))
    #expect(room.nodes[0].view.timing.status == .waiting)
    room.run(.milliseconds(300))
    #expect(room.nodes[0].view.timing.status == .playing)
    room.give(.seek(to: .seconds(90), resumeImmediately: false), to: 0)
    room.run(.seconds(1))
    #expect(room.nodes[1].view.timing.status == .waiting)
    room.give(.rateChange(rate: 1, immediately: true), to: 1)
    room.run(.milliseconds(200))
    #expect(room.statuses == [.playing])
    #expect(room.isInStep)
  }
}

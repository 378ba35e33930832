import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica
@testable import UnisonoWire

/// What suspensions do to the group, and the group to them: one test a rule, named after the scenario or the trace that shaped it.
@Suite struct SuspensionRuleTests {
  @Test("H7, S11: a host that never completes gets the next command")
  func neverCompletes() {
    var room = RuleHarness.joined(2)
    room.hostLatency[1] = nil
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.milliseconds(9_900))
    #expect(room.nodes[0].view.timing.status == .waiting)
    #expect(room.nodes[0].view.waitingFor == [WaitingFor(participant: room.ids[1], reason: "")])
    room.run(.milliseconds(400))
    #expect(room.nodes[0].view.timing.status == .playing)
    #expect(room.nodes[1].view.suspensionReasons == ["stall-recovery"])
    // Its host, and nobody else's, is told which command it owes an answer to: once.
    let owed = room.notices.map { $0.compactMap { if case .playback(.commandOverdue(let command)) = $0 { command } else { nil } } }
    #expect(owed[0].isEmpty)
    #expect(room.kinds(of: 1).last == .buffer && owed[1].map(\.kind) == [.buffer])
    #expect(owed[1].map(\.id) == room.commands[1].suffix(1).map(\.id))
    #expect(owed[1].map(\.item) == ["X"])
    room.give(.rateChange(rate: 0, immediately: false), to: 0)
    room.run(.seconds(1))
    #expect(room.nodes[1].view.suspensionReasons.isEmpty)
    #expect(room.kinds(of: 1).last == .pause)
  }

  /// A host that completes nothing runs at `factor` times the rate of each command, or at 1, and says so each second.
  private func overdue(following factor: Double?) -> (count: UInt64, apart: Int) {
    var room = RuleHarness.playing(2)
    room.hostLatency[1] = nil
    var apart = 0
    for second in 0..<30 {
      let rate = second % 2 == 0 ? 1.25 : 1.5
      room.give(.rateChange(rate: rate, immediately: false), to: 0)
      room.run(.milliseconds(500))
      let position = PlaybackReport.Position(itemTime: room.position(of: 1), hostTime: room.now)
      let report = PlaybackReport(
        stalled: false, rate: factor.map { $0 * rate } ?? 1, position: position, range: nil)
      room.give(.report(report), to: 1)
      room.run(.milliseconds(500))
      if second >= 12, !room.nodes[1].view.suspensionReasons.isEmpty { apart += 1 }
    }
    return (room.nodes[1].view.statistics.commandsOverdue, apart)
  }

  @Test("W11: a host that runs on at its old rate does not do what it was told, however often; a nudged one does")
  func oldRate() {
    let old = overdue(following: nil)
    #expect(old.count >= 3 && old.apart >= 4)
    #expect(overdue(following: 1.02) == (0, 0))
    #expect(overdue(following: 1) == (0, 0))
  }

  @Test("W11: what takes long to be prepared is not overdue for what is commanded next")
  func preparesLong() {
    var room = RuleHarness.joined(2)
    room.hostLatency[1] = nil
    room.give(.setWaitLimit(.seconds(60)), to: 0)
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.seconds(50))
    room.give(.rateChange(rate: 0, immediately: false), to: 0)
    room.run(.milliseconds(1_900))
    #expect(room.nodes[1].view.suspensionReasons.isEmpty)
    room.run(.milliseconds(300))
    #expect(room.nodes[1].view.suspensionReasons == ["stall-recovery"])
  }

  @Test("H8, S12: during a suspension of the library the person's own pause goes to the group")
  func ownPause() {
    var room = RuleHarness.joined(2)
    room.hostLatency[1] = nil
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.seconds(11))
    #expect(room.nodes[1].view.suspensionReasons == ["stall-recovery"])
    room.give(.rateChange(rate: 0, immediately: false), to: 1)
    room.run(.seconds(1))
    #expect(room.statuses == [.paused])
    #expect(room.kinds(of: 0).last == .pause && room.kinds(of: 1).last == .pause)
  }

  @Test("S1, S2: a scrub moves the group only when it ends with a proposal")
  func scrub() {
    var room = RuleHarness.joined(2)
    room.give(.beginSuspension(id: 7, reason: "user-is-changing-current-time"), to: 0)
    room.run(.milliseconds(100))
    room.give(.rateChange(rate: 1, immediately: false), to: 1)
    room.run(.milliseconds(100))
    #expect(room.kinds(of: 1) == [.play])
    #expect(room.kinds(of: 0).isEmpty)
    room.give(.endSuspension(id: 7, proposing: .milliseconds(400)), to: 0)
    room.run(.seconds(1))
    #expect(room.isInStep)
    #expect(room.kinds(of: 1) == [.play, .seek, .play])
    #expect(room.commands[1][1].originator == room.ids[0])
    #expect(room.kinds(of: 0) == [.seek, .play])
  }

  @Test("S3: without a proposal one rejoins in place")
  func rejoin() {
    var room = RuleHarness.playing(2)
    room.give(.beginSuspension(id: 7, reason: "playing-interstitial"), to: 0)
    room.run(.seconds(5))
    room.give(.endSuspension(id: 7, proposing: nil), to: 0)
    room.run(.seconds(1))
    #expect(room.kinds(of: 0) == [.play])
    #expect(room.commands[0][0].cause == .rejoin)
    #expect(room.commands[1].isEmpty)
    #expect(room.isInStep)
  }

  @Test("S4: a suspension ends once; the others keep it apart")
  func overlapping() {
    var room = RuleHarness.playing(2)
    room.give(.beginSuspension(id: 1, reason: "a"), to: 0)
    room.give(.beginSuspension(id: 2, reason: "b"), to: 0)
    room.give(.endSuspension(id: 1, proposing: nil), to: 0)
    room.run(.seconds(1))
    #expect(room.commands[0].isEmpty)
    #expect(room.nodes[1].view.participants.first?.suspensionReasons == ["b"])
    room.give(.endSuspension(id: 2, proposing: nil), to: 0)
    #expect(room.kinds(of: 0) == [.play])
    room.notices[0] = []
    room.give(.endSuspension(id: 2, proposing: nil), to: 0)
    let refusals = room.notices[0].filter { if case .playback(.refused(.endSuspension, .state, _)) = $0 { true } else { false } }
    #expect(refusals.count == 1)
  }

  @Test("S8: what a suspended person does stays with its own host")
  func ownCommands() {
    var room = RuleHarness.playing(2)
    room.give(.beginSuspension(id: 1, reason: "what-did-they-say"), to: 0)
    room.run(.milliseconds(100))
    room.give(.seek(to: .seconds(1), resumeImmediately: false), to: 0)
    room.give(.rateChange(rate: 2, immediately: false), to: 0)
    room.give(.rateChange(rate: 0, immediately: false), to: 0)
    #expect(room.kinds(of: 0) == [.play, .play, .pause])
    #expect(room.commands[0].map(\.rate) == [1, 2, 0])
    room.run(.seconds(3))
    #expect(room.commands[1].isEmpty)
    #expect(room.nodes[1].view.timing.status == .playing)
  }

  @Test("S6: a start waits for the suspended whose reason is waited for, and says so")
  func waitingReason() {
    var room = RuleHarness.joined(3)
    room.give(.setWaitingReasons(["playing-interstitial"]), to: 1)
    room.give(.beginSuspension(id: 1, reason: "playing-interstitial"), to: 0)
    room.run(.milliseconds(100))
    room.give(.rateChange(rate: 1, immediately: false), to: 1)
    room.run(.seconds(3))
    #expect(
      room.nodes[2].view.waitingFor == [WaitingFor(participant: room.ids[0], reason: "playing-interstitial")])
    room.give(.endSuspension(id: 1, proposing: nil), to: 0)
    room.run(.seconds(1))
    #expect(room.isInStep)
    #expect(room.kinds(of: 0) == [.seek, .play] || room.kinds(of: 0) == [.buffer, .play])
    #expect(room.nodes[0].view.timing.status == .playing)
  }

  @Test("S7: over its limit nobody waits for the reason")
  func participantLimit() {
    var room = RuleHarness.joined(3)
    room.give(.setWaitingReasons(["r"]), to: 1)
    room.give(.setParticipantLimit(reason: "r", limit: 1), to: 1)
    room.give(.beginSuspension(id: 1, reason: "r"), to: 0)
    room.run(.milliseconds(100))
    room.give(.rateChange(rate: 1, immediately: false), to: 1)
    room.run(.milliseconds(300))
    #expect(room.nodes[2].view.timing.status == .playing)
  }

  @Test("S10: a wait for a suspended ends when its link does")
  func diesSuspended() {
    var room = RuleHarness.joined(3)
    room.give(.setWaitingReasons(["r"]), to: 1)
    room.give(.beginSuspension(id: 1, reason: "r"), to: 0)
    room.run(.milliseconds(100))
    room.give(.rateChange(rate: 1, immediately: false), to: 1)
    room.run(.seconds(1))
    #expect(room.nodes[2].view.timing.status == .waiting)
    room.unlink(0)
    room.run(.milliseconds(200))
    #expect(room.nodes[2].view.timing.status == .playing)
  }

  @Test("S13: an end with a proposal and a pause: paused at the proposal")
  func proposalAndPause() {
    var room = RuleHarness.playing(2)
    room.give(.beginSuspension(id: 1, reason: "r"), to: 0)
    room.run(.seconds(1))
    room.give(.rateChange(rate: 0, immediately: false), to: 1)
    room.give(.endSuspension(id: 1, proposing: .seconds(50)), to: 0)
    room.run(.seconds(1))
    #expect(room.isInStep)
    #expect(room.nodes[1].view.timing.status == .paused && room.position(of: 1) == .seconds(50))
  }

  @Test("F7: sixty-four reasons of the greatest length leave a play that can be signed")
  func manyReasons() throws {
    var room = RuleHarness.joined(2)
    let reasons = (0..<64).map { String(repeating: "x", count: 124) + "\(100 + $0)" }
    room.give(.setWaitingReasons(reasons), to: 0)
    for reason in reasons { room.give(.setParticipantLimit(reason: reason, limit: 2), to: 0) }
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.seconds(1))
    let statement = try #require(room.nodes[1].facts.registers[.rate("X")])
    #expect(try StatementBody.encode(statement).count > 7_000)
    #expect(room.statuses == [.playing])
  }

  @Test("F9: a suspension that ends with a proposal before group time is known moves the group once it is", arguments: [0, 2_000])
  func proposesWhileJoining(later: Int64) {
    var room = RuleHarness.joined(1)
    room.add(2)
    room.link(1, synchronised: false)
    room.run(.milliseconds(200))
    room.give(.transition(to: "X", proposal: nil), to: 1)
    room.give(.beginSuspension(id: 7, reason: "scrubbing"), to: 1)
    room.run(.milliseconds(100))
    if later > 0 { room.synchronise(1) }
    room.run(.milliseconds(later))
    room.give(.endSuspension(id: 7, proposing: .seconds(30)), to: 1)
    room.run(.milliseconds(200))
    room.synchronise(1)
    room.run(.seconds(3))
    for index in 0...1 { #expect(room.position(of: index) == .seconds(30)) }
  }
}

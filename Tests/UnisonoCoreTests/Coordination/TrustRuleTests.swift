import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// What must not be believed: one test a rule, named after the scenario or the trace that shaped it.
@Suite struct TrustRuleTests {
  private func pause(_ room: RuleHarness, by author: Int, at time: GroupTime) -> Statement {
    Statement(
      key: .rate("X"), author: room.ids[author], policy: RuleHarness.policy, time: time,
      value: .rate(RateValue(rank: .command, rate: 0, at: 0)))
  }

  @Test("H4, O7: a stamp 8 s ahead pins nothing until it is due")
  func future() {
    var room = RuleHarness.playing(2)
    room.give(.message(.update([pause(room, by: 1, at: room.now + .seconds(8))]), from: room.ids[1]), to: 0)
    room.run(.seconds(1))
    room.give(.rateChange(rate: 2, immediately: false), to: 1)
    room.run(.seconds(1))
    #expect(room.nodes[0].view.timing.line.rate == 2)
    room.run(.seconds(5))
    #expect(room.nodes[0].view.timing.status == .playing)
    room.run(.seconds(3))
    #expect(room.statuses == [.paused])
  }

  @Test("Z77: a member's stamp of the next half second wins only until somebody commands again", arguments: [Int64(1), 499])
  func ahead(milliseconds: Int64) {
    var room = RuleHarness.playing(2)
    room.give(.message(.update([pause(room, by: 1, at: room.now + .milliseconds(milliseconds))]), from: room.ids[1]), to: 0)
    #expect(room.nodes[0].view.timing.status == .paused)
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.seconds(3))
    #expect(room.statuses == [.playing])
  }

  @Test("Z77: a member's stamp over 10 s ahead is refused, said so, and never counts", arguments: [Int64(11), 3_600, 4_000_000_000])
  func refused(seconds: Int64) {
    var room = RuleHarness.playing(2)
    room.notices[0] = []
    room.give(.message(.update([pause(room, by: 1, at: room.now + .seconds(seconds))]), from: room.ids[1]), to: 0)
    let lines = room.notices[0].compactMap { if case .session(.log(.warning, let text)) = $0 { text } else { nil } }
    #expect(lines.contains { $0.contains("\(seconds) s ahead") || $0.contains("\(seconds - 1) s ahead") })
    room.run(.seconds(15))
    #expect(room.statuses == [.playing])
    room.give(.rateChange(rate: 0, immediately: false), to: 0)
    room.run(.seconds(1))
    #expect(room.statuses == [.paused])
  }

  @Test("O1: an older statement changes nothing")
  func older() {
    var room = RuleHarness.playing(2)
    room.give(.message(.update([pause(room, by: 1, at: room.now - .seconds(60))]), from: room.ids[1]), to: 0)
    room.run(.seconds(1))
    #expect(room.statuses == [.playing])
    #expect(room.commands == [[], []])
  }

  @Test("H11: a start that says where, or lies far from its stamp, is refused")
  func forgedStart() throws {
    var room = RuleHarness.joined(2)
    room.hostLatency = [nil, nil]
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.milliseconds(100))
    let pair = try #require(room.pair(of: "X", at: 0))
    let kinds: [ContinuationValue.Kind] = [
      .line(coverage: 9, since: room.now, at: .seconds(9_999), prior: nil),
      .line(coverage: 9, since: room.now + .seconds(30), at: nil, prior: nil),
    ]
    for kind in kinds {
      let forged = Statement(
        key: .continuation("X"), author: room.ids[1], policy: RuleHarness.policy, time: room.now,
        value: .continuation(ContinuationValue(base: pair, sequence: 1, kind: kind)))
      room.give(.message(.update([forged]), from: room.ids[1]), to: 0)
      #expect(room.nodes[0].view.timing.status == .waiting)
    }
  }

  @Test("a command id that was never issued is refused; a superseded one is only counted")
  func completions() {
    var room = RuleHarness.playing(2)
    room.give(.completed(command: 999_999), to: 0)
    let refusals = room.notices[0].filter {
      if case .playback(.refused(.completeCommand, .notFound, _)) = $0 { true } else { false }
    }
    #expect(refusals.count == 1)
    let count = room.notices[0].count
    room.give(.completed(command: 1), to: 0)
    #expect(room.notices[0].count == count)
  }

  @Test(
    "an own register of an earlier life is overwritten; two newer ones within 10 s are a second process with our key")
  func sharedKey() {
    var room = RuleHarness.joined(2)
    func copy(_ room: RuleHarness, incarnation: UInt64) -> CoordinationEvent {
      let statement = Statement(
        key: .participant(room.ids[0]), author: room.ids[0], policy: RuleHarness.policy, time: room.now + 1,
        value: .participant(ParticipantValue(incarnation: incarnation)))
      return .message(.update([statement]), from: room.ids[1])
    }
    let first = copy(room, incarnation: 77)
    room.give(first, to: 0)
    room.give(first, to: 0)
    room.run(.seconds(1))
    #expect(!room.notices[0].contains(.session(.invalidated(.duplicateKey))))
    #expect(room.nodes[1].facts.registers.participant(room.ids[0])?.incarnation == 1)
    room.give(copy(room, incarnation: 77), to: 0)
    #expect(room.notices[0].contains(.session(.invalidated(.duplicateKey))))
  }
}

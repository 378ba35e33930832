import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// Automatic notices (F14): one for each action of somebody else.
@Suite struct NoticeRuleTests {
  /// Kind, amount and originator, as a participant was told them.
  private func notices(_ room: RuleHarness, _ index: Int) -> [String] {
    room.notices[index].compactMap { effect in
      guard case .session(.notice(let notice, let originator)) = effect else { return nil }
      let who = room.ids.firstIndex(of: originator).map { "\($0)" } ?? "?"
      let kind = NoticeMessage.Kind(rawValue: notice.kind).map { "\($0)" } ?? "?"
      return "\(who) \(kind)" + (notice.amount == 0 ? "" : " \((notice.amount + 500_000_000) / 1_000_000_000)")
        + (notice.rate == 0 ? "" : " x\(notice.rate)") + (notice.itemTime.map { " to \($0 / .seconds(1))" } ?? "")
    }
  }

  @Test("F14: played, paused, skipped, another rate: each once, at everybody else")
  func actions() {
    var room = RuleHarness.joined(3)
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.seconds(2))
    room.give(.rateChange(rate: 2, immediately: false), to: 1)
    room.run(.seconds(2))
    room.give(.seek(to: .seconds(100), resumeImmediately: false), to: 2)
    room.run(.seconds(2))
    room.give(.rateChange(rate: 0, immediately: false), to: 0)
    room.run(.seconds(2))
    #expect(notices(room, 0) == ["1 rateChanged x2.0", "2 skipped 94 to 100"])
    #expect(notices(room, 1) == ["0 played", "2 skipped 94 to 100", "0 paused"])
    #expect(notices(room, 2) == ["0 played", "1 rateChanged x2.0", "0 paused"])
  }

  @Test("F14: a slider that is dragged is one skip")
  func dragging() {
    var room = RuleHarness.joined(2)
    for step in 1...10 {
      room.give(.seek(to: .seconds(Int64(step)), resumeImmediately: false), to: 0)
      room.run(.milliseconds(100))
    }
    room.run(.seconds(1))
    #expect(notices(room, 1) == ["0 skipped 10 to 10"])
  }

  @Test("F14: what the library writes by itself is no notice")
  func library() {
    var room = RuleHarness.playing(3)
    room.notices = [[], [], []]
    room.give(.setStallPolicy(StallPolicy(waits: true), asProposal: false), to: 0)
    room.give(
      .report(
        PlaybackReport(stalled: true, rate: 0, position: .init(itemTime: room.position(of: 2), hostTime: room.now))),
      to: 2)
    room.run(.seconds(2))
    #expect(room.kinds(of: 0) == [.seek, .play])
    for index in 0...2 { #expect(notices(room, index) == []) }
  }

  @Test("F14: joining shows nothing of what was done before")
  func joining() {
    var room = RuleHarness.joined(2)
    room.give(.seek(to: .seconds(50), resumeImmediately: false), to: 0)
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.milliseconds(300))
    room.add(3)
    room.give(.transition(to: "X", proposal: nil), to: 2)
    room.link(2)
    room.run(.seconds(4))
    #expect(room.nodes[2].view.timing.status == .playing)
    #expect(notices(room, 2) == [])
  }

  /// So many play, and one more has joined, which does not know group time yet: the last node.
  private func joined(by others: Int) -> RuleHarness {
    var room = RuleHarness.playing(others)
    room.add(UInt64(others + 1))
    room.give(.transition(to: "X", proposal: nil), to: others)
    room.link(others, synchronised: false)
    room.run(.milliseconds(300))
    return room
  }

  @Test("F14: what is done once one has joined, and before it knows group time, is told as soon as it knows it")
  func joined() {
    var room = joined(by: 3)
    room.give(.seek(to: .seconds(100), resumeImmediately: false), to: 0)
    room.give(.transition(to: "Y", proposal: nil), to: 2)
    room.run(.milliseconds(200))
    room.give(.rateChange(rate: 0, immediately: false), to: 1)
    room.run(.milliseconds(200))
    #expect(notices(room, 3) == ["2 itemChanged"])
    room.synchronise(3)
    room.run(.seconds(2))
    #expect(notices(room, 3) == ["2 itemChanged", "0 skipped 98 to 100", "1 paused"])
  }

  @Test("F14: what is done longer than 5 s before one knows group time is no news any more")
  func joinedLong() {
    var room = joined(by: 2)
    room.give(.rateChange(rate: 0, immediately: false), to: 0)
    room.run(.seconds(6))
    room.synchronise(2)
    room.run(.seconds(2))
    #expect(room.nodes[2].view.timing.status == .paused && notices(room, 2) == [])
  }

  @Test("F14: after 30 s without a link what was done meanwhile is no news")
  func returning() {
    var room = RuleHarness.playing(2)
    room.unlink(1)
    room.run(.seconds(10))
    room.give(.rateChange(rate: 0, immediately: false), to: 0)
    room.run(.seconds(20))
    room.notices = [[], []]
    room.link(1)
    room.run(.seconds(3))
    #expect(room.nodes[1].view.timing.status == .paused)
    #expect(notices(room, 1) == [])
  }

  @Test("F14: the first on another item changed it, those who follow did not")
  func items() {
    var room = RuleHarness.joined(3)
    room.give(.transition(to: "Y", proposal: nil), to: 1)
    room.run(.milliseconds(300))
    room.give(.transition(to: "Y", proposal: nil), to: 2)
    room.run(.milliseconds(300))
    room.give(.transition(to: "Y", proposal: nil), to: 0)
    room.run(.milliseconds(300))
    #expect(notices(room, 0) == ["1 itemChanged"])
    #expect(notices(room, 1) == [])
    #expect(notices(room, 2) == ["1 itemChanged"])
  }

  @Test("W5: the group went on without one: told by everybody, also there")
  func leftWaiting() {
    var room = RuleHarness.joined(3)
    room.hostLatency[2] = nil
    room.give(.setWaitLimit(.seconds(3)), to: 0)
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.seconds(5))
    #expect(notices(room, 0) == ["2 leftWaiting"])
    #expect(notices(room, 1) == ["0 played", "2 leftWaiting"])
    #expect(notices(room, 2) == ["0 played", "2 leftWaiting"])
  }

  @Test("F14: a play that everybody is ready for leaves nobody waiting")
  func nobodyLeft() {
    var room = RuleHarness.joined(3)
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.seconds(5))
    #expect(notices(room, 1) == ["0 played"])
  }
}

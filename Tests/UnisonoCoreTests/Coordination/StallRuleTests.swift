import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// Holds for one that stalls (F15): one test a rule.
@Suite struct StallRuleTests {
  private static func playing(_ count: Int, _ policy: StallPolicy = StallPolicy(waits: true)) -> RuleHarness {
    var room = RuleHarness.joined(count)
    room.give(.setStallPolicy(policy, asProposal: false), to: 0)
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.seconds(3))
    for index in 0..<count { room.commands[index] = [] }
    return room
  }

  private func stall(_ room: inout RuleHarness, _ index: Int, behind: Nanoseconds = 0) {
    let position = room.position(of: index) - behind
    room.give(
      .report(PlaybackReport(stalled: true, rate: 0, position: .init(itemTime: position, hostTime: room.now))),
      to: index)
  }

  private func recover(_ room: inout RuleHarness, _ index: Int) {
    room.give(.report(PlaybackReport(rate: 1)), to: index)
  }

  @Test("F15: the newest stall policy counts everywhere, for newcomers too, and a proposal does not replace one")
  func policy() {
    var room = RuleHarness.joined(2)
    room.give(.setStallPolicy(StallPolicy(waits: true), asProposal: true), to: 1)
    room.run(.seconds(1))
    room.give(.setStallPolicy(.off, asProposal: true), to: 0)
    room.run(.seconds(1))
    #expect(room.nodes.map(\.facts.stallPolicy.waits) == [true, true])
    room.give(.setStallPolicy(StallPolicy(waits: true, limit: .seconds(3)), asProposal: false), to: 0)
    room.run(.seconds(1))
    room.add(3)
    room.give(.setStallPolicy(.off, asProposal: true), to: 2)
    room.link(2)
    room.run(.seconds(4))
    #expect(room.nodes.map(\.facts.stallPolicy.limit) == Array(repeating: .seconds(3), count: 3))
  }

  @Test("F15: what a newcomer wants fills the gap where the session has no stall policy")
  func newcomersPolicy() {
    var room = RuleHarness.joined(1)
    room.add(2)
    room.give(.setStallPolicy(StallPolicy(waits: true), asProposal: false), to: 1)
    room.link(1)
    room.run(.seconds(4))
    #expect(room.nodes.map(\.facts.stallPolicy.waits) == [true, true])
  }

  @Test("F15: the hold is at the least of the stalled positions and the present one")
  func leastPosition() {
    var room = Self.playing(3)
    stall(&room, 1, behind: .seconds(2))
    let stood = room.position(of: 1) - .seconds(2)
    stall(&room, 2)
    room.run(.milliseconds(800))
    for index in 0...2 {
      #expect(room.nodes[index].view.timing.status == .waiting || room.nodes[index].view.timing.status == .playing)
      #expect(room.commands[index].first?.kind == .seek)
      #expect(room.commands[index].first?.itemTime == stood)
    }
  }

  @Test("F15: backwards, the hold is at the greatest of them")
  func backwards() {
    var room = Self.playing(2)
    room.give(.seek(to: .seconds(100), resumeImmediately: false), to: 0)
    room.give(.rateChange(rate: -1, immediately: false), to: 0)
    room.run(.seconds(3))
    room.commands = [[], []]
    let stood = room.position(of: 1)
    stall(&room, 1)
    room.run(.milliseconds(800))
    #expect(room.commands[0].first?.itemTime == stood)
  }

  @Test("F15: one who stalls farther than 10 s from the group's line stops nobody")
  func farAway() {
    var room = Self.playing(2)
    stall(&room, 1, behind: .seconds(11))
    room.run(.seconds(2))
    #expect(room.commands == [[], []])
  }

  @Test("F15: a line younger than 0.3 s is not held")
  func youngLine() {
    var room = Self.playing(2)
    stall(&room, 1)
    room.run(.milliseconds(250))
    room.give(.seek(to: .seconds(50), resumeImmediately: true), to: 0)
    room.run(.milliseconds(200))
    #expect(!room.kinds(of: 0).contains(.seek))
  }

  @Test("F15: one that is suspended stops nobody")
  func suspended() {
    var room = Self.playing(2)
    room.give(.beginSuspension(id: 1, reason: "r"), to: 1)
    stall(&room, 1)
    room.run(.seconds(2))
    #expect(room.commands[0].isEmpty)
  }

  @Test("F15: alone, a stall commands nobody")
  func alone() {
    var room = Self.playing(1)
    stall(&room, 0)
    room.run(.seconds(2))
    #expect(room.commands == [[]])
  }

  @Test("F15: the keeper's process stands still: the next one writes the hold a second later")
  func takeover() {
    var room = Self.playing(3)
    // The initiator is connected and hears nothing.
    room.linked.remove(0)
    stall(&room, 2)
    room.run(.milliseconds(900))
    #expect(room.nodes[1].view.timing.status == .playing)
    room.run(.milliseconds(600))
    #expect(room.nodes[1].view.timing.status == .waiting)
  }

  @Test("H1: a pause beats a hold that crosses it")
  func pauseBeatsHold() {
    var room = Self.playing(2)
    stall(&room, 1)
    room.run(.milliseconds(312))
    room.give(.rateChange(rate: 0, immediately: false), to: 1)
    room.run(.seconds(1))
    #expect(room.isInStep)
    #expect(room.statuses == [.paused])
  }

  @Test("H24: two keepers hold at once: everybody stands where the farther-back one says")
  func twoHolds() {
    var room = Self.playing(2)
    let cells = room.nodes[0].facts.registers.cells(of: "X")
    let early = room.position(of: 0) - .seconds(1)
    stall(&room, 1)
    room.run(.milliseconds(330))
    #expect(room.statuses == [.waiting])
    guard let pair = cells?.pair, let sequence = cells?.continuation?.sequence else { return }
    let hold = Statement(
      key: .continuation("X"), author: room.ids[1], policy: RuleHarness.policy, time: room.now,
      value: .continuation(
        ContinuationValue(
          base: pair, sequence: sequence + 1, kind: .hold(at: early, deadline: room.now + .seconds(10)))))
    room.give(.message(.update([hold]), from: room.ids[1]), to: 0)
    #expect(room.kinds(of: 0) == [.seek, .seek])
    #expect(room.commands[0].last?.itemTime == early)
  }

  @Test("2.7: a hold waits for who came to the item long after the play")
  func lateComer() {
    var room = Self.playing(2)
    room.add(3)
    room.link(2)
    room.run(.milliseconds(500))
    room.give(.transition(to: "X", proposal: nil), to: 2)
    room.run(.seconds(3))
    room.hostLatency[2] = .seconds(2)
    stall(&room, 2)
    room.run(.seconds(1))
    #expect(room.statuses == [.waiting])
    room.run(.seconds(2))
    #expect(room.statuses == [.playing])
    #expect(room.isInStep)
  }
}

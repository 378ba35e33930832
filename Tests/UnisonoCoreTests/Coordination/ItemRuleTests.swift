import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// Items, proposals, arriving and leaving: one test a rule, named after the scenario or the trace that shaped it.
@Suite struct ItemRuleTests {
  @Test("H16, I8: the first on a new item plays; who arrives 100 ms later misses nothing")
  func gather() {
    var room = RuleHarness.joined(3)
    room.give(.transition(to: "Y", proposal: nil), to: 0)
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    #expect(room.kinds(of: 0) == [.buffer])
    room.run(.milliseconds(100))
    room.give(.transition(to: "Y", proposal: nil), to: 1)
    room.give(.transition(to: "Y", proposal: nil), to: 2)
    room.run(.seconds(2))
    #expect(room.isInStep)
    for index in 1...2 {
      #expect(
        room.kinds(of: index).suffix(2) == [.seek, .play] || room.kinds(of: index).suffix(2) == [.buffer, .play])
    }
    let starts = Set(room.commands.map { $0.last?.hostTime })
    #expect(starts.count == 1)
  }

  @Test("H17, I9: an item that everybody left is paused where the last one left it")
  func abandoned() {
    var room = RuleHarness.playing(2)
    let left = room.position(of: 1)
    room.give(.transition(to: "Y", proposal: nil), to: 0)
    room.give(.transition(to: "Y", proposal: nil), to: 1)
    room.run(.seconds(300))
    room.give(.transition(to: "X", proposal: nil), to: 0)
    room.run(.seconds(1))
    #expect(room.nodes[0].view.timing.status == .paused)
    #expect(abs(room.position(of: 0) - left) < .milliseconds(50))
    #expect(room.kinds(of: 0) == [.pause])
  }

  @Test("I1, I2, I6: items are apart; who moves takes the group's state, and who returns joins in place")
  func items() {
    var room = RuleHarness.playing(2)
    room.give(.transition(to: "Y", proposal: Proposal(rate: 0, itemTime: .seconds(9))), to: 0)
    room.run(.seconds(1))
    #expect(room.commands[0].isEmpty && room.commands[1].isEmpty)
    #expect(room.nodes[1].view.timing.status == .playing)
    room.give(.transition(to: "Y", proposal: Proposal(rate: 0, itemTime: .seconds(3))), to: 1)
    room.run(.seconds(1))
    #expect(room.commands[1].map(\.itemTime) == [.seconds(9)])
    #expect(room.isInStep)
  }

  @Test("I3: of two proposals at once one wins everywhere")
  func twoProposals() {
    var room = RuleHarness.joined(2)
    room.give(.transition(to: "Y", proposal: Proposal(rate: 0, itemTime: .seconds(9))), to: 0)
    room.give(.transition(to: "Y", proposal: Proposal(rate: 1, itemTime: .seconds(3))), to: 1)
    room.run(.seconds(2))
    #expect(room.isInStep)
    #expect(room.commands[0].count + room.commands[1].count == 1)
  }

  @Test("I7: with no item nothing reaches the host")
  func noItem() {
    var room = RuleHarness.playing(2)
    room.give(.transition(to: nil, proposal: nil), to: 0)
    room.give(.seek(to: .seconds(100), resumeImmediately: false), to: 1)
    room.run(.seconds(2))
    #expect(room.commands[0].isEmpty)
    #expect(room.nodes[0].view.timing.status == .none)
  }
}

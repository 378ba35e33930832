import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// Another hub, another clock: what the registers say does not change with it.
@Suite struct HubChangeRuleTests {
  /// Everybody loses the hub; the next one's clock is a day ahead.
  private func losingTheHub(_ room: inout RuleHarness) {
    for index in room.nodes.indices { room.give(.linkDown, to: index) }
    room.linked = []
    room.hub = ClockID(high: 4, low: 4)
    room.hubOffset = .seconds(86_400)
    room.run(.seconds(1))
  }

  @Test("H19: a change of hubs rewrites no cell and no anchor; who comes later reads them by the new hub's clock")
  func anchorsStay() {
    var room = RuleHarness.playing(3)
    func transport(_ room: RuleHarness, _ index: Int) -> [Statement?] {
      [RegisterKey.rate("X"), .position("X"), .continuation("X")].map { room.nodes[index].facts.registers[$0] }
    }
    let before = transport(room, 0)
    #expect(before.allSatisfy { $0 != nil })
    losingTheHub(&room)
    for index in [2, 0, 1] {
      room.link(index)
      room.run(.milliseconds(300))
    }
    room.run(.seconds(10))
    for index in 0...2 { #expect(transport(room, index) == before) }
    room.add(4)
    room.give(.transition(to: "X", proposal: nil), to: 3)
    room.link(3)
    room.run(.seconds(1))
    #expect(transport(room, 3) == before)
    #expect(abs(room.position(of: 3) - room.position(of: 0)) < .milliseconds(2))
    #expect(room.commands[0].isEmpty && room.commands[1].isEmpty && room.commands[2].isEmpty)
  }

  @Test("H19: a pause that crosses the change of hubs is not lost to it")
  func pauseCrosses() {
    var room = RuleHarness.playing(3)
    losingTheHub(&room)
    room.link(2)
    room.run(.milliseconds(100))
    room.link(1)
    room.give(.rateChange(rate: 0, immediately: false), to: 1)
    room.run(.milliseconds(100))
    room.link(0)
    room.run(.seconds(5))
    #expect(room.statuses == [.paused])
    #expect(room.isInStep)
  }
}

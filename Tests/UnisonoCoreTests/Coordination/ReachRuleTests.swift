import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// Live items and short cuts (F13): nobody is sent past what it can reach.
@Suite struct ReachRuleTests {
  /// The date of the content, ns since 1970.
  private static let date: ItemTime = .seconds(1_795_000_000)

  private func report(_ room: inout RuleHarness, _ index: Int, _ range: ClosedRange<ItemTime>, rate: Double = 1) {
    room.give(.report(PlaybackReport(rate: rate, range: range)), to: index)
  }

  @Test("F13: a live item is a timeline of dates: everybody shows the same moment")
  func dates() {
    var room = RuleHarness.joined(2)
    room.give(.transition(to: "live", proposal: Proposal(rate: 1, itemTime: Self.date)), to: 0)
    room.run(.milliseconds(500))
    room.give(.transition(to: "live", proposal: nil), to: 1)
    room.run(.seconds(2))
    #expect(room.statuses == [.playing])
    #expect(room.isInStep)
    #expect((room.position(of: 1) - Self.date - .milliseconds(2_500)).absolute <= .milliseconds(2))
  }

  @Test("F13: a seek past one's own edge sends that one to its edge, the others where they can")
  func seekPastEdge() {
    var room = RuleHarness.joined(2)
    report(&room, 1, 0...(.seconds(90)), rate: 0)
    room.give(.seek(to: .seconds(100), resumeImmediately: false), to: 0)
    room.run(.seconds(1))
    #expect(room.commands[0].map(\.itemTime) == [.seconds(100)])
    #expect(room.commands[1].map(\.itemTime) == [.seconds(90)])
    // It is ready there, and the start waits for nobody.
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.milliseconds(300))
    #expect(room.statuses == [.playing])
    let play = room.commands[1].last
    #expect(play?.kind == .play && play?.itemTime == .seconds(90))
    #expect((play?.hostTime ?? .max) <= room.now)
    #expect(room.kinds(of: 1) == [.seek, .buffer, .play])
  }

  @Test("F13: before the earliest moment that is kept one is sent to that")
  func seekBeforeWindow() {
    var room = RuleHarness.playing(2)
    report(&room, 1, (.seconds(60))...(.seconds(120)))
    room.give(.seek(to: .seconds(10), resumeImmediately: false), to: 0)
    room.run(.seconds(1))
    #expect(room.commands[1].first?.itemTime == .seconds(60))
    #expect(room.commands[0].first?.itemTime == .seconds(10))
  }

  @Test("F13: once the edge has come up with the group's position, one is told to go there")
  func edgeComesUp() {
    var room = RuleHarness.joined(2)
    report(&room, 1, 0...(.seconds(90)), rate: 0)
    room.give(.seek(to: .seconds(100), resumeImmediately: false), to: 0)
    room.run(.seconds(1))
    report(&room, 1, 0...(.seconds(96)), rate: 0)
    room.run(.seconds(1))
    #expect(room.kinds(of: 1) == [.seek])
    report(&room, 1, 0...(.seconds(102)), rate: 0)
    room.run(.seconds(1))
    #expect(room.commands[1].last?.itemTime == .seconds(100))
    let count = room.commands[1].count
    report(&room, 1, 0...(.seconds(108)), rate: 0)
    room.run(.seconds(1))
    #expect(room.commands[1].count == count)
    #expect(room.commands[0].map(\.itemTime) == [.seconds(100)])
  }

  @Test("F13: an output offset reaches no farther than the edge either")
  func offsetAtEdge() {
    var room = RuleHarness.playing(2)
    let edge = room.position(of: 1) + .milliseconds(100)
    report(&room, 1, 0...edge)
    room.give(.setOutputOffset(.seconds(2)), to: 1)
    room.run(.milliseconds(10))
    #expect(room.commands[1].last?.itemTime == edge)
  }

  @Test("F13: another item has another range")
  func anotherItem() {
    var room = RuleHarness.joined(1)
    report(&room, 0, 0...(.seconds(90)), rate: 0)
    room.give(.transition(to: "Y", proposal: nil), to: 0)
    room.give(.seek(to: .seconds(100), resumeImmediately: false), to: 0)
    room.run(.milliseconds(100))
    #expect(room.commands[0].last?.itemTime == .seconds(100))
    #expect(room.nodes[0].view.timing.reach == nil)
  }
}

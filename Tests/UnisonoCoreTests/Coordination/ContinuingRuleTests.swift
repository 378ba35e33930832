import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// Going on on another day (wire 8.25): what one participant makes of what it kept.
@Suite struct ContinuingRuleTests {
  private static let week = Nanoseconds.seconds(7 * 86_400)

  /// What one of a room keeps, as it is a week later.
  private func kept(_ index: Int, of room: RuleHarness) throws -> PastGroup {
    var past = try #require(room.nodes[index].past(now: room.now))
    past.others = Set(room.ids)
    past.presentTime = past.time + Self.week
    return past
  }

  /// Another day, at another hub.
  private func anotherDay() -> RuleHarness {
    var room = RuleHarness()
    room.now = .seconds(5_000)
    room.hub = ClockID(high: 4, low: 4)
    room.hubOffset = .seconds(77)
    return room
  }

  /// `id` of the participant with index 0 is 1, and so on.
  private func goOn(_ past: PastGroup, as index: Int, in room: inout RuleHarness) {
    room.add(UInt64(index) + 1)
    let node = room.nodes.indices.last ?? 0
    room.give(.resume(past), to: node)
    room.give(.transition(to: "X", proposal: nil), to: node)
    room.link(node)
  }

  @Test("8.25: who goes on alone stands where it was, by the calendar's time, and may play at once")
  func alone() throws {
    let evening = RuleHarness.playing(2)
    let past = try kept(0, of: evening)
    let position = evening.position(of: 0)
    var room = anotherDay()
    goOn(past, as: 0, in: &room)
    room.run(.seconds(1))
    let view = room.nodes[0].view
    #expect(view.timing.status == .paused && (view.timing.line.at - position).absolute < .milliseconds(1))
    #expect(room.nodes[0].groupNow >= past.presentTime)
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.seconds(1))
    #expect(room.nodes[0].view.timing.status == .playing)
  }

  @Test("8.25: of two who go on the place of who was there last counts, whoever is first", arguments: [false, true])
  func place(isReversed: Bool) throws {
    var evening = RuleHarness.playing(2)
    let early = try kept(1, of: evening)
    evening.unlink(1, left: true)
    evening.run(.seconds(60))
    let late = try kept(0, of: evening)
    let position = evening.position(of: 0)
    var room = anotherDay()
    let order = [(late, 0), (early, 1)]
    for (past, index) in isReversed ? order.reversed() : order {
      goOn(past, as: index, in: &room)
      room.run(.seconds(20))
    }
    for node in room.nodes {
      #expect(node.view.timing.status == .paused && (node.view.timing.line.at - position).absolute < .milliseconds(1))
      #expect(node.view.participants.count == 2)
    }
  }

  @Test("8.25: those who went on without it are not paused by where it was", arguments: [1, 30, 600] as [Int64])
  func live(seconds: Int64) throws {
    var room = RuleHarness.playing(3)
    room.run(.seconds(400))
    var past = try kept(2, of: room)
    past.presentTime = past.time + .seconds(seconds)
    room.unlink(2)
    room.run(.seconds(seconds))
    goOn(past, as: 2, in: &room)
    room.run(.seconds(20))
    for index in [0, 1, 3] { #expect(room.nodes[index].view.timing.status == .playing) }
    let positions = [0, 1, 3].map { room.position(of: $0) }
    #expect((positions[0] - positions[2]).absolute < .milliseconds(20))
  }

  @Test("8.25: what is of who was there, or of that day, is not kept; nothing is without group time")
  func notKept() throws {
    var room = RuleHarness.playing(2)
    room.give(.scheduleStart(of: "X", at: room.now + .seconds(60), calendarTime: nil), to: 0)
    room.run(.seconds(1))
    let past = try kept(0, of: room)
    for statement in past.statements { #expect(PastGroup.keeps(statement.key)) }
    #expect(past.statements.contains { if case .clock = $0.key { true } else { false } })
    var alone = RuleHarness()
    alone.add(5)
    #expect(alone.nodes[0].past(now: alone.now) == nil)
  }
}

import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// Clocks of several hubs of one service, read at one of them (coordination 2.1).
@Suite struct HubClocksTests {
  private let own = ClockID(high: 1, low: 1)
  private let other = ClockID(high: 2, low: 2)
  private let third = ClockID(high: 3, low: 3)
  private let ahead = Nanoseconds.seconds(3_600)

  private func report(
    of clock: ClockID, ahead: Nanoseconds, at: HubTime, rate: Int32 = 0, error: UInt32 = 200, growth: UInt16 = 10, goneFor: UInt16 = 0
  ) -> ClockReport {
    ClockReport(
      at: at, readings: [ClockReading(clock: clock, offset: ahead, rate: rate, error: error, growth: growth, goneFor: goneFor)])
  }

  /// The own hub's clock shows host time and 500 s.
  private func clocks(_ report: ClockReport, heard now: HostTime = 0) -> HubClocks {
    var clocks = HubClocks()
    clocks.connect(to: own)
    clocks.hear(report, now: now)
    clocks.measure(ClockModel(hostTime: 0, remoteTime: .seconds(500), errorBound: 1_000))
    return clocks
  }

  @Test("2.1: another hub's clock is read by the own hub's and what that says of it; drift and both errors go with it")
  func reads() throws {
    var clocks = clocks(report(of: other, ahead: ahead, at: .seconds(500), rate: 40_000))
    let told = clocks.read(other, now: .seconds(100))
    let model = try #require(told)
    #expect(model.remote(at: .seconds(100)) == .seconds(600) + ahead + .milliseconds(4))
    #expect(model.error(at: .seconds(100)) == 1_000 + .microseconds(200) + .milliseconds(1))
    #expect((model.remote(at: .seconds(200)) - .seconds(700) - ahead - .milliseconds(8)).absolute < 10)
    #expect(clocks.nextWake == nil)
    let direct = clocks.read(own, now: .seconds(100))
    #expect(direct == ClockModel(hostTime: 0, remoteTime: .seconds(500), errorBound: 1_000))
  }

  @Test("2.1: what is known of another hub's clock is the same whenever it is asked for, until something is said or measured anew")
  func unchanged() throws {
    var clocks = clocks(report(of: other, ahead: ahead, at: .seconds(500), rate: 40_000))
    let before = clocks.read(other, now: .seconds(1))
    let later = clocks.read(other, now: .seconds(2))
    #expect(before != nil && later == before)
    clocks.hear(report(of: other, ahead: ahead + .milliseconds(2), at: .seconds(501), rate: 40_000), now: .seconds(1))
    let told = try #require(clocks.model(of: other))
    #expect(told.remote(at: .seconds(1)) == .seconds(501) + ahead + .milliseconds(2))
    clocks.measure(ClockModel(hostTime: .seconds(2), remoteTime: .seconds(502) + 700, errorBound: 900, errorGrowth: 1e-6))
    let measured = try #require(clocks.model(of: other))
    #expect(measured.remote(at: .seconds(2)) == .seconds(502) + 700 + ahead + .milliseconds(2) + 40_000)
    #expect(measured.error(at: .seconds(2)) == 900 + .microseconds(200) + 10_000)
    #expect(measured.error(at: .seconds(3)) == 900 + .microseconds(200) + 20_000 + 1_000)
  }

  @Test("2.1: a clock that was measured is told by the next hub; at a hub that was left nothing is read, and nobody woken")
  func changesWay() throws {
    var clocks = clocks(report(of: other, ahead: ahead, at: .seconds(500), goneFor: 5))
    _ = clocks.read(other, now: 0)
    #expect(clocks.nextWake == .seconds(15))
    clocks.connect(to: third)
    let nothing = clocks.read(third, now: .seconds(1))
    #expect(nothing == nil && clocks.isAlone && clocks.nextWake == nil)
    clocks.hear(report(of: own, ahead: .seconds(490) + .milliseconds(1), at: .seconds(11)), now: .seconds(1))
    clocks.measure(ClockModel(hostTime: 0, remoteTime: .seconds(10), errorBound: 1_000))
    let told = clocks.read(own, now: .seconds(1))
    #expect(try #require(told).remote(at: .seconds(1)) == .seconds(501) + .milliseconds(1))
    clocks.sleep()
    #expect(clocks.isAlone && clocks.model(of: own) == nil && clocks.model(of: third) == nil)
  }

  @Test("2.1: a clock whose hub is gone is over 20 s after that was found, however late it is told")
  func ends() {
    var clocks = clocks(report(of: other, ahead: ahead, at: .seconds(500), goneFor: 5), heard: .seconds(10))
    #expect(!clocks.isOver(other, now: .seconds(24)) && clocks.isOver(other, now: .seconds(25)))
    _ = clocks.read(other, now: .seconds(11))
    #expect(clocks.nextWake == .seconds(25))
    _ = clocks.read(other, now: .seconds(25))
    #expect(clocks.nextWake == nil)
    #expect(!clocks.isOver(own, now: .seconds(99)))
  }

  @Test("2.1: what a hub is told to be wrong of by more than a second is not gone by")
  func tooWrong() {
    let clocks = clocks(report(of: other, ahead: ahead, at: .seconds(500), error: 999_000, growth: 1_000))
    #expect(clocks.others(now: 0) == [other])
    #expect(clocks.others(now: .seconds(2)) == [])
  }

  @Test("2.1: whatever a hub says of others' clocks, nothing overflows", arguments: [Int64.min, .max, 0])
  func extremes(value: Int64) {
    for rate in [Int32.min, .max] {
      var clocks = clocks(report(of: other, ahead: value, at: value, rate: rate, error: 0, growth: 0, goneFor: .max))
      for now in [0, Int64.max, .min] as [HostTime] {
        _ = clocks.read(other, now: now)
        _ = clocks.isOver(other, now: now)
        clocks.hear(report(of: other, ahead: value &+ 1, at: value &- 1, rate: rate, error: .max), now: now)
        _ = clocks.read(other, now: now)
      }
    }
  }

  // MARK: What is said of a told clock (wire 8.5)

  private func room() -> RuleHarness {
    var room = RuleHarness.playing(3)
    for index in 0...2 {
      room.give(.clocks(report(of: other, ahead: ahead, at: room.now + room.hubOffset, growth: 0)), to: index)
    }
    return room
  }

  private func statement(_ room: RuleHarness, off: Nanoseconds, turn: UInt32 = 1) throws -> Statement {
    let known = try #require(room.nodes[1].facts.clock.mapping?.value)
    return Statement(
      key: .clock(other), author: room.ids[0], policy: RuleHarness.policy, time: room.now,
      value: .clock(ClockValue(offset: known.offset - ahead + off, error: 100, turn: turn)))
  }

  @Test("8.5: another hub's clock is mapped in a later turn: all go by that one, and nothing moves")
  func laterTurn() throws {
    var room = room()
    let before = room.nodes[1].facts.clock.group(at: room.now)
    let honest = try statement(room, off: 0)
    room.give(.message(.update([honest]), from: room.ids[0]), to: 1)
    #expect(room.nodes[1].facts.clock.hub == other && room.nodes[1].facts.clock.isCertain)
    #expect((room.nodes[1].facts.clock.group(at: room.now) - before).absolute < 10)
    // What was said in an earlier turn counts no more, nor what is said of it now in that turn.
    var early = try statement(room, off: 0, turn: 0)
    early.key = .clock(room.hub)
    early.time = room.now + 1
    room.give(.message(.update([early]), from: room.ids[0]), to: 1)
    #expect(room.nodes[1].facts.clock.hub == other)
  }

  /// All go by `other`'s clock, which was told to show the same at the three hubs.
  private func roomByTold() throws -> RuleHarness {
    var room = room()
    let honest = try statement(room, off: 0)
    let told = report(of: other, ahead: ahead, at: room.now + room.hubOffset, growth: 0)
    for index in 0...2 {
      room.nodes[index].replace(.clock(other), with: honest)
      room.give(.clocks(told), to: index)
    }
    try #require(room.nodes.allSatisfy { $0.facts.clock.hub == other })
    return room
  }

  @Test("2.1: what a hub says anew of the clock gone by is slewed in 2 s while something plays, and counts at once where nothing does",
    arguments: [true, false])
  func saidAnew(isPlaying: Bool) throws {
    var room = try roomByTold()
    if !isPlaying {
      room.give(.rateChange(rate: 0, immediately: false), to: 0)
      room.run(.seconds(1))
    }
    let before = room.nodes[1].facts.clock.group(at: room.now)
    let start = room.now
    let told = report(of: other, ahead: ahead + .milliseconds(2), at: room.now + room.hubOffset, growth: 0)
    for index in 0...2 { room.give(.clocks(told), to: index) }
    #expect(room.nodes[1].facts.clock.group(at: room.now) - before == (isPlaying ? 0 : .milliseconds(2)))
    #expect(room.nodes[1].facts.clock.error(at: room.now) >= (isPlaying ? .milliseconds(2) : 0))
    #expect(room.nodes[1].facts.clock.settled(at: room.now) - before == .milliseconds(2))
    // Whatever else happens meanwhile takes it no longer.
    room.run(.seconds(1))
    room.give(.setActivity(Activity(identifier: "theirs")), to: 0)
    room.run(.milliseconds(1_010))
    let after = room.nodes[1].facts.clock.group(at: room.now)
    #expect((after - before - (room.now - start) - .milliseconds(2)).absolute < 10)
  }

  @Test("2.1: whose hub is another one from now on goes on by the same clock, as that hub tells it, and what differs is slewed")
  func anotherWay() throws {
    var room = try roomByTold()
    let before = room.nodes[1].facts.clock.group(at: room.now)
    let start = room.now
    room.give(.linkDown, to: 1)
    let others = [0, 2].map { Member(id: room.ids[$0], connection: 1, age: 10_000) }
    room.give(.linkUp(members: others, clock: third), to: 1)
    room.give(.secured, to: 1)
    let measured = ClockModel(hostTime: room.now, remoteTime: .seconds(10), errorBound: .microseconds(500))
    let shown = room.now + room.hubOffset + ahead
    room.give(.clocks(report(of: other, ahead: shown - .seconds(10) + .milliseconds(1), at: .seconds(10), growth: 0)), to: 1)
    room.give(.clock(measured, roundTrip: .milliseconds(20)), to: 1)
    #expect(room.nodes[1].facts.clock.hub == other)
    #expect((room.nodes[1].facts.clock.group(at: room.now) - before).absolute < 10)
    room.run(.seconds(2))
    let after = room.nodes[1].facts.clock.group(at: room.now)
    #expect((after - before - (room.now - start) - .milliseconds(1)).absolute < 20)
  }

  @Test("2.1: the own hub's clock, mapped in an earlier turn, is mapped anew when it is next, as it drifted since")
  func staleOwn() throws {
    var room = room()
    let honest = try statement(room, off: 0)
    func tell(drift: Nanoseconds, goneFor: UInt16 = 0) {
      for index in 0...2 {
        let told = report(of: other, ahead: ahead + drift, at: room.now + room.hubOffset, growth: 0, goneFor: goneFor)
        room.give(.clocks(told), to: index)
      }
    }
    for index in 0...2 { room.nodes[index].replace(.clock(other), with: honest) }
    tell(drift: 0)
    tell(drift: .milliseconds(30))
    room.run(.seconds(5))
    #expect(room.nodes.allSatisfy { $0.facts.clock.hub == other })
    let before = room.nodes.map { $0.facts.clock.group(at: room.now) - room.now }
    tell(drift: .milliseconds(30), goneFor: 30)
    room.run(.seconds(2))
    for (node, ahead) in zip(room.nodes, before) {
      #expect(node.facts.clock.hub == room.hub && node.facts.registers.clock(room.hub)?.turn == 2)
      #expect((node.facts.clock.group(at: room.now) - room.now - ahead).absolute < .milliseconds(1))
    }
  }

  @Test("8.5: who maps a told clock 200 ms off is refused and named, however long the group has been by the last one",
    arguments: [0, 3_600])
  func poisonedTurn(after seconds: Int64) throws {
    var room = room()
    room.run(.seconds(seconds))
    let before = room.nodes[1].facts.clock.group(at: room.now)
    let forged = try statement(room, off: .milliseconds(200))
    room.notices[1] = []
    room.give(.message(.update([forged]), from: room.ids[0]), to: 1)
    #expect(room.nodes[1].facts.clock.hub == room.hub && room.nodes[1].facts.registers[.clock(other)] == nil)
    #expect((room.nodes[1].facts.clock.group(at: room.now) - before).absolute < 10)
    let lines = room.notices[1].compactMap { if case .session(.log(.warning, let text)) = $0 { text } else { nil } }
    #expect(lines.count == 1 && lines[0].contains("\(room.ids[0])") && lines[0].contains("refused"))
  }

  @Test("2.3: of what is said of one clock the later turn counts, but no guess before knowledge")
  func order() {
    let order = RegisterOrder(policies: PolicyOrder(origin: RuleHarness.policy, terms: PolicyOrigin(), hash: RuleHarness.hash))
    func said(_ error: UInt32, turn: UInt32) -> Statement {
      Statement(
        key: .clock(own), author: ParticipantID(high: 1, low: 0), policy: RuleHarness.policy, time: 5,
        value: .clock(ClockValue(offset: 7, error: error, turn: turn)))
    }
    #expect(order.compare(said(100, turn: 0), said(90_000, turn: 1)) == .less)
    #expect(order.compare(said(100, turn: 0), said(ClockValue.guess, turn: 1)) == .greater)
    #expect(order.compare(said(100, turn: 1), said(90_000, turn: 1)) == .greater)
  }
}

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

  private func read(_ clocks: inout HubClocks, _ clock: ClockID, at now: HostTime, mayStep: Bool = false) throws -> ClockModel {
    let model = clocks.read(clock, now: now, mayStep: mayStep)
    return try #require(model)
  }

  @Test("2.1: another hub's clock is read by the own hub's and what that says of it; drift and both errors go with it")
  func reads() throws {
    var clocks = clocks(report(of: other, ahead: ahead, at: .seconds(500), rate: 40_000))
    let model = try read(&clocks, other, at: .seconds(100), mayStep: false)
    #expect(model.remote(at: .seconds(100)) == .seconds(600) + ahead + .milliseconds(4))
    #expect(model.error(at: .seconds(100)) == 1_000 + .microseconds(200) + .milliseconds(1))
    #expect((model.remote(at: .seconds(200)) - .seconds(700) - ahead - .milliseconds(8)).absolute < 10)
    #expect(clocks.nextWake == nil)
    let direct = clocks.read(own, now: .seconds(100), mayStep: false)
    #expect(direct == ClockModel(hostTime: 0, remoteTime: .seconds(500), errorBound: 1_000))
  }

  @Test("2.1: what a hub says anew of a clock is slewed while something plays, and counts at once where nothing does")
  func slews() throws {
    var playing = clocks(report(of: other, ahead: ahead, at: .seconds(500)))
    let before = try read(&playing, other, at: .seconds(1), mayStep: false)
    var resting = playing
    let news = report(of: other, ahead: ahead + .milliseconds(2), at: .seconds(501))
    playing.hear(news, now: .seconds(1))
    resting.hear(news, now: .seconds(1))
    let slewed = try read(&playing, other, at: .seconds(1), mayStep: false)
    #expect(slewed.remote(at: .seconds(1)) == before.remote(at: .seconds(1)))
    #expect(slewed.error(at: .seconds(1)) >= .milliseconds(2))
    let wake = try #require(playing.nextWake)
    let after = try read(&playing, other, at: wake, mayStep: false)
    #expect(wake <= .seconds(4) && (after.remote(at: wake) - before.remote(at: wake) - .milliseconds(2)).absolute < 10)
    #expect(playing.nextWake == nil)
    let stepped = try read(&resting, other, at: .seconds(1), mayStep: true)
    #expect(stepped.remote(at: .seconds(1)) - before.remote(at: .seconds(1)) == .milliseconds(2))
  }

  @Test("2.1: a clock that was measured is told by the next hub: it goes on from where it was, and back again")
  func changesWay() throws {
    var clocks = clocks(report(of: other, ahead: ahead, at: .seconds(500)))
    _ = clocks.read(own, now: 0, mayStep: false)
    clocks.connect(to: third)
    let nothing = clocks.read(third, now: .seconds(1), mayStep: false)
    #expect(nothing == nil && clocks.isAlone)
    clocks.hear(report(of: own, ahead: .seconds(490) + .milliseconds(1), at: .seconds(11)), now: .seconds(1))
    clocks.measure(ClockModel(hostTime: 0, remoteTime: .seconds(10), errorBound: 1_000))
    let told = try read(&clocks, own, at: .seconds(1), mayStep: false)
    #expect(told.remote(at: .seconds(1)) == .seconds(501))
    let wake = try #require(clocks.nextWake)
    let reached = try read(&clocks, own, at: wake, mayStep: false)
    #expect((reached.remote(at: wake) - wake - .seconds(500) - .milliseconds(1)).absolute < 10)
    clocks.connect(to: own)
    clocks.measure(ClockModel(hostTime: 0, remoteTime: .seconds(500), errorBound: 1_000))
    let back = try read(&clocks, own, at: wake, mayStep: false)
    #expect((back.remote(at: wake) - reached.remote(at: wake)).absolute < 10)
    let end = try #require(clocks.nextWake)
    let last = try read(&clocks, own, at: end)
    #expect(last.remote(at: end) == end + .seconds(500))
    #expect(clocks.nextWake == nil)
  }

  @Test("2.1: what was being slewed at a hub that was left wakes nobody, and what is slewed away from is followed to its end")
  func leaves() throws {
    var clocks = clocks(report(of: other, ahead: ahead, at: .seconds(500)))
    _ = try read(&clocks, other, at: .seconds(1))
    clocks.hear(report(of: other, ahead: ahead + .milliseconds(2), at: .seconds(501)), now: .seconds(1))
    _ = try read(&clocks, other, at: .seconds(1))
    #expect(clocks.nextWake != nil && clocks.isReading)
    clocks.connect(to: third)
    // Nothing could be read then, and whoever woke would wake again at once.
    #expect(clocks.nextWake == nil && !clocks.isReading)
    clocks.hear(report(of: other, ahead: ahead + .seconds(490), at: .seconds(13)), now: .seconds(3))
    clocks.measure(ClockModel(hostTime: 0, remoteTime: .seconds(10), errorBound: 1_000))
    _ = try read(&clocks, other, at: .seconds(3))
    let wake = try #require(clocks.nextWake)
    // The hub tells of no other one any more.
    clocks.hear(ClockReport(at: .seconds(14), readings: []), now: wake)
    #expect(clocks.isAlone && clocks.isReading)
    _ = try read(&clocks, third, at: wake)
    #expect(clocks.nextWake == nil && !clocks.isReading)
  }

  @Test("2.1: a clock whose hub is gone is over 20 s after that was found, however late it is told")
  func ends() {
    var clocks = clocks(report(of: other, ahead: ahead, at: .seconds(500), goneFor: 5), heard: .seconds(10))
    #expect(!clocks.isOver(other, now: .seconds(24)) && clocks.isOver(other, now: .seconds(25)))
    _ = clocks.read(other, now: .seconds(11), mayStep: false)
    #expect(clocks.nextWake == .seconds(25))
    _ = clocks.read(other, now: .seconds(25), mayStep: false)
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
        _ = clocks.read(other, now: now, mayStep: false)
        _ = clocks.isOver(other, now: now)
        clocks.hear(report(of: other, ahead: value &+ 1, at: value &- 1, rate: rate, error: .max), now: now)
        _ = clocks.read(other, now: now, mayStep: now == 0)
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

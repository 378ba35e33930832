import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// Participants compare their clocks by what heartbeats say of time (wire 8.7).
@Suite struct ClockComparisonTests {
  private func sample(_ room: RuleHarness, _ index: Int, of other: Int) -> ClockComparison.Sample? {
    room.nodes[index].antiEntropy.clocks.sample(of: room.ids[other], now: room.now)
  }

  private func lines(_ room: RuleHarness, _ index: Int) -> [String] {
    room.notices[index].compactMap {
      if case .session(.log(.warning, let text)) = $0, text.contains("truth about time") { text } else { nil }
    }
  }

  /// The hub tells one participant that its clock shows `shift` more than it tells the others.
  private func lie(_ room: inout RuleHarness, to index: Int, by shift: Nanoseconds) {
    room.hubOffset += shift
    room.synchronise(index)
    room.hubOffset -= shift
  }

  /// The own newest heartbeat, and one of another that echoes it, received after `path` and answered at once.
  private func answer(
    number: UInt32, received: GroupTime, sent: GroupTime, own: UInt32 = 1, error: UInt32 = 500,
    of asker: ParticipantID
  ) -> Beat {
    Beat(
      digest: [UInt8](repeating: 0, count: 32), newestStamp: 0, hubDelay: 1, clockError: error,
      timing: Beat.Timing(sent: sent, number: own, echoes: [Beat.Echo(of: asker, number: number, received: received)]))
  }

  @Test("8.7: three who read one clock agree within the path there and back, and name nobody")
  func honest() throws {
    var room = RuleHarness.playing(3)
    room.jitter = .milliseconds(15)
    room.run(.seconds(30))
    for index in 0...2 {
      for other in 0...2 where other != index {
        let known = try #require(sample(room, index, of: other))
        #expect(known.agrees && known.offset.absolute <= known.doubt)
        #expect(known.doubt >= room.delay && known.doubt <= room.delay + room.jitter)
      }
      #expect(room.nodes[index].contradictingClocks.isEmpty && lines(room, index).isEmpty)
    }
  }

  @Test(
    "8.7: a hub tells one of three another time: at the next heartbeats it and the others name each other, once",
    arguments: [Int64.seconds(10), -.seconds(10), .milliseconds(80), -.milliseconds(80)])
  func lyingHub(shift: Nanoseconds) throws {
    var room = RuleHarness.playing(3)
    room.run(.seconds(20))
    lie(&room, to: 2, by: shift)
    room.notices = [[], [], []]
    room.run(.seconds(6))
    #expect(room.nodes[2].contradictingClocks == [room.ids[0], room.ids[1]])
    for index in 0...1 {
      #expect(room.nodes[index].contradictingClocks == [room.ids[2]])
      #expect(lines(room, index).count == 1 && lines(room, index)[0].contains("\(room.ids[2])"))
    }
    #expect(lines(room, 2).count == 2)
    let offset = try #require(sample(room, 0, of: 2)).offset
    #expect((offset - shift).absolute < room.delay)
  }

  /// Somebody of whom nothing was heard before.
  private let stranger = ParticipantID(high: 77, low: 0)

  /// Sends a heartbeat; its number.
  private func beat(_ node: inout Coordination, at now: HostTime) -> UInt32? {
    // A path that changed is told at once.
    let effects = node.handle(.clock(node.facts.clock.hubModel, roundTrip: .seconds(3)), now: now) + node.settle(now: now)
    for effect in effects { if case .send(.beat(let beat), nil) = effect { return beat.timing?.number } }
    return nil
  }

  /// What is known of the stranger's clock after these heartbeats of it.
  private func sample(_ node: Coordination, after beats: [Beat], at now: HostTime) -> ClockComparison.Sample? {
    var node = node
    for beat in beats { _ = node.handle(.message(.beat(beat), from: stranger), now: now) }
    return node.antiEntropy.clocks.sample(of: stranger, now: now)
  }

  @Test("8.7: a hub that holds messages for a second hides 400 ms, and the doubt is no less than that")
  func slowPath() throws {
    var room = RuleHarness.playing(2)
    room.run(.seconds(20))
    var node = room.nodes[0]
    let own = node.facts.clock.group(at: room.now)
    let number = try #require(beat(&node, at: room.now))
    let there = own + .milliseconds(400)
    let answer = self.answer(number: number, received: there, sent: there, of: room.ids[0])
    let known = try #require(sample(node, after: [answer], at: room.now + .seconds(1)))
    #expect(known.agrees)
    #expect(known.doubt >= .milliseconds(400))
    let soon = try #require(sample(node, after: [answer], at: room.now + .milliseconds(20)))
    #expect(!soon.agrees)
  }

  @Test("8.7: echoes of what was never sent, of another's, impossible ones and old ones count for nothing")
  func absurd() throws {
    var room = RuleHarness.playing(2)
    room.run(.seconds(20))
    var node = room.nodes[0]
    let own = node.facts.clock.group(at: room.now)
    let number = try #require(beat(&node, at: room.now))
    func known(_ number: UInt32, _ times: [(received: GroupTime, sent: GroupTime)], of asker: ParticipantID? = nil)
      -> ClockComparison.Sample?
    {
      let beats = times.map { answer(number: number, received: $0.received, sent: $0.sent, of: asker ?? room.ids[0]) }
      return sample(node, after: beats, at: room.now + .milliseconds(20))
    }
    let there = own + .milliseconds(10)
    let good = try #require(known(number, [(there, there)]))
    #expect(known(number, [(there, there), (own, own + .milliseconds(19))]) == good, "once more")
    #expect(known(number + 1, [(there, there)]) == nil)
    #expect(known(0, [(there, there)]) == nil)
    #expect(known(number, [(there, there)], of: room.ids[1]) == nil)
    #expect(known(number, [(there, there - 1)]) == nil)
    #expect(known(number, [(there - .seconds(5), there)]) == nil)
    for times in [(Int64.min, Int64.max), (.max, .min)] { #expect(known(number, [times]) == nil) }
    for time in [Int64.min, .max] { #expect(known(number, [(time, time)])?.agrees == false) }
  }

  @Test("8.7: who states an error of over a second is not compared with")
  func greatError() throws {
    var room = RuleHarness.playing(2)
    room.run(.seconds(20))
    var node = room.nodes[0]
    let own = node.facts.clock.group(at: room.now)
    let number = try #require(beat(&node, at: room.now))
    for (error, counts) in [(UInt32(1_000_000), true), (1_000_001, false), (.max, false)] {
      let answer = self.answer(number: number, received: own, sent: own, error: error, of: room.ids[0])
      #expect((sample(node, after: [answer], at: room.now + .milliseconds(20)) != nil) == counts)
    }
  }

  @Test("8.7: after 60 s neither an own heartbeat nor a comparison counts")
  func old() throws {
    var room = RuleHarness.playing(2)
    room.run(.seconds(20))
    var node = room.nodes[0]
    let own = node.facts.clock.group(at: room.now)
    let number = try #require(beat(&node, at: room.now))
    let answer = self.answer(number: number, received: own, sent: own, of: room.ids[0])
    #expect(sample(node, after: [answer], at: room.now + .seconds(61)) == nil)
    _ = node.handle(.message(.beat(answer), from: stranger), now: room.now + .milliseconds(20))
    #expect(node.antiEntropy.clocks.sample(of: stranger, now: room.now + .seconds(60)) != nil)
    #expect(node.antiEntropy.clocks.sample(of: stranger, now: room.now + .seconds(61)) == nil)
  }

  @Test("8.7: sent later than it arrives, by more than both errors and 2 ms: named at once, without an echo")
  func ahead() {
    var room = RuleHarness.playing(2)
    room.run(.seconds(20))
    let sent = room.nodes[0].facts.groupNow
    for (ahead, isNamed) in [(Int64.milliseconds(2), false), (.milliseconds(4), true)] {
      var node = room.nodes[0]
      let beat = answer(number: 0, received: sent, sent: node.facts.clock.group(at: room.now) + ahead, of: room.ids[1])
      _ = node.handle(.message(.beat(beat), from: room.ids[1]), now: room.now)
      #expect(node.contradictingClocks == (isNamed ? [room.ids[1]] : []))
    }
  }

  @Test("8.7: of 24 others the eight most senior are answered in each heartbeat, and all of the rest in two")
  func turns() throws {
    var room = RuleHarness.joined(25)
    room.run(.seconds(20))
    var node = room.nodes[24]
    var seen: [[ParticipantID]] = []
    var now = room.now
    for _ in 0..<2 {
      now += .milliseconds(1)
      let effects =
        node.handle(.clock(node.facts.clock.hubModel, roundTrip: .seconds(3) * Int64(seen.count + 1)), now: now)
        + node.settle(now: now)
      for effect in effects {
        if case .send(.beat(let beat), nil) = effect { seen.append(beat.timing?.echoes.map(\.of) ?? []) }
      }
    }
    try #require(seen.count == 2)
    #expect(seen[0].count == 16 && seen[1].count == 16)
    #expect(seen[0].prefix(8) == seen[1].prefix(8))
    #expect(Set(seen[0] + seen[1]) == Set(room.ids.dropLast()))
  }

  @Test(
    "G98: a clock that was wrong by seconds, as it said itself, is named by nobody once it was measured well",
    arguments: [Int64.milliseconds(5_000), .milliseconds(5_500), .milliseconds(6_000), .milliseconds(6_500)])
  func coarseMeasurement(until well: Nanoseconds) {
    var room = RuleHarness.playing(2)
    let error = room.clockError
    // As one measures whose thread hardly ever runs, and answers as late.
    room.clockError = .seconds(3)
    room.delay = .milliseconds(1_600)
    lie(&room, to: 1, by: -.milliseconds(2_900))
    room.run(well)
    room.clockError = error
    room.synchronise(1)
    room.notices = [[], []]
    room.run(.seconds(10))
    for index in 0...1 {
      #expect(room.nodes[index].contradictingClocks.isEmpty && lines(room, index).isEmpty)
      #expect(sample(room, index, of: 1 - index)?.agrees == true)
    }
  }

  @Test(
    "8.7: who goes to another hub, and measures its clock badly first, names nobody who comes after it",
    arguments: [Int64(-25), 25])
  func coarseMeasurementOfAnotherHub(wrong milliseconds: Int64) {
    var room = RuleHarness.playing(3)
    room.run(.seconds(20))
    let error = room.clockError
    // One goes first, and says what that hub's clock is.
    room.unlink(0)
    room.hub = ClockID(high: 4, low: 4)
    room.hubOffset = .seconds(86_400)
    room.link(0)
    room.run(.milliseconds(50))
    room.unlink(1)
    room.unlink(2)
    room.clockError = .milliseconds(30)
    room.link(1, measured: .milliseconds(milliseconds))
    room.clockError = error
    room.run(.milliseconds(100))
    room.synchronise(1)
    // The third still goes by the hub before, and answers what it heard there.
    room.link(2, synchronised: false)
    room.notices = [[], [], []]
    room.run(.seconds(6))
    for index in 0...2 { #expect(room.nodes[index].contradictingClocks.isEmpty && lines(room, index).isEmpty) }
    #expect(sample(room, 1, of: 2)?.agrees == true)
  }
}

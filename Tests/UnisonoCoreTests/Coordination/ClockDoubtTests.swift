import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// Who is told that a clock is in doubt, and what follows (wire 8.8).
@Suite struct ClockDoubtTests {
  /// The hub tells one participant that its clock shows `shift` more than it tells the others; 0: the truth again.
  private func lie(_ room: inout RuleHarness, to index: Int, by shift: Nanoseconds) {
    room.hubOffset += shift
    room.synchronise(index)
    room.hubOffset -= shift
  }

  private func told(_ room: RuleHarness, _ index: Int) -> [ClockDoubtChange] {
    room.notices[index].compactMap { if case .session(.clockDoubt(let change)) = $0 { change } else { nil } }
  }

  private func room(_ count: Int) -> RuleHarness {
    var room = RuleHarness.playing(count)
    room.run(.seconds(20))
    room.notices = room.notices.map { _ in [] }
    return room
  }

  @Test(
    "8.8: a hub tells one of three another time: within 3 s that one is in doubt, and the others are told of it alone",
    arguments: [0, 1, 2], [Int64.seconds(10), -.seconds(10), .milliseconds(100)])
  func oneOfThree(liedTo: Int, shift: Nanoseconds) throws {
    var room = room(3)
    lie(&room, to: liedTo, by: shift)
    room.run(.seconds(3))
    let change = try #require(told(room, liedTo).first)
    #expect(told(room, liedTo).count == 1)
    #expect(try #require(room.nodes[liedTo].checkedBound) >= shift.absolute - .milliseconds(15))
    #expect(change.participant == room.ids[liedTo] && !change.isOver)
    #expect(change.against == room.ids[liedTo == 0 ? 1 : 0])
    #expect((change.offset - shift).absolute <= .milliseconds(15))
    room.run(.seconds(3))
    for index in 0...2 where index != liedTo {
      #expect(told(room, index).map(\.participant) == [room.ids[liedTo]], "\(index)")
      #expect(told(room, index).allSatisfy { !$0.isOver && ($0.offset - shift).absolute <= .milliseconds(15) })
    }
  }

  /// The greatest distance of any two group times that count.
  private func spread(_ room: RuleHarness, of indices: [Int]? = nil) -> Nanoseconds {
    let times = (indices ?? Array(room.nodes.indices)).map { room.nodes[$0].facts.clock.group(at: room.now) }
    return (times.max() ?? 0) - (times.min() ?? 0)
  }

  @Test(
    "Z72: a hub tells one of three +10 s: it is in doubt within 3 s, within 500 ms of the others then, and its bound is true",
    arguments: [0, 1, 2], [Int64.seconds(10), -.seconds(10), .seconds(3_600)])
  func follows(liedTo: Int, shift: Nanoseconds) throws {
    var room = room(3)
    lie(&room, to: liedTo, by: shift)
    room.run(.seconds(3))
    #expect(room.nodes[liedTo].facts.clockDoubt.isOwn(room.ids[liedTo]))
    #expect(spread(room) <= .milliseconds(20))
    let error = room.nodes[liedTo].facts.clock.error(at: room.now)
    #expect(spread(room) <= error && error <= .milliseconds(50))
    // It can speak, is heard, and plays with the others.
    room.give(.rateChange(rate: 0, immediately: false), to: liedTo)
    room.run(.seconds(1))
    for index in 0...2 { #expect(room.commands[index].last?.kind == .pause, "\(index)") }
    room.give(.rateChange(rate: 1, immediately: false), to: liedTo == 0 ? 1 : 0)
    room.run(.seconds(5))
    for index in 0...2 { #expect(room.commands[index].last?.kind == .play, "\(index)") }
    let starts = (0...2).compactMap { room.commands[$0].last?.hostTime }
    #expect((starts.max() ?? 0) - (starts.min() ?? 0) <= .milliseconds(20))
    #expect(Set(room.nodes.map { $0.facts.presence.present.count }) == [2])
  }

  @Test("Z71: a newcomer hears a false word about the hub's clock first: in doubt, and with the others within 10 s")
  func misledNewcomer() throws {
    var room = room(3)
    let value = try #require(room.nodes[1].facts.clock.mapping?.value)
    room.add(4)
    room.link(3, synchronised: false)
    let forged = Statement(
      key: .clock(room.hub), author: room.ids[1], policy: RuleHarness.policy, time: room.now,
      value: .clock(ClockValue(offset: value.offset - .seconds(5), error: 0)))
    room.give(.message(.snapshot([forged]), from: room.ids[1]), to: 3)
    room.synchronise(3)
    room.run(.seconds(10))
    // Who said so believes itself.
    #expect(spread(room, of: [0, 2, 3]) <= .milliseconds(20))
    #expect(room.nodes[3].facts.clock.isKnown)
  }

  @Test("Z76: a hub holds messages for a second to hide 400 ms: the checked bound of who is lied to says so")
  func hidden() throws {
    var room = room(3)
    room.delay = .seconds(1)
    lie(&room, to: 2, by: .milliseconds(400))
    room.run(.seconds(20))
    let bound = try #require(room.nodes[2].checkedBound)
    #expect(bound >= .milliseconds(400))
    #expect(spread(room) <= bound)
  }

  @Test("8.8: the hub tells the truth again: group time goes by it again once the doubt is over, and nobody jumps")
  func back() {
    var room = room(3)
    lie(&room, to: 2, by: .seconds(10))
    room.run(.seconds(6))
    #expect(room.nodes[2].facts.clock.correction != nil)
    lie(&room, to: 2, by: 0)
    for _ in 0..<45 {
      room.run(.seconds(1))
      #expect(spread(room) <= .seconds(11))
    }
    #expect(room.nodes[2].facts.clock.correction == nil)
    #expect(spread(room) <= .milliseconds(1))
  }

  @Test("Z73: a hub tells one that its clock runs 1 % faster: in doubt before it is off by the checked bound and 20 ms")
  func drift() throws {
    var room = room(3)
    let begun = room.now
    while !room.nodes[2].facts.clockDoubt.isOwn(room.ids[2]) {
      lie(&room, to: 2, by: (room.now - begun) / 100)
      let bound = try #require(room.nodes[2].checkedBound)
      #expect(spread(room) <= bound + .milliseconds(20))
      try #require(room.now - begun <= .seconds(10))
      room.run(.milliseconds(100))
    }
    // Followed from then on, as far as one heartbeat allows.
    for _ in 0..<100 {
      lie(&room, to: 2, by: (room.now - begun) / 100)
      room.run(.milliseconds(100))
      #expect(spread(room) <= room.nodes[2].facts.clock.error(at: room.now) + .milliseconds(20))
    }
  }

  @Test("Z73: the same where it is measured in bursts, with steps unlike the time between them")
  func driftInBursts() throws {
    var room = room(3)
    let begun = room.now
    var shown: Nanoseconds = 0
    while !room.nodes[2].facts.clockDoubt.isOwn(room.ids[2]) {
      // Twice at once, and the step shows the second time.
      lie(&room, to: 2, by: shown)
      room.run(.milliseconds(20))
      shown = (room.now - begun) / 100
      lie(&room, to: 2, by: shown)
      let bound = try #require(room.nodes[2].checkedBound)
      #expect(spread(room) <= bound + .milliseconds(20))
      try #require(room.now - begun <= .seconds(12))
      room.run(.milliseconds(580))
    }
  }

  @Test(
    "Z73: a clock 1 % fast, which each measurement moves by more than its error, is in doubt",
    arguments: [Int64.milliseconds(300), .milliseconds(570), .seconds(1), .seconds(4)])
  func driftInSteps(interval: Nanoseconds) throws {
    var room = room(3)
    let begun = room.now
    while !room.nodes[2].facts.clockDoubt.isOwn(room.ids[2]) {
      lie(&room, to: 2, by: (room.now - begun) / 100)
      for _ in 0..<10 {
        let bound = try #require(room.nodes[2].checkedBound)
        #expect(spread(room) <= bound + .milliseconds(20))
        room.run(interval / 10)
      }
      try #require(room.now - begun <= .seconds(12))
    }
    let since = room.now
    for _ in 0..<30 {
      lie(&room, to: 2, by: (room.now - begun) / 100)
      room.run(interval)
      #expect(spread(room) <= .milliseconds(70))
      // The others see it by the next heartbeat, and are told once.
      guard room.now - since >= .milliseconds(600) else { continue }
      for index in 0..<2 { #expect(told(room, index).map(\.participant) == [room.ids[2]], "\(index)") }
    }
    #expect(room.nodes[2].facts.clockDoubt.isOwn(room.ids[2]) && told(room, 2).count == 1)
  }

  @Test("Z74: a hub tells the owner +10 s, two others right: the owner is in doubt, and nobody follows it")
  func owner() {
    var room = room(3)
    func shown(_ index: Int) -> Nanoseconds { room.nodes[index].facts.clock.group(at: room.now) - room.now }
    let before = (0...2).map(shown)
    lie(&room, to: 0, by: .seconds(10))
    room.run(.seconds(8))
    #expect(room.nodes[0].facts.clockDoubt.isOwn(room.ids[0]))
    for index in 0...2 { #expect((shown(index) - before[index]).absolute <= .milliseconds(20), "\(index)") }
  }

  @Test("8.8: of two whose clocks contradict each other the junior one is in doubt, whichever was lied to", arguments: [0, 1])
  func two(liedTo: Int) {
    var room = room(2)
    lie(&room, to: liedTo, by: .seconds(1))
    room.run(.seconds(6))
    for index in 0...1 {
      #expect(told(room, index).map(\.participant) == [room.ids[1]])
      #expect(told(room, index).map(\.isOver) == [false])
    }
  }

  @Test("Z75: a hub tells two of four another time: those without the most senior are in doubt", arguments: [1, 2, 3])
  func twoOfFour(companion: Int) {
    var room = room(4)
    // Of the first and its companion, which are right by the table.
    lie(&room, to: 0, by: .seconds(10))
    lie(&room, to: companion, by: .seconds(10))
    room.run(.seconds(8))
    for index in 0...3 {
      let isDoubted = index != 0 && index != companion
      #expect(told(room, index).contains { $0.participant == room.ids[index] } == isDoubted, "\(index)")
      if !isDoubted {
        #expect(Set(told(room, index).map(\.participant)) == Set(room.ids).subtracting([room.ids[0], room.ids[companion]]))
      }
    }
  }

  @Test("8.8: the hub tells the truth again: the others hear so at once, the one in doubt after 30 s without a contradiction")
  func over() {
    var room = room(3)
    lie(&room, to: 2, by: .seconds(1))
    room.run(.seconds(6))
    #expect(room.nodes[2].facts.clockDoubt.isOwn(room.ids[2]))
    #expect(!room.nodes[2].facts.mayMapClock && room.nodes[1].facts.mayMapClock)
    lie(&room, to: 2, by: 0)
    room.run(.seconds(6))
    #expect(told(room, 0).map(\.isOver) == [false, true])
    room.run(.seconds(20))
    #expect(told(room, 2).map(\.isOver) == [false])
    room.run(.seconds(10))
    #expect(told(room, 2).map(\.isOver) == [false, true])
    #expect(!room.nodes[2].facts.clockDoubt.isOwn(room.ids[2]) && room.nodes[2].facts.mayMapClock)
  }

  @Test("8.8: who contradicted has left: nobody is told of a doubt for ever")
  func gone() {
    var room = room(2)
    lie(&room, to: 1, by: .seconds(1))
    room.run(.seconds(6))
    room.unlink(1, left: true)
    room.run(.seconds(6))
    #expect(told(room, 0).map(\.isOver) == [false, true])
  }

  @Test("8.7: comparisons are kept of as many as can be there, and those of who was let go make room for others")
  func capacity() {
    var room = room(2)
    var node = room.nodes[0]
    func beat(_ number: Int) -> Beat {
      Beat(
        digest: [UInt8](repeating: 0, count: 32), newestStamp: 0, hubDelay: 1, clockError: 500,
        timing: Beat.Timing(sent: node.facts.clock.group(at: room.now) + .seconds(Int64(100)), number: 1, echoes: []))
    }
    // As many strangers as one likes: each speaks once, and its clock is ahead.
    for number in 0..<(3 * WireLimits.participants) {
      room.now += .milliseconds(1)
      _ = node.handle(
        .message(.beat(beat(number)), from: ParticipantID(high: 1_000, low: UInt64(number))), now: room.now)
      #expect(node.contradictingClocks.count <= WireLimits.participants)
    }
    #expect(node.contradictingClocks.count > WireLimits.participants / 2)
    // All of them are gone by the hub's word: others come, and are compared.
    let gone = node.facts.presence.entries.keys.filter { $0.high == 1_000 }
    _ = node.handle(
      .presence(joined: [], gone: gone.map { Departure(id: $0, connection: .max, left: true) }), now: room.now)
    for number in 0..<10 {
      _ = node.handle(
        .message(.beat(beat(number)), from: ParticipantID(high: 2_000, low: UInt64(number))), now: room.now)
    }
    #expect(node.contradictingClocks.filter { $0.high == 2_000 }.count == 10)
    #expect(node.contradictingClocks.count <= WireLimits.participants)
  }
}

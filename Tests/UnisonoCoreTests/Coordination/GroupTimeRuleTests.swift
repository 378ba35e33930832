import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// One group time over all hubs (coordination 2.1), and what is forgotten with time (2.11).
@Suite struct GroupTimeRuleTests {
  private func clocks(_ room: RuleHarness, _ index: Int) -> [ClockID: ParticipantID] {
    var authors: [ClockID: ParticipantID] = [:]
    for (key, statement) in room.nodes[index].facts.registers.statements {
      if case .clock(let id) = key { authors[id] = statement.author }
    }
    return authors
  }

  @Test("2.1: the lowest id maps an unknown clock at once; the next one half a second later, if it has not")
  func rank() {
    var room = RuleHarness.playing(3)
    for index in room.nodes.indices { room.give(.linkDown, to: index) }
    room.linked = []
    room.hub = ClockID(high: 4, low: 4)
    room.hubOffset = .seconds(86_400)
    // The lowest one is in the room, but has not measured the new hub's clock.
    room.link(0, synchronised: false)
    for index in 1...2 { room.link(index) }
    room.run(.milliseconds(450))
    #expect(clocks(room, 1)[room.hub] == nil)
    room.run(.milliseconds(200))
    #expect(clocks(room, 2)[room.hub] == room.ids[1])
    room.run(.seconds(3))
    room.synchronise(0)
    room.run(.seconds(3))
    for index in 0...2 { #expect(clocks(room, index)[room.hub] == room.ids[1]) }
    #expect(room.isInStep)
  }

  @Test("2.1: nobody knows group time any more: it goes on after the largest stamp, and what played is paused")
  func lost() {
    var room = RuleHarness.playing(1)
    let position = room.position(of: 0)
    guard let statements = room.nodes.first?.facts.registers.statements.values.map({ $0 }) else { return }
    var later = RuleHarness()
    later.now = room.now + .seconds(3_600)
    later.hub = ClockID(high: 4, low: 4)
    later.add(5)
    later.give(.transition(to: "X", proposal: nil), to: 0)
    later.linked = [0]
    let old = Member(id: room.ids[0], connection: 1, age: 10_000)
    later.give(.linkUp(members: [old], clock: later.hub), to: 0)
    later.give(.secured, to: 0)
    later.give(.message(.snapshot(statements), from: room.ids[0]), to: 0)
    later.give(
      .presence(joined: [], gone: [Departure(id: room.ids[0], connection: 1, left: true)]), to: 0)
    later.synchronise(0)
    later.run(.seconds(7))
    let view = later.nodes[0].view
    #expect(view.timing.status == .paused)
    #expect(view.timing.line.at >= 0 && view.timing.line.at <= position)
  }

  @Test(
    "2.1: who slept and may map a hub's clock goes by what a heartbeat tells of group time, unless that is before what was said already",
    arguments: [true, false])
  func toldBeforeGuess(isLater: Bool) throws {
    var room = RuleHarness.playing(2)
    for index in 0...1 { room.give(.linkDown, to: index) }
    room.linked = []
    room.hub = ClockID(high: 4, low: 4)
    room.hubOffset = .seconds(86_400)
    room.hidden = [(1, 0)]
    room.give(.slept, to: 0)
    room.link(1)
    room.link(0)
    room.run(.seconds(1))
    let before = room.nodes[0].facts.clock.group(at: room.now)
    let told = before + (isLater ? .seconds(20) : .seconds(-20))
    let beat = Beat(
      digest: [UInt8](repeating: 1, count: 32), newestStamp: 0, hubDelay: 10_000, clockError: 500,
      timing: Beat.Timing(sent: told, number: 1, echoes: []))
    room.give(.message(.beat(beat), from: room.ids[1]), to: 0)
    room.run(.seconds(6))
    let mapping = try #require(room.nodes[0].facts.registers.clock(room.hub))
    #expect(mapping.isGuess && room.nodes[0].facts.clock.isKnown)
    // Half of both round trips.
    let expected = isLater ? told + .milliseconds(20) : before
    #expect(room.nodes[0].facts.clock.group(at: room.now) - expected - .seconds(6) == 0)
  }

  @Test("2.1: what is offered or taken back after joining, before group time is known, counts once it is, and is not refused")
  func offeredBeforeKnown() throws {
    var room = RuleHarness.playing(2)
    func value(_ byte: UInt8) throws -> AttachmentValue {
      AttachmentValue(id: try #require(AttachmentID([UInt8](repeating: byte, count: 32))), name: "\(byte).vtt", size: 1)
    }
    let theirs = AttachmentSlot(author: room.ids[0], number: 0)
    room.give(.offerAttachment(theirs, try value(1)), to: 0)
    room.run(.seconds(1))
    room.add(9)
    room.link(2, synchronised: false)
    room.run(.seconds(1))
    let offer = try #require(room.nodes[2].attachments.offer(in: theirs))
    let own = AttachmentSlot(author: room.ids[2], number: 0)
    room.notices[2] = []
    room.give(.takeBackAttachment(theirs, offered: offer.time), to: 2)
    room.give(.offerAttachment(own, try value(2)), to: 2)
    room.run(.seconds(1))
    #expect(room.nodes[0].attachments.all.map { $0.slot } == [theirs])
    room.synchronise(2)
    room.run(.seconds(1))
    for node in room.nodes { #expect(node.attachments.all.map { $0.slot } == [own]) }
    let refusals = room.notices[2].filter { if case .session(.refused) = $0 { true } else { false } }
    #expect(refusals.isEmpty)
  }

  @Test("2.1: what is set before group time is known again, after sleep, is later than all that was said meanwhile")
  func setAfterSleep() throws {
    var room = RuleHarness.playing(2)
    room.give(.slept, to: 0)
    // Its clock stood, so that the others' is ahead of what it believes.
    room.hubOffset += .seconds(16)
    room.synchronise(1)
    room.run(.seconds(1))
    let entry = EntryID(high: 1, low: 1)
    let place = try #require(PlaylistPlace([0x80]))
    room.give(.editPlaylist(.add(entry, entry: PlaylistEntry(place: place, item: "A", added: 0, title: ""), before: nil)), to: 1)
    room.give(.setActivity(Activity(identifier: "theirs")), to: 1)
    room.give(.setActionAtEnd(.pause, asProposal: false), to: 1)
    room.give(.setStallPolicy(StallPolicy(waits: true), asProposal: false), to: 1)
    room.give(.setStartPolicy(StartPolicy(waiting: .first), asProposal: false), to: 1)
    room.run(.seconds(1))
    #expect(room.nodes[0].playlist.lines.map(\.id) == [entry])
    room.give(.editPlaylist(.remove(entry)), to: 0)
    room.give(.setActivity(Activity(identifier: "own")), to: 0)
    room.give(.setActionAtEnd(.advance, asProposal: false), to: 0)
    room.give(.setStallPolicy(.off, asProposal: false), to: 0)
    room.give(.setStartPolicy(.none, asProposal: false), to: 0)
    room.run(.seconds(1))
    room.synchronise(0)
    room.run(.seconds(1))
    for node in room.nodes {
      #expect(node.facts.registers[.activity]?.value == .activity(Activity(identifier: "own")))
      #expect(node.playlist.lines.isEmpty)
      #expect(node.facts.actionAtEnd == .advance && node.facts.stallPolicy == .off && node.facts.startPolicy == .none)
    }
  }

  @Test("G99: what an owner says of the group right after it joined waits for group time as all settings do, and is not refused")
  func setWhileJoining() throws {
    var room = RuleHarness()
    room.add(1, isCreator: true, origin: PolicyOrigin(root: ParticipantID(high: 1, low: 0)))
    room.link(0, synchronised: false)
    room.run(.milliseconds(100))
    room.give(.changePolicy(.control(.hostsOnly)), to: 0)
    room.give(.changePolicy(.closing(true)), to: 0)
    #expect(room.nodes[0].policy.levels.isEmpty)
    // Another door was made by who wanted it, and would be forgotten by then.
    let bytes = [UInt8](repeating: 7, count: 32)
    let founding = try #require(RecordID(bytes: bytes))
    room.give(.changePolicy(.removal([], topic: bytes, founding: founding, leaving: [])), to: 0)
    room.run(.milliseconds(100))
    room.synchronise(0)
    room.run(.seconds(1))
    let terms = try #require(room.nodes[0].policy.levels.last?.terms)
    #expect(terms.control == .hostsOnly && terms.isClosed && !terms.hasMoved)
    let refused = room.notices[0].compactMap { notice -> Operation? in
      if case .session(.refused(let operation, _, _)) = notice { operation } else { nil }
    }
    #expect(refused == [.removeParticipant])
  }

  @Test("2.1: of two words about a hub's clock that of somebody who knew group time counts, however exact the guess is")
  func guessAgainstKnowledge() {
    let known = clock(of: 9, error: 900_000)
    let guess = clock(of: 1, error: ClockValue.guess + RegisterOrder.leastClockError)
    let better = clock(of: 2, error: ClockValue.guess + 40_000)
    let order = RegisterOrder(policies: RuleHarness.joined(1).nodes[0].facts.policies)
    #expect(order.compare(known, guess) == .greater && order.compare(guess, known) == .less)
    #expect(order.compare(guess, better) == .greater)
    let later = clock(of: 3, error: ClockValue.guess + 90_000, offset: 8)
    #expect(order.compare(later, guess) == .greater && order.compare(known, later) == .greater)
    guard case .clock(let value) = guess.value else { return }
    #expect(value.isGuess && value.bound == .microseconds(100))
  }

  private func clock(of author: UInt64, error: UInt32, offset: Nanoseconds = 7) -> Statement {
    Statement(
      key: .clock(ClockID(high: 4, low: 4)), author: ParticipantID(high: author, low: 0), policy: RuleHarness.policy,
      time: 5,
      value: .clock(ClockValue(offset: offset, error: error)))
  }

  @Test("8.5: who has just come judges by what it was told first, whatever order the registers have")
  func contradiction() {
    var room = RuleHarness.playing(2)
    room.notices = [[], []]
    let forged = Statement(
      key: .clock(room.hub), author: room.ids[1], policy: RuleHarness.policy, time: room.now,
      value: .clock(ClockValue(offset: .seconds(3), error: 0)))
    // Also where nothing else is known of the clock.
    room.nodes[0].replace(.clock(room.hub), with: nil)
    room.give(.message(.update([forged]), from: room.ids[1]), to: 0)
    let lines = room.notices[0].compactMap { if case .session(.log(_, let text)) = $0 { text } else { nil } }
    #expect(lines.contains { $0.contains("\(room.ids[1])") && $0.contains("3000 ms") && $0.contains("refused") })
    #expect(room.nodes[0].facts.registers[.clock(room.hub)] == nil)
  }

  @Test(
    "Z70: a member, or an owner, says that the hub's clock is an hour off, error 0, lesser id: refused, named, nothing moves",
    arguments: [Int64.seconds(3_600), -.seconds(3_600), .milliseconds(20)], [Int64.seconds(10), 0])
  func poisonedClock(shift: Nanoseconds, after: Nanoseconds) throws {
    var room = RuleHarness.playing(3)
    room.run(after)
    let known = try #require(room.nodes[1].facts.clock.mapping?.value)
    let before = (1...2).map { room.nodes[$0].facts.clock.group(at: room.now) }
    let (start, commands) = (room.now, room.commands.map(\.count))
    room.notices = [[], [], []]
    for number in 0..<50 as Range<Int64> {
      let forged = Statement(
        key: .clock(room.hub), author: room.ids[0], policy: RuleHarness.policy, time: room.now,
        value: .clock(ClockValue(offset: known.offset + shift + number, error: 0)))
      for index in 1...2 { room.give(.message(.update([forged]), from: room.ids[0]), to: index) }
      room.run(.milliseconds(100))
    }
    for index in 1...2 {
      let moved = room.nodes[index].facts.clock.group(at: room.now) - before[index - 1] - (room.now - start)
      #expect(moved.absolute < .milliseconds(1))
      #expect(room.nodes[index].facts.clock.mapping?.value == known)
      let lines = room.notices[index].compactMap { if case .session(.log(.warning, let text)) = $0 { text } else { nil } }
      #expect(lines.count == 1 && lines[0].contains("\(room.ids[0])") && lines[0].contains("refused"))
    }
    #expect(room.commands.map(\.count) == commands, "no player is told anything")
  }

  @Test("Z70: a member moves the hub's clock by two milliseconds at a time: it comes no further than the bound of when it was trusted")
  func creepingClock() throws {
    var room = RuleHarness.playing(3)
    let known = try #require(room.nodes[1].facts.clock.mapping?.value)
    let limit = room.nodes[1].facts.clock.error(at: room.now) + Parameters.clockTolerance + .microseconds(200)
    for step in 1...200 as ClosedRange<Int64> {
      let forged = Statement(
        key: .clock(room.hub), author: room.ids[0], policy: RuleHarness.policy, time: room.now,
        value: .clock(ClockValue(offset: known.offset + .milliseconds(2) * step, error: 0)))
      for index in 1...2 { room.give(.message(.update([forged]), from: room.ids[0]), to: index) }
      room.run(.milliseconds(50))
    }
    for index in 1...2 {
      let offset = try #require(room.nodes[index].facts.clock.mapping?.value.offset)
      #expect((offset - known.offset).absolute <= limit)
    }
  }

  @Test("8.5: two who know group time within their bounds are believed each by the other, so that all end with one word")
  func honestBounds() throws {
    var room = RuleHarness.playing(3)
    room.clockError = .milliseconds(10)
    for index in 0...2 { room.synchronise(index) }
    let known = try #require(room.nodes[1].facts.clock.mapping?.value)
    let honest = Statement(
      key: .clock(room.hub), author: room.ids[0], policy: RuleHarness.policy, time: room.now,
      value: .clock(ClockValue(offset: known.offset + .milliseconds(17), error: 10_000)))
    #expect(room.nodes[1].facts.distance(of: honest) == nil)
  }

  @Test("8.5: what is said within the own bound is taken, and whoever slept goes by what it knew of that hub's clock")
  func honestClock() throws {
    var room = RuleHarness.playing(3)
    room.clockError = .milliseconds(7)
    for index in 0...2 { room.synchronise(index) }
    let known = try #require(room.nodes[1].facts.clock.mapping?.value)
    let near = Statement(
      key: .clock(room.hub), author: room.ids[0], policy: RuleHarness.policy, time: room.now + 1,
      value: .clock(ClockValue(offset: known.offset + .milliseconds(5), error: 0)))
    #expect(room.nodes[1].facts.distance(of: near) == nil)
    let far = Statement(
      key: .clock(room.hub), author: room.ids[0], policy: RuleHarness.policy, time: room.now + 1,
      value: .clock(ClockValue(offset: known.offset + .seconds(5), error: 0)))
    #expect(room.nodes[1].facts.distance(of: far) != nil)
    #expect(room.nodes[0].facts.distance(of: far) == nil, "its own word")
    room.give(.slept, to: 1)
    room.give(.slept, to: 1)
    #expect(room.nodes[1].facts.distance(of: far) != nil && room.nodes[1].facts.distance(of: near) == nil)
    // Of another hub's it knew nothing.
    let other = ClockID(high: 4, low: 4)
    let elsewhere = Statement(
      key: .clock(other), author: room.ids[0], policy: RuleHarness.policy, time: room.now + 1,
      value: .clock(ClockValue(offset: known.offset + .seconds(5), error: 0)))
    #expect(room.nodes[1].facts.distance(of: elsewhere) == nil)
  }

  @Test("8.5: a member says that the hub's clock is an hour off to one that has just woken: refused, named, and it is with the others")
  func poisonedAwakening() throws {
    var room = RuleHarness.playing(3)
    room.run(.seconds(5))
    let known = try #require(room.nodes[1].facts.clock.mapping?.value)
    room.give(.slept, to: 1)
    room.notices = [[], [], []]
    for number in 0..<50 as Range<Int64> {
      let forged = Statement(
        key: .clock(room.hub), author: room.ids[0], policy: RuleHarness.policy, time: room.now + number,
        value: .clock(ClockValue(offset: known.offset + .seconds(3_600) + number, error: 0)))
      room.give(.message(.update([forged]), from: room.ids[0]), to: 1)
    }
    room.synchronise(1)
    room.run(.seconds(3))
    #expect(room.nodes[1].facts.clock.mapping?.value == known && room.isInStep)
    let lines = room.notices[1].compactMap { if case .session(.log(.warning, let text)) = $0 { text } else { nil } }
    #expect(lines.count == 1 && lines[0].contains("\(room.ids[0])") && lines[0].contains("refused"))
  }

  @Test(
    "8.5: the next hub's clock is said to be elsewhere than can be: refused, named once, and mapped by who knows",
    arguments: [Int64(1), -1], [Int64.milliseconds(-10), .milliseconds(10)])
  func nextHub(sign: Int64, excess: Nanoseconds) throws {
    var room = RuleHarness.playing(3)
    for index in room.nodes.indices { room.give(.linkDown, to: index) }
    room.linked = []
    room.hub = ClockID(high: 4, low: 4)
    room.hubOffset = .seconds(86_400)
    // Who says it is there first, and the others do not measure that hub's clock yet.
    for index in 1...2 { room.link(index, synchronised: false) }
    room.notices = [[], [], []]
    let group = try #require(room.nodes[1].groupClock)
    let own = room.nodes[1].facts.clock.error(at: room.now) + room.clockError
    let limit = own + Parameters.clockDoubt + Parameters.clockTolerance
    let truth = group.remote(at: room.now) - (room.now + room.hubOffset)
    let said = Statement(
      key: .clock(room.hub), author: room.ids[0], policy: RuleHarness.policy, time: room.now,
      value: .clock(ClockValue(offset: truth + sign * (limit + excess), error: 60_000)))
    for index in 1...2 { room.give(.message(.update([said]), from: room.ids[0]), to: index) }
    for index in 1...2 { room.synchronise(index) }
    room.run(.seconds(3))
    for index in 1...2 {
      let lines = room.notices[index].compactMap { if case .session(.log(.warning, let text)) = $0 { text } else { nil } }
      let author = room.nodes[index].facts.registers[.clock(room.hub)]?.said.author
      #expect(lines.count == (excess > 0 ? 1 : 0) && lines.allSatisfy { $0.contains("\(room.ids[0])") && $0.contains("refused") })
      #expect((author == room.ids[0]) == (excess < 0))
    }
  }

  @Test(
    "F60: a clock's register that moves group time by up to 40 ms is slewed to while something plays, never stepped",
    arguments: [Int64.milliseconds(10), -.milliseconds(10), .milliseconds(39)])
  func slewing(shift: Nanoseconds) throws {
    var room = RuleHarness.playing(2)
    room.clockError = .microseconds(500)
    let before = try #require(room.nodes[1].groupClock)
    let commands = room.commands.map(\.count)
    remap(&room, by: shift)
    var (last, lastNow) = (room.nodes[1].facts.clock.group(at: room.now), room.now)
    #expect((last - before.remote(at: room.now)).absolute < .microseconds(10), "it does not step")
    var rates: [Double] = []
    for _ in 0..<40 {
      room.run(.milliseconds(100))
      let time = room.nodes[1].facts.clock.group(at: room.now)
      #expect(abs(Double(time - last) / Double(room.now - lastNow) - 1) < 0.0201, "it runs on")
      // What a host reads is the line in force, and its bound contains what is still to come.
      let model = try #require(room.nodes[1].groupClock)
      #expect((model.remote(at: room.now) - time).absolute <= 2)
      #expect((time - before.remote(at: room.now) - shift).absolute <= model.error(at: room.now))
      rates.append(model.rate)
      (last, lastNow) = (time, room.now)
    }
    #expect((last - before.remote(at: room.now) - shift).absolute < .microseconds(10), "it arrives")
    #expect(abs(rates[0] - 1) > 0.004 && rates.last == 1)
    #expect(room.commands.map(\.count) == commands, "no player is told anything")
  }

  @Test("F60: a register that moves group time further than 40 ms steps it, and any does where nothing plays")
  func stepping() throws {
    for (isPlaying, shift) in [(true, Int64.milliseconds(60)), (false, .milliseconds(10))] {
      var room = isPlaying ? RuleHarness.playing(2) : RuleHarness.joined(2)
      let before = try #require(room.nodes[1].groupClock)
      remap(&room, by: shift)
      #expect((room.nodes[1].facts.clock.group(at: room.now) - before.remote(at: room.now) - shift).absolute < 10_000)
    }
  }

  @Test("F60: while it is slewed, a new measurement of the hub's clock does not step group time, and it arrives")
  func measuringMeanwhile() throws {
    var room = RuleHarness.playing(2)
    let before = try #require(room.nodes[1].groupClock)
    remap(&room, by: .milliseconds(10))
    for _ in 0..<20 {
      room.run(.milliseconds(500))
      let time = room.nodes[1].facts.clock.group(at: room.now)
      room.synchronise(1)
      #expect((room.nodes[1].facts.clock.group(at: room.now) - time).absolute <= 2)
    }
    let gone = room.nodes[1].facts.clock.group(at: room.now) - before.remote(at: room.now)
    #expect((gone - .milliseconds(10)).absolute < .microseconds(20))
  }

  /// Two play, and measure the hub's clock better, and to be that much further than they took it to be; the line before.
  private func remeasured(by shift: Nanoseconds) throws -> (room: RuleHarness, before: ClockModel) {
    var room = RuleHarness.playing(2)
    room.clockError = .milliseconds(40)
    for index in room.nodes.indices { room.synchronise(index) }
    room.run(.seconds(10))
    let before = try #require(room.nodes[1].groupClock)
    room.hubOffset += shift
    room.clockError = .microseconds(500)
    for index in room.nodes.indices { room.synchronise(index) }
    return (room, before)
  }

  @Test(
    "F60: a measurement that moves the hub's clock by up to 40 ms is slewed to while something plays, and stepped to where nothing does",
    arguments: [Int64.milliseconds(10), -.milliseconds(39), .microseconds(3)])
  func slewingMeasurement(shift: Nanoseconds) throws {
    var (room, before) = try remeasured(by: shift)
    let commands = room.commands.map(\.count)
    for _ in 0..<25 {
      let clock = room.nodes[1].facts.clock
      let away = clock.group(at: room.now) - before.remote(at: room.now)
      #expect(abs(away) <= abs(shift) + 2 && (away - shift).absolute <= clock.error(at: room.now))
      room.run(.milliseconds(100))
    }
    #expect((room.nodes[1].facts.clock.group(at: room.now) - before.remote(at: room.now) - shift).absolute <= 2)
    #expect(room.commands.map(\.count) == commands, "no player is told anything")
    for index in room.nodes.indices { room.give(.rateChange(rate: 0, immediately: false), to: index) }
    room.run(.seconds(2))
    let rest = room.nodes[1].facts.clock.group(at: room.now)
    room.hubOffset += shift
    room.synchronise(1)
    #expect(room.nodes[1].facts.clock.group(at: room.now) - rest == shift)
  }

  @Test("K3: a line that bends while the turn in which it was told still runs is told anew at once, and does not run off")
  func bends() throws {
    let (room, before) = try remeasured(by: .microseconds(1))
    let clock = room.nodes[1].facts.clock
    // 1 us takes 2 ms at 500 ppm.
    #expect(try #require(room.nodes[1].groupClock).rate > 1 + 400e-6)
    let reached = try #require(clock.nextBend(after: room.now))
    #expect(room.now < reached && reached <= room.now + .milliseconds(3))
    #expect(try #require(room.nodes[1].nextWake) <= reached)
    // Whoever asks only later is not told what it ran off to.
    let later = room.now + .seconds(8)
    #expect(clock.group(at: later) - before.remote(at: later) == .microseconds(1))
    #expect(clock.model(at: later)?.rate == 1 && clock.nextBend(after: later) == nil)
  }

  @Test("K3: the bound of what was told grows by what it runs away with, for as long as nothing else was told")
  func grows() throws {
    let (room, _) = try remeasured(by: .microseconds(1))
    #expect(try #require(room.nodes[1].groupClock).errorGrowth > 400e-6)
  }

  @Test("K3: it bends without a link, too")
  func bendsWithoutLink() throws {
    var (room, before) = try remeasured(by: .milliseconds(5))
    room.unlink(1)
    let reached = try #require(room.nodes[1].facts.clock.nextBend(after: room.now))
    #expect(try #require(room.nodes[1].nextWake) <= reached)
    room.run(.seconds(4))
    let clock = try #require(room.nodes[1].groupClock)
    #expect(clock.rate == 1 && (clock.remote(at: room.now) - before.remote(at: room.now) - .milliseconds(5)).absolute <= 2)
  }

  @Test("K4: at another hub, before its clock is known, what was being approached is reached, and the new one is mapped by that")
  func approachingElsewhere() throws {
    var (room, before) = try remeasured(by: .milliseconds(20))
    room.run(.milliseconds(300))
    for index in room.nodes.indices { room.give(.linkDown, to: index) }
    room.linked = []
    room.hub = ClockID(high: 4, low: 4)
    room.hubOffset = .seconds(86_400)
    room.link(1, synchronised: false)
    for _ in 0..<50 {
      room.run(.milliseconds(100))
      let away = room.nodes[1].facts.clock.group(at: room.now) - before.remote(at: room.now) - .milliseconds(20)
      #expect(away.absolute <= room.nodes[1].facts.clock.error(at: room.now))
    }
    room.synchronise(1)
    room.run(.seconds(3))
    let value = try #require(room.nodes[1].facts.registers.clock(room.hub))
    let expected = before.remote(at: room.now) + .milliseconds(20) - (room.now + .seconds(86_400))
    #expect(!value.isGuess && (value.offset - expected).absolute <= .microseconds(5))
  }

  /// The hub's clock is said to be `shift` further than was thought, to everybody.
  private func remap(_ room: inout RuleHarness, by shift: Nanoseconds) {
    guard case .clock(let known)? = room.nodes[0].facts.registers[.clock(room.hub)]?.value else { return }
    let better = Statement(
      key: .clock(room.hub), author: room.ids[0], policy: RuleHarness.policy, time: room.now,
      value: .clock(ClockValue(offset: known.offset + shift, error: known.error)))
    for index in room.nodes.indices {
      room.nodes[index].replace(.clock(room.hub), with: better)
      room.synchronise(index)
    }
  }

  @Test("2.11: more than 64 items that nobody has: the newest stay; a current one is never dropped")
  func sixtyFour() {
    var room = RuleHarness.joined(1)
    for number in 0..<80 {
      room.give(.transition(to: ItemID("item \(number)"), proposal: nil), to: 0)
      room.run(.milliseconds(10))
    }
    room.give(.transition(to: "item 0", proposal: nil), to: 0)
    room.run(.seconds(31))
    let items = Set(room.nodes[0].facts.registers.statements.keys.compactMap(\.item))
    #expect(items.count == 65)
    #expect(items.contains("item 0") && !items.contains("item 1") && items.contains("item 79"))
  }
}

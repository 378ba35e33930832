import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// Links, hubs, joining and coming back: one test a rule, named after the scenario or the trace that shaped it.
@Suite struct SessionRuleTests {
  @Test("J7: before the clock is known the host is not commanded; afterwards it gets the newest only")
  func unsynchronised() {
    var room = RuleHarness.joined(1)
    room.add(2)
    room.link(1, synchronised: false)
    room.give(.transition(to: "X", proposal: nil), to: 1)
    room.run(.seconds(1))
    room.give(.seek(to: .seconds(5), resumeImmediately: false), to: 0)
    room.run(.seconds(1))
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    // Longer than the set stays open.
    room.run(.seconds(2))
    #expect(room.commands[1].isEmpty)
    #expect(room.nodes[1].view.joined)
    room.synchronise(1)
    #expect(room.kinds(of: 1) == [.play])
    #expect(room.isInStep)
  }

  @Test("H12, W8: the keeper's process stops; the next keeper starts within a step")
  func takeover() {
    var room = RuleHarness.joined(3)
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.linked.remove(0)
    room.hostLatency[0] = nil
    room.run(.seconds(9))
    #expect(room.nodes[1].view.timing.status == .playing)
    #expect(room.position(of: 1) > .seconds(2))
  }

  @Test("J10: a pause in a hiccup of two seconds counts")
  func hiccup() {
    var room = RuleHarness.playing(3)
    room.unlink(0)
    room.run(.seconds(1))
    room.give(.rateChange(rate: 0, immediately: false), to: 0)
    room.run(.seconds(1))
    room.link(0)
    room.run(.seconds(2))
    #expect(room.statuses == [.paused])
    #expect(room.isInStep)
  }

  @Test("J8: a pause given alone 20 s ago does not stop the others, and its author follows them")
  func lonePause() {
    var room = RuleHarness.playing(3)
    room.unlink(0)
    room.run(.seconds(4))
    room.give(.rateChange(rate: 0, immediately: false), to: 0)
    #expect(room.nodes[0].view.timing.status == .paused)
    room.run(.seconds(20))
    room.link(0)
    room.run(.seconds(2))
    #expect(room.statuses == [.playing])
    #expect(room.isInStep)
    #expect(room.commands[1].isEmpty)
  }

  @Test("J9: two who lost each other: the pause of one counts when they meet")
  func bothApart() {
    var room = RuleHarness.playing(2)
    room.unlink(0)
    room.run(.seconds(4))
    room.give(.rateChange(rate: 0, immediately: false), to: 0)
    room.run(.seconds(20))
    room.link(0)
    room.run(.seconds(2))
    #expect(room.statuses == [.paused])
    #expect(room.isInStep)
  }

  @Test("J5: after half a minute away one lands at the present position; playing went on meanwhile")
  func away() {
    var room = RuleHarness.playing(2)
    room.unlink(1)
    room.run(.seconds(25))
    #expect(room.commands[1].isEmpty)
    room.give(.seek(to: .seconds(500), resumeImmediately: false), to: 0)
    room.run(.seconds(5))
    room.link(1)
    room.run(.seconds(2))
    #expect(room.isInStep)
    #expect(room.position(of: 1) > .seconds(500))
  }

  @Test("J4: who drops is gone from the list after the limit, once, and seen again joins once")
  func drops() {
    var room = RuleHarness.playing(3)
    for index in 0..<3 { room.notices[index] = [] }
    func changes(_ room: RuleHarness, _ pick: (ParticipantsChange) -> [ParticipantView]) -> Int {
      room.notices[0].reduce(0) { sum, effect in
        if case .session(.participantsChanged(let change)) = effect { sum + pick(change).count } else { sum }
      }
    }
    room.unlink(2)
    room.run(.seconds(29))
    #expect(changes(room, \.left) == 0)
    room.run(.seconds(2))
    #expect(changes(room, \.left) == 1)
    room.link(2)
    room.run(.seconds(3))
    #expect(changes(room, \.left) == 1 && changes(room, \.joined) == 1)
  }

  @Test("H21, J12: the end of an old connection does not make one absent")
  func oldConnection() {
    var room = RuleHarness.playing(2)
    let member = Member(id: room.ids[1], connection: 50, age: 0)
    room.give(.presence(joined: [member], gone: []), to: 0)
    room.give(.presence(joined: [], gone: [Departure(id: room.ids[1], connection: 2, left: false)]), to: 0)
    room.run(.seconds(1))
    room.give(.seek(to: .seconds(9), resumeImmediately: false), to: 0)
    #expect(room.nodes[0].view.timing.status == .waiting)
  }

  @Test("the end is for everybody")
  func end() {
    var room = RuleHarness.playing(2)
    room.give(.end, to: 1)
    room.run(.seconds(1))
    for index in 0...1 { #expect(room.notices[index].contains(.session(.invalidated(.ended(by: room.ids[1]))))) }
  }

  @Test("an activity reaches all, and later joiners")
  func activity() {
    var room = RuleHarness.joined(2)
    room.give(.setActivity(Activity(identifier: "org.example.watch")), to: 1)
    room.run(.seconds(1))
    #expect(room.nodes[0].view.activity?.identifier == "org.example.watch")
    room.add(3)
    room.link(2)
    room.run(.seconds(1))
    #expect(room.nodes[2].view.activity?.identifier == "org.example.watch")
  }

  @Test("H22: one heartbeat that differs asks for nothing, as news may be on its way; the second in a row does")
  func mismatchPersists() {
    var room = RuleHarness.joined(2)
    room.run(.seconds(10))
    let strange = Beat(digest: [UInt8](repeating: 0xFF, count: 32), newestStamp: 0, hubDelay: 0, clockError: 0)
    func exchanges(after beats: Int) -> Int {
      var node = room.nodes[0]
      var now = room.now
      var effects: [CoordinationEffect] = []
      for _ in 0..<beats { effects += node.handle(.message(.beat(strange), from: room.ids[1]), now: now) }
      for _ in 0..<10 {
        effects += node.settle(now: now)
        now = now.adding(.milliseconds(100))
        effects += node.handle(.tick, now: now)
      }
      return effects.reduce(0) { count, effect in
        if case .send(.have, let to) = effect, to == room.ids[1] { count + 1 } else { count }
      }
    }
    #expect(exchanges(after: 1) == 0)
    #expect(exchanges(after: 2) == 1)
  }

  @Test("O5: what was lost comes with the next heartbeats")
  func lost() {
    var room = RuleHarness.joined(2)
    room.linked.remove(1)
    room.give(.seek(to: .seconds(77), resumeImmediately: false), to: 0)
    room.run(.milliseconds(100))
    room.linked.insert(1)
    room.run(.seconds(12))
    #expect(room.isInStep)
    #expect(room.position(of: 1) == .seconds(77))
  }

  @Test("H18: an item that nobody has is forgotten after ten minutes, and an older copy does not bring it back")
  func forgotten() throws {
    var room = RuleHarness.playing(2)
    let copy = try #require(room.nodes[0].facts.registers[.rate("X")])
    room.give(.transition(to: "Y", proposal: nil), to: 0)
    room.give(.transition(to: "Y", proposal: nil), to: 1)
    room.run(.seconds(500))
    #expect(room.pair(of: "X", at: 0) != nil)
    room.run(.seconds(200))
    for index in 0...1 { #expect(room.pair(of: "X", at: index) == nil) }
    room.give(.message(.update([copy]), from: room.ids[1]), to: 0)
    #expect(room.nodes[0].facts.registers[.rate("X")] == nil)
    #expect(room.pair(of: "Y", at: 0) != nil)
  }

  @Test("H13, J11: the hub dies between play and start: one start, everybody in it")
  func hubDies() {
    var room = RuleHarness.joined(3)
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.milliseconds(15))
    for index in 0...2 { room.give(.linkDown, to: index) }
    room.linked = []
    room.run(.milliseconds(700))
    for index in [1, 2, 0] {
      room.link(index)
      room.run(.milliseconds(150))
    }
    room.run(.seconds(3))
    #expect(room.statuses == [.playing])
    #expect(room.isInStep)
    let starts = Set(room.commands.map { $0.last { $0.kind == .play }?.hostTime })
    #expect(starts.count == 1)
  }

  @Test("J6: the hub's host leaves: the next hub's clock continues group time, without a jump")
  func hubChange() {
    var room = RuleHarness.playing(3)
    let before = room.position(of: 1)
    let start = room.now
    for index in 0...2 { room.give(.linkDown, to: index) }
    room.linked = []
    room.hub = ClockID(high: 4, low: 4)
    room.hubOffset = .seconds(86_400)
    room.run(.seconds(1))
    for index in [2, 1, 0] {
      room.link(index)
      room.run(.milliseconds(300))
    }
    room.run(.seconds(5))
    #expect(room.commands == [[], [], []])
    for index in 0...2 {
      #expect(abs(room.position(of: index) - before - (room.now - start)) < .milliseconds(2))
    }
    room.add(4)
    room.give(.transition(to: "X", proposal: nil), to: 3)
    room.link(3)
    room.run(.seconds(1))
    #expect(abs(room.position(of: 3) - room.position(of: 0)) < .milliseconds(2))
    room.give(.rateChange(rate: 0, immediately: false), to: 3)
    room.run(.seconds(1))
    #expect(room.statuses == [.paused])
    #expect(room.isInStep)
  }

  @Test("what one plays alone before the link becomes the group's state, or gives way to it")
  func soloThenJoin() {
    var room = RuleHarness()
    room.add(1, isCreator: true)
    room.give(.transition(to: "X", proposal: nil), to: 0)
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.seconds(10))
    room.hubOffset = -.seconds(90)
    room.link(0)
    room.run(.seconds(1))
    #expect(room.kinds(of: 0) == [.play])
    #expect(room.position(of: 0) == .seconds(11))
    room.add(2)
    room.give(.transition(to: "X", proposal: nil), to: 1)
    room.give(.seek(to: .seconds(700), resumeImmediately: false), to: 1)
    room.link(1)
    room.run(.seconds(2))
    #expect(room.statuses == [.playing])
    #expect(room.isInStep)
    #expect(room.position(of: 1) == .seconds(13))
    #expect(room.kinds(of: 0) == [.play])
  }

  @Test("F40: two who find nobody with the session's state are not in it, and play alone; who has it brings both in")
  func nobodyThere() {
    var room = RuleHarness()
    room.add(1)
    room.add(2)
    room.link(1)
    room.link(0)
    room.run(.seconds(30))
    for index in 0...1 { room.give(.transition(to: "X", proposal: nil), to: index) }
    #expect(room.nodes.allSatisfy { !$0.view.joined && !$0.hasState })
    room.add(3, isCreator: true)
    room.link(2)
    room.give(.transition(to: "X", proposal: nil), to: 2)
    room.give(.rateChange(rate: 1, immediately: false), to: 2)
    room.run(.seconds(5))
    #expect(room.nodes.allSatisfy { $0.view.joined })
    #expect(room.statuses == [.playing])
    #expect(room.isInStep)
  }

  @Test("F40: who is alone at a hub plays alone after 3 s, and takes over the group's state when somebody comes")
  func aloneAtAHub() {
    var room = RuleHarness.joined(1)
    room.give(.transition(to: "X", proposal: nil), to: 0)
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.seconds(10))
    room.unlink(0)
    room.add(2)
    room.link(1)
    room.give(.transition(to: "X", proposal: nil), to: 1)
    room.give(.rateChange(rate: 1, immediately: false), to: 1)
    room.run(.milliseconds(2_900))
    #expect(room.commands[1].isEmpty && !room.nodes[1].hasState)
    room.run(.seconds(1))
    #expect(room.commands[1].last?.kind == .play && !room.nodes[1].hasState)
    room.link(0)
    room.run(.seconds(4))
    #expect(room.nodes[1].view.joined)
    #expect(room.isInStep)
    #expect(room.position(of: 1) > .seconds(10))
  }

  @Test("F2: who joins and presses play at once, before the link is there, plays with the group and not alone")
  func playBeforeLink() {
    var room = RuleHarness.joined(1)
    room.add(2, participates: false)
    room.give(.transition(to: "X", proposal: nil), to: 1)
    room.give(.participate, to: 1)
    room.give(.rateChange(rate: 1, immediately: false), to: 1)
    #expect(room.commands[1].isEmpty)
    room.run(.milliseconds(100))
    room.link(1)
    room.run(.seconds(3))
    #expect(room.kinds(of: 0) == [.buffer, .play])
    #expect(room.kinds(of: 1) == [.buffer, .play])
    #expect(room.isInStep)
  }

  @Test("2.13: a link that does not come holds the own player for 3 s, not for ever")
  func linkNeverComes() {
    var room = RuleHarness.joined(1)
    room.add(2, participates: false)
    room.give(.transition(to: "X", proposal: nil), to: 1)
    room.give(.participate, to: 1)
    room.give(.rateChange(rate: 1, immediately: false), to: 1)
    room.run(.seconds(4))
    #expect(room.kinds(of: 1) == [.play])
  }

  @Test("2.13: a snapshot that nobody asked for, and that has nothing, makes nobody a member; the answer does")
  func unaskedSnapshot() {
    var room = RuleHarness.playing(2)
    room.give(.seek(to: .seconds(600), resumeImmediately: false), to: 0)
    room.run(.seconds(1))
    room.add(3)
    room.give(.transition(to: "X", proposal: nil), to: 2)
    room.link(2)
    // The first is asked, as it is the oldest.
    room.give(.message(.snapshot([]), from: room.ids[1]), to: 2)
    #expect(!room.nodes[2].view.joined)
    room.run(.milliseconds(100))
    #expect(room.nodes[2].view.joined)
    #expect(room.pair(of: "X", at: 2) == room.pair(of: "X", at: 0))
  }

  @Test("2.13: an answer counts however late it is, also when all are asked once more by then")
  func lateSnapshot() {
    var room = RuleHarness.playing(2)
    room.add(3)
    room.link(2)
    room.hidden = [(sender: 0, receiver: 2), (sender: 1, receiver: 2)]
    room.run(.seconds(2))
    #expect(!room.nodes[2].view.joined)
    room.give(.message(.snapshot([]), from: room.ids[1]), to: 2)
    #expect(room.nodes[2].view.joined)
  }

  @Test("2.13: a hub that dies before its time is known does not hold the player of who joined")
  func hubDiesBeforeItsTimeIsKnown() {
    var room = RuleHarness.joined(1)
    room.add(2)
    room.give(.transition(to: "X", proposal: nil), to: 1)
    room.link(1, synchronised: false)
    room.run(.seconds(1))
    #expect(room.nodes[1].view.joined)
    room.unlink(1)
    room.give(.rateChange(rate: 1, immediately: false), to: 1)
    room.run(.seconds(4))
    #expect(room.kinds(of: 1) == [.play])
  }

  @Test("2.11: an item forgotten while one was alone is not forgotten in the group, whose time is earlier")
  func forgottenAlone() {
    var room = RuleHarness()
    room.add(2)
    room.give(.transition(to: "X", proposal: Proposal(rate: 0, itemTime: .seconds(5))), to: 0)
    room.run(.seconds(10))
    room.give(.transition(to: "Y", proposal: nil), to: 0)
    room.run(.seconds(700))
    // Nobody wakes to forget: it is done in the next turn.
    room.give(.tick, to: 0)
    #expect(room.pair(of: "X", at: 0) == nil)
    room.hubOffset = -.seconds(790)
    room.add(1, isCreator: true)
    room.link(1)
    room.give(.transition(to: "X", proposal: nil), to: 1)
    room.give(.seek(to: .seconds(700), resumeImmediately: false), to: 1)
    room.run(.seconds(1))
    room.link(0)
    room.run(.seconds(1))
    room.give(.transition(to: "X", proposal: nil), to: 0)
    room.run(.seconds(1))
    #expect(room.position(of: 0) == .seconds(700))
    #expect(room.pair(of: "X", at: 0) == room.pair(of: "X", at: 1))
  }

  private func sent(_ effects: [CoordinationEffect]) -> [CoordinationMessage] {
    effects.compactMap { if case .send(let message, _) = $0 { message } else { nil } }
  }

  @Test("2.13: who goes to another room with the others asks for nothing and says nothing anew; who missed something does")
  func movedAlong() {
    let room = RuleHarness.playing(3)
    let awaited = [1, 2].map { Member(id: room.ids[$0], connection: 0, age: 10_000) }
    let beat = Beat(digest: RuleHarness.hash([1]), newestStamp: 0, hubDelay: 1, clockError: 1)
    /// What it says as it enters, and as another one comes and is heard.
    func says(_ node: Coordination, _ way: CoordinationEvent) -> [[CoordinationMessage]] {
      var node = node
      let entering = [way, .secured].flatMap { node.handle($0, now: room.now) } + node.settle(now: room.now)
      let coming = CoordinationEvent.presence(joined: [Member(id: room.ids[2], connection: 7, age: 0)], gone: [])
      let hearing = [coming, .message(.beat(beat), from: room.ids[2])].flatMap { node.handle($0, now: room.now) }
      return [sent(entering), sent(hearing)]
    }
    #expect(says(room.nodes[0], .moved(members: awaited, clock: room.hub)) == [[], []])
    let here = [1, 2].map { Member(id: room.ids[$0], connection: UInt64($0), age: 10_000) }
    for said in says(room.nodes[0], .linkUp(members: here, clock: room.hub)) { #expect(!said.isEmpty) }
    // Nothing came yet of what it asked for in the room before.
    var asking = room.nodes[0]
    for event in [.linkDown, .linkUp(members: awaited, clock: room.hub), .secured] as [CoordinationEvent] {
      _ = asking.handle(event, now: room.now)
    }
    #expect(says(asking, .moved(members: awaited, clock: room.hub))[0].contains(.want([])))
    // Its link was lost as the others went.
    var lost = room.nodes[0]
    _ = lost.handle(.linkDown, now: room.now)
    #expect(!says(lost, .moved(members: awaited, clock: room.hub))[0].isEmpty)
  }

  @Test("2.13: who comes along to another room, and spoke in the one before, can read as soon as it is there; who is lost does not")
  func spokeBefore() {
    let room = RuleHarness.playing(3)
    var node = room.nodes[0]
    let (here, awaited) = (room.ids[1], room.ids[2])
    func canRead(_ id: ParticipantID) -> Bool { node.facts.presence.hasSpoken(id) }
    let beat = Beat(digest: RuleHarness.hash([1]), newestStamp: 0, hubDelay: 1, clockError: 1)
    for id in [here, awaited] { _ = node.handle(.message(.beat(beat), from: id), now: room.now) }
    let members = [Member(id: here, connection: 5, age: 10_000), Member(id: awaited, connection: 0, age: 10_000)]
    _ = node.handle(.moved(members: members, clock: room.hub), now: room.now)
    #expect(canRead(here) && !canRead(awaited))
    let moved = node
    _ = node.handle(.presence(joined: [Member(id: awaited, connection: 7, age: 0)], gone: []), now: room.now)
    #expect(canRead(awaited))
    // A second move, before it came to the first room.
    node = moved
    _ = node.handle(.moved(members: members, clock: room.hub), now: room.now)
    _ = node.handle(.presence(joined: [Member(id: awaited, connection: 7, age: 0)], gone: []), now: room.now)
    #expect(canRead(awaited))
    node = moved
    _ = node.handle(.presence(joined: [], gone: [Departure(id: awaited, connection: 0, left: false)]), now: room.now)
    _ = node.handle(.presence(joined: [Member(id: awaited, connection: 7, age: 0)], gone: []), now: room.now)
    #expect(!canRead(awaited))
    _ = node.handle(.linkUp(members: members, clock: room.hub), now: room.now)
    #expect(!canRead(here) && !canRead(awaited))
  }

  @Test("2.2: what was held of the group's future does not come into the own time of who goes on alone")
  func heldThenAlone() {
    var room = RuleHarness()
    room.add(2)
    room.hubOffset = -.seconds(50)
    let other = ParticipantID(high: 1, low: 0)
    let time = room.now + room.hubOffset
    func statement(_ key: RegisterKey, _ time: GroupTime, _ value: RegisterValue) -> Statement {
      Statement(key: key, author: other, policy: RuleHarness.policy, time: time, value: value)
    }
    room.give(.linkUp(members: [Member(id: other, connection: 1, age: 10_000)], clock: room.hub), to: 0)
    room.give(.secured, to: 0)
    let clock = ClockValue(offset: 0, error: RegisterOrder.leastClockError)
    room.give(.message(.update([statement(.clock(room.hub), time, .clock(clock))]), from: other), to: 0)
    room.synchronise(0)
    let future = time + .seconds(20)
    let cells = [
      statement(.position("X"), future, .position(PositionValue(rank: .command, position: .seconds(700)))),
      statement(.rate("X"), future, .rate(RateValue(rank: .command, rate: 0, at: .seconds(700)))),
    ]
    room.give(.message(.update(cells), from: other), to: 0)
    room.give(.linkDown, to: 0)
    room.run(.seconds(4))
    room.give(.transition(to: "X", proposal: nil), to: 0)
    room.run(.seconds(30))
    #expect(room.position(of: 0) == 0)
    #expect(room.pair(of: "X", at: 0)?.rate.stamp.author == room.ids[0])
  }

  @Test("2.7: a stall that began alone is the group's news once it has lasted there, whose time is earlier")
  func stallThenJoin() {
    var room = RuleHarness()
    room.add(2)
    room.give(.transition(to: "X", proposal: Proposal(rate: 1, itemTime: 0)), to: 0)
    room.run(.seconds(10))
    room.give(
      .report(
        PlaybackReport(
          stalled: true, rate: 0, position: .init(itemTime: room.position(of: 0), hostTime: room.now))), to: 0)
    room.run(.seconds(1))
    #expect(room.nodes[0].facts.own.stalled != nil)
    room.hubOffset = -.seconds(90)
    room.add(1, isCreator: true)
    room.link(1)
    room.run(.milliseconds(500))
    room.link(0)
    room.run(.seconds(1))
    #expect(room.nodes[0].facts.own.stalled.map { $0.since < room.now + room.hubOffset } == true)
  }

  @Test("2.13: who waits at a hub where nobody is acts alone, and all that must hold of it does")
  func aloneWithLink() {
    var room = RuleHarness()
    room.add(2)
    room.give(.transition(to: "X", proposal: nil), to: 0)
    room.link(0)
    room.run(.seconds(10))
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    #expect(room.kinds(of: 0) == [.play])
    #expect(room.nodes[0].brokenInvariants.isEmpty, "\(room.nodes[0].brokenInvariants)")
  }
}

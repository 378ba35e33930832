import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// What is kept of participants who are gone, and of what they said.
@Suite struct CrowdRuleTests {
  private func participant(_ id: UInt64) -> ParticipantID { ParticipantID(high: id, low: 7) }

  private func said(_ key: RegisterKey, _ value: RegisterValue, by author: ParticipantID, at time: GroupTime)
    -> Statement
  {
    Statement(key: key, author: author, policy: RuleHarness.policy, time: time, value: value)
  }

  @Test("3,000 plays and pauses in a row are one message with the last of them")
  func oneMessage() {
    var room = RuleHarness.joined(2)
    for number in 0..<3_000 {
      let effects = room.nodes[1].handle(.rateChange(rate: Double(number % 2), immediately: false), now: room.now)
      #expect(effects.allSatisfy { if case .send = $0 { false } else { true } })
    }
    let effects = room.nodes[1].settle(now: room.now)
    let updates = effects.compactMap { effect -> [Statement]? in
      if case .send(.update(let statements), nil) = effect { statements } else { nil }
    }
    #expect(updates.count == 1)
    #expect((updates.first ?? []).count <= 4)
    #expect(Set((updates.first ?? []).map(\.key)).count == updates.first?.count)
  }

  @Test("of 2,000 who came and went nothing is left but what they said of the group")
  func gone() {
    var room = RuleHarness.playing(2)
    for number in 0..<2_000 as Range<UInt64> {
      let id = participant(number)
      room.give(.presence(joined: [Member(id: id, connection: number + 10, age: 0)], gone: []), to: 0)
      var value = ParticipantValue(incarnation: number)
      value.item = "X"
      value.roleWish = Role.viewer.rawValue
      let time = room.nodes[0].groupNow
      room.give(.message(.update([said(.participant(id), .participant(value), by: id, at: time)]), from: id), to: 0)
      room.give(
        .message(
          .beat(Beat(digest: [UInt8](repeating: 1, count: 32), newestStamp: time, hubDelay: 1, clockError: 1)), from: id
        ), to: 0)
      room.give(.presence(joined: [], gone: [Departure(id: id, connection: number + 10, left: number % 2 == 0)]), to: 0)
      room.run(.milliseconds(20))
    }
    room.run(.seconds(60))
    let node = room.nodes[0]
    #expect(node.facts.presence.entries.count == 1)
    #expect(node.facts.registers.participants.count == 2)
    #expect(node.facts.registers.statements.count < 16)
    #expect(
      node.antiEntropy.digests.count <= 1 && node.antiEntropy.mismatches.count <= 1 && node.antiEntropy.introduced.count <= 1)
    #expect(node.ownerTasks.decided.count <= 2 * PolicyTerms.roleLimit && node.ownerTasks.wishes.isEmpty)
    #expect(node.authors.count <= 4)
  }

  @Test("more than can be there are not listed; one who comes takes the place of who was gone longest")
  func tooMany() {
    var room = RuleHarness.playing(2)
    let invented = (0..<5_000 as Range<UInt64>).map { Member(id: participant($0), connection: $0 + 10, age: 0) }
    room.give(.presence(joined: invented, gone: []), to: 0)
    #expect(room.nodes[0].facts.presence.entries.count == WireLimits.members)
    room.give(.presence(joined: [], gone: [Departure(id: participant(3), connection: 13, left: false)]), to: 0)
    room.give(.presence(joined: [Member(id: participant(9_000), connection: 9_000, age: 0)], gone: []), to: 0)
    #expect(room.nodes[0].facts.presence.entries.count == WireLimits.members)
    #expect(room.nodes[0].facts.presence.entries[participant(9_000)] != nil)
    #expect(room.nodes[0].facts.presence.entries[participant(3)] == nil)
  }

  @Test("a participant that was never there leaves no register behind, whatever time its statement has")
  func ghosts() {
    var room = RuleHarness.playing(2)
    for number in 0..<200 as Range<UInt64> {
      let id = participant(number)
      let late = said(
        .participant(id), .participant(ParticipantValue(incarnation: 1)), by: id,
        at: room.nodes[0].groupNow + .seconds(3))
      room.give(.message(.update([late]), from: room.ids[1]), to: 0)
    }
    room.run(.seconds(10))
    #expect(room.nodes[0].facts.registers.participants.count == 2)
  }

  @Test("of former hubs' clocks the last 64 are kept, alike everywhere, and never less than the present hub's")
  func clocks() {
    var room = RuleHarness.playing(2)
    let clocks = (0..<500 as Range<UInt64>).map { number in
      said(
        .clock(ClockID(high: 77, low: number)), .clock(ClockValue(offset: 1, error: 500)), by: room.ids[1],
        at: Int64(number) + 1)
    }
    for index in 0..<2 {
      let order = index == 0 ? clocks : clocks.reversed()
      for clock in order { room.give(.message(.update([clock]), from: room.ids[1 - index]), to: index) }
    }
    room.run(.seconds(5))
    let kept = room.nodes.map { node in
      Set(node.facts.registers.statements.keys.filter { if case .clock = $0 { true } else { false } })
    }
    #expect(kept[0] == kept[1] && kept[0].count == Expiry.clocks + 1)
    #expect(kept[0].contains(.clock(room.hub)) && kept[0].contains(.clock(ClockID(high: 77, low: 499))))
    #expect(room.isInStep)
  }

  @Test("thousands of invented items are forgotten at once, not after half a minute")
  func items() {
    var room = RuleHarness.playing(2)
    for number in 0..<1_000 {
      let item = ItemID("invented \(number)")
      let time = room.nodes[0].groupNow
      room.give(
        .message(
          .update([
            said(.position(item), .position(PositionValue(rank: .command, position: 0)), by: room.ids[1], at: time)
          ]),
          from: room.ids[1]), to: 0)
    }
    #expect(room.nodes[0].facts.occupancy.vacatedAt.count <= Expiry.crowd + 1)
    #expect(room.nodes[0].facts.registers.statements.count <= Expiry.crowd + 16)
    #expect(room.nodes[0].facts.registers.cells(of: "X") != nil)
  }

  @Test("a full list of roles makes room by those who are gone; who is here keeps what it has")
  func roles() {
    var terms = PolicyTerms(control: .hostsOnly, owners: [participant(1)])
    for number in 2..<258 as Range<UInt64> { terms.roles[participant(number)] = number % 2 == 0 ? .viewer : .host }
    terms.makeRoom(joinerRole: .member) { $0 == participant(2) || $0 == participant(3) }
    #expect(terms.roles.count == PolicyTerms.roleLimit - 1)
    #expect(terms.roles[participant(2)] == .viewer && terms.roles[participant(3)] == .host)
    // A host's role went, not a viewer's.
    #expect(terms.roles.values.count { $0 == .viewer } == 128)
    var room = terms
    room.makeRoom(joinerRole: .member) { _ in false }
    #expect(room == terms)
  }
}

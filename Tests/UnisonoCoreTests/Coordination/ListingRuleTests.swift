import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// What the list of participants costs, and that it is right all the same.
@Suite struct ListingRuleTests {
  private func id(_ number: Int) -> ParticipantID { ParticipantID(high: 1_000 + UInt64(number), low: 7) }

  private func said(_ value: ParticipantValue, by author: ParticipantID, in room: RuleHarness) -> CoordinationEvent {
    let statement = Statement(
      key: .participant(author), author: author, policy: RuleHarness.policy, time: room.nodes[0].groupNow, value: .participant(value))
    return .message(.update([statement]), from: author)
  }

  private func beat(_ hubDelay: UInt32) -> CoordinationMessage {
    .beat(Beat(digest: [UInt8](repeating: 1, count: 32), newestStamp: 0, hubDelay: hubDelay, clockError: 1))
  }

  /// One participant that sees 255 others, all of them on its item.
  private func crowd() -> RuleHarness {
    var room = RuleHarness.playing(1)
    let members = (0..<255).map { Member(id: id($0), connection: 10 + UInt64($0), age: 0) }
    room.give(.presence(joined: members, gone: []), to: 0)
    for number in 0..<255 {
      var value = ParticipantValue(incarnation: UInt64(number), displayName: "Ann \(number)", deviceName: "")
      value.item = "X"
      room.give(said(value, by: id(number), in: room), to: 0)
    }
    room.run(.seconds(1))
    return room
  }

  @Test("in 1,000 turns in which nobody among 256 changes no row of their list is made")
  func unchanged() {
    var room = crowd()
    #expect(room.nodes[0].view.participants.count == 256)
    let before = room.nodes[0].participantRowsMade
    for _ in 0..<1_000 {
      room.now += .milliseconds(1)
      room.give(.tick, to: 0)
      #expect(room.nodes[0].view.participants.last?.connection == .connected)
    }
    #expect(room.nodes[0].participantRowsMade == before)
  }

  @Test("of 256 whose list is shown the row of who says, sends or goes is made anew, and no other")
  func few() throws {
    var room = crowd()
    func made(_ event: CoordinationEvent) -> UInt64 {
      let before = room.nodes[0].participantRowsMade
      room.give(event, to: 0)
      #expect(room.nodes[0].brokenDerivations == [])
      return room.nodes[0].participantRowsMade - before
    }
    func shown(_ number: Int) -> ParticipantView? { room.nodes[0].view.participants.first { $0.id == id(number) } }
    #expect(made(.message(beat(700), from: id(3))) <= 1)
    #expect(shown(3)?.roundTrip == .microseconds(1_400))
    var value = ParticipantValue(incarnation: 5, displayName: "Ann 5", deviceName: "")
    value.item = "Y"
    #expect(made(said(value, by: id(5), in: room)) == 1)
    #expect(shown(5)?.item == "Y")
    #expect(made(.presence(joined: [], gone: [Departure(id: id(9), connection: 19, left: false)])) == 1)
    #expect(shown(9)?.connection == .reconnecting)
    #expect(made(.presence(joined: [], gone: [Departure(id: id(11), connection: 21, left: true)])) == 0)
    #expect(shown(11) == nil)
  }

  @Test("positions in the list follow group time, though no row is made anew")
  func clock() throws {
    var room = crowd()
    var value = ParticipantValue(incarnation: 5, displayName: "Ann 5", deviceName: "")
    value.item = "X"
    (value.position, value.positionAt) = (.seconds(9), room.nodes[0].groupNow)
    room.give(said(value, by: id(5), in: room), to: 0)
    let before = try #require(room.nodes[0].view.participants.first { $0.id == id(5) }?.position)
    let made = room.nodes[0].participantRowsMade
    var model = try #require(room.nodes[0].facts.clock.hubModel)
    model.remoteTime += .milliseconds(3)
    room.give(.clock(model, roundTrip: .milliseconds(2)), to: 0)
    room.give(.rateChange(rate: 0, immediately: true), to: 0)
    room.run(.seconds(2))
    let after = try #require(room.nodes[0].view.participants.first { $0.id == id(5) }?.position)
    #expect(after.itemTime == before.itemTime)
    #expect(after.hostTime == room.nodes[0].facts.clock.host(at: try #require(value.positionAt)))
    #expect(room.nodes[0].view.participants.first { $0.isLocal }?.roundTrip == .milliseconds(2))
    #expect(room.nodes[0].participantRowsMade - made <= 2 * 256)
  }

  @Test("G101: who plays and goes to the next item stands nowhere in the others' list until its player says where it is there")
  func nextItem() throws {
    var room = RuleHarness.playing(2)
    func report(rate: Double, at place: ItemTime) -> CoordinationEvent {
      .report(PlaybackReport(rate: rate, position: .init(itemTime: place, hostTime: room.now)))
    }
    func shown() throws -> ParticipantView { try #require(room.nodes[1].view.participants.first { $0.id == room.ids[0] }) }
    room.give(report(rate: 1, at: .seconds(2)), to: 0)
    room.run(.seconds(1))
    #expect(try shown().position != nil && shown().rate == 1)
    room.give(.transition(to: "Y", proposal: nil), to: 0)
    room.run(.seconds(1))
    let there = try shown()
    #expect(there.item == "Y" && there.position == nil && there.rate == 0)
    room.give(report(rate: 0, at: 0), to: 0)
    room.run(.seconds(1))
    #expect(try shown().position?.itemTime == 0)
  }
}

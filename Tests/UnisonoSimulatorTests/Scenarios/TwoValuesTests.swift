import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica
@testable import UnisonoSimulator
@testable import UnisonoWire

/// A member signs two values of one register with one stamp, and gives each half of the group another one (Z98).
@Suite struct TwoValuesTests {
  private func room(seed: UInt64, over path: NetworkPath = .lan) -> SimulatedSession {
    let room = SimulatedSession(seed: seed, participants: ["A", "B", "C", "D", "E"], clockError: .milliseconds(1))
    for person in room.people { person.changeLink { $0 = LinkQuality(path) } }
    room.join(["A", "B", "C", "D", "E"])
    room.gather(on: "X")
    room.run(for: .seconds(10))
    return room
  }

  /// E hands each value to half of the others, and says nothing of it any more: it is cut off a moment later.
  private func say(
    _ values: [RegisterValue], of key: RegisterKey, in room: SimulatedSession, toFirstOnly: Bool = false
  ) throws {
    let liar = room["E"]
    liar.isKnownToLie()
    let (policy, time) = (liar.participant.coordination.policy.id, room.groupTime)
    for (index, person) in room.people.dropLast(toFirstOnly ? 4 : 1).enumerated() {
      let statement = Statement(key: key, author: liar.id, policy: policy, time: time, value: values[index % values.count])
      let body = try StatementBody.encode(statement)
      var signed = try #require(try StatementBody.decode(body))
      signed.signed = SignedStatement(body: body, signature: [])
      room.send(.update([signed]), from: liar.participant, to: person.id)
    }
    room.run(for: .seconds(1))
    liar.vanish(hubNoticesAfter: 0)
  }

  private func held(_ key: RegisterKey, in room: SimulatedSession) -> Set<String> {
    Set(readings(in: room).map { $0.describe(key) })
  }

  private func readings(in room: SimulatedSession) -> [RegisterReading] {
    room.people.dropLast().map { RegisterReading(of: $0.participant, in: room) }
  }

  private static let values: [(RegisterKey, [RegisterValue])] = [
    (.stallPolicy, [1, 2].map { .stallPolicy(StallPolicy(waits: true, debounce: .seconds($0), limit: .seconds(20))) }),
    (.rate("X"), [0, 1].map { .rate(RateValue(rank: .command, rate: $0, at: .seconds(3))) }),
    (.position("X"), [5, 9].map { .position(PositionValue(rank: .command, position: .seconds($0))) }),
    (.actionAtEnd, [.actionAtEnd(.pause), .actionAtEnd(.none)]),
  ]

  @Test("Z98: of two values with one stamp, each told to one half, all soon have the same", arguments: 0..<4, [NetworkPath.lan, .wan])
  func halves(number: Int, path: NetworkPath) throws {
    let (key, values) = Self.values[number]
    let room = room(seed: UInt64(98 + number), over: path)
    try say(values, of: key, in: room)
    #expect(held(key, in: room).count == 2, "the halves do not differ")
    room.run(for: .seconds(15))
    #expect(held(key, in: room).count == 1)
    let readings = readings(in: room)
    #expect(readings.allSatisfy { $0.differences(from: readings[0]).isEmpty })
  }

  @Test("Z98: a made-up continuation is the same one at all, and hides the true one until play or pause",
    arguments: [Nanoseconds(0), .seconds(2), .seconds(3_600)])
  func madeUp(ahead: Nanoseconds) throws {
    let room = room(seed: 98)
    room.a.play()
    room.run(for: .seconds(3))
    let liar = room["E"]
    let stamp = Stamp(time: room.groupTime + ahead, author: liar.id)
    let cell = CellKey(policy: liar.participant.coordination.policy.id, rank: .command, stamp: stamp)
    let made = ContinuationValue(base: Pair(rate: cell, position: cell), sequence: 1, kind: .hold(at: 0, deadline: 0))
    try say([.continuation(made)], of: .continuation("X"), in: room, toFirstOnly: true)
    room.run(for: .seconds(15))
    #expect(held(.continuation("X"), in: room).count == 1)
    room.b.pause()
    room.run(for: .seconds(3))
    room.b.seek(to: .seconds(100))
    room.b.play()
    room.run(for: .seconds(10))
    #expect(room.people.dropLast().allSatisfy { $0.status == .playing && $0.groupPosition > .seconds(100) })
  }
}

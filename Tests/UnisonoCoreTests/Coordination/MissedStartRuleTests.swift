import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// Who is waited for in vain is not waited for any more, until it was ready once (coordination 2.6).
@Suite struct MissedStartRuleTests {
  /// A member that says that it takes part, and never that it is ready: nothing but its register is there.
  private struct Ghost {
    let id = ParticipantID(high: 77, low: 0)
    var value = ParticipantValue(incarnation: 77, displayName: "ghost", deviceName: "")

    init(on item: ItemID, since: GroupTime) {
      value.item = item
      value.availableSince = since
    }

    func enter(_ room: inout RuleHarness) {
      for index in room.nodes.indices {
        room.give(.presence(joined: [Member(id: id, connection: 99, age: 0)], gone: []), to: index)
        room.give(.roster(room.roster + [id]), to: index)
      }
    }

    func speak(_ room: inout RuleHarness) {
      let statement = Statement(
        key: .participant(id), author: id, policy: RuleHarness.policy, time: room.now, value: .participant(value))
      for index in room.nodes.indices { room.give(.message(.update([statement]), from: id), to: index) }
    }
  }

  /// How long a play of the first one waits; it is paused again. `each`: done every tenth of a second.
  private func wait(_ room: inout RuleHarness, each: (inout RuleHarness) -> Void = { _ in }) -> Nanoseconds {
    let begin = room.now
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    while room.statuses != [.playing], room.now < begin + .seconds(20) {
      room.run(.milliseconds(100))
      each(&room)
    }
    let waited = room.now - begin
    room.run(.seconds(1))
    each(&room)
    room.give(.rateChange(rate: 0, immediately: false), to: 0)
    room.run(.seconds(1))
    each(&room)
    return waited
  }

  private func givenUp(_ room: RuleHarness) -> [[ParticipantID]] {
    room.nodes.map { $0.view.participants.filter { $0.isGivenUp }.map { $0.id } }
  }

  @Test("Z82: a member that is never ready is waited for twice; then starts are made at once, and all are told of it")
  func neverReady() {
    var room = RuleHarness.joined(2)
    var ghost = Ghost(on: "X", since: room.now)
    ghost.enter(&room)
    ghost.speak(&room)
    room.give(.setWaitLimit(.seconds(5)), to: 0)
    var waits: [Nanoseconds] = []
    for _ in 0..<2 {
      #expect(givenUp(room) == [[], []])
      waits.append(wait(&room, each: ghost.speak))
    }
    #expect(waits.allSatisfy { $0 >= .seconds(5) && $0 < .seconds(6) })
    #expect(givenUp(room) == [[ghost.id], [ghost.id]])
    let told = room.notices.map { effects in
      effects.contains {
        guard case .session(.participantsChanged(let change)) = $0 else { return false }
        return change.updated.contains { $0.id == ghost.id && $0.isGivenUp }
      }
    }
    #expect(told == [true, true])
    for _ in 0..<3 { #expect(wait(&room, each: ghost.speak) <= .milliseconds(300)) }
    // Ready for one start: it is waited for again.
    let ready = wait(&room) { room in
      if case .preparing(let preparation) = EffectiveState(room.nodes[0].facts.registers.cells(of: "X")) {
        ghost.value.ready = preparation.readiness
      }
      ghost.speak(&room)
    }
    #expect(ready <= .milliseconds(300))
    #expect(givenUp(room) == [[ghost.id], [ghost.id]])
    room.hostLatency[1] = .milliseconds(500)
    _ = wait(&room) { room in
      if case .preparing(let preparation) = EffectiveState(room.nodes[0].facts.registers.cells(of: "X")) {
        ghost.value.ready = preparation.readiness
      }
      ghost.speak(&room)
    }
    #expect(givenUp(room) == [[], []])
    ghost.value.ready = nil
    #expect(wait(&room, each: ghost.speak) >= .seconds(5))
  }

  @Test("Z82: a player that never prepares: its library gives up at two deadlines, then nobody waits; it is told, too")
  func deadPlayer() {
    var room = RuleHarness.joined(3)
    room.hostLatency[2] = nil
    for _ in 0..<2 {
      #expect(givenUp(room) == [[], [], []])
      let waited = wait(&room)
      #expect(waited >= .seconds(10) && waited < .seconds(11))
    }
    #expect(givenUp(room) == Array(repeating: [room.ids[2]], count: 3))
    #expect(wait(&room) <= .milliseconds(300))
    // Its player is well again, and no slower than the others': it is ready in time, and counts.
    room.hostLatency = [.milliseconds(20), .milliseconds(300), .milliseconds(20)]
    _ = wait(&room)
    #expect(givenUp(room) == [[], [], []])
  }

  @Test("Z82: an owner need not wait for two deadlines: a play at once leaves behind who is not ready")
  func atOnce() {
    var room = RuleHarness.joined(3)
    room.hostLatency[2] = nil
    room.give(.rateChange(rate: 1, immediately: false), to: 0)
    room.run(.seconds(1))
    #expect(room.nodes[0].view.timing.status == .waiting)
    room.give(.rateChange(rate: 1, immediately: true), to: 0)
    room.run(.milliseconds(200))
    #expect(room.nodes[0].view.timing.status == .playing && room.nodes[1].view.timing.status == .playing)
    #expect(givenUp(room) == [[], [], []])
  }

  @Test("who missed one start and was ready for the next begins to count anew; who is suspended by its person misses none")
  func inARow() {
    var room = RuleHarness.joined(3)
    room.give(.setWaitLimit(.seconds(3)), to: 0)
    for _ in 0..<3 {
      room.hostLatency[2] = nil
      #expect(wait(&room) >= .seconds(2))
      room.hostLatency[2] = .milliseconds(20)
      _ = wait(&room)
    }
    #expect(givenUp(room) == [[], [], []])
    room.give(.beginSuspension(id: 1, reason: "phone-call"), to: 2)
    for _ in 0..<3 { #expect(wait(&room) <= .milliseconds(300)) }
    #expect(givenUp(room) == [[], [], []])
  }
}

import Testing
import UnisonoBase
import UnisonoReplica

@testable import UnisonoCrypto
@testable import UnisonoRuntime

@Suite("Sessions with a member that lies")
struct LyingMemberTests {
  /// Says a statement to all, signed and sealed as it has to be.
  private func say(_ liar: SessionPlayer, _ key: RegisterKey, _ value: RegisterValue, at time: GroupTime) {
    liar.do { engine in
      let statement = Statement(
        key: key, author: liar.id, policy: engine.coordination.policy.id, time: time, value: value)
      engine.perform { $0.send(.update([statement]), to: nil, now: liar.machine.now) }
    }
  }

  @Test(
    "O7, 8.5: absurd stamps, clocks, positions, rates and sizes: nobody stops, nobody jumps, the others still command")
  func absurd() throws {
    let world = SessionWorld(seed: 61)
    let all = try world.playing(3, path: .lan)
    let (honest, liar) = (Array(all.prefix(2)), all[2])
    // Somebody has commanded both: an old command would beat what is only proposed.
    honest[0].do { $0.handle(.seek(to: .seconds(100), resumeImmediately: false)) }
    world.network.run(for: .seconds(3))
    let counts = honest.map(\.commands.count)
    let now = try #require(liar.groupTime(at: world.network.trueTime))
    let far: [GroupTime] = [.max, .max - 1, .min + 1, now + .seconds(86_400), now + .seconds(2_000_000_000), 0]
    let places: [ItemTime] = [.max, .min + 1, 0, .seconds(1)]
    for time in far {
      // Of the past or of a future that does not come: nothing of it may count.
      guard time > now || time < now - .seconds(60) else { continue }
      for place in places {
        say(liar, .position("film"), .position(PositionValue(rank: .command, position: place)), at: time)
        say(liar, .rate("film"), .rate(RateValue(rank: .command, rate: -16, at: place)), at: time)
      }
      // A stall policy of today would be its right.
      if time > now { say(liar, .stallPolicy, .stallPolicy(StallPolicy(waits: true, debounce: 0, limit: 0)), at: time) }
    }
    // Clocks of hubs that nobody is at, and of the one that all are at, worse than what is known.
    let hub = try #require(all[0].engine.hub?.clockID)
    for (clock, offset) in [
      (hub, Nanoseconds.max), (ClockID(high: 4, low: 4), .min + 1), (ClockID(high: 5, low: 5), .max),
    ] {
      say(liar, .clock(clock), .clock(ClockValue(offset: offset, error: .max)), at: now)
    }
    var me = ParticipantValue(
      incarnation: 1, displayName: String(repeating: "x", count: 63), deviceName: String(repeating: "y", count: 63))
    me.item = "film"
    (me.availableSince, me.startLatency, me.outputOffset) = (.max, .max, .min + 1)
    (me.position, me.positionAt, me.rate) = (.max, .min + 1, 16)
    me.stalled = ParticipantValue.Moment(at: .max, since: .min + 1)
    me.ended = ParticipantValue.Moment(at: .min + 1, since: .max)
    say(liar, .participant(liar.id), .participant(me), at: now)
    world.network.run(for: .seconds(5))
    for (player, count) in zip(honest, counts) { #expect(player.commands[count...].allSatisfy { $0.kind == .play }) }
    let spread = try #require(world.spread(honest))
    #expect(spread < .milliseconds(5))
    #expect(honest.allSatisfy { $0.isJoined && $0.engine.view.timing.status == .playing && $0.people.count == 3 })
    honest[1].do { $0.handle(.seek(to: .seconds(700), resumeImmediately: false)) }
    let isThere = world.network.run(atMost: .seconds(25)) {
      honest.allSatisfy { player in player.position(at: world.network.trueTime).map { $0 >= .seconds(700) } ?? false }
    }
    #expect(isThere)
    honest[0].do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(world.network.run(atMost: .seconds(2)) { honest.allSatisfy { $0.commands.last?.kind == .pause } })
  }

  @Test(
    "Z47: a member makes 50 records a second for a minute: every command arrives within 1 s; its removal counts within 5",
    arguments: [62, 63, 64] as [UInt64])
  func records(seed: UInt64) throws {
    let world = SessionWorld(seed: seed)
    let all = try world.joined(4, path: .lan)
    for player in all { player.do { $0.handle(.transition(to: "film", proposal: nil)) } }
    world.network.run(for: .seconds(3))
    let (honest, liar) = (Array(all.prefix(3)), all[3])
    let pace = Nanoseconds.milliseconds(20)
    var made = 0
    /// Goes on until then; after how long.
    func flood(atMost length: Nanoseconds, until isThere: () -> Bool = { false }) -> Nanoseconds? {
      for step in 0..<max(0, length / pace) {
        if isThere() { return pace * step }
        liar.do { engine in
          engine.perform { channel in
            // Where it is back in a record that it was in before, it would make the same one again: it lets in somebody invented.
            let effects = channel.makeRecord(admitting: [], now: liar.machine.now) ?? channel.makeRecord(
              admitting: [Introduction(Identity { liar.machine.randomBytes($0) }, session: engine.origin.session)],
              now: liar.machine.now)
            made += effects == nil ? 0 : 1
            return effects ?? []
          }
        }
        world.network.run(for: pace)
      }
      return isThere() ? length : nil
    }
    var longest = Nanoseconds.zero
    for second in 0..<60 {
      let place = ItemTime.seconds(100 + Int64(second))
      let begun = world.network.trueTime
      honest[second % 3].do { $0.handle(.seek(to: place, resumeImmediately: false)) }
      let took = try #require(flood(atMost: .seconds(8)) { honest.allSatisfy { $0.commands.last?.itemTime == place } })
      longest = max(longest, took)
      _ = flood(atMost: begun + .seconds(1) - world.network.trueTime)
    }
    #expect(longest <= .seconds(1) && made > 2_500)
    let doors = Set(all.map { $0.engine.door.topic })
    honest[0].do { $0.remove(liar.id) }
    let took = flood(atMost: .seconds(5)) {
      honest.allSatisfy { !doors.contains($0.engine.door.topic) && $0.people.count == 3 && $0.engine.state.connection == .connected }
    }
    #expect(took != nil && Set(honest.map { $0.engine.door.topic }).count == 1)
    #expect(world.network.run(atMost: .seconds(5)) { liar.engine.state.reason == .removed })
    honest[1].do { $0.handle(.seek(to: .seconds(700), resumeImmediately: false)) }
    #expect(world.network.run(atMost: .seconds(1)) { honest.allSatisfy { $0.commands.last?.itemTime == .seconds(700) } })
  }
}

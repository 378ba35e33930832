import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoCrypto
@testable import UnisonoReplica
@testable import UnisonoRuntime
@testable import UnisonoWire

@Suite("Sessions of the busy, and of many")
struct SessionCrowdTests {
  private func refused(_ players: [SessionPlayer]) -> [UInt64] { players.map(\.engine.statistics.messagesRefused) }

  /// Pauses, waits for it, and measures how long a play takes to reach everybody's host.
  private func delayOfPlay(_ world: SessionWorld, by player: SessionPlayer, _ all: [SessionPlayer]) -> Nanoseconds? {
    for one in all { one.forgetCommands() }
    let asked = world.network.trueTime
    player.do { $0.handle(.rateChange(rate: 1, immediately: false)) }
    let came = world.network.run(atMost: .seconds(20)) {
      all.allSatisfy { $0.commands.last?.kind == .play && $0.engine.view.timing.status == .playing }
    }
    return came ? world.network.trueTime - asked : nil
  }

  @Test(
    "thousands of plays and pauses in a row do not delay the next play", arguments: [3_000, 10_000], [true, false])
  func manyCommands(count: Int, inOneTurn: Bool) throws {
    let world = SessionWorld(seed: 71)
    let all = try world.playing(3, path: .lan)
    let busy = all[1]
    if inOneTurn {
      busy.do { engine in
        for number in 0..<count { engine.handle(.rateChange(rate: Double(number % 2), immediately: false)) }
        engine.handle(.rateChange(rate: 0, immediately: false))
      }
    } else {
      for number in 0..<count {
        busy.do { $0.handle(.rateChange(rate: Double(number % 2), immediately: false)) }
        world.network.run(for: .microseconds(100))
      }
      busy.do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    }
    let delay = try #require(delayOfPlay(world, by: busy, all))
    #expect(delay <= .milliseconds(300))
    #expect(refused(all) == [0, 0, 0])
    #expect(world.network.run(atMost: .seconds(2)) { world.spread(all).map { $0 < .milliseconds(5) } ?? false })
  }

  @Test("100 suspensions a second for 8 s: nobody refuses or ignores who makes them, and its next play counts at once")
  func manySuspensions() throws {
    let world = SessionWorld(seed: 72)
    let all = try world.playing(3, path: .lan)
    let busy = all[1]
    for number in 0..<800 as Range<UInt64> {
      busy.do { $0.handle(.beginSuspension(id: number, reason: "user-action")) }
      world.network.run(for: .milliseconds(5))
      busy.do { $0.handle(.endSuspension(id: number, proposing: nil)) }
      world.network.run(for: .milliseconds(5))
    }
    busy.do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(world.network.run(atMost: .milliseconds(300)) { all.allSatisfy { $0.commands.last?.kind == .pause } })
    let delay = try #require(delayOfPlay(world, by: busy, all))
    #expect(delay <= .milliseconds(300))
    #expect(refused(all) == [0, 0, 0])
    #expect(all.allSatisfy { player in player.engine.view.participants.allSatisfy { $0.suspensionReasons.isEmpty } })
  }

  @Test("an owner gives 250 roles in a row: all of them hold everywhere, and nothing of it is refused")
  func manyRoles() throws {
    let world = SessionWorld(seed: 73)
    let all = try world.joined(3, path: .lan)
    for round in 0..<125 {
      all[0].do { $0.setRole(of: all[1].id, to: round % 2 == 0 ? .viewer : .host) }
      all[0].do { $0.setRole(of: all[2].id, to: round % 2 == 0 ? .host : .viewer) }
    }
    all[0].do { $0.setRole(of: all[1].id, to: .viewer) }
    #expect(
      world.network.run(atMost: .milliseconds(500)) {
        all.allSatisfy { $0.engine.coordination.policy == all[0].engine.coordination.policy }
      })
    #expect(all[1].engine.view.role == .viewer && all[2].engine.view.role == .host)
    #expect(refused(all) == [0, 0, 0])
  }

  @Test("500 messages in a row all come, in their order, and a command between them is not late")
  func manyMessages() throws {
    let world = SessionWorld(seed: 77)
    let all = try world.playing(3, path: .lan)
    for player in all { player.forgetCommands() }
    all[1].do { engine in
      for number in 0..<500 {
        _ = engine.outgoing.reserve(2)
        engine.send([UInt8(number & 0xFF), UInt8(number >> 8)], isReliable: true, to: nil)
      }
    }
    world.network.run(for: .milliseconds(100))
    all[1].do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(world.network.run(atMost: .milliseconds(300)) { all.allSatisfy { $0.commands.last?.kind == .pause } })
    let expected = (0..<500).map { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let others = [all[0], all[2]]
    #expect(world.network.run(atMost: .seconds(3)) { others.allSatisfy { $0.messages.map(\.bytes) == expected } })
    #expect(refused(all) == [0, 0, 0])
  }

  @Test("who forges is ignored for a minute: both hosts are told whom, why and until when; then it is heard again")
  func forger() throws {
    let world = SessionWorld(seed: 76)
    let all = try world.joined(3, path: .lan)
    let (host, liar) = (all[0], all[2])
    let forged = Statement(
      key: .participant(host.id), author: host.id, policy: host.engine.coordination.policy.id, time: 1,
      value: .participant(ParticipantValue(incarnation: 1)))
    let body = try StatementBody.encode(forged)
    let signed = StatementSignature.sign(
      body, session: liar.engine.origin.session, author: liar.engine.identity.signing)
    liar.do { engine in
      engine.perform {
        $0.send(
          .update(statements: [SignedStatement](repeating: signed, count: 120), intros: []), to: nil,
          now: liar.machine.now)
      }
    }
    world.network.run(for: .milliseconds(200))
    for honest in all[0...1] {
      let told = try #require(honest.ignored.first)
      #expect(honest.ignored.count == 1 && told.participant == liar.id && !told.byOther)
      #expect(told.reason == .signature && told.isForgery)
      let left = told.until - honest.machine.now
      #expect(left > .seconds(59) && left <= .seconds(60))
      #expect(told.sentence.contains(liar.id.description) && told.sentence.contains("signature"))
    }
    #expect(liar.ignored.map(\.participant).sorted() == all[0...1].map(\.id).sorted())
    #expect(liar.ignored.allSatisfy { $0.byOther && $0.reason == .signature })
    liar.do { $0.send([1], isReliable: true, to: nil) }
    world.network.run(for: .seconds(30))
    #expect(host.messages.isEmpty)
    world.network.run(for: .seconds(31))
    liar.do { $0.send([2], isReliable: true, to: nil) }
    world.network.run(for: .seconds(5))
    #expect(host.messages.map(\.bytes) == [[2]])
  }

  // MARK: No place

  @Test("where the hub has no place, and there is no other, the host is told EFULL; the session goes in when one is free")
  func fullHub() throws {
    let world = SessionWorld(seed: 78)
    world.keepsStandbyHubs = false
    var limits = HubLimits.embedded
    limits.participantsPerRoom = 2
    let host = try world.add(
      world.network.machine(), "Ann",
      .host(hub: nil, hubOptions: HubOptions(limits: limits), controlPolicy: 0, activity: nil))
    let guest = try world.guest(of: host, path: .lan)
    for player in [host, guest] { player.do { $0.join() } }
    #expect(world.network.run(atMost: .seconds(5)) { host.people.count == 2 && guest.isJoined })
    let late = try world.guest(of: host, named: "Cleo", path: .lan)
    late.do { $0.join() }
    world.network.run(for: .seconds(5))
    // Other addresses that it tries meanwhile have reasons of their own.
    let told = try #require(late.states.first { $0.reason == .full })
    #expect(told.status == .waiting && told.connection == .connecting && told.message.contains("no place"))
    #expect(!late.isJoined)
    guest.do { $0.leave() }
    #expect(world.network.run(atMost: .seconds(15)) { late.isJoined && late.states.last?.connection == .connected })
    #expect(late.states.last?.reason == SessionReason.none)
  }

  @Test("where the hub has no place a participant's has: the group goes there, and all are together")
  func fullHubBesideAnother() throws {
    let world = SessionWorld(seed: 78)
    var limits = HubLimits.embedded
    limits.participantsPerRoom = 2
    let host = try world.add(
      world.network.machine(), "Ann",
      .host(hub: nil, hubOptions: HubOptions(limits: limits), controlPolicy: 0, activity: nil))
    let guest = try world.guest(of: host, path: .lan)
    for player in [host, guest] { player.do { $0.join() } }
    #expect(world.network.run(atMost: .seconds(5)) { host.people.count == 2 && guest.isJoined })
    let late = try world.guest(of: host, named: "Cleo", path: .lan)
    late.do { $0.join() }
    #expect(world.network.run(atMost: .seconds(15)) { late.isJoined })
    #expect(late.states.contains { $0.reason == .full && $0.status == .waiting })
    world.network.run(for: .seconds(10))
    for player in [host, guest, late] {
      #expect(player.people.count == 3)
      #expect(player.engine.present.others.count == 2, "all are in one room")
      #expect(player.states.last?.connection == .connected)
    }
  }

  @Test("where 256 participants are there the host is told EFULL, and the session goes in when a place is free")
  func fullSession() throws {
    let world = SessionWorld(seed: 79)
    let all = try world.joined(2, path: .lan)
    let crowd = world.admit(invented: 254, by: all[0], pause: .seconds(1))
    for player in all {
      player.engine.present.withChannel { channel in
        var members = channel.present
        for id in crowd { _ = members.join(Member(id: id, connection: 0, age: 0), now: world.network.trueTime) }
        channel = channel.replacing(present: members)
      }
    }
    let late = try world.guest(of: all[0], named: "Cleo", path: .lan)
    late.do { $0.join() }
    world.network.run(for: .seconds(10))
    let told = try #require(late.states.last)
    #expect(told.status == .waiting && told.connection == .connecting && told.reason == .full)
    #expect(told.message.contains("256"))
    for player in all {
      player.engine.present.withChannel { channel in
        var members = channel.present
        _ = members.leave(Departure(id: crowd[0], connection: 0, left: true), isIntroduced: true, now: player.machine.now)
        channel = channel.replacing(present: members)
      }
    }
    #expect(world.network.run(atMost: .seconds(12)) { late.isJoined && late.states.last?.connection == .connected })
    #expect(late.states.last?.reason == SessionReason.none)
  }

  // MARK: Many

  /// Says what 520 invented authors signed, one item each, as a relay does.
  private func invent(_ count: Int, seed: UInt64, by liar: SessionPlayer) {
    let random = liar.machine
    liar.do { engine in
      for first in stride(from: 0, to: count, by: 65) {
        var statements: [SignedStatement] = []
        var intros: [[UInt8]] = []
        for number in first..<min(first + 65, count) {
          let identity = Identity { random.randomBytes($0) }
          let statement = Statement(
            key: .position(ItemID("invented \(seed) \(number)")), author: identity.id,
            policy: engine.coordination.policy.id, time: engine.coordination.groupClock?.remote(at: random.now) ?? 1,
            value: .position(PositionValue(rank: .command, position: 0)))
          guard let body = try? StatementBody.encode(statement) else { continue }
          statements.append(
            StatementSignature.sign(body, session: engine.origin.session, author: identity.signing))
          intros.append(Introduction(identity, session: engine.origin.session).bytes)
        }
        engine.perform {
          $0.send(.update(statements: statements, intros: intros), to: nil, now: random.now)
        }
      }
    }
  }

  @Test("520 invented authors keep no newcomer out, and are forgotten")
  func inventedAuthors() throws {
    let world = SessionWorld(seed: 74)
    let all = try world.playing(3, path: .lan)
    for round in 0..<4 as Range<UInt64> {
      invent(520, seed: round, by: all[2])
      world.network.run(for: .seconds(5))
    }
    let newcomer = try world.guest(of: all[0], named: "Cleo", path: .lan)
    newcomer.do { $0.join() }
    let everybody = all + [newcomer]
    #expect(world.network.run(atMost: .seconds(5)) { everybody.allSatisfy { $0.isJoined && $0.people.count == 4 } })
    newcomer.do { $0.handle(.transition(to: "film", proposal: nil)) }
    world.network.run(for: .seconds(2))
    newcomer.do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(world.network.run(atMost: .seconds(1)) { everybody.allSatisfy { $0.commands.last?.kind == .pause } })
    world.network.run(for: .seconds(60))
    for player in all { #expect(player.engine.present.channel.introductions.all.count <= 80) }
  }

  /// In waves so small that few are there at once: what a newcomer costs grows with those who hear it. Over real sockets
  /// there are 1,200 (Tests/e2e/test_crowd.py).
  @Test("300 newcomers, one after another, all get in, and those who are gone are forgotten")
  func manyNewcomers() throws {
    let world = SessionWorld(seed: 75)
    let core = try world.playing(2, path: .lan)
    let (host, guest) = (core[0], core[1])
    let wave = 4
    var here: [SessionPlayer] = []
    for number in 0..<75 {
      let new = try (0..<wave).map { try world.guest(of: host, named: "N\(number * wave + $0)", path: .lan) }
      for player in new { player.do { $0.join() } }
      let everybody = core + new
      let cameIn = (0..<100).contains { _ in
        world.network.run(for: .milliseconds(100))
        return new.allSatisfy { $0.isJoined && $0.engine.state.connection == .connected }
          && everybody.allSatisfy { player in
            let people = player.people
            return new.allSatisfy { people.contains($0.name) }
          }
      }
      try #require(cameIn)
      // Who was killed, or lost its link, says no goodbye.
      for (index, player) in here.enumerated() {
        if index % 2 == 0 { player.do { $0.leave() } } else { player.kill() }
      }
      here = new
    }
    // The last one is a participant like every other.
    let last = here[wave - 1]
    host.do { $0.send([1, 2, 3], isReliable: true, to: [last.id]) }
    #expect(world.network.run(atMost: .seconds(2)) { last.messages.map(\.bytes) == [[1, 2, 3]] })
    for player in core { player.forgetCommands() }
    last.do { $0.handle(.transition(to: "film", proposal: nil)) }
    world.network.run(for: .seconds(2))
    last.do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(world.network.run(atMost: .seconds(1)) { core.allSatisfy { $0.commands.last?.kind == .pause } })
    #expect(core.allSatisfy { $0.engine.statistics.messagesRefused == 0 })
    // They are left out when the room begins anew, at most once in ten minutes; after that nothing is left of them.
    world.network.run(for: .seconds(1_250))
    for player in [host, guest] {
      let engine = try #require(player.engine)
      #expect(player.people.count == wave + 2)
      #expect(engine.present.channel.introductions.all.count <= 2 * wave)
      #expect(engine.present.channel.senders.count <= 2 * wave)
      #expect(engine.present.channel.present.remembered.count <= 256)
      #expect(engine.hubs.directory.known.count <= 256 + wave + 2)
      #expect(engine.absences.since.count <= 256)
      #expect(engine.coordination.facts.registers.statements.count <= 64)
      #expect(engine.coordination.facts.presence.entries.count == wave + 1)
      #expect(engine.coordination.antiEntropy.digests.count <= wave + 1)
    }
  }

  @Test("waves of twelve newcomers a second are let in at once, each by two records of one member, however many are gone")
  func wavesOfNewcomers() throws {
    let world = SessionWorld(seed: 76)
    let core = try world.playing(2, path: .lan)
    let wave = 12
    var here: [SessionPlayer] = []
    for number in 0..<6 {
      let new = try (0..<wave).map { try world.guest(of: core[0], named: "N\(number * wave + $0)", path: .lan) }
      for player in new { player.do { $0.join() } }
      let everybody = core + new
      let begun = world.network.trueTime
      let cameIn = world.network.run(atMost: .milliseconds(500)) {
        new.allSatisfy { $0.isJoined && $0.engine.state.connection == .connected }
          && everybody.allSatisfy { player in
            let people = player.people
            return new.allSatisfy { people.contains($0.name) }
          }
      }
      try #require(cameIn)
      for player in here {
        if number % 2 == 0 { player.do { $0.leave() } } else { player.kill() }
      }
      here = new
      world.network.run(for: begun + .seconds(1) - world.network.trueTime)
      // The founding record, the guest's, and what let the waves in.
      #expect(core.allSatisfy { $0.engine.present.channel.records.counts.records <= 2 + 2 * (number + 1) })
    }
    #expect(core.allSatisfy { $0.engine.statistics.messagesRefused == 0 })
  }
}

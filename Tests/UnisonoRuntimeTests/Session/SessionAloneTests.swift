import Testing
import UnisonoBase
import UnisonoCrypto
import UnisonoReplica

@testable import UnisonoRuntime

@Suite("Who never met the group, and halves that find each other")
struct SessionAloneTests {
  private func areTogether(_ players: [SessionPlayer]) -> Bool {
    Set(players.map(\.engine.lastHub)).count == 1
      && players.allSatisfy { player in
        player.isJoined && player.engine.state.connection == .connected && player.people.count == players.count
      }
  }

  /// JOINED is told with the group's state, never with an empty one.
  private func isHonest(_ player: SessionPlayer) -> Bool {
    !player.isJoined || player.engine.view.activity == SessionWorld.activity
  }

  /// Runs until all are together; false when that took longer, or when somebody lied on the way.
  private func meet(_ players: [SessionPlayer], in world: SessionWorld, within length: Nanoseconds) -> Bool {
    var isHonest = true
    let met = world.network.run(atMost: length) {
      isHonest = isHonest && players.allSatisfy(self.isHonest)
      return areTogether(players)
    }
    return met && isHonest
  }

  @Test("J13 F40: the hub's host is killed 0 to 2 ms after an invite was opened, or in a later step of joining: all meet")
  func killedWhileJoining() throws {
    // Steps of half a millisecond over the first ones of a path of 1 ms each way, then over all of joining.
    let first = (-2...12).map { Int64($0) * Nanoseconds.microseconds(500) }
    let moments = first + stride(from: 10, through: 600, by: 50).map { Int64($0) * Nanoseconds.milliseconds(1) }
    for (index, moment) in moments.enumerated() {
      let world = SessionWorld(seed: UInt64(index + 1))
      let all = try world.playing(3, path: .lan)
      world.network.defaultPath = .lan
      let invite = try Invite(parsing: all[0].engine.invite())
      if moment < 0 {
        all[0].kill()
        world.network.run(for: -moment)
      }
      let late = try world.add(world.network.machine(clockOffset: .seconds(77)), "Cem", .invited(invite))
      late.do { $0.join() }
      if moment >= 0 {
        world.network.run(for: moment)
        #expect(isHonest(late))
        all[0].kill()
      }
      let rest = Array(all.dropFirst()) + [late]
      #expect(meet(rest, in: world, within: .seconds(10)), "killed after \(moment / 1_000) us")
      late.do { $0.handle(.transition(to: "film", proposal: nil)) }
      #expect(world.network.run(atMost: .seconds(5)) { late.line != nil }, "killed after \(moment / 1_000) us")
      let spread = try #require(world.spread(rest))
      #expect(spread < .milliseconds(20), "killed after \(moment / 1_000) us")
    }
  }

  @Test("J13 F40: an invite whose hub is dead leads to the group at another hub, at once")
  func deadHub() throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      for silently in [false, true] {
        let world = SessionWorld(seed: seed)
        let all = try world.playing(4, path: .lan)
        world.network.defaultPath = .lan
        let invite = try Invite(parsing: all[Int(seed) % 4].engine.invite())
        if silently { all[0].machine.crash(silently: true) } else { all[0].kill() }
        world.network.run(for: .seconds(30))
        let late = try world.add(world.network.machine(), "Cem", .invited(invite))
        late.do { $0.join() }
        #expect(meet(Array(all.dropFirst()) + [late], in: world, within: .seconds(3)), "seed \(seed)")
      }
    }
  }

  @Test("J15 F40: who finds nobody of its invite's group never joins, however long; nor whoever it invites")
  func nobodyOfTheGroup() throws {
    let world = SessionWorld(seed: 3)
    world.network.defaultPath = .lan
    let host = try world.host()
    host.do { $0.join() }
    world.network.run(for: .seconds(1))
    // Made before anybody else was there: it can name no other hub.
    let invite = try Invite(parsing: host.engine.invite())
    let guest = try world.guest(of: host)
    guest.do { $0.join() }
    #expect(world.network.run(atMost: .seconds(2)) { guest.isJoined })
    host.kill()
    let lost = try world.add(world.network.machine(), "Cem", .invited(invite))
    lost.do { $0.join() }
    world.network.run(for: .seconds(45))
    let next = try world.add(world.network.machine(), "Dan", .invited(Invite(parsing: lost.engine.invite())))
    next.do { $0.join() }
    world.network.run(for: .seconds(90))
    for player in [lost, next] {
      #expect(!player.isJoined)
      #expect(player.states.allSatisfy { $0.status == .waiting && $0.connection == .connecting && $0.isAlone })
      #expect(player.engine.state.reason == .network && player.engine.state.hub == nil)
    }
    // Alone or not, an invite of whoever never met the group leads nowhere but to the group.
    #expect(try Invite(parsing: next.engine.invite()).hubs == invite.hubs)
  }

  @Test("J14 F40: the invite of the last one leads to it, at any moment after the others died")
  func lastOne() throws {
    for (index, moment) in [0, 1, 5, 120, 800, 5_000, 35_000].enumerated() {
      for silently in [false, true] {
        let world = SessionWorld(seed: UInt64(index + 1))
        let all = try world.playing(3, path: .lan)
        world.network.defaultPath = .lan
        let last = all[index % 2 + 1]
        for player in all where player !== last {
          if silently { player.machine.crash(silently: true) } else { player.kill() }
        }
        world.network.run(for: .milliseconds(Int64(moment)))
        let late = try world.add(world.network.machine(), "Cem", .invited(Invite(parsing: last.engine.invite())))
        late.do { $0.join() }
        let limit: Nanoseconds = silently ? .seconds(6) : .seconds(2)
        let met = world.network.run(atMost: limit) { late.isJoined && last.people.contains("Cem") }
        #expect(met && isHonest(late), "\(moment) ms after \(silently ? "the power went" : "SIGKILL")")
        #expect(last.engine.lastHub == last.engine.hub?.hubID)
      }
    }
  }

  @Test("J16 F40: two halves of any size that were apart for long meet within 10 s of the net's mending")
  func halvesMeet() throws {
    var seed: UInt64 = 0
    let cases: [(count: Int, cut: Int, seconds: Int64)] = [
      (2, 1, 5), (2, 1, 700), (3, 1, 35), (3, 2, 90), (4, 2, 20), (4, 1, 330), (6, 1, 45), (6, 3, 61), (8, 1, 40), (8, 7, 50),
    ]
    for (count, cut, seconds) in cases {
      seed += 1
      let world = SessionWorld(seed: seed)
      let all = try world.playing(count, path: .lan)
      let (left, right) = (Array(all[..<cut]), Array(all[cut...]))
      world.split(left, right)
      world.network.run(for: .seconds(seconds))
      world.mend(left, right)
      #expect(meet(all, in: world, within: .seconds(10)), "\(cut) of \(count) for \(seconds) s, seed \(seed)")
    }
  }

  @Test("J16 F40: an old invite's hub came back, the group is elsewhere: who waits there is fetched within 10 s")
  func waitsAtTheOldHub() throws {
    for count in 1...4 {
      let world = SessionWorld(seed: UInt64(count))
      let hubMachine = world.network.machine()
      let key = SigningKey(seed: Secret { [UInt8](repeating: 8, count: $0) })
      let hub = try HubServer(
        environment: hubMachine, options: HubOptions(listen: ["0.0.0.0:7400"]), identity: key)
      let all = try world.playing(count, path: .lan, hub: hub.address(on: hubMachine))
      world.network.defaultPath = .lan
      let old = Invite(origin: all[0].engine.origin, door: all[0].engine.present.doorSecret, first: hub.address(on: hubMachine))
      hub.close()
      world.network.run(for: .seconds(20))
      let again = try HubServer(
        environment: hubMachine, options: HubOptions(listen: ["0.0.0.0:7400"]), identity: key)
      world.network.run(for: .seconds(30))
      let late = try world.add(world.network.machine(), "Cem", .invited(#require(old)))
      late.do { $0.join() }
      #expect(meet(all + [late], in: world, within: .seconds(10)), "\(count) in the group")
      world.network.run(for: .seconds(30))
      #expect(areTogether(all + [late]))
      withExtendedLifetime(again) {}
    }
  }

  @Test("J16 F40: an old invite leads to a participant's hub that the group does not use any more: it fetches who comes")
  func waitsAtAnIdleHub() throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      let world = SessionWorld(seed: seed)
      let all = try world.playing(4, path: .lan)
      world.network.defaultPath = .lan
      let (alone, rest) = ([all[0]], Array(all[1...]))
      let old = try #require(
        Invite(
          origin: all[0].engine.origin, door: all[0].engine.present.doorSecret,
          first: HubAddress(
            address: all[0].engine.hub?.addresses.first ?? "", hub: all[0].engine.hub?.hubID ?? [])))
      world.split(alone, rest)
      world.network.run(for: .seconds(60))
      world.mend(alone, rest)
      #expect(meet(all, in: world, within: .seconds(10)))
      // The three did not come back to the one.
      #expect(world.holder(of: all[0]) !== all[0])
      let late = try world.add(world.network.machine(), "Cem", .invited(old))
      late.do { $0.join() }
      #expect(meet(all + [late], in: world, within: .seconds(10)), "seed \(seed)")
    }
  }

  @Test(
    "J16 F40: who does not know where the others went is fetched, though everybody it knew has died: one alone, and several",
    arguments: 1...3)
  func doesNotKnowTheWay(count: Int) throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      let world = SessionWorld(seed: seed)
      let all = try world.playing(count + 2, path: .lan)
      world.network.defaultPath = .lan
      let (one, rest) = (Array(all[1...count]), [all[0], all[count + 1]])
      world.split(one, rest)
      world.network.run(for: .seconds(20))
      // These come while it is away; those who knew it die.
      let later = try (0...count).map { try world.guest(of: all[0], named: "Dee\($0)", path: .lan) }
      world.split(one, later)
      for player in later { player.do { $0.join() } }
      #expect(world.network.run(atMost: .seconds(10)) { later.allSatisfy { $0.isJoined && $0.people.count == count + 3 } })
      world.network.run(for: .seconds(2))
      for player in rest { player.kill() }
      world.network.run(for: .seconds(40))
      #expect(areTogether(later))
      world.mend(one, later)
      #expect(meet(one + later, in: world, within: .seconds(10)), "seed \(seed)")
    }
  }

  @Test("J15 F40: two newcomers at a hub of its own, and nobody of the group is left: they wait, and are told so")
  func newcomersAmongThemselves() throws {
    let world = SessionWorld(seed: 4)
    world.network.defaultPath = .lan
    let hubMachine = world.network.machine()
    let hub = try HubServer(environment: hubMachine, options: HubOptions(listen: ["0.0.0.0:7400"]))
    let all = try world.joined(2, path: .lan, hub: hub.address(on: hubMachine))
    let invite = try Invite(parsing: all[1].engine.invite())
    for player in all { player.do { $0.close() } }
    world.network.run(for: .seconds(1))
    let newcomers = try (0..<2).map { try world.add(world.network.machine(), "Cem\($0)", .invited(invite)) }
    for player in newcomers { player.do { $0.join() } }
    world.network.run(for: .seconds(120))
    for player in newcomers {
      #expect(player.states.allSatisfy { $0.status == .waiting && $0.connection == .connecting && $0.isAlone })
      #expect(player.engine.state.reason == .nobodyThere)
      #expect(player.engine.state.hub == HubInUse(address: "\(hubMachine.host):7400", isOwn: false))
    }
    withExtendedLifetime(hub) {}
  }
}

extension Invite {
  /// An invite as it was made when one hub was all there was.
  fileprivate init?(origin: Origin, door: Secret, first: HubAddress) {
    try? self.init(origin: origin, door: door, hubs: [first])
  }
}

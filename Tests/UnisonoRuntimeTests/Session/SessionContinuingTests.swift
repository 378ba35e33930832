import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

@testable import UnisonoCrypto
@testable import UnisonoRuntime

@Suite("A group that goes on on another day")
struct SessionContinuingTests {
  private static let today: Int64 = 1_795_000_000_000_000_000
  private static let week = Nanoseconds.seconds(7 * 86_400)

  /// A hub by itself, and at it a group that plays.
  private func evening(_ world: SessionWorld, _ count: Int = 2) throws -> (hub: HubServer, all: [SessionPlayer]) {
    let machine = world.network.machine()
    let hub = try HubServer(environment: machine, options: HubOptions(listen: ["0.0.0.0:7400"]))
    let all = try world.playing(count, path: .lan, hub: hub.address(on: machine))
    world.network.defaultPath = .lan
    return (hub, all)
  }

  private func end(_ all: [SessionPlayer], of world: SessionWorld) {
    for player in all { player.do { $0.leave() } }
    world.network.run(for: .seconds(30))
    for player in all { player.do { $0.close() } }
  }

  @Test("J18: each of a group that ended goes on from what it kept: one group, where it was, paused", arguments: [false, true])
  func goesOn(isReversed: Bool) throws {
    let world = SessionWorld(seed: 180)
    let (hub, all) = try evening(world, 3)
    defer { withExtendedLifetime(hub) {} }
    world.network.run(for: .seconds(20))
    let position = try #require(all[0].position(at: world.network.trueTime))
    let kept = try all.map { try #require($0.engine.continuation(calendarTime: Self.today)) }
    let ids = all.map { $0.id }
    end(all, of: world)
    var next: [SessionPlayer] = []
    for index in isReversed ? [2, 1, 0] : [0, 1, 2] {
      next.append(try world.goOn(from: kept[index], named: all[index].name, at: Self.today + Self.week))
      world.network.run(for: .seconds(10))
    }
    for player in next { player.do { $0.handle(.transition(to: "film", proposal: nil)) } }
    #expect(world.network.run(atMost: .seconds(20)) { next.allSatisfy { $0.isJoined && $0.people.count == 3 } })
    world.network.run(for: .seconds(10))
    #expect(Set(next.map { $0.id }) == Set(ids))
    for player in next {
      #expect(player.activities.last == SessionWorld.activity)
      let last = try #require(player.commands.last)
      #expect(last.kind != .play && abs(last.itemTime - position) < .milliseconds(100))
      #expect(player.engine.view.participants.first { $0.id == all[0].id }?.role == .owner)
    }
    next[2].do { $0.handle(.rateChange(rate: 1, immediately: false)) }
    #expect(world.network.run(atMost: .seconds(5)) { next.allSatisfy { $0.line != nil } })
    world.network.run(for: .seconds(2))
    #expect(try #require(world.spread(next)) < .milliseconds(10))
  }

  private func keep(_ player: SessionPlayer) throws -> Continuation {
    try #require(player.engine.continuation(calendarTime: Self.today))
  }

  @Test("J18: the place is that of who was there last, whoever goes on first", arguments: [false, true])
  func place(isReversed: Bool) throws {
    let world = SessionWorld(seed: 181)
    let (hub, all) = try evening(world, 2)
    defer { withExtendedLifetime(hub) {} }
    let early = try keep(all[1])
    all[1].do { $0.leave() }
    world.network.run(for: .seconds(40))
    let position = try #require(all[0].position(at: world.network.trueTime))
    let late = try #require(all[0].engine.continuation(calendarTime: Self.today + .seconds(40)))
    end([all[0]], of: world)
    let order = isReversed ? [(late, "Ann"), (early, "Ben")] : [(early, "Ben"), (late, "Ann")]
    var next: [SessionPlayer] = []
    for (past, name) in order {
      next.append(try world.goOn(from: past, named: name, at: Self.today + Self.week))
      next.last?.do { $0.handle(.transition(to: "film", proposal: nil)) }
      world.network.run(for: .seconds(30))
    }
    #expect(next.allSatisfy { $0.isJoined && $0.people.count == 2 })
    for player in next {
      let last = try #require(player.commands.last)
      #expect(last.kind != .play && abs(last.itemTime - position) < .milliseconds(100), "\(player.name) at \(last.itemTime), not \(position)")
    }
  }

  @Test("J18: a group that was ended for all goes on all the same, though word of its end is at the hub")
  func ended() throws {
    let world = SessionWorld(seed: 182)
    let (hub, all) = try evening(world, 2)
    defer { withExtendedLifetime(hub) {} }
    let kept = try all.map(keep)
    all[0].do { $0.end() }
    world.network.run(for: .seconds(10))
    #expect(all.allSatisfy { $0.engine.state.reason == .ended })
    let next = try [1, 0].map { try world.goOn(from: kept[$0], named: all[$0].name, at: Self.today + .seconds(7_200)) }
    #expect(world.network.run(atMost: .seconds(20)) { next.allSatisfy { $0.isJoined && $0.people.count == 2 } })
    next[1].do { $0.end() }
    #expect(world.network.run(atMost: .seconds(5)) { next.allSatisfy { $0.engine.state.reason == .ended } })
  }

  @Test("J18: word of the end of another day, which a hub kept, does not end today for those who are together")
  func endedAgain() throws {
    let world = SessionWorld(seed: 184)
    let (hub, all) = try evening(world, 3)
    let kept = try all.map(keep)
    all[0].do { $0.end() }
    world.network.run(for: .seconds(10))
    let word = try #require(hub.peering.notice(for: all[0].engine.door.topic))
    hub.close()
    let machine = world.network.machine()
    let today = try HubServer(environment: machine, options: HubOptions(listen: ["0.0.0.0:7400"]))
    defer { withExtendedLifetime(today) {} }
    let next = try [0, 1, 2].map {
      try world.goOn(from: kept[$0], named: all[$0].name, at: Self.today + .seconds(7_200), hub: today.address(on: machine))
    }
    #expect(world.network.run(atMost: .seconds(20)) { next.allSatisfy { $0.isJoined && $0.people.count == 3 } })
    world.network.run(for: .seconds(10))
    for player in next {
      player.do { engine in engine.perform { $0.received(word, now: player.machine.now) } }
    }
    world.network.run(for: .seconds(10))
    #expect(next.allSatisfy { $0.isJoined && $0.people.count == 3 })
    next[1].do { $0.end() }
    #expect(world.network.run(atMost: .seconds(1)) { next.allSatisfy { $0.engine.state.reason == .ended } })
  }

  @Test("J19: roles are as they were, and who was removed stays out with what it kept before")
  func roles() throws {
    let world = SessionWorld(seed: 183)
    let (hub, all) = try evening(world, 4)
    defer { withExtendedLifetime(hub) {} }
    let old = try keep(all[3])
    all[0].do { $0.setControl(.hostsOnly) }
    all[0].do { $0.setRole(of: all[1].id, to: .host) }
    all[0].do { $0.remove(all[3].id) }
    world.network.run(for: .seconds(10))
    #expect(all[3].engine.state.reason == .removed)
    let kept = try all[0...2].map(keep)
    end(Array(all[0...2]), of: world)
    let out = try world.goOn(from: old, named: "Ben3", at: Self.today + Self.week)
    // Who may not command comes first, and waits for one who may.
    let next = try [2, 1, 0].map { index in
      let player = try world.goOn(from: kept[index], named: all[index].name, at: Self.today + Self.week)
      world.network.run(for: .seconds(10))
      return player
    }
    world.network.run(for: .seconds(60))
    for player in next {
      #expect(player.isJoined && player.people == ["Ann", "Ben1", "Ben2"])
      let roles = Dictionary(uniqueKeysWithValues: player.engine.view.participants.map { ($0.displayName, $0.role) })
      #expect(roles == ["Ann": .owner, "Ben1": .host, "Ben2": .member] && player.engine.view.control == .hostsOnly)
      #expect(player.engine.groupClock != nil)
    }
    #expect(out.people != ["Ann", "Ben1", "Ben2", "Ben3"] && !out.people.contains("Ann"))
    // By the present invite it is turned away, too.
    let invite = try Invite(parsing: next[2].engine.invite())
    let again = try world.goOn(from: old, named: "Ben3", at: Self.today + Self.week, invite: invite)
    world.network.run(for: .seconds(60))
    #expect(!again.isJoined && next.allSatisfy { $0.people.count == 3 })
  }

  @Test("J20: where hubs are elsewhere now a new invite leads together, and each is who it was")
  func newInvite() throws {
    let world = SessionWorld(seed: 184)
    let all = try world.playing(3, path: .lan)
    world.network.defaultPath = .lan
    world.network.run(for: .seconds(20))
    let kept = try all.map(keep)
    end(all, of: world)
    let first = try world.goOn(from: kept[1], named: "Ben1", at: Self.today + Self.week)
    world.network.run(for: .seconds(60))
    #expect(first.isJoined && first.people == ["Ben1"] && first.engine.state.isAlone)
    let invite = try Invite(parsing: first.engine.invite())
    let host = try world.goOn(from: kept[0], named: "Ann", at: Self.today + Self.week, invite: invite)
    let other = try world.goOn(from: kept[2], named: "Ben2", at: Self.today + Self.week)
    #expect(world.network.run(atMost: .seconds(20)) { host.isJoined && first.people.count == 2 })
    world.network.run(for: .seconds(30))
    #expect(other.people == ["Ben2"])
    // Who went on by itself is found once somebody shows it the way.
    let again = try world.goOn(from: kept[2], named: "Ben2", at: Self.today + Self.week, invite: invite)
    #expect(world.network.run(atMost: .seconds(20)) { [first, host, again].allSatisfy { $0.people.count == 3 } })
    #expect(first.engine.view.participants.first { $0.id == all[0].id }?.role == .owner)
  }

  @Test("J20: a participant's hub at its address again has its id again, and the others find it")
  func sameHub() throws {
    let world = SessionWorld(seed: 185)
    let machine = world.network.machine()
    let host = try world.add(
      machine, "Ann",
      .host(hub: nil, hubOptions: HubOptions(listen: ["0.0.0.0:7400"]), controlPolicy: 0, activity: SessionWorld.activity))
    world.keepsStandbyHubs = false
    world.network.defaultPath = .lan
    let guest = try world.guest(of: host, path: .lan)
    for player in [host, guest] { player.do { $0.join() } }
    world.network.run(for: .seconds(5))
    let kept = try [host, guest].map(keep)
    end([host, guest], of: world)
    let second = try world.goOn(from: kept[1], named: "Ben", at: Self.today + Self.week)
    world.network.run(for: .seconds(20))
    world.calendarTime = Self.today + Self.week
    let first = try world.add(
      machine, "Ann", .continued(kept[0], invite: nil, hub: nil, hubOptions: HubOptions(listen: ["0.0.0.0:7400"])))
    first.do { $0.join() }
    #expect(world.network.run(atMost: .seconds(60)) { [first, second].allSatisfy { $0.isJoined && $0.people.count == 2 } })
    #expect(first.engine.hub?.hubID == host.engine.hub?.hubID)
  }

  @Test("J18: whose process was killed comes back as who it was, and the others play on", arguments: [0, 20, 400])
  func killed(seconds: Int64) throws {
    let world = SessionWorld(seed: 186)
    let (hub, all) = try evening(world, 3)
    defer { withExtendedLifetime(hub) {} }
    let kept = try keep(all[0])
    world.network.run(for: .seconds(1))
    all[0].kill()
    world.network.run(for: .seconds(seconds))
    for player in all[1...] { player.forgetCommands() }
    let back = try world.goOn(from: kept, named: "Ann", at: Self.today + .seconds(seconds + 1))
    back.do { $0.handle(.transition(to: "film", proposal: nil)) }
    let now = [back] + all[1...]
    #expect(world.network.run(atMost: .seconds(30)) { now.allSatisfy { $0.isJoined && $0.people.count == 3 } && back.line != nil })
    world.network.run(for: .seconds(20))
    #expect(all[1...].allSatisfy { player in player.commands.allSatisfy { $0.kind != .pause } })
    #expect(now.allSatisfy { player in player.engine.view.participants.first { $0.id == back.id }?.role == .owner })
    #expect(world.spread([back]) != nil)
    // What it says is no echo of what it said then.
    back.do { $0.send([1], isReliable: true, to: nil) }
    back.say("here again")
    world.network.run(for: .seconds(2))
    #expect(all[1...].allSatisfy { $0.messages.last?.bytes == [1] })
  }
}

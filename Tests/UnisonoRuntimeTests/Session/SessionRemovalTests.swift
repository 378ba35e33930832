import Testing
import UnisonoReplica

@testable import UnisonoCrypto
@testable import UnisonoRuntime

@Suite("Removing somebody, and moving to another door")
struct SessionRemovalTests {
  private func playersAreInStep(_ world: SessionWorld, _ players: [SessionPlayer]) throws {
    let spread = try #require(world.spread(players))
    #expect(spread < .milliseconds(10))
    #expect(players.allSatisfy { $0.engine.view.timing.status == .playing })
  }

  @Test("P4, Z17: C is removed: it is told and out, the others play on without a command, in a room with another door")
  func removed() throws {
    let world = SessionWorld(seed: 21)
    let all = try world.playing(4)
    let (owner, out) = (all[0], all[3])
    let rest = Array(all[0...2])
    let counts = all.map(\.commands.count)
    let before = try owner.engine.invite()
    let doors = Set(all.map { $0.engine.door.topic })
    owner.do { $0.remove(out.id) }
    #expect(world.network.run(atMost: .seconds(3)) { rest.allSatisfy { !doors.contains($0.engine.door.topic) } })
    world.network.run(for: .seconds(8))
    #expect(out.engine.state.status == .invalidated && out.engine.state.reason == .removed)
    #expect(Set(rest.map { $0.engine.door.topic }).count == 1)
    #expect(rest.map(\.commands.count) == Array(counts[0...2]))
    for player in rest {
      #expect(player.people.count == 3)
      let state = player.engine.state
      #expect(state.status == .joined && state.connection == .connected && state.reason == .none && !state.isAlone)
      #expect(!player.states.contains { $0.connection == .reconnecting })
      // Nobody but the removed one was ever gone.
      let left = player.changes.flatMap(\.left).map(\.id)
      #expect(left == [out.id])
    }
    try playersAreInStep(world, rest)
    // What they say is heard.
    rest[2].do { $0.handle(.seek(to: .seconds(300), resumeImmediately: false)) }
    #expect(
      world.network.run(atMost: .seconds(3)) {
        rest.allSatisfy { $0.position(at: world.network.trueTime).map { $0 >= .seconds(300) } ?? false }
      })
    // The invitation leads elsewhere.
    let after = try rest.map { try $0.engine.invite() }
    #expect(after[0] != before)
    let invites = try after.map { try Invite(parsing: $0) }
    #expect(Set(invites.map(\.door.bytes)).count == 1)
    #expect(rest.allSatisfy { $0.inviteChanges > 0 })
  }

  @Test("P4: of a few one is removed: it is told within a second, whoever else is there", arguments: [2, 3])
  func toldAtOnce(_ count: Int) throws {
    let world = SessionWorld(seed: 22)
    let all = try world.playing(count)
    all[0].do { $0.remove(all[1].id) }
    #expect(world.network.run(atMost: .seconds(1)) { all[1].engine.state.reason == .removed })
    #expect(all[1].engine.state.status == .invalidated)
  }

  @Test("Z17: with the old invitation nobody gets in any more, and is told why; with the new one as always")
  func invitation() throws {
    let world = SessionWorld(seed: 22)
    let all = try world.playing(3)
    let old = try Invite(parsing: all[0].engine.invite())
    all[0].do { $0.remove(all[2].id) }
    world.network.run(for: .seconds(8))
    let stale = try world.guest(of: all[0], named: "Old") { invite in invite = old }
    stale.do { $0.join() }
    #expect(world.network.run(atMost: .seconds(40)) { stale.engine.state.status == .invalidated })
    #expect(stale.engine.state.reason == .authentication)
    #expect(stale.engine.state.message.contains("invitation was renewed"))
    #expect(!stale.isJoined)
    let fresh = try world.guest(of: all[0], named: "New")
    fresh.do { $0.join() }
    #expect(world.network.run(atMost: .seconds(5)) { fresh.people == ["Ann", "Ben1", "New"] })
  }

  @Test("Z18: B is offline during a removal and returns after 3 s: the doorkeeper lets it in, its playback is unbroken")
  func awayShortly() throws {
    let world = SessionWorld(seed: 23)
    let all = try world.playing(4, keepingStandbyHubs: false)
    let (owner, away, out) = (all[0], all[1], all[3])
    let count = away.commands.count
    world.split([owner], [away])
    world.network.run(for: .milliseconds(500))
    owner.do { $0.remove(out.id) }
    world.network.run(for: .milliseconds(2_500))
    #expect(away.engine.door.topic != owner.engine.door.topic)
    world.mend([owner], [away])
    #expect(world.network.run(atMost: .seconds(8)) { away.engine.door.topic == owner.engine.door.topic })
    world.network.run(for: .seconds(6))
    let rest = Array(all[0...2])
    for player in rest { #expect(player.people == ["Ann", "Ben1", "Ben2"]) }
    #expect(away.commands.dropFirst(count).allSatisfy { $0.kind == .play })
    try playersAreInStep(world, rest)
  }

  @Test("Z39: keys of the room that was left, and those that came in the REKEY, are kept no longer than its door is")
  func nothingKept() throws {
    let world = SessionWorld(seed: 33)
    let all = try world.joined(4, path: .lan)
    let rest = Array(all[0...2])
    // A record that is older than the newest when the room is left.
    let old = try #require(all[0].engine.present.channel.records.current)
    let guest = try world.guest(of: all[0], named: "New", path: .lan)
    guest.do { $0.join() }
    world.network.run(for: .seconds(1))
    let newest = try #require(all[0].engine.present.channel.records.current)
    #expect(newest != old)
    all[0].do { $0.remove(all[3].id) }
    world.network.run(for: .seconds(8))
    for player in rest {
      let channel = try #require(player.engine.retired.first?.channel)
      #expect(channel.records.current == newest && channel.records.heldKey(of: old) != nil)
      #expect(player.engine.relocation.known.isEmpty && player.engine.relocation.made.isEmpty)
    }
    world.network.run(for: .seconds(61))
    for player in rest {
      let channel = try #require(player.engine.retired.first?.channel)
      #expect(channel.records.heldKey(of: old) == nil)
    }
  }

  @Test("Z18: B returns after 11 minutes: not let in, with a sentence that says what to do; no hub's word ends its session")
  func awayForLong() throws {
    let world = SessionWorld(seed: 24)
    let all = try world.joined(4, keepingStandbyHubs: false)
    let (owner, away, out) = (all[0], all[1], all[3])
    world.split([owner], [away])
    world.network.run(for: .seconds(1))
    owner.do { $0.remove(out.id) }
    world.network.run(for: .seconds(660))
    world.mend([owner], [away])
    #expect(world.network.run(atMost: .seconds(60)) { away.engine.state.reason == .authentication })
    #expect(away.engine.state.message.contains("ask for a new one"))
    #expect(away.engine.state.connection == .reconnecting && away.engine.state.status == .joined)
  }

  @Test(
    "6.4, Z18: the owner who renewed the door leaves, or its process is killed: the next one keeps it, and who was away gets in",
    arguments: [true, false])
  func successor(_ leaves: Bool) throws {
    let world = SessionWorld(seed: 34)
    let hubMachine = world.network.machine()
    let hub = try HubServer(environment: hubMachine, options: HubOptions(listen: ["0.0.0.0:7400"]))
    let all = try world.playing(
      5, path: .lan, hub: hub.address(on: hubMachine), keepingStandbyHubs: false)
    let (owner, away, out) = (all[0], all[1], all[4])
    world.network.cut(away.machine, hubMachine)
    world.network.breakStreams(away.machine, hubMachine)
    world.network.run(for: .seconds(1))
    owner.do { $0.remove(out.id) }
    world.network.run(for: .seconds(8))
    if leaves {
      owner.do { $0.leave() }
      owner.do { $0.close() }
    } else {
      owner.kill()
    }
    let rest = [all[2], all[3]]
    world.network.run(for: .seconds(20))
    let keeper = rest.min { $0.id < $1.id }
    for player in rest {
      #expect(player.logs.contains { $0.contains("former room is kept here") } == (player === keeper))
    }
    world.network.heal(away.machine, hubMachine)
    #expect(world.network.run(atMost: .seconds(15)) { away.engine.door.topic == rest[0].engine.door.topic })
    world.network.run(for: .seconds(4))
    for player in rest + [away] { #expect(player.people == ["Ben1", "Ben2", "Ben3"]) }
    #expect(away.isJoined && hub.statistics.rooms > 0)
    // Ten minutes after the move nobody keeps it any more.
    guard leaves else { return }
    world.network.run(for: .seconds(600))
    #expect(hub.statistics.rooms == 1 && hub.peering.noticeCount == 1)
    // And nobody has the secrets of the move any more that who was away might have been handed.
    #expect(([away] + rest).allSatisfy { $0.engine.retired.isEmpty && $0.engine.relocation.known.isEmpty })
  }

  @Test("6.8: nobody who was not there before can be the first behind a door that was left")
  func rearDoor() throws {
    let world = SessionWorld(seed: 35)
    let all = try world.joined(4, path: .lan)
    let old = try Invite(parsing: all[0].engine.invite())
    all[1].do { _ in }
    all[0].do { $0.setRole(of: all[1].id, to: .owner) }
    world.network.run(for: .seconds(1))
    all[1].do { $0.remove(all[3].id) }
    world.network.run(for: .seconds(8))
    // The doorkeeper is gone, and its successor not there yet.
    all[1].kill()
    let stale = try world.guest(of: all[0], named: "Old") { invite in invite = old }
    stale.do { $0.join() }
    #expect(world.network.run(atMost: .seconds(60)) { stale.engine.state.status == .invalidated })
    #expect(stale.engine.state.reason == .authentication && !stale.isJoined)
    #expect(stale.states.allSatisfy { $0.status != .joined })
  }

  @Test("6.9: an owner's removal loses against another owner's act, and it is gone: the other one makes it again")
  func lostRemoval() throws {
    let world = SessionWorld(seed: 36)
    let hubMachine = world.network.machine()
    let hub = try HubServer(environment: hubMachine, options: HubOptions(listen: ["0.0.0.0:7400"]))
    let all = try world.joined(
      5, path: .lan, hub: hub.address(on: hubMachine), keepingStandbyHubs: false)
    let (root, junior, out) = (all[0], all[1], all[4])
    root.do { $0.setRole(of: junior.id, to: .owner) }
    world.network.run(for: .seconds(2))
    // The junior removes somebody while the root, who did not hear of it, gives a role; then the junior is gone for good.
    world.network.cut(root.machine, hubMachine)
    junior.do { $0.remove(out.id) }
    world.network.run(for: .milliseconds(300))
    junior.kill()
    root.do { $0.setRole(of: all[2].id, to: .host) }
    world.network.heal(root.machine, hubMachine)
    world.network.run(for: .seconds(45))
    let rest = [root, all[2], all[3]]
    #expect(Set(rest.map { $0.engine.door.topic }).count == 1)
    for player in rest {
      #expect(player.people == ["Ann", "Ben2", "Ben3"])
      #expect(player.engine.coordination.policy.levels.last?.terms.removed.contains(out.id) == true)
      let role = player.engine.view.participants.first { $0.id == all[2].id }?.role
      #expect(role == .host)
    }
    #expect(out.engine.state.reason == .removed)
    #expect(hub.statistics.rooms > 0)
  }

  @Test("6.9: two owners remove somebody at once: all end in one room, and both are out")
  func concurrent() throws {
    for seed in UInt64(25)...32 {
      let world = SessionWorld(seed: seed)
      let all = try world.joined(6)
      all[0].do { $0.setRole(of: all[1].id, to: .owner) }
      world.network.run(for: .seconds(2))
      all[1].do { $0.remove(all[4].id) }
      world.network.run(for: .milliseconds(Int64(seed - 25) * 15))
      all[0].do { $0.remove(all[5].id) }
      world.network.run(for: .seconds(15))
      let rest = Array(all[0...3])
      #expect(Set(rest.map { $0.engine.door.topic }).count == 1)
      for player in rest { #expect(player.people == ["Ann", "Ben1", "Ben2", "Ben3"]) }
      for player in all[4...5] { #expect(player.engine.state.reason == .removed) }
      #expect(Set(rest.map { $0.engine.coordination.policy.id }).count == 1)
    }
  }

  @Test("6.6: removal is an owner's: a member's is refused and changes nothing")
  func notOwner() throws {
    let world = SessionWorld(seed: 28)
    let all = try world.joined(3)
    let topic = all[0].engine.door.topic
    all[1].do { $0.remove(all[2].id) }
    world.network.run(for: .seconds(3))
    #expect(all[1].refusals.map(\.operation) == [.removeParticipant])
    #expect(all.allSatisfy { $0.engine.door.topic == topic && $0.people.count == 3 })
  }

  @Test("two removals in a row: each time the room moves, and who stays stays")
  func twice() throws {
    let world = SessionWorld(seed: 29)
    let all = try world.playing(4)
    all[0].do { $0.remove(all[3].id) }
    world.network.run(for: .seconds(4))
    all[0].do { $0.remove(all[2].id) }
    world.network.run(for: .seconds(12))
    let rest = Array(all[0...1])
    #expect(Set(rest.map { $0.engine.door.topic }).count == 1)
    #expect(all[2].engine.state.reason == .removed && all[3].engine.state.reason == .removed)
    for player in rest { #expect(player.people == ["Ann", "Ben1"]) }
    try playersAreInStep(world, rest)
  }

  /// Bytes that a hub sends to each who stays, as somebody is removed from a room of `count`, beyond what it sends in a quiet one: within
  /// 6 s, in which the former room is left, too.
  private func cost(of count: Int) throws -> Double {
    let world = SessionWorld(seed: 31)
    let all = try world.joined(count, path: VirtualPath(delay: .milliseconds(20), jitter: .milliseconds(3)), keepingStandbyHubs: false)
    world.network.run(for: .seconds(10))
    let (owner, out) = (all[0], all[count - 1])
    let hub = try #require(owner.engine.hub)
    let start = hub.statistics.bytesOut
    world.network.run(for: .seconds(6))
    let before = hub.statistics.bytesOut
    owner.do { $0.remove(out.id) }
    world.network.run(for: .seconds(6))
    let stay = Array(all.dropLast())
    #expect(stay.allSatisfy { $0.people.count == count - 1 } && Set(stay.map { $0.engine.door.topic }).count == 1)
    return (Double(hub.statistics.bytesOut - before) - Double(before - start)) / Double(count - 1)
  }

  @Test("Z97: who goes to the next room with the others is sent what it needs for that, and nothing that it has")
  func costs() throws {
    #expect(try cost(of: 6) < 12_000)
    #expect(try cost(of: 24) < 36_000)
  }

  @Test("Z16: devices of one person are known as such in the session, and removed together")
  func persons() throws {
    let world = SessionWorld(seed: 30)
    let all = try world.joined(2)
    let secret = [UInt8](repeating: 7, count: 16)
    var devices: [SessionPlayer] = []
    for name in ["Phone", "Tablet"] {
      world.person = secret
      let device = try world.guest(of: all[0], named: name)
      world.person = nil
      device.do { $0.join() }
      devices.append(device)
    }
    #expect(world.network.run(atMost: .seconds(5)) { all[1].people.count == 4 && devices[0].people.count == 4 })
    let persons = Dictionary(
      uniqueKeysWithValues: all[1].engine.view.participants.map { ($0.displayName, $0.person) })
    #expect(persons["Phone"] == persons["Tablet"] && persons["Phone"] != devices[0].id)
    #expect(persons["Ann"] == all[0].id)
    all[0].do { $0.remove(devices[0].id) }
    world.network.run(for: .seconds(8))
    for device in devices { #expect(device.engine.state.reason == .removed) }
    for player in all { #expect(player.people == ["Ann", "Ben1"]) }
  }
}

import Testing
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto
@testable import UnisonoRuntime

@Suite("Word at a door that the session left")
struct SessionNoticeTests {
  private let world: SessionWorld
  private let hub: HubServer
  private let hubMachine: VirtualEnvironment
  private let all: [SessionPlayer]
  /// Of the door that was left first.
  private let old: Invite

  /// Three at a stand-alone hub, the last of whom was removed.
  init() throws {
    world = SessionWorld(seed: 37)
    (hubMachine, hub, all) = try world.joinedAtHubOfItsOwn(3)
    old = try Invite(parsing: all[0].engine.invite())
    all[0].do { [all] in $0.remove(all[2].id) }
    world.network.run(for: .seconds(8))
  }

  private func guest(with invite: Invite, named name: String) throws -> SessionPlayer {
    let guest = try world.guest(of: all[0], named: name, path: .lan) { $0 = invite }
    guest.do { $0.join() }
    return guest
  }

  @Test("6.8: nobody waits in vain behind a door that nobody keeps any more: word was left there to ask anew")
  func left() throws {
    #expect(hub.statistics.rooms == 2)
    // The doorkeeper is not the last one: the other is about to go to the door.
    all[0].do { $0.leave() }
    world.network.run(for: .seconds(10))
    #expect(hub.statistics.rooms == 2)
    let present = try Invite(parsing: all[1].engine.invite())
    // Now nobody is left.
    all[1].do { $0.leave() }
    world.network.run(for: .seconds(1))
    #expect(hub.statistics.rooms == 0 && hub.peering.noticeCount == 1)
    let stale = try guest(with: old, named: "Old")
    #expect(world.network.run(atMost: .seconds(2)) { stale.engine.state.status == .invalidated })
    #expect(stale.engine.state.reason == .authentication && !stale.isJoined)
    #expect(stale.engine.state.message.contains("invitation was renewed"))
    // In the room that the session ended in nobody of it is found: one waits there, and is told so.
    let fresh = try guest(with: present, named: "New")
    world.network.run(for: .seconds(10))
    #expect(fresh.engine.state.status == .waiting && fresh.engine.state.reason == .nobodyThere)
  }

  @Test("6.8: while the door is kept a stranger is told at once, too, and so it is when its last keeper was killed")
  func killed() throws {
    let stale = try guest(with: old, named: "Old")
    #expect(world.network.run(atMost: .seconds(2)) { stale.engine.state.status == .invalidated })
    #expect(stale.engine.state.message.contains("invitation was renewed"))
    for player in all { player.kill() }
    world.network.run(for: .seconds(20))
    #expect(hub.statistics.rooms == 0)
    let later = try guest(with: old, named: "Later")
    #expect(world.network.run(atMost: .seconds(2)) { later.engine.state.status == .invalidated })
    #expect(later.engine.state.reason == .authentication && !later.isJoined)
  }

  @Test("6.8, Z18: who was away finds the word beside the keeper, who hands over the way")
  func away() throws {
    let away = all[1]
    world.network.cut(away.machine, hubMachine)
    world.network.breakStreams(away.machine, hubMachine)
    world.network.run(for: .seconds(1))
    let guest = try guest(with: try Invite(parsing: all[0].engine.invite()), named: "New")
    #expect(world.network.run(atMost: .seconds(5)) { guest.isJoined })
    all[0].do { $0.remove(guest.engine.identity.id) }
    world.network.run(for: .seconds(8))
    #expect(hub.peering.noticeCount == 2)
    world.network.heal(away.machine, hubMachine)
    #expect(world.network.run(atMost: .seconds(15)) { away.engine.door.topic == all[0].engine.door.topic })
    #expect(away.isJoined)
  }

  @Test("6.8, Z18: who was at another hub for longer than the door is kept finds the word there, and knows what to do")
  func member() throws {
    world.network.run(for: .seconds(600))
    let invite = try Invite(parsing: all[0].engine.invite())
    #expect(hub.peering.noticeCount == 1 && invite.door != old.door)
    let stale = try guest(with: old, named: "Old")
    #expect(world.network.run(atMost: .seconds(2)) { stale.engine.state.status == .invalidated })
    #expect(stale.engine.state.message.contains("invitation was renewed"))
    let fresh = try guest(with: invite, named: "New")
    #expect(world.network.run(atMost: .seconds(10)) { fresh.people == ["Ann", "Ben1", "New"] })
  }

  /// The message as somebody says it at its door.
  private func atDoor(_ message: InnerMessage, by player: SessionPlayer) throws -> [UInt8] {
    let effects = player.engine.present.withChannel { $0.sendAtDoor(message, to: player.id) }
    return try #require(effects.lazy.compactMap { if case .transmit(let envelope, _) = $0 { envelope } else { nil } }.first)
  }

  @Test("a member's false word at the present door, made of true ones about another, keeps nobody out")
  func liar() throws {
    let liar = all[1]
    let invite = try Invite(parsing: liar.engine.invite())
    let message = RekeyMessage(
      intro: liar.engine.present.channel.introduction.bytes, levels: liar.engine.present.channel.policy.levels.map(\.bytes), wraps: [],
      authors: try [#require(liar.engine.present.channel.introductions[all[0].id]).bytes])
    let lie = try atDoor(.rekey(message), by: liar)
    liar.do {
      $0.present.client?.keep(lie)
      $0.present.client?.leave()
    }
    world.network.run(for: .seconds(1))
    all[0].do { $0.leave() }
    world.network.run(for: .seconds(1))
    #expect(hub.statistics.rooms == 0 && hub.peering.noticeCount >= 1)
    let guest = try guest(with: invite, named: "New")
    world.network.run(for: .seconds(10))
    #expect(guest.engine.state.status == .waiting && guest.engine.state.reason == .nobodyThere)
    #expect(guest.logs.contains { $0.contains("does not show that the session moved") })
  }

  @Test("a word in the name of another participant is not kept: the hub closes the connection")
  func inAnothersName() throws {
    let other = try atDoor(.bye, by: all[0])
    all[1].do { $0.present.client?.keep(other) }
    world.network.run(for: .seconds(1))
    #expect(hub.peering.notice(for: all[1].engine.door.topic) == nil)
  }
}

@Suite("Word at a door that the session was ended")
struct EndNoticeTests {
  private let world: SessionWorld
  private let hub: HubServer
  private let hubMachine: VirtualEnvironment
  private let all: [SessionPlayer]
  private let invite: Invite

  /// Two at a stand-alone hub.
  init() throws {
    world = SessionWorld(seed: 41)
    (hubMachine, hub, all) = try world.joinedAtHubOfItsOwn(2)
    invite = try Invite(parsing: all[0].engine.invite())
  }

  private func late(_ name: String) throws -> SessionPlayer {
    let late = try world.guest(of: all[0], named: name, path: .lan) { [invite] in $0 = invite }
    late.do { $0.join() }
    return late
  }

  @Test("6.11: who opens an invite after an owner ended the session is told so, not shown an empty room")
  func ended() throws {
    all[0].do { $0.end() }
    world.network.run(for: .seconds(60))
    #expect(hub.statistics.rooms == 0 && hub.peering.noticeCount == 1)
    let late = try late("Late")
    #expect(world.network.run(atMost: .seconds(2)) { late.engine.state.status == .invalidated })
    #expect(late.engine.state.reason == .ended && !late.isJoined)
  }

  @Test("6.11: who was away while another member ended the session learns it on coming back")
  func away() throws {
    world.network.cut(all[0].machine, hubMachine)
    world.network.breakStreams(all[0].machine, hubMachine)
    world.network.run(for: .seconds(2))
    all[1].do { $0.end() }
    world.network.run(for: .seconds(10))
    #expect(hub.statistics.rooms == 0 && all[0].engine.state.status == .joined)
    world.network.heal(all[0].machine, hubMachine)
    #expect(world.network.run(atMost: .seconds(15)) { all[0].engine.state.status == .invalidated })
    #expect(all[0].engine.state.reason == .ended)
  }

  @Test("6.11: who cannot read what an owner speaks in as that ends the session, and is gone, is told all the same")
  func unreadable() throws {
    let world = SessionWorld(seed: 42)
    let (_, hub, all) = try world.joinedAtHubOfItsOwn(4)
    defer { withExtendedLifetime(hub) {} }
    let ann = all[0]
    // A record that nobody else heard of, as while a room fills.
    ann.do { engine in
      engine.perform { channel in
        _ = channel.makeRecord(admitting: [], now: ann.machine.now)
        return []
      }
    }
    ann.do { $0.end() }
    world.network.run(for: .milliseconds(10))
    ann.do { $0.close() }
    #expect(world.network.run(atMost: .seconds(1)) { all.dropFirst().allSatisfy { $0.engine.state.reason == .ended } })
  }

  @Test("6.11: who waits for the key as an owner ends the session, and is gone, is told so, alone or not", arguments: 0..<6, 1...2)
  func waiting(step: Int, count: Int) throws {
    let waiting = try (0..<count).map { try late("Late \($0)") }
    world.network.run(for: .milliseconds(Int64(step)))
    all[0].do { $0.end() }
    world.network.run(for: .milliseconds(1))
    all[0].do { $0.close() }
    for late in waiting {
      #expect(world.network.run(atMost: .seconds(5)) { late.engine.state.reason == .ended }, "\(late.life)")
    }
  }

  @Test("6.11: what one who is no owner left is told to a stranger as found, and keeps nobody out who finds the group")
  func member() throws {
    all[1].do { $0.end() }
    world.network.run(for: .seconds(10))
    let late = try late("Late")
    #expect(world.network.run(atMost: .seconds(2)) { late.engine.state.reason == .ended })
    #expect(late.engine.state.status == .waiting && late.engine.state.message.contains("was ended"))
  }

  @Test("6.11: a stranger's word about a session that goes on ends nothing: not for who was in it, nor for who comes")
  func stranger() throws {
    let liar = try late("Liar")
    #expect(world.network.run(atMost: .seconds(5)) { liar.isJoined })
    // It makes the word as one who ended the session would, and is forgotten before it is found.
    let end = Statement(
      key: .end, author: liar.engine.identity.id, policy: PolicyStack.origin,
      time: all[0].engine.groupClock?.remote(at: all[0].machine.now) ?? 0, value: .end)
    let lie = liar.engine.present.withChannel { $0.makeEndNotice(end) }
    liar.do {
      if let lie { $0.present.client?.keep(lie) }
      $0.leave()
    }
    world.network.run(for: .seconds(1))
    #expect(hub.peering.noticeCount == 1)
    let late = try late("Late")
    #expect(world.network.run(atMost: .seconds(5)) { late.isJoined })
    #expect(all.allSatisfy { $0.isJoined } && late.states.allSatisfy { $0.reason != .ended })
  }
}

extension SessionWorld {
  /// Some who are joined at a hub in nobody's process, and keep none themselves.
  fileprivate func joinedAtHubOfItsOwn(_ count: Int) throws -> (VirtualEnvironment, HubServer, [SessionPlayer]) {
    let machine = network.machine()
    let hub = try HubServer(environment: machine, options: HubOptions(listen: ["0.0.0.0:7400"]))
    return (machine, hub, try joined(count, path: .lan, hub: hub.address(on: machine), keepingStandbyHubs: false))
  }
}

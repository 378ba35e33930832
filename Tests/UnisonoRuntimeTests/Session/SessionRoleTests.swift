import Testing
import UnisonoCrypto
import UnisonoReplica

@testable import UnisonoRuntime

@Suite("Roles in sessions")
struct SessionRoleTests {
  private func role(of other: SessionPlayer, at player: SessionPlayer) -> Role? {
    player.engine.view.participants.first { $0.id == other.id }?.role
  }

  @Test("F38, P1: an owner's word about roles reaches everybody signed, and binds them: a viewer's command is denied")
  func viewer() throws {
    let world = SessionWorld(seed: 31)
    let all = try world.playing(3)
    all[0].do { $0.setControl(.perRole) }
    all[0].do { $0.setRole(of: all[1].id, to: .viewer) }
    world.network.run(for: .seconds(2))
    for player in all {
      #expect(role(of: all[0], at: player) == .owner)
      #expect(role(of: all[1], at: player) == .viewer)
      #expect(role(of: all[2], at: player) == .member)
      #expect(player.engine.view.control == .perRole)
    }
    for player in all { player.forgetCommands() }
    all[1].do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    world.network.run(for: .seconds(2))
    #expect(all[1].refusals.count == 1)
    // Its player was told again to play; the others noticed nothing.
    #expect(all[1].commands.map(\.kind) == [.play])
    #expect(all[0].commands.isEmpty && all[2].commands.isEmpty)
    #expect(all.allSatisfy { $0.engine.view.timing.status == .playing && $0.engine.statistics.messagesRefused == 0 })
    all[2].do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(world.network.run(atMost: .seconds(2)) { all.allSatisfy { $0.commands.last?.kind == .pause } })
  }

  @Test("F38: who asks to be a viewer is made one when it joins; who asks for more waits for an owner's word")
  func wishes() throws {
    let world = SessionWorld(seed: 37)
    let all = try world.joined(2)
    all[0].do { $0.setControl(.perRole) }
    all[0].do { $0.setRole(of: all[1].id, to: .owner) }
    world.network.run(for: .seconds(1))
    world.roleWish = .viewer
    let viewer = try world.guest(of: all[0], named: "Viv")
    world.roleWish = .host
    let eager = try world.guest(of: all[0], named: "Eve")
    world.roleWish = nil
    for player in [viewer, eager] { player.do { $0.join() } }
    #expect(world.network.run(atMost: .seconds(8)) { viewer.people.count == 4 && eager.people.count == 4 })
    world.network.run(for: .seconds(3))
    for player in all + [viewer, eager] {
      #expect(role(of: viewer, at: player) == .viewer && role(of: eager, at: player) == .member)
      // One owner does it, not both.
      #expect(player.engine.coordination.policy.levels.count == 1)
    }
    viewer.do { $0.handle(.setActivity(Activity(identifier: "org.example.other"))) }
    world.network.run(for: .seconds(1))
    #expect(viewer.refusals.count == 1)
    // What an owner says counts from then on.
    all[0].do { $0.setRole(of: viewer.id, to: .member) }
    all[0].do { $0.setRole(of: eager.id, to: .host) }
    world.network.run(for: .seconds(8))
    for player in all { #expect(role(of: viewer, at: player) == .member && role(of: eager, at: player) == .host) }
  }

  @Test("F38: the owner is gone when somebody asks to be a viewer: the next owner says so")
  func wishOfTheNextOwner() throws {
    let world = SessionWorld(seed: 38)
    let all = try world.joined(3, path: .lan)
    all[0].do { $0.setRole(of: all[1].id, to: .owner) }
    world.network.run(for: .seconds(1))
    all[0].kill()
    world.network.run(for: .seconds(40))
    world.roleWish = .viewer
    let viewer = try world.guest(of: all[1], named: "Viv", path: .lan)
    viewer.do { $0.join() }
    world.network.run(for: .seconds(10))
    #expect(role(of: viewer, at: all[2]) == .viewer)
  }

  @Test("Z22: ending is not a viewer's: it stays in, and so does everybody")
  func end() throws {
    let world = SessionWorld(seed: 32)
    let all = try world.joined(3)
    all[0].do { $0.setControl(.hostsOnly) }
    world.network.run(for: .seconds(1))
    all[1].do { $0.end() }
    world.network.run(for: .seconds(2))
    #expect(all.allSatisfy { $0.isJoined })
    #expect(all[1].refusals.first?.operation == .endSession)
    all[0].do { $0.end() }
    #expect(world.network.run(atMost: .seconds(2)) { all.allSatisfy { $0.engine.state.reason == .ended } })
  }

  @Test("a newcomer knows the roles from its welcome on, and who made them need not be there any more")
  func newcomer() throws {
    let world = SessionWorld(seed: 33)
    let all = try world.joined(3)
    all[0].do { $0.setRole(of: all[1].id, to: .owner) }
    world.network.run(for: .seconds(1))
    all[1].do { $0.setRole(of: all[2].id, to: .host) }
    world.network.run(for: .seconds(1))
    all[1].do { $0.leave() }
    world.network.run(for: .seconds(1))
    let late = try world.guest(of: all[0], named: "Late")
    late.do { $0.join() }
    #expect(world.network.run(atMost: .seconds(5)) { late.isJoined && late.people.count == 3 })
    #expect(role(of: all[0], at: late) == .owner && role(of: all[2], at: late) == .host)
    #expect(late.engine.statistics.messagesRefused == 0)
  }
}

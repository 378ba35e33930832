import Testing
import UnisonoCore
import UnisonoCrypto

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

  @Test("Z22: ending is not a viewer's: it stays in, and so does everybody")
  func end() throws {
    let world = SessionWorld(seed: 32)
    let all = try world.joined(3)
    all[0].do { $0.setControl(.hostsOnly) }
    world.network.run(for: .seconds(1))
    all[1].do { $0.end() }
    world.network.run(for: .seconds(2))
    #expect(all.allSatisfy { $0.isJoined })
    #expect(all[1].refusals.first?.hasPrefix("session_end") == true)
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

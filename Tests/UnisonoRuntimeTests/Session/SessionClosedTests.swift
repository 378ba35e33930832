import Testing
import UnisonoBase
import UnisonoReplica

@testable import UnisonoRuntime

@Suite("A session that lets nobody new in")
struct SessionClosedTests {
  @Test("Z87: an owner closes the group: all are told, who comes with the invite is told why and waits, and is in once it is open")
  func closed() throws {
    let world = SessionWorld(seed: 110)
    let all = try world.playing(3, path: .lan)
    let topic = all[0].engine.door.topic
    let commands = all.map(\.commands.count)
    all[0].do { $0.setClosed(true) }
    #expect(world.network.run(atMost: .seconds(2)) { all.allSatisfy { $0.states.last?.isClosed == true } })
    let late = try world.guest(of: all[1], named: "Cleo", path: .lan)
    late.do { $0.join() }
    world.network.run(for: .seconds(60))
    let state = late.engine.state
    #expect(state.status == .waiting && state.connection == .connecting && state.reason == .closed && !late.isJoined)
    #expect(late.states.allSatisfy { $0.status == .waiting })
    #expect(all.allSatisfy { $0.people.count == 3 && $0.engine.present.channel.roster.count == 3 })
    all[0].do { $0.setClosed(false) }
    #expect(world.network.run(atMost: .seconds(12)) { late.isJoined && (all + [late]).allSatisfy { $0.people.count == 4 } })
    #expect((all + [late]).allSatisfy { $0.states.last?.isClosed == false && $0.engine.state.reason == .none })
    // The door and what plays are as they were.
    #expect(all[0].engine.door.topic == topic && all.map(\.commands.count) == commands)
  }

  @Test("Z88: into a closed group its people come back, also after the room began anew without them", arguments: [20, 720])
  func back(seconds: Int64) throws {
    let world = SessionWorld(seed: 111)
    let all = try world.playing(4, path: .lan)
    let rest = [all[0], all[1]]
    all[0].do { $0.setClosed(true) }
    all[3].do { $0.leave() }
    world.network.run(for: .seconds(640 - seconds))
    world.split([all[2]], rest)
    world.network.run(for: .seconds(seconds))
    #expect(rest[0].engine.present.channel.roster.contains(all[2].id) == (seconds < 600))
    world.mend([all[2]], rest)
    let together = Array(all[0...2])
    #expect(
      world.network.run(atMost: .seconds(20)) { together.allSatisfy { $0.people.count == 3 && !$0.engine.state.isAlone } })
    #expect(together.allSatisfy { $0.engine.state.isClosed && $0.engine.state.reason == .none })
  }

  @Test("Z89: a re-key, an owner's death and a deputy's word leave a group closed; a member cannot open it")
  func stays() throws {
    let world = SessionWorld(seed: 112)
    world.succession = SuccessionTerms(rule: .bySeniority, patience: .seconds(10))
    let all = try world.joined(4, path: .lan)
    all[0].do { $0.setControl(.hostsOnly) }
    all[0].do { $0.setRole(of: all[1].id, to: .host) }
    all[0].do { $0.setClosed(true) }
    world.network.run(for: .seconds(3))
    all[2].do { $0.setClosed(false) }
    world.network.run(for: .seconds(1))
    #expect(all[2].refusals.count == 1 && all.allSatisfy { $0.engine.state.isClosed })
    let old = all[0].engine.door.topic
    all[0].do { $0.remove(all[3].id) }
    world.network.run(for: .seconds(10))
    #expect(all[0...2].allSatisfy { $0.people.count == 3 && $0.engine.door.topic != old })
    let late = try world.guest(of: all[1], named: "Cleo", path: .lan)
    late.do { $0.join() }
    all[0].kill()
    world.network.run(for: .seconds(60))
    // Who stands in may open it, as an owner may.
    for player in all[1...2] { #expect(player.engine.state.isClosed) }
    #expect(late.engine.state.reason == .closed && !late.isJoined)
    all[1].do { $0.setClosed(false) }
    #expect(world.network.run(atMost: .seconds(12)) { late.isJoined && all[2].engine.state.isClosed == false })
  }
}

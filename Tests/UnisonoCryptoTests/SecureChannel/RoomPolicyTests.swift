import Testing
import UnisonoReplica

@testable import UnisonoCrypto

@Suite("Policies in a room")
struct RoomPolicyTests {
  /// A level by `author`, signed by `signer`, as the library makes it.
  private func level(by author: RoomWorld.Node, signer: RoomWorld.Node, _ world: RoomWorld) throws -> PolicyLevel {
    let session = world.door.scope.session
    let identity = signer.room.identity
    let writer = LevelWriter(author: author.id) {
      PolicySignature.sign($0, session: session, author: identity.signing)
    }
    return try #require(writer.level(.control(.hostsOnly)))
  }

  private func levels(of node: RoomWorld.Node) -> [PolicyLevel] {
    node.delivered.flatMap { entry -> [PolicyLevel] in
      if case .levels(let levels) = entry.message { levels } else { [] }
    }
  }

  @Test("P2: a level in an update is believed by its author's signature only")
  func forged() throws {
    let world = RoomWorld(seed: 5)
    let room = world.room(of: 3)
    let good = try level(by: room[0], signer: room[0], world)
    let forged = try level(by: room[0], signer: room[1], world)
    world.send(.levels([good]), from: room[0])
    world.send(.levels([forged]), from: room[1])
    world.run(.seconds(1))
    #expect(levels(of: room[1]) == [good])
    #expect(levels(of: room[2]) == [good])
    #expect(room[2].refused(.signature) == 1 && room[0].refused(.signature) == 1)
  }

  @Test("a newcomer is handed the policy with its welcome, its absent author's introduction too")
  func welcome() throws {
    let world = RoomWorld(seed: 6)
    let room = world.room(of: 2)
    let good = try level(by: room[0], signer: room[0], world)
    world.send(.levels([good]), from: room[0])
    world.run(.seconds(1))
    world.cut(room[0])
    room[1].room.setPolicy(levels: [good])
    let newcomer = world.add()
    world.enter(newcomer)
    world.run(.seconds(2))
    #expect(newcomer.secured == 1)
    #expect(levels(of: newcomer) == [good])
  }

  @Test("Z17: nothing of who was removed is heard any more")
  func removed() throws {
    let world = RoomWorld(seed: 7)
    let room = world.room(of: 3)
    #expect(world.hears(room[0], room[2]))
    let founding = try #require(room[0].room.records.founding)
    let removal = LevelWriter(room[0], session: world.door.scope.session).level(
      .removal([room[2].id], topic: world.door.topic, founding: founding, leaving: []))
    room[0].room.setPolicy(levels: [try #require(removal)])
    #expect(!world.hears(room[0], room[2]))
    #expect(world.hears(room[0], room[1]) && world.hears(room[1], room[2]))
  }
}

import Testing
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Word at a door that the session was ended, to those who are in the room")
struct RoomEndNoticeTests {
  private let world = RoomWorld(seed: 46)
  private let room: [RoomWorld.Node]

  init() { room = world.room(of: 3) }

  private func word(of node: RoomWorld.Node) throws -> [UInt8] {
    let end = Statement(key: .end, author: node.id, policy: PolicyStack.origin, time: 1, value: .end)
    let made = node.room.makeEndNotice(end)
    return try #require(made)
  }

  @Test("6.11: whoever has a key is told at once, and nobody by one who is not introduced")
  func members() throws {
    world.inject(try word(of: room[0]), into: room[1])
    #expect(room[1].ends.map(\.end.author) == [room[0].id])
    let stranger = world.add()
    world.enter(stranger)
    world.inject(try word(of: stranger), into: room[1])
    #expect(room[1].ends.count == 1 && room[1].refused(.unknownSender) == 1)
  }

  @Test("6.11: who waits for the key is told with it, or once nobody of those here answered", arguments: [false, true])
  func waiting(isSilent: Bool) throws {
    let word = try word(of: room[0])
    let newcomer = world.add()
    if isSilent { for node in room { node.takes = { _ in } } }
    world.enter(newcomer)
    world.run(world.delay)
    world.inject(word, into: newcomer)
    #expect(newcomer.ends.isEmpty)
    // Each of three has half a second.
    world.run(.seconds(1))
    #expect(newcomer.ends.isEmpty == isSilent)
    world.run(.seconds(5))
    #expect(newcomer.ends.count == 1 && (newcomer.record == nil) == isSilent)
  }
}

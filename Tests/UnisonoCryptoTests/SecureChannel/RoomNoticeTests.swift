import Testing
import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Notices that a session left a room")
struct RoomNoticeTests {
  /// A room whose first one, and then the second one as well, changed the policy.
  private struct Moved {
    let world: RoomWorld
    let room: [RoomWorld.Node]
    let levels: [PolicyLevel]

    /// `leaving`: what the first one says was left.
    init(seed: UInt64, leaving: (RoomWorld) -> [[UInt8]] = { [$0.door.topic] }) throws {
      world = RoomWorld(seed: seed)
      room = world.room(of: 3)
      let session = world.door.scope.session
      var owner = LevelWriter(room[0], session: session)
      try owner.add(.role(room[1].id, .owner))
      try owner.add(
        .removal(
          [room[2].id], topic: [UInt8](repeating: 7, count: 32), founding: Fixture.founding.id, leaving: leaving(world)))
      var second = LevelWriter(room[1], session: session, on: owner)
      try second.add(.control(.hostsOnly))
      levels = second.levels
      for node in room[0...1] { node.room.setPolicy(levels: levels) }
    }
  }

  @Test("6.8: a stranger with the old invite reads who moved the room, though it knows nobody of them")
  func stranger() throws {
    let moved = try Moved(seed: 41)
    let written = moved.room[0].room.makeRelocationNotice(isFinal: true)
    let notice = try #require(written)
    let stranger = moved.world.add()
    for node in moved.room { moved.world.cut(node) }
    moved.world.enter(stranger)
    moved.world.run(.milliseconds(100))
    moved.world.inject(notice, into: stranger)
    #expect(stranger.notices == [moved.levels] && moved.levels.count == 2 && stranger.refusals.isEmpty)
    let origin = PolicyOrigin(root: moved.room[0].id)
    let isLeft = { (topic: [UInt8]) in
      origin.hasLeft(topic, by: stranger.notices[0], originID: PolicyStack.origin, hash: Hash.sha256)
    }
    #expect(isLeft(moved.world.door.topic) && !isLeft([UInt8](repeating: 7, count: 32)))
    // Nobody is taken in for it.
    #expect(Set(stranger.room.introductions.all.keys) == [stranger.id])
    // It says nothing twice.
    moved.world.inject(notice, into: stranger)
    #expect(stranger.notices.count == 1 && stranger.refused(.replay) == 1)
  }

  @Test("who keeps the door is told nothing by a notice, and whose policy does not leave this room has none to give")
  func keeper() throws {
    let moved = try Moved(seed: 42)
    let written = moved.room[0].room.makeRelocationNotice(isFinal: true)
    let notice = try #require(written)
    moved.room[1].room.retire(keeping: nil)
    moved.world.inject(notice, into: moved.room[1])
    #expect(moved.room[1].notices.isEmpty)
    let other = try Moved(seed: 43) { _ in [[UInt8](repeating: 9, count: 32)] }
    let none = [other.room[0].room.makeRelocationNotice(isFinal: true), other.room[2].room.makeRelocationNotice(isFinal: true)]
    #expect(none == [nil, nil])
  }

  @Test(
    "6.4: while the door is kept a stranger first asks who is there, and whoever was in the room is told nothing by it")
  func kept() throws {
    let moved = try Moved(seed: 45)
    let (keeper, away) = (moved.room[0], moved.room[1])
    let written = keeper.room.makeRelocationNotice(isFinal: false)
    let notice = try #require(written)
    moved.world.inject(notice, into: away)
    #expect(away.notices.isEmpty)
    keeper.room.retire(keeping: nil)
    for node in moved.room[1...] { moved.world.cut(node) }
    let stranger = moved.world.add()
    moved.world.enter(stranger)
    moved.world.run(.milliseconds(100))
    moved.world.inject(notice, into: stranger)
    #expect(stranger.notices.isEmpty)
    moved.world.run(.seconds(1))
    #expect(stranger.notices == [moved.levels] && stranger.unanswered == 0)
    // Where nobody is there is nobody to ask.
    let late = moved.world.add()
    for node in [keeper, stranger] { moved.world.cut(node) }
    moved.world.enter(late)
    moved.world.run(.milliseconds(100))
    moved.world.inject(notice, into: late)
    #expect(late.notices == [moved.levels])
  }

  @Test("a notice with a level that its author did not sign, or whose author is not introduced, is refused")
  func forged() throws {
    let moved = try Moved(seed: 44)
    let (liar, stranger) = (moved.room[2], moved.world.add())
    moved.world.enter(stranger)
    let bend = { (bytes: [UInt8]) in
      var bytes = bytes
      bytes[bytes.count - 1] ^= 1
      return bytes
    }
    let intro = liar.room.introduction.bytes
    let authors = moved.room[0...1].map { $0.room.introduction.bytes }
    let levels = moved.levels.map(\.bytes)
    let attempts: [(RekeyMessage, ChannelRefusal)] = [
      (RekeyMessage(intro: intro, levels: levels.map(bend), authors: authors), .signature),
      (RekeyMessage(intro: intro, levels: levels, authors: [authors[1]]), .signature),
      (RekeyMessage(intro: intro, levels: levels, authors: authors.map(bend)), .introduction),
    ]
    for (message, refusal) in attempts {
      stranger.forgetWhatCame()
      moved.world.inject(try atDoor(message, liar), into: stranger)
      #expect(stranger.notices.isEmpty && stranger.refused(refusal) == 1)
    }
    // Whoever carries it, the truth is the truth.
    let truth = RekeyMessage(intro: intro, levels: levels, authors: authors)
    moved.world.inject(try atDoor(truth, liar), into: stranger)
    #expect(stranger.notices == [moved.levels])
  }

  /// The message as somebody says it at its door.
  private func atDoor(_ message: RekeyMessage, _ node: RoomWorld.Node) throws -> [UInt8] {
    let effects = node.room.sendAtDoor(.rekey(message), to: node.id)
    return try #require(effects.lazy.compactMap { if case .transmit(let envelope, _) = $0 { envelope } else { nil } }.first)
  }
}

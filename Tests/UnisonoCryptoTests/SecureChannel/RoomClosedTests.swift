import Testing
import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto

@Suite("A room that lets nobody new in")
struct RoomClosedTests {
  /// The owner's word on it, as all here know it from now on.
  private func close(_ room: [RoomWorld.Node], _ world: RoomWorld) throws -> LevelWriter {
    var owner = LevelWriter(room[0], session: world.door.scope.session)
    try owner.add(.closing(true))
    for node in room { node.room.setPolicy(levels: owner.levels) }
    return owner
  }

  /// All say something each second.
  private func talk(_ world: RoomWorld, for seconds: Int) {
    for _ in 0..<seconds {
      for node in world.nodes where node.secured > 0 { world.say(node) }
      world.run(.seconds(1))
    }
  }

  @Test("Z87: with a leaked invite nobody gets into a closed group, and is told why by whomever it asks; once it is open it is in")
  func leaked() throws {
    let world = RoomWorld(seed: 87)
    let room = world.room(of: 3)
    var owner = try close(room, world)
    let record = room[0].record
    let guest = world.add()
    world.enter(guest)
    world.run(.seconds(60))
    #expect(guest.secured == 0 && guest.unanswered == 0 && guest.declines.count >= 10)
    #expect(guest.declines.allSatisfy { $0 == .closed })
    #expect(room.allSatisfy { $0.room.roster.count == 3 && $0.record == record && $0.refusals.isEmpty })
    try owner.add(.closing(false))
    for node in room { node.room.setPolicy(levels: owner.levels) }
    #expect(world.run(atMost: .seconds(4)) { guest.secured == 1 })
    #expect(room.allSatisfy { world.hears(guest, $0) && world.hears($0, guest) })
  }

  @Test("Z88: who is on the roster of a closed group comes back into it")
  func back() throws {
    let world = RoomWorld(seed: 88)
    let room = world.room(of: 3)
    world.cut(room[2])
    _ = try close(Array(room[0...1]), world)
    world.run(.seconds(60))
    world.enter(room[2])
    world.run(.seconds(3))
    #expect(room[2].declines.isEmpty && world.hears(room[2], room[0]) && world.hears(room[1], room[2]))
  }

  @Test("Z88: a hundred who have the invite ask a closed group without end: who is on its roster comes back into it")
  func backAmongMany() throws {
    let world = RoomWorld(seed: 880)
    let room = world.room(of: 3)
    world.cut(room[2])
    _ = try close(Array(room[0...1]), world)
    world.run(.seconds(60))
    let strangers = (0..<100).map { _ in Stranger(in: world) }
    /// Each of them, as often as one is answered.
    func ask() throws {
      for stranger in strangers {
        let key = HybridKey(seed: stranger.secret()).publicKey.bytes
        let intro = stranger.node.room.introduction.bytes
        let hello = InnerMessage.hello(HelloMessage(intro: intro, known: nil, reason: .joining, freshKey: key))
        for node in room[0...1] { world.inject(try stranger.atDoor(hello), into: node) }
      }
    }
    for _ in 0..<5 {
      try ask()
      world.run(.seconds(2))
    }
    try ask()
    world.enter(room[2])
    world.run(.milliseconds(500))
    #expect(room[2].secured == 2 && room[2].declines.isEmpty)
    #expect(world.hears(room[2], room[0]) && world.hears(room[1], room[2]))
    #expect(room[0].room.roster.count == 3 && strangers.allSatisfy { $0.hellos.isEmpty })
  }

  @Test("Z88: whom the other half let in before it knew comes in when the halves meet, though the group is closed")
  func halves() throws {
    let world = RoomWorld(seed: 89)
    let room = world.room(of: 4)
    let (here, there) = (Array(room[0...1]), Array(room[2...3]))
    world.drops = { speaker, listener in here.contains { $0 === speaker } != here.contains { $0 === listener } }
    world.run(.seconds(20))
    _ = try close(here, world)
    let guest = world.add()
    world.enter(guest, seenBy: there)
    // For longer than who let somebody in remembers it.
    talk(world, for: 60)
    #expect(guest.secured == 1 && !room[0].room.roster.contains(guest.id))
    world.drops = nil
    for one in here { for other in there + [guest] { world.meet(one, other) } }
    talk(world, for: 20)
    #expect(Set(world.nodes.map(\.record)).count == 1 && room[0].room.roster.contains(guest.id))
    #expect(world.hears(guest, room[0]) && world.hears(room[1], guest))
  }

  @Test("Z88: who was let in, and did not hear of it before the group was closed, is let in when it asks again")
  func unheard() throws {
    let world = RoomWorld(seed: 91)
    let room = world.room(of: 2)
    let guest = world.add()
    world.drops = { _, listener in listener === guest }
    world.enter(guest)
    world.run(.seconds(1))
    #expect(guest.secured == 0 && room[0].room.roster.contains(guest.id))
    _ = try close(room, world)
    world.drops = nil
    #expect(world.run(atMost: .seconds(6)) { guest.secured == 1 })
    #expect(guest.declines.isEmpty && world.hears(guest, room[1]) && world.hears(room[0], guest))
  }

  @Test("Z90: who waits for the next record while the group is closed is not let in by it")
  func waiting() throws {
    let world = RoomWorld(seed: 90)
    let room = world.room(of: 2)
    let guests = (0..<2).map { _ in world.add() }
    world.enter(guests[0])
    // The second one asks within a tenth of a second of the first one's record.
    #expect(world.run(atMost: .seconds(2)) { room[0].room.roster.count == 3 || room[1].room.roster.count == 3 })
    world.enter(guests[1])
    world.run(.milliseconds(60))
    _ = try close(room + [guests[0]], world)
    world.run(.seconds(10))
    #expect(guests[0].secured == 1 && guests[1].secured == 0 && guests[1].declines.contains(.closed))
    #expect(room.allSatisfy { $0.room.roster.count == 3 })
  }
}

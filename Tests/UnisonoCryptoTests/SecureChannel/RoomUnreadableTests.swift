import Testing
import UnisonoBase
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Who is here and cannot be read")
struct RoomUnreadableTests {
  /// What is said every 2 s by all, while strangers make noise.
  private func talk(_ world: RoomWorld, _ nodes: [RoomWorld.Node], _ strangers: [Stranger] = [], for seconds: Int) {
    for round in 0..<(seconds / 2) {
      for node in nodes { world.say(node) }
      for stranger in strangers {
        world.forward(stranger.garbage(EpochID(high: 7, low: UInt32(round))), from: stranger.node)
      }
      world.run(.seconds(2))
    }
  }

  @Test("F83: one envelope of a record that nobody knows is nothing; who goes on so for 10 s is told once, and its leaving")
  func insistence() {
    let world = RoomWorld(seed: 830)
    let room = world.room(of: 3)
    let stranger = Stranger(in: world)
    world.forward(stranger.garbage(EpochID(high: 7, low: 7)), from: stranger.node)
    talk(world, room, for: 30)
    #expect(room.allSatisfy { $0.splits.isEmpty })
    let begin = world.now
    talk(world, room, [stranger], for: 30)
    for node in room {
      #expect(node.splits.map(\.change.participant) == [stranger.node.id])
      #expect(node.splits.allSatisfy { $0.change.kind == .unreadable && $0.at - begin <= .seconds(11) })
    }
    world.cut(stranger.node)
    world.run(.seconds(1))
    #expect(room.allSatisfy { $0.splits.map(\.change.isOver) == [false, true] })
  }

  @Test("F83: a crowd that has the invite alone is told of eight times, and hides no member that cannot be read")
  func crowd() {
    let world = RoomWorld(seed: 831)
    let room = world.room(of: 3)
    let strangers = (0..<12).map { _ in Stranger(in: world) }
    talk(world, room, strangers, for: 30)
    for node in room { #expect(node.unreadable.count == 8 && node.splits.count == 8) }
    // A hub bends the epoch of all that one member says to another.
    for round in 0..<10 {
      for node in room { world.say(node) }
      var bent = world.sealed(by: room[2])
      bent[4] ^= 0xFF
      world.drops = { $0 === room[2] && $1 === room[0] }
      world.inject(bent, into: room[0])
      #expect(round < 9 || room[0].unreadable.contains(room[2].id))
      world.run(.seconds(2))
    }
    #expect(!room[1].unreadable.contains(room[2].id))
    world.drops = nil
    talk(world, room, for: 4)
    #expect(!room[0].unreadable.contains(room[2].id) && room[0].splits.last?.change.isOver == true)
  }

  @Test("F83: whom a lost link leaves unread is told to be over once another room shows that it is not there")
  func lostLink() {
    let world = RoomWorld(seed: 832)
    let room = world.room(of: 3)
    let stranger = Stranger(in: world)
    talk(world, room, [stranger], for: 20)
    #expect(room[1].unreadable == [stranger.node.id])
    world.cut(room[1])
    world.run(.seconds(1))
    #expect(room[1].unreadable == [stranger.node.id])
    world.enter(room[1], seenBy: [room[0], room[2]])
    world.run(.seconds(2))
    #expect(room[1].unreadable.isEmpty && room[1].splits.count == 2)
  }

  @Test("Z99: what a member said in the last record that a newcomer cannot read is asked for once, and no split, while others come")
  func lateFrames() {
    let world = RoomWorld(seed: 99)
    let room = world.room(of: 3)
    // Said before the record that lets the newcomer in was heard of there.
    let late = world.sealed(by: room[1])
    let guest = world.add()
    world.enter(guest)
    world.run(.seconds(1))
    world.inject(late, into: guest)
    let asked = { world.recording.count { $0.to == [room[1].id] } }
    let before = asked()
    // Each who comes is told of to all. The member says nothing by itself for longer than one that cannot be read is waited for.
    for _ in 0..<14 {
      world.enter(world.add())
      world.run(.seconds(1))
    }
    #expect(guest.splits.isEmpty)
    // ASK, and HELLO as long as it was not answered.
    #expect(asked() - before <= 3)
    #expect(world.hears(guest, room[1]) && world.hears(room[1], guest))
    // Who goes on so is told of all the same, and as soon.
    let begin = world.now
    for round in 0..<6 {
      var bent = world.sealed(by: room[1])
      bent[4] ^= 0xFF
      world.inject(bent, into: guest)
      world.enter(world.add())
      world.run(.seconds(2))
      #expect(guest.unreadable == (round < 4 ? [] : [room[1].id]))
    }
    #expect(guest.splits.first.map { $0.at - begin } == UnreadableMembers.patience)
  }
}

import Testing
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Generations of the content key, and connections that come back")
struct RoomGenerationTests {
  private func generation(_ node: RoomWorld.Node) -> UInt32? { node.room.keyring?.newest.generation }

  @Test("a welcome advances the generation, at most once in 5 s, and the others follow")
  func welcomeAdvances() {
    let world = RoomWorld()
    let room = world.room(of: 2)
    let before = generation(room[0]) ?? 0
    world.run(.seconds(6))
    let guests = (0..<3).map { _ in world.add() }
    for guest in guests {
      world.enter(guest)
      world.run(.seconds(1))
    }
    #expect(generation(room[0]) == before + 1)
    #expect(([room[1]] + guests).allSatisfy { generation($0) == before + 1 })
    world.run(.seconds(5))
    let last = world.add()
    world.enter(last)
    world.run(.seconds(1))
    #expect(([last] + room + guests).allSatisfy { generation($0) == before + 2 })
  }

  @Test("two welcomers that reach the same number, and one that is passed over, are all read")
  func twoWelcomers() {
    let world = RoomWorld()
    let room = world.room(of: 3)
    world.run(.seconds(6))
    // The second does not hear the first, who advances twice.
    let steady = room[2]
    room[1].isDeaf = true
    for _ in 0..<2 {
      let guest = world.add()
      world.enter(guest)
      world.run(.seconds(6))
    }
    #expect(generation(room[0]) == (generation(room[1]) ?? 0) + 2)
    #expect(world.hears(steady, room[1]))
    room[1].isDeaf = false
    _ = world.hears(room[1], steady)
    #expect(generation(room[1]) == generation(room[0]))
  }

  @Test("who passes over a generation still reads those who are in it")
  func passedOver() {
    let world = RoomWorld()
    var keyring = Keyring(Epoch(first: Secret { [UInt8](repeating: 1, count: $0) }, in: world.door.scope), now: 0)
    let all = (0...5 as ClosedRange<UInt32>).compactMap { keyring.newest.advanced(to: $0) }
    #expect(keyring.follow(all[3], now: 0) == .all)
    for passed in 0...2 { #expect(keyring.epoch(UInt32(passed)) == all[passed]) }
    #expect(keyring.epoch(67) != nil)
    #expect(keyring.epoch(68) == nil)
    keyring.erase(now: .seconds(30))
    for passed in 0...2 { #expect(keyring.epoch(UInt32(passed)) == nil) }
  }

  @Test("Z39: an older generation is erased 30 s after a newer one")
  func erased() {
    let world = RoomWorld()
    let room = world.room(of: 2)
    world.run(.seconds(40))
    let old = generation(room[0]) ?? 0
    let guest = world.add()
    world.enter(guest)
    world.run(.seconds(29))
    #expect(room.allSatisfy { $0.room.keyring?.epoch(old) != nil })
    world.run(.seconds(2))
    #expect(room.allSatisfy { generation($0) == old + 1 && $0.room.keyring?.epoch(old) == nil })
  }

  @Test("a generation older than 10 min is advanced by whoever speaks")
  func tenMinutes() {
    let world = RoomWorld()
    let room = world.room(of: 2)
    let before = generation(room[0]) ?? 0
    world.run(.seconds(590))
    #expect(world.hears(room[1], room[0]))
    #expect(generation(room[0]) == before)
    world.run(.seconds(20))
    #expect(world.hears(room[1], room[0]))
    #expect(generation(room[0]) == before + 1 && generation(room[1]) == before + 1)
    #expect(room.allSatisfy { $0.refusals.isEmpty })
  }

  @Test("a reconnect within 3 s goes on at once: it reads and is read, and asks nobody")
  func shortReconnect() {
    let world = RoomWorld()
    let room = world.room(of: 3)
    world.cut(room[1])
    world.run(.seconds(3))
    let before = world.recording.count
    world.enter(room[1])
    world.run(.milliseconds(50))
    #expect(room[1].secured == 2)
    #expect(world.hears(room[0], room[1]) && world.hears(room[1], room[2]))
    let doors = world.recording[before...].filter { (try? EnvelopeHeader(envelope: $0.envelope))?.kind == .door }
    #expect(doors.isEmpty)
    #expect(room.allSatisfy { $0.refusals.isEmpty })
  }

  @Test("a reconnect after 60 s, with keys that the others erased, goes on reading and being read")
  func longReconnect() {
    let world = RoomWorld()
    let room = world.room(of: 2)
    world.run(.seconds(6))
    world.cut(room[1])
    for _ in 0..<4 {
      world.run(.seconds(5))
      world.enter(world.add())
    }
    world.run(.seconds(40))
    #expect(generation(room[0]) == (generation(room[1]) ?? 0) + 4)
    world.enter(room[1])
    world.run(.milliseconds(100))
    #expect(room[1].secured == 2)
    for other in world.nodes where other !== room[1] {
      #expect(world.hears(other, room[1]))
      #expect(world.hears(room[1], other))
    }
    #expect(world.nodes.allSatisfy { $0.refusals.isEmpty })
  }

  @Test("the departure of a connection that a newer one replaced takes nobody off the list")
  func replacedConnection() {
    let world = RoomWorld()
    let room = world.room(of: 2)
    let old = room[1].connection ?? 0
    let again = Member(id: room[1].id, connection: old + 100, age: 0)
    _ = room[0].room.presence(joined: [again], gone: [], now: world.now)
    _ = room[0].room.presence(
      joined: [], gone: [Departure(id: room[1].id, connection: old, left: false)], now: world.now)
    #expect(room[0].room.members[room[1].id] == again)
    _ = room[0].room.presence(
      joined: [], gone: [Departure(id: room[1].id, connection: old + 100, left: false)], now: world.now)
    #expect(room[0].room.members.isEmpty)
  }

  @Test("who comes back to members that do not answer speaks with the key it has")
  func deafMembers() {
    let world = RoomWorld()
    let room = world.room(of: 2)
    world.cut(room[1])
    world.run(.seconds(10))
    room[0].isDeaf = true
    world.enter(room[1])
    #expect(world.run(atMost: .seconds(2)) { room[1].secured == 2 })
    room[0].isDeaf = false
    #expect(world.hears(room[0], room[1]))
  }

  @Test("all come back together after a minute, each from another generation")
  func everybodyComesBack() {
    let world = RoomWorld()
    let room = world.room(of: 4)
    for node in room {
      world.cut(node)
      world.run(.seconds(7))
    }
    world.run(.seconds(40))
    for node in room { world.enter(node) }
    world.run(.seconds(3))
    #expect(room.allSatisfy { $0.secured == 2 })
    for listener in room {
      for speaker in room where speaker !== listener { #expect(world.hears(listener, speaker)) }
    }
  }
}

import Testing
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Records of who can read, and connections that come back")
struct RoomRecordTests {
  @Test("a newcomer comes in by one record, which all others take; those who ask within 100 ms come in together")
  func oneRecord() {
    let world = RoomWorld()
    let room = world.room(of: 2)
    let before = room[0].number ?? 0
    let guest = world.add()
    world.enter(guest)
    world.run(.seconds(1))
    #expect((room + [guest]).allSatisfy { $0.number == before + 1 })
    let crowd = (0..<6).map { _ in world.add() }
    for node in crowd { world.enter(node) }
    world.run(.seconds(1))
    #expect((room + [guest] + crowd).allSatisfy { $0.record == room[0].record && $0.room.roster.count == 9 })
    #expect((room[0].number ?? 0) <= before + 3)
  }

  @Test("Z39: the key of a record is erased 60 s after another one was taken, and the last frame under it read")
  func erased() throws {
    let world = RoomWorld()
    let room = world.room(of: 2)
    let old = try #require(room[0].record)
    let guest = world.add()
    world.enter(guest)
    world.run(.seconds(59))
    #expect(room.allSatisfy { $0.room.records.heldKey(of: old) != nil })
    world.run(.seconds(8))
    #expect(room.allSatisfy { $0.record != old && $0.room.records.heldKey(of: old) == nil && $0.room.records[old] != nil })
  }

  @Test("a record older than 10 min is followed by one that lets nobody in, which the leader makes; alone nobody makes one")
  func tenMinutes() throws {
    let world = RoomWorld()
    let room = world.room(of: 3)
    let before = try #require(room[0].number)
    for _ in 0..<118 {
      for node in room { world.say(node) }
      world.run(.seconds(5))
    }
    #expect(room.allSatisfy { $0.number == before })
    for _ in 0..<4 {
      for node in room { world.say(node) }
      world.run(.seconds(5))
    }
    #expect(room.allSatisfy { $0.number == before + 1 && $0.record == room[0].record })
    let author = room[0].record.flatMap { room[0].room.records[$0]?.record.author }
    #expect(author == room[0].id)
    #expect(room.allSatisfy { $0.refusals.isEmpty })
    world.cut(room[1])
    world.cut(room[2])
    world.run(.seconds(1_300))
    #expect(room[0].number == before + 1)
  }

  @Test("Z51: the root returns after 5 min with the key of then: it derives the rest from one WELCOME, and nobody moves to it")
  func rootReturns() throws {
    let world = RoomWorld(seed: 51)
    let room = world.room(of: 3)
    let old = try #require(room[0].record)
    world.cut(room[0])
    for _ in 0..<20 {
      world.enter(world.add())
      for node in world.nodes.dropFirst() { world.say(node) }
      world.run(.seconds(15))
    }
    let newest = room[1].record
    #expect(room[1].room.records.heldKey(of: old) == nil && room[1].number == 22)
    world.enter(room[0])
    world.run(.seconds(1))
    #expect(room[0].record == newest && room[0].secured == 2)
    for other in world.nodes.dropFirst() {
      #expect(other.record == newest)
      #expect(world.hears(other, room[0]) && world.hears(room[0], other))
    }
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

  @Test("a reconnect after a minute, with keys that the others erased, goes on reading and being read")
  func longReconnect() {
    let world = RoomWorld()
    let room = world.room(of: 2)
    world.run(.seconds(6))
    world.cut(room[1])
    for _ in 0..<4 {
      world.run(.seconds(5))
      world.enter(world.add())
    }
    world.run(.seconds(70))
    #expect(room[0].number == (room[1].number ?? 0) + 4)
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

  @Test("all come back together after a minute, each from another time")
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

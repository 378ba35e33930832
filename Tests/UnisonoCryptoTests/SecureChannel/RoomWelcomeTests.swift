import Testing
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Coming into a room")
struct RoomWelcomeTests {
  @Test("the creator welcomes a newcomer, and each reads the other; nothing is refused on the way")
  func creatorWelcomes() {
    let world = RoomWorld()
    let (creator, guest) = (world.add(isCreator: true), world.add())
    world.enter(creator)
    world.run(.seconds(1))
    #expect(creator.secured == 1)
    world.enter(guest)
    #expect(world.run(atMost: .milliseconds(100)) { guest.secured == 1 })
    #expect(world.hears(guest, creator))
    #expect(world.hears(creator, guest))
    #expect(guest.room.keyring?.newest == creator.room.keyring?.newest)
    #expect(creator.refusals.isEmpty && guest.refusals.isEmpty)
  }

  @Test("two newcomers at once are both welcomed and read each other")
  func twoAtOnce() {
    let world = RoomWorld()
    let room = world.room(of: 1)
    let (one, two) = (world.add(), world.add())
    world.enter(one)
    world.enter(two)
    #expect(world.run(atMost: .milliseconds(200)) { one.secured == 1 && two.secured == 1 })
    world.run(.milliseconds(100))
    for listener in [room[0], one, two] {
      for speaker in [room[0], one, two] where speaker !== listener { #expect(world.hears(listener, speaker)) }
    }
    #expect(one.refusals.isEmpty && two.refusals.isEmpty && room[0].refusals.isEmpty)
  }

  @Test("joining costs one hello and one welcome, however many are there")
  func joiningIsDirected() {
    let world = RoomWorld()
    _ = world.room(of: 5)
    let before = world.recording.count
    let guest = world.add()
    world.enter(guest)
    world.run(.milliseconds(400))
    let doors = world.recording[before...].filter { (try? EnvelopeHeader(envelope: $0.envelope))?.kind == .door }
    #expect(guest.secured == 1)
    #expect(doors.count == 2)
    #expect(doors.allSatisfy { $0.to?.count == 1 })
  }

  @Test("who gets no answer asks the next member; a late answer still counts")
  func nextMember() {
    let world = RoomWorld()
    let room = world.room(of: 2)
    room[0].isDeaf = true
    let guest = world.add()
    world.enter(guest)
    world.run(.milliseconds(500))
    #expect(guest.secured == 0)
    #expect(world.run(atMost: .milliseconds(500)) { guest.secured == 1 })
    #expect(world.hears(guest, room[1]))
    #expect(guest.refusals.isEmpty)
  }

  @Test("a member that goes away while it is asked is not waited for")
  func askedLeaves() {
    let world = RoomWorld()
    let room = world.room(of: 2)
    room[0].isDeaf = true
    let guest = world.add()
    world.enter(guest)
    world.run(.milliseconds(50))
    world.cut(room[0])
    #expect(world.run(atMost: .milliseconds(100)) { guest.secured == 1 })
  }

  @Test("F40: nobody there to welcome: none of those who were invited draws a key; all get it from whoever comes with it")
  func nobodyDraws() {
    let world = RoomWorld()
    let guests = (0..<4).map { _ in world.add() }
    for guest in guests { world.enter(guest) }
    world.run(.seconds(60))
    #expect(guests.allSatisfy { $0.secured == 0 && $0.room.keyring == nil && $0.unanswered == 0 })
    let creator = world.add(isCreator: true)
    world.enter(creator)
    #expect(world.run(atMost: .seconds(2)) { guests.allSatisfy { $0.secured == 1 } })
    world.run(.milliseconds(100))
    for guest in guests { #expect(world.hears(guest, creator)) }
  }

  @Test("who waits alone asks a member that comes at once, and draws nothing")
  func creatorComesBack() {
    let world = RoomWorld()
    let (creator, guest) = (world.add(isCreator: true), world.add())
    world.enter(guest)
    world.run(.seconds(1))
    world.enter(creator)
    world.run(.milliseconds(200))
    #expect(guest.secured == 1)
    #expect(guest.room.keyring?.id == creator.room.keyring?.id)
    #expect(guest.logs.isEmpty)
  }

  @Test("who is handed a wrong key notices by two others whom it cannot read, and asks the next")
  func wrongKey() throws {
    let world = RoomWorld()
    // Of the session's creator nobody doubts it.
    let room = Array(world.room(of: 4).dropFirst())
    world.cut(world.nodes[0])
    world.run(.seconds(1))
    // The oldest member lies: the right epoch, another chain.
    let epoch = try #require(room[0].room.keyring?.newest)
    let bent = Epoch(id: epoch.id, generation: epoch.generation, chain: Secret { [UInt8](repeating: 3, count: $0) })
    let honest = room[0].room.keyring
    room[0].room.keyring = Keyring(bent, isWelcome: true, now: world.now)
    let guest = world.add()
    world.enter(guest)
    world.run(.milliseconds(200))
    #expect(guest.secured == 1)
    room[0].room.keyring = honest
    #expect(!world.hears(guest, room[1]))
    #expect(guest.logs.isEmpty)
    #expect(!world.hears(guest, room[2]))
    #expect(guest.logs.contains { $0.contains("\(room[0].id)") && $0.contains("wrong key") })
    world.run(.milliseconds(200))
    for other in [room[1], room[2]] {
      #expect(world.hears(guest, other))
      #expect(world.hears(other, guest))
    }
  }

  @Test("a welcome that nobody asked for, or that answers another hello, is refused")
  func unaskedWelcome() throws {
    let world = RoomWorld()
    let room = world.room(of: 2)
    let guest = world.add()
    world.enter(guest)
    world.run(.milliseconds(100))
    let found = world.recording.last { entry in
      guard let header = try? EnvelopeHeader(envelope: entry.envelope) else { return false }
      return header.kind == .door && header.sender == room[0].id && entry.to == [guest.id]
    }
    let welcome = try #require(found)
    let generation = guest.room.keyring?.newest.generation
    world.inject(welcome.envelope, into: guest)
    world.inject(welcome.envelope, into: room[1])
    #expect(guest.refused(.replay) == 1)
    #expect(room[1].refused(.welcome) == 1)
    #expect(guest.room.keyring?.newest.generation == generation)
  }

  @Test("who is asked about an unknown sender may not answer: the next one is asked within a second")
  func inquiry() {
    let world = RoomWorld()
    let room = world.room(of: 4)
    let listener = room[3]
    // The oldest hangs, and the introduction of the newcomer is lost to one.
    room[0].isDeaf = true
    listener.isDeaf = true
    let guest = world.add()
    world.enter(guest)
    world.run(.seconds(6))
    #expect(world.hears(room[1], guest))
    listener.isDeaf = false
    #expect(!world.hears(listener, guest))
    world.run(.seconds(1))
    let number = world.say(guest)
    world.run(.milliseconds(100))
    #expect(listener.numbers(from: guest).contains(number))
  }
}

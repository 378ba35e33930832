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
    #expect(guest.record == creator.record && guest.room.roster == [creator.id, guest.id])
    #expect(creator.room.roster == guest.room.roster)
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
    let creator = world.add(isCreator: true)
    let guests = (0..<4).map { _ in world.add() }
    for guest in guests { world.enter(guest) }
    world.run(.seconds(60))
    #expect(guests.allSatisfy { $0.secured == 0 && $0.record == nil && $0.unanswered == 0 })
    world.enter(creator)
    #expect(world.run(atMost: .seconds(2)) { guests.allSatisfy { $0.secured == 1 } })
    world.run(.milliseconds(100))
    for guest in guests { #expect(world.hears(guest, creator)) }
  }

  @Test("Z55: all members are gone: two joiners wait, and both are with a member that comes back within 5 s")
  func allGone() {
    let world = RoomWorld(seed: 55)
    let room = world.room(of: 3)
    for node in room { world.cut(node) }
    world.run(.seconds(2))
    let joiners = (0..<2).map { _ in world.add() }
    for joiner in joiners { world.enter(joiner) }
    world.run(.seconds(120))
    #expect(joiners.allSatisfy { $0.secured == 0 && $0.record == nil && $0.room.roster.isEmpty })
    // Neither the creator nor who came last.
    world.enter(room[1])
    #expect(world.run(atMost: .seconds(5)) { joiners.allSatisfy { $0.secured == 1 } })
    world.run(.seconds(1))
    #expect(joiners.allSatisfy { $0.record == room[1].record && $0.room.records.founding == room[1].room.records.founding })
    for joiner in joiners { #expect(world.hears(joiner, room[1]) && world.hears(room[1], joiner)) }
    #expect(world.hears(joiners[0], joiners[1]))
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
    #expect(guest.record == creator.record)
    #expect(guest.logs.isEmpty)
  }

  @Test("Z92: who waits alone for longer than nobody may keep silent asks a member that comes then", arguments: [25, 600] as [Int64])
  func longAlone(seconds: Int64) {
    let world = RoomWorld(seed: 92)
    let (creator, guest) = (world.add(isCreator: true), world.add())
    world.enter(guest)
    world.run(.seconds(seconds))
    world.enter(creator)
    #expect(world.run(atMost: .milliseconds(200)) { guest.secured == 1 })
    #expect(guest.unanswered == 0 && guest.record == creator.record)
  }

  @Test("Z92: the other joiner leaves just when a member comes: it is asked, whoever was waited with before")
  func companionLeaves() {
    let world = RoomWorld(seed: 920)
    let creator = world.add(isCreator: true)
    let joiners = (0..<2).map { _ in world.add() }
    for joiner in joiners { world.enter(joiner) }
    world.run(.seconds(60))
    world.cut(joiners[1])
    world.enter(creator)
    #expect(world.run(atMost: .seconds(9)) { joiners[0].secured == 1 })
    #expect(joiners[0].unanswered == 0)
  }

  @Test("Z92: a member that comes when a silent one was waited for nearly long enough is asked, too")
  func lateMember() {
    let world = RoomWorld(seed: 921)
    let (creator, guest) = (world.add(isCreator: true), world.add())
    let silent = Stranger(in: world)
    world.enter(guest)
    world.run(.milliseconds(19_700))
    #expect(!silent.hellos.isEmpty)
    world.enter(creator)
    #expect(world.run(atMost: .seconds(9)) { guest.secured == 1 })
    #expect(guest.unanswered == 0)
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
    let record = guest.record
    world.inject(welcome.envelope, into: guest)
    world.inject(welcome.envelope, into: room[1])
    #expect(guest.refused(.replay) == 1)
    #expect(room[1].refused(.welcome) == 1)
    #expect(guest.record == record)
  }

  @Test("a newcomer whose record is lost to one is read as soon as that one asks for it")
  func lostRecord() {
    let world = RoomWorld()
    let room = world.room(of: 4)
    let listener = room[3]
    listener.isDeaf = true
    let guest = world.add()
    world.enter(guest)
    world.run(.milliseconds(300))
    #expect(world.hears(room[1], guest))
    listener.isDeaf = false
    let number = world.say(guest)
    world.run(.milliseconds(200))
    #expect(listener.numbers(from: guest).contains(number))
    #expect(listener.record == guest.record)
  }

  @Test("Z54: two who are let in at once by two members are both read at once, and all are together within 3 s")
  func twoWelcomers() {
    let world = RoomWorld(seed: 54)
    let room = world.room(of: 3)
    let (one, two) = (world.add(), world.add())
    // Each sees another member as the oldest.
    room[0].isDeaf = true
    world.enter(one)
    world.run(.milliseconds(21))
    room[0].isDeaf = false
    room[1].isDeaf = true
    world.enter(two)
    world.run(.seconds(1))
    room[1].isDeaf = false
    let everybody = room + [one, two]
    #expect(one.secured == 1 && two.secured == 1)
    for _ in 0..<3 {
      for node in everybody { world.say(node) }
      world.run(.seconds(1))
    }
    #expect(Set(everybody.map(\.record)).count == 1)
    #expect(Set(everybody.map(\.room.roster)).count == 1 && room[0].room.roster.count == 5)
    for listener in everybody { for speaker in everybody where speaker !== listener { #expect(world.hears(listener, speaker)) } }
  }
}

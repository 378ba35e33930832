import Testing
import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto

@Suite("A room of many, and of those who are gone")
struct RoomCrowdTests {
  private func strangers(_ count: Int, _ world: RoomWorld, seed: UInt64) -> [Introduction] {
    var dice = RoomWorld.Dice(seed: seed)
    return (0..<count).map { _ in Introduction(Identity { dice.bytes($0) }, session: world.door.scope.session) }
  }

  private func relay(_ introductions: [Introduction], by node: RoomWorld.Node, _ world: RoomWorld) {
    for first in stride(from: 0, to: introductions.count, by: 400) {
      let some = introductions[first..<min(first + 400, introductions.count)]
      let effects = node.room.send(.update(statements: [], intros: some.map(\.bytes)), to: nil, now: world.now)
      for case .transmit(let envelope, _) in effects {
        for other in world.nodes where other !== node { world.inject(envelope, into: other) }
      }
    }
  }

  /// The hub says to one participant that they are here.
  private func arrive(_ crowd: [Introduction], at node: RoomWorld.Node, _ world: RoomWorld) {
    world.claim(
      joined: crowd.enumerated().map { Member(id: $0.element.id, connection: UInt64(500 + $0.offset), age: 0) }, at: node)
  }

  /// Names them as readers, in records that the others hear of.
  private func letIn(_ introductions: [Introduction], by node: RoomWorld.Node, _ world: RoomWorld) {
    node.isIntroduced(introductions)
    for first in stride(from: 0, to: introductions.count, by: WireLimits.admitted) {
      let some = Array(introductions[first..<min(first + WireLimits.admitted, introductions.count)])
      for case .transmit(let envelope, _) in node.room.makeRecord(admitting: some, now: world.now) ?? [] {
        for other in world.nodes where other !== node { world.inject(envelope, into: other) }
      }
      world.run(.seconds(1))
    }
  }

  @Test("520 invented authors a second keep nobody out: who never was here, and said nothing that counts, is forgotten")
  func invented() {
    let world = RoomWorld()
    let room = world.room(of: 3)
    for round in 0..<5 as Range<UInt64> {
      relay(strangers(520, world, seed: round), by: room[2], world)
      for node in room { node.room.forgetStrangers(authors: { [] }, now: world.now) }
      world.run(.seconds(1))
    }
    let guest = world.add()
    world.enter(guest)
    world.run(.seconds(1))
    #expect(guest.secured == 1)
    #expect(world.hears(room[0], guest) && world.hears(guest, room[0]) && world.hears(room[0], room[1]))
    world.run(.seconds(30))
    for node in room[0...1] {
      node.room.forgetStrangers(authors: { [] }, now: world.now)
      #expect(Set(node.room.introductions.all.keys) == Set(world.nodes.map(\.id)))
    }
  }

  @Test("more in one turn than can be kept: the newcomer among them is let in at its next try")
  func fullForATurn() {
    let world = RoomWorld()
    let room = world.room(of: 2)
    let crowd = strangers(Introductions.limit, world, seed: 17)
    for node in room { node.isIntroduced(crowd) }
    #expect(room[0].room.introductions.all.count == Introductions.limit)
    let guest = world.add()
    world.enter(guest)
    world.run(.milliseconds(100))
    #expect(guest.secured == 0)
    for node in room { node.room.forgetStrangers(authors: { [] }, now: world.now) }
    world.run(.seconds(3))
    #expect(guest.secured == 1)
    #expect(world.hears(room[0], guest) && world.hears(guest, room[0]))
  }

  @Test("who is on the roster is known as long as the room is founded on it; of others nothing is kept")
  func kept() throws {
    let world = RoomWorld()
    let room = world.room(of: 3)
    relay(strangers(2, world, seed: 3), by: room[1], world)
    world.cut(room[2])
    world.run(.seconds(40))
    room[0].room.forgetStrangers(authors: { [] }, now: world.now)
    #expect(Set(room[0].room.introductions.all.keys) == Set(room.map(\.id)))
    #expect(room[0].room.followers(now: world.now).contains(room[2].id))
    // A newcomer is welcomed with those who are here; of the others it learns where they said something.
    let guest = world.add()
    world.enter(guest)
    world.run(.seconds(1))
    #expect(Set(guest.room.introductions.all.keys) == [room[0].id, room[1].id, guest.id])
    #expect(guest.room.roster == room.map(\.id) + [guest.id])
    world.run(.seconds(700))
    room[0].room.forgetStrangers(authors: { [] }, now: world.now)
    #expect(Set(room[0].room.introductions.all.keys) == Set(room.map(\.id) + [guest.id]))
    #expect(room[0].room.present.remembered.isEmpty && !room[0].room.followers(now: world.now).contains(room[2].id))
  }

  @Test("what somebody said who is gone is not taken again, as long as its key is there")
  func replayOfTheForgotten() {
    let world = RoomWorld()
    let room = world.room(of: 3)
    // Everything from its introduction on, as a hub records it.
    let guest = world.add()
    let before = world.recording.count
    world.enter(guest)
    world.run(.seconds(1))
    world.say(guest)
    world.run(.seconds(1))
    let said = world.recording[before...].map(\.envelope).filter { envelope in
      (try? EnvelopeHeader(envelope: envelope)).map { $0.sender == guest.id && $0.kind == .ordered } ?? false
    }
    #expect(!said.isEmpty)
    world.cut(guest)
    world.run(.seconds(1))
    // Many come and go, so that it is not among the last ones either.
    var members = room[0].room.present
    members.forgetOld(now: world.now.adding(RelocationKeeper.memory * 2))
    room[0].room = room[0].room.replacing(present: members)
    room[0].room.forgetStrangers(authors: { [] }, now: world.now.adding(Sweep.interval))
    room[0].forgetWhatCame()
    world.claim(joined: [Member(id: guest.id, connection: 99, age: 0)], at: room[0])
    for envelope in said { world.inject(envelope, into: room[0]) }
    world.claim(gone: [Departure(id: guest.id, connection: 99, left: false)], at: room[0])
    for envelope in said { world.inject(envelope, into: room[0]) }
    world.run(.seconds(1))
    #expect(room[0].numbers(from: guest).isEmpty)
    #expect(room[0].refused(.replay) + room[0].refused(.oldLane) + room[0].refused(.unknownSender) >= said.count)
  }

  @Test("Z85: a room of 256 is re-keyed, and each whom the next one names is handed it in a message for 16")
  func rekeyed() throws {
    let world = RoomWorld(seed: 85)
    let room = world.room(of: 4)
    let crowd = strangers(252, world, seed: 8)
    letIn(crowd, by: room[0], world)
    for node in room { arrive(crowd, at: node, world) }
    let secrets = room[0].room.makeRoom(without: [room[3].id], basis: PolicyStack.origin, now: world.now)
    #expect(secrets.founding.body.admitted.count == 255)
    room[0].room.setPolicy(levels: [try world.removal(of: room[3], by: room[0], to: secrets)])
    let before = world.recording.count
    world.rekey(room[0], secrets)
    // A turn makes 16 wraps at most, and the next one is due at once.
    #expect(world.recording.count - before == 1 && world.recording.last?.to?.count == 16)
    #expect(room[0].room.nextWake == world.now)
    world.run(0)
    let said = Array(world.recording[before...])
    // Who is put out is told so, and handed nothing.
    #expect(said.last?.to == [room[3].id])
    let handed = said.dropLast()
    #expect(Set(handed.flatMap { $0.to ?? [] }) == Set(secrets.founding.body.admitted).subtracting([room[0].id]))
    #expect(handed.count == 16 && handed.allSatisfy { $0.to.map { (14...16).contains($0.count) } ?? false })
    // To the hub little more than the wraps take, and from it no wraps of everybody to everybody.
    #expect(said.reduce(0) { $0 + $1.envelope.count } < 450_000)
    #expect(said.reduce(0) { $0 + $1.envelope.count * ($1.to?.count ?? 255) } < 7_000_000)
    world.run(.seconds(1))
    #expect(room[1...2].allSatisfy { $0.moves.map(\.secrets) == [secrets] } && room[3].moves.isEmpty)
  }

  @Test("who re-keys a room of 64 and goes hands the next room to all whom it names first")
  func rekeyedAtLast() throws {
    let world = RoomWorld(seed: 86)
    let room = world.room(of: 3)
    let crowd = strangers(61, world, seed: 9)
    letIn(crowd, by: room[0], world)
    arrive(crowd, at: room[0], world)
    let secrets = room[0].room.makeRoom(without: [room[2].id], basis: PolicyStack.origin, now: world.now)
    room[0].room.setPolicy(levels: [try world.removal(of: room[2], by: room[0], to: secrets)])
    let first = room[0].room.sendRekey(secrets, now: world.now)
    let rest = room[0].room.finishRekey(now: world.now)
    let handed = (first + rest).compactMap { effect -> [ParticipantID]? in
      if case .transmit(_, let to) = effect { to } else { nil }
    }
    #expect(first.count == 1 && handed.count == 5 && handed.last == [room[2].id])
    #expect(Set(handed.dropLast().flatMap { $0 }) == Set(secrets.founding.body.admitted).subtracting([room[0].id]))
    #expect(room[0].room.nextHandover == nil && room[0].room.finishRekey(now: world.now).isEmpty)
  }

  @Test("who begins a room of 40 anew hands the beginning to the last of them as they can read it")
  func begunAnew() throws {
    let world = RoomWorld(seed: 87)
    let room = world.room(of: 40)
    let owner = room[0]
    let topic = world.door.topic
    let secrets = owner.room.makeRoom(without: [], behind: world.doorSecret, basis: PolicyStack.origin, now: world.now)
    #expect(secrets.founding.body.admitted.count == 40)
    let level = try #require(
      LevelWriter(owner, session: world.door.scope.session).level(.refresh(topic: topic, founding: secrets.founding.id)))
    owner.room.setPolicy(levels: [level])
    world.rekey(owner, secrets)
    world.beginAnew(owner, secrets)
    #expect(owner.record == secrets.founding.id && owner.room.nextHandover == world.now)
    world.run(world.delay * 2 + 1)
    #expect(room.dropFirst().allSatisfy { $0.moves.map(\.secrets) == [secrets] && $0.refusals.isEmpty })
  }

  @Test("of more than 256 who may follow to another door, those who are here come first, then who was here last")
  func followers() {
    let world = RoomWorld()
    let room = world.room(of: 3)
    let gone = strangers(300, world, seed: 5)
    letIn(gone, by: room[0], world)
    for (index, introduction) in gone.enumerated() {
      room[0].isIntroduced([introduction])
      let member = Member(id: introduction.id, connection: UInt64(1_000 + index), age: 0)
      world.claim(joined: [member], at: room[0])
      world.run(.milliseconds(10))
      world.claim(gone: [Departure(id: member.id, connection: member.connection, left: false)], at: room[0])
    }
    let followers = room[0].room.followers(now: world.now)
    #expect(followers.count == 256)
    #expect(Set(followers).isSuperset(of: [room[1].id, room[2].id]))
    #expect(Set(followers).subtracting([room[1].id, room[2].id]) == Set(gone.suffix(254).map(\.id)))
    #expect(room[0].room.present.remembered.count == 256)
  }

  @Test("with 256 here a newcomer is told that there is no place, and goes in when somebody leaves")
  func noPlace() {
    let world = RoomWorld()
    let room = world.room(of: 2)
    let crowd = strangers(254, world, seed: 6)
    letIn(crowd, by: room[0], world)
    for node in room { arrive(crowd, at: node, world) }
    let guest = world.add()
    world.enter(guest)
    world.run(.seconds(30))
    #expect(guest.full > 3 && guest.secured == 0 && guest.unanswered == 0)
    #expect(room.allSatisfy { $0.room.introductions[guest.id] == nil })
    for node in room {
      world.claim(gone: [Departure(id: crowd[0].id, connection: 500, left: true)], at: node)
    }
    world.run(.seconds(12))
    #expect(guest.secured == 1)
    #expect(world.hears(guest, room[0]) && world.hears(room[1], guest))
  }

  @Test("Z59: 480 on the roster and no owner here: newcomers are told that there is no place, and go in once an owner is here")
  func keptPlaces() {
    let world = RoomWorld(seed: 59)
    let room = world.room(of: 2)
    letIn(strangers(477, world, seed: 9), by: room[0], world)
    world.cut(room[0])
    world.run(.seconds(1))
    #expect(room[1].room.roster.count == 479)
    let guests = (0..<2).map { _ in world.add() }
    for (index, guest) in guests.enumerated() {
      world.enter(guest)
      world.run(.seconds(20))
      #expect(guest.secured == 1 - index && (guest.full > 3) == (index == 1))
    }
    #expect(room[1].room.roster.count == 480)
    // What the others' half let in is let in again all the same.
    let orphan = strangers(1, world, seed: 10)
    letIn(orphan, by: room[1], world)
    #expect(room[1].room.roster.count == 481 && guests[1].secured == 0)
    world.enter(room[0])
    #expect(world.run(atMost: .seconds(20)) { guests[1].secured == 1 })
    #expect(room[1].room.roster.count == 482)
  }

  @Test("one member that says there is no place keeps nobody out")
  func lyingDecline() {
    let world = RoomWorld()
    let room = world.room(of: 2)
    // Believes that it sees 255 others, as its hub lies to it alone.
    let crowd = strangers(255, world, seed: 7)
    letIn(crowd, by: room[0], world)
    arrive(crowd, at: room[0], world)
    let guest = world.add()
    world.enter(guest)
    world.run(.seconds(4))
    #expect(guest.full == 1 && guest.secured == 1)
    #expect(world.hears(guest, room[1]))
  }
}

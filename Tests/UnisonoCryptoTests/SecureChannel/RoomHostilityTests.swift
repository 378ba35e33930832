import Testing
import UnisonoBase
import UnisonoWire

@testable import UnisonoCrypto

@Suite("A room with somebody who has the invite and not the key")
struct RoomHostilityTests {
  /// Everybody reads everybody, in the record that they had before.
  private func isUndisturbed(_ world: RoomWorld, _ room: [RoomWorld.Node], _ before: [RecordID?]) -> Bool {
    room.map(\.record) == before
      && room.allSatisfy { listener in
        room.allSatisfy { $0 === listener || world.hears(listener, $0) }
      }
  }

  /// Asks the stranger, as somebody may who could not read it.
  private func hello(_ victim: RoomWorld.Node, to stranger: Stranger, _ world: RoomWorld) throws -> PendingHello {
    _ = victim.room.hello(to: stranger.node.id, reason: .unreadable, now: world.now)
    return try #require(victim.room.requests.hello(to: stranger.node.id))
  }

  /// Whether a HELLO of one member to another has its WELCOME in time, there and back.
  private func isAnswered(_ asker: RoomWorld.Node, by other: RoomWorld.Node, within limit: Nanoseconds, _ world: RoomWorld) -> Bool {
    let before = world.recording.count
    for case .transmit(let envelope, let to) in asker.room.hello(to: other.id, reason: .unreadable, now: world.now) {
      world.forward(envelope, from: asker, to: to)
    }
    return world.run(atMost: limit - world.delay * 2) {
      world.recording[before...].contains { sent in
        sent.to == [asker.id] && (try? EnvelopeHeader(envelope: sent.envelope)).map { $0.kind == .door && $0.sender == other.id } ?? false
      }
    }
  }

  @Test("Z41: an answer to a HELLO with any record, number and key is refused; nobody's record changes")
  func anyAnswer() throws {
    let world = RoomWorld()
    let stranger = Stranger(in: world)
    let room = world.room(of: 3)
    let victim = room[1]
    let before = room.map(\.record)
    for claim in stranger.claims(room, to: victim.id) {
      let pending = try hello(victim, to: stranger, world)
      world.inject(
        try stranger.welcome(claim, to: victim.id, content: pending.content, key: pending.key.publicKey.bytes),
        into: victim)
      try #require(victim.record == before[1])
    }
    #expect(victim.refused(.proof) == stranger.claims(room, to: victim.id).count)
    #expect(isUndisturbed(world, room, before))
    #expect(victim.logs.contains { $0.contains("\(stranger.node.id)") })
  }

  // Time is virtual: a way takes 20 ms of it and computing none. What computing takes is bounded by counts (VerificationBudget), and how
  // long that is depends on the machine; so the 50 ms are of waits alone.
  @Test("Z41: 10,000 hostile WELCOMEs, to who asks and who does not: nobody's record changes, all answer within 50 ms all the time")
  func tenThousand() throws {
    /// Of all the time that it goes on.
    let promised = Nanoseconds.milliseconds(50)
    let world = RoomWorld(seed: 41)
    let stranger = Stranger(in: world)
    let room = world.room(of: 3)
    let claims = room.map { stranger.claims(room, to: $0.id) }
    var key = HybridKey(seed: stranger.secret()).publicKey.bytes
    for number in 0..<10_000 {
      let victim = room[number % room.count]
      var content: [UInt8] = [2, UInt8(truncatingIfNeeded: number)]
      if number % 30 < 3 {
        let pending = try hello(victim, to: stranger, world)
        (content, key) = (pending.content, pending.key.publicKey.bytes)
      }
      let mine = claims[number % room.count]
      // It changes by what members do: where somebody said something, there is another one after ten minutes.
      let before = victim.record
      world.inject(try stranger.welcome(mine[number % mine.count], to: victim.id, content: content, key: key), into: victim)
      try #require(victim.record == before)
      if number % 20 == 10 {
        let said = world.say(victim)
        let isRead = world.run(atMost: promised) { room.allSatisfy { $0 === victim || $0.numbers(from: victim).contains(said) } }
        try #require(isRead)
      }
      if number % 600 == 300 { try #require(isAnswered(victim, by: room[(number + 1) % room.count], within: promised, world)) }
      // Not so fast that the stranger is only ignored.
      if number % 60 == 0 { world.run(.seconds(12)) }
    }
    for node in room { node.forgetWhatCame() }
    world.run(.seconds(61))
    #expect(Set(room.map(\.record)).count == 1 && room[0].room.roster == room.map(\.id))
    #expect(isUndisturbed(world, room, room.map(\.record)))
  }

  @Test("Z42: noise in unknown epochs makes each member say at most one HELLO in 2 s, to each in 6 s; nothing changes")
  func garbage() throws {
    let world = RoomWorld(seed: 42)
    let stranger = Stranger(in: world)
    let room = world.room(of: 3)
    world.run(.seconds(40))
    let before = room.map(\.record)
    let present = try #require(room[0].record)
    stranger.answers { [unowned stranger] in stranger.claims(room, to: $0) }
    var asked: [ParticipantID: [HostTime]] = [:]
    var seen = world.recording.count
    for round in 0..<600 as Range<UInt64> {
      let epoch = round % 2 == 0 ? EpochID(high: round, low: 9) : present.epoch
      // A hub may show anybody's id.
      let id = round % 3 == 0 ? room[1].id : stranger.node.id
      for node in room where node.id != id {
        world.inject(stranger.garbage(epoch, count: round % 3 == 0 ? .max - round : nil, as: id), into: node)
      }
      world.run(.milliseconds(200))
      for sent in world.recording[seen...] {
        let header = try EnvelopeHeader(envelope: sent.envelope)
        guard header.kind == .door, header.sender == room[0].id, let to = sent.to?.first,
          try Envelope.open(
            sent.envelope, key: SendKey(chain: world.door.chain, scope: world.door.scope, header: header)
          ).content.first == InnerMessage.MessageType.hello.rawValue
        else { continue }
        asked[to, default: []].append(world.now)
      }
      seen = world.recording.count
    }
    let all = asked.values.joined().sorted()
    #expect(!all.isEmpty)
    for (earlier, later) in zip(all, all.dropFirst()) { #expect(later - earlier >= .milliseconds(1_790)) }
    for times in asked.values { for (earlier, later) in zip(times, times.dropFirst()) { #expect(later - earlier >= .milliseconds(5_790)) } }
    #expect(isUndisturbed(world, room, before))
    #expect(room.allSatisfy { $0.ignored.allSatisfy { $0.sender == stranger.node.id } })
  }

  @Test("Z42: noise in unknown epochs keeps out no frame that waits for a record which comes late")
  func noiseBesideLateRecord() {
    let world = RoomWorld(seed: 421)
    let room = world.room(of: 3)
    let stranger = Stranger(in: world)
    let reader = room[1]
    world.run(.seconds(10))
    // The record that lets the newcomer in is lost on its way to one member.
    world.drops = { $0 === room[0] && $1 === reader }
    let guest = world.add()
    world.enter(guest)
    #expect(world.run(atMost: .seconds(2)) { guest.secured == 1 })
    world.drops = nil
    #expect(!reader.room.roster.contains(guest.id))
    func noise(_ epoch: UInt32) {
      for round in 0..<100 as Range<UInt64> { world.inject(stranger.garbage(EpochID(high: round, low: epoch)), into: reader) }
    }
    noise(1)
    let numbers = (0..<3).map { _ in world.say(guest) }
    world.run(.milliseconds(15))
    noise(2)
    #expect(reader.numbers(from: guest).isEmpty)
    world.run(.milliseconds(10))
    noise(3)
    world.run(.seconds(1))
    #expect(reader.numbers(from: guest) == numbers)
  }

  @Test("Z79: 100,000 frames with another's id, which do not open, by the hub: that member is still read")
  func forgedFrames() throws {
    let world = RoomWorld(seed: 79)
    let room = world.room(of: 2)
    let stranger = Stranger(in: world, entering: false)
    let present = try #require(room[0].record)
    let garbage = stranger.garbage(present.epoch, count: 1 << 40, as: room[0].id)
    for _ in 0..<100_000 { _ = room[1].room.received(garbage, now: world.now) }
    #expect(world.hears(room[1], room[0]))
    #expect(room[1].ignored.isEmpty)
  }

  @Test("Z41: ten who have the invite say at the door as much as a hub forwards: each word of a member is read all the same")
  func floodAtTheDoor() throws {
    let world = RoomWorld(seed: 410)
    let room = world.room(of: 2)
    let strangers = (0..<10).map { _ in Stranger(in: world) }
    world.run(.seconds(5))
    func flood(_ count: Int) throws {
      for stranger in strangers {
        let message = InnerMessage.decline(DeclineMessage(intro: stranger.node.room.introduction.bytes, reason: .full))
        for _ in 0..<count { world.inject(try stranger.atDoor(message), into: room[1]) }
      }
    }
    // More signatures than are verified at once, and then more than there is time for.
    try flood(VerificationBudget.burst / 2 / strangers.count + 20)
    for _ in 0..<50 {
      world.run(.milliseconds(20))
      try flood(4)
      world.inject(world.sealed(by: room[0]), into: room[1])
    }
    #expect(room[1].refused(.budget) > 1_000)
    #expect(room[1].numbers(from: room[0]).count == 50)
    #expect(room[1].ignored.isEmpty)
  }

  @Test("Z41: at a door that is kept nobody says HELLO, and no WELCOME is taken, whoever comes there")
  func oldDoor() throws {
    let world = RoomWorld(seed: 44)
    let room = world.room(of: 2)
    let owner = room[0]
    world.run(.seconds(10))
    let secrets = owner.room.makeRoom(without: [], basis: PolicyID(high: 1, low: 1), now: world.now)
    owner.room.retire(keeping: secrets)
    let present = try #require(owner.record)
    let sent = world.recording.count
    let stranger = Stranger(in: world)
    stranger.answers { [unowned stranger] in stranger.claims(room, to: $0) }
    for round in 0..<100 as Range<UInt64> {
      world.forward(stranger.garbage(EpochID(high: round, low: 1)), from: stranger.node)
      world.run(.milliseconds(100))
    }
    // The doorkeeper's own link comes back, too.
    world.cut(owner)
    world.run(.seconds(10))
    world.enter(owner)
    world.run(.seconds(5))
    #expect(!stranger.hellos.contains { $0.from == owner.id })
    // The other member is told the way, and nobody else anything.
    let doors = world.recording[sent...].filter {
      $0.to != [room[1].id] && (try? EnvelopeHeader(envelope: $0.envelope)).map { $0.kind == .door && $0.sender == owner.id } ?? false
    }
    #expect(doors.isEmpty)
    #expect(owner.record == present)
  }

  @Test("Z41: who was away asks the seniors whom it knows, though a stranger is the oldest, and takes what follows from its key")
  func strangerFirst() throws {
    let world = RoomWorld(seed: 45)
    let stranger = Stranger(in: world)
    world.run(.seconds(2))
    let room = world.room(of: 3)
    let away = room[2]
    #expect(world.hears(away, room[0]))
    world.run(.seconds(6))
    world.cut(away)
    world.run(.seconds(6))
    // Meanwhile somebody came, and the key went on.
    world.enter(world.add())
    world.run(.seconds(70))
    stranger.answers { [unowned stranger] in stranger.claims(room, to: $0) }
    let asked = stranger.hellos.count
    world.enter(away)
    #expect(world.run(atMost: .seconds(5)) { away.secured == 2 })
    #expect(stranger.hellos.count == asked)
    #expect(away.record == room[0].record)
    for other in room[0...1] { #expect(world.hears(away, other) && world.hears(other, away)) }
  }

  @Test("Z43: a newcomer to whom a stranger answers first refuses it, and is welcomed by a member")
  func newcomer() throws {
    let world = RoomWorld(seed: 43)
    let stranger = Stranger(in: world)
    world.run(.seconds(2))
    let room = world.room(of: 2)
    stranger.answers { [unowned stranger] in stranger.claims(room, to: $0) }
    let guest = world.add()
    world.enter(guest)
    #expect(world.run(atMost: .seconds(2)) { guest.secured == 1 })
    #expect(stranger.hellos.contains { $0.from == guest.id } && guest.refused(.proof) > 0)
    #expect(guest.record == room[0].record)
    #expect(!guest.room.roster.contains(stranger.node.id))
  }

  @Test("Z56: a hub shows a newcomer a stranger alone: it takes no key, says nothing, and is told")
  func strangerAlone() throws {
    let world = RoomWorld(seed: 56)
    let room = world.room(of: 2)
    let stranger = Stranger(in: world)
    stranger.answers { [unowned stranger] in stranger.claims(room, to: $0) }
    let guest = world.add()
    world.drops = { $0 === guest && $1 !== stranger.node || $1 === guest && $0 !== stranger.node }
    world.enter(guest, seenBy: [stranger.node])
    world.run(.seconds(60))
    #expect(stranger.hellos.count { $0.from == guest.id } > 3 && guest.refused(.proof) > 3)
    #expect(guest.secured == 0 && guest.record == nil)
    world.say(guest)
    let said = world.recording.compactMap { try? EnvelopeHeader(envelope: $0.envelope) }.filter { $0.sender == guest.id }
    #expect(!said.isEmpty && said.allSatisfy { $0.kind == .door })
    #expect(guest.unanswered == 1)
  }

  @Test("a newcomer that was welcomed by one member is not talked out of its key by strangers who come later")
  func talkedOut() throws {
    let world = RoomWorld(seed: 46)
    let pair = world.room(of: 2)
    let member = pair[1]
    world.cut(pair[0])
    world.run(.seconds(1))
    let guest = world.add()
    world.enter(guest)
    world.run(.seconds(1))
    let present = try #require(guest.record)
    let strangers = (0..<2).map { _ in Stranger(in: world) }
    for stranger in strangers { stranger.answers { [unowned stranger] in stranger.claims(pair, to: $0) } }
    world.run(.seconds(1))
    for round in 0..<10 as Range<UInt64> {
      for stranger in strangers { world.forward(stranger.garbage(EpochID(high: round, low: 0)), from: stranger.node) }
      world.run(.seconds(1))
    }
    #expect(guest.record == present)
    #expect(world.hears(guest, member) && world.hears(member, guest))
  }

  @Test("Z44: a hub hides a newcomer and drops what its welcomer says: nobody else speaks under a key that it has")
  func hiddenListener() throws {
    let world = RoomWorld(seed: 440)
    let room = world.room(of: 3)
    let welcomer = room[1]
    // The hub lets nothing of the welcomer's through but to the hidden one.
    let hidden = world.add()
    world.drops = { $0 === welcomer && $1 !== hidden || $0 === hidden && $1 !== welcomer || $1 === hidden && $0 !== welcomer }
    world.enter(hidden, seenBy: [welcomer])
    world.run(.seconds(2))
    #expect(hidden.secured == 1)
    for _ in 0..<10 {
      for node in room { world.say(node) }
      world.run(.seconds(2))
    }
    #expect(welcomer.room.roster.contains(hidden.id))
    #expect(!room[0].room.roster.contains(hidden.id) && !room[2].room.roster.contains(hidden.id))
    for other in [room[0], room[2]] { #expect(!world.opens(other, with: hidden)) }
    // Z45: it is heard again: all list the newcomer, or it reads nobody.
    world.drops = nil
    for _ in 0..<10 {
      for node in room { world.say(node) }
      world.run(.seconds(2))
    }
    #expect(Set(room.map(\.record)).count == 1)
    #expect(room[0].room.roster.contains(hidden.id) == world.opens(room[0], with: hidden))
  }

  @Test("who asks for records 50 times a second is answered once a second, and nobody else waits for an answer")
  func asks() throws {
    let world = RoomWorld(seed: 80)
    let room = world.room(of: 4)
    let (asked, liar, honest) = (room[0], room[3], room[2])
    func ask(by node: RoomWorld.Node) throws {
      let known = try #require(node.record)
      let message = InnerMessage.ask(AskMessage(epoch: nil, known: known, strangers: room.map(\.id)))
      for case .transmit(let envelope, _) in node.room.send(message, to: [asked.id], now: world.now) {
        world.inject(envelope, into: asked)
      }
    }
    func answers(to node: RoomWorld.Node, since: Int) -> Int {
      world.recording[since...].count { entry in
        entry.to == [node.id] && (try? EnvelopeHeader(envelope: entry.envelope))?.sender == asked.id
      }
    }
    let begun = world.recording.count
    for _ in 0..<500 {
      try ask(by: liar)
      world.run(.milliseconds(20))
    }
    #expect((10...14).contains(answers(to: liar, since: begun)))
    let before = world.recording.count
    try ask(by: honest)
    world.run(.milliseconds(100))
    #expect(answers(to: honest, since: before) == 1)
  }
}

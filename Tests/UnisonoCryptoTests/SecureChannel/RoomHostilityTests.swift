import Testing
import UnisonoBase
import UnisonoWire

@testable import UnisonoCrypto

@Suite("A room with somebody who has the invite and not the key")
struct RoomHostilityTests {
  private func newest(_ node: RoomWorld.Node) -> Epoch? { node.room.keyring?.newest }

  /// Everybody reads everybody, in the key that they had before.
  private func isUndisturbed(_ world: RoomWorld, _ room: [RoomWorld.Node], _ before: [Epoch?]) -> Bool {
    room.map(newest) == before
      && room.allSatisfy { listener in
        room.allSatisfy { $0 === listener || world.hears(listener, $0) }
      }
  }

  /// What a stranger may claim to be a generation of `epoch`, or another epoch; the shortest walk first.
  private func claims(_ epoch: Epoch, _ stranger: Stranger) -> [Epoch] {
    let (id, now) = (epoch.id, epoch.generation)
    let ahead: [UInt32] = [1, 2, 64, 65, 1_000, 20_000]
    let claimed: [(EpochID, UInt32)] =
      ahead.map { (id, now + $0) } + [(id, now), (id, 0), (.max, now), (EpochID(value: 1), now), (id, .max)]
    return claimed.map { Epoch(id: $0, generation: $1, chain: stranger.secret()) }
  }

  @Test("Z41: an answer to a HELLO with any generation and any key is refused; nobody's epoch changes")
  func anyAnswer() throws {
    let world = RoomWorld()
    let stranger = Stranger(in: world)
    let room = world.room(of: 3)
    let victim = room[1]
    let before = room.map(newest)
    let present = try #require(newest(victim))
    for claim in claims(present, stranger) {
      _ = victim.room.hello(to: stranger.node.id, reason: .unknownEpoch, now: world.now)
      let pending = try #require(victim.room.hellos[stranger.node.id])
      world.inject(
        try stranger.welcome(claim, to: victim.id, content: pending.content, key: pending.key.publicKey.bytes),
        into: victim)
      // Where it is followed, what comes after would take for ever.
      try #require(newest(victim) == present, "\(claim.id) \(claim.generation)")
    }
    #expect(isUndisturbed(world, room, before))
    #expect(victim.logs.contains { $0.contains("\(stranger.node.id)") })
  }

  @Test("Z41: 10,000 hostile WELCOMEs, to who asks and who does not: all answer, in the key that they had")
  func tenThousand() throws {
    let world = RoomWorld(seed: 41)
    let stranger = Stranger(in: world)
    let room = world.room(of: 3)
    let before = room.map(newest)
    let present = try #require(newest(room[0]))
    var dice = RoomWorld.Dice(seed: 41)
    var generation: UInt32 = 100
    for number in 0..<10_000 {
      let victim = room[number % room.count]
      var content: [UInt8] = [2, UInt8(truncatingIfNeeded: number)]
      var key = victim.room.identity.agreement.publicKey.bytes
      if number % 10 < 3 {
        _ = victim.room.hello(to: stranger.node.id, reason: .unknownEpoch, now: world.now)
        let pending = try #require(victim.room.hellos[stranger.node.id])
        (content, key) = (pending.content, pending.key.publicKey.bytes)
      }
      let claim = Epoch(id: present.id, generation: present.generation + generation, chain: stranger.secret())
      world.inject(try stranger.welcome(claim, to: victim.id, content: content, key: key), into: victim)
      try #require(newest(victim) == present)
      generation = dice.next() % 2 == 0 ? UInt32.max - present.generation : UInt32(dice.next() % 100_000)
      // Not so fast that the stranger is only ignored.
      if number % 20 == 0 { world.run(.seconds(2)) }
    }
    for node in room { node.forgetWhatCame() }
    #expect(isUndisturbed(world, room, before))
  }

  @Test("Z42: noise in unknown epochs and generations provokes no HELLO to who proved nothing, and changes nothing")
  func garbage() throws {
    let world = RoomWorld(seed: 42)
    let stranger = Stranger(in: world)
    let room = world.room(of: 3)
    world.run(.seconds(6))
    let before = room.map(newest)
    let present = try #require(newest(room[0]))
    let other = EpochID(value: 9)
    let hellos = stranger.hellos.count
    stranger.answers { _ in [Epoch(id: present.id, generation: present.generation + 1_000, chain: stranger.secret())] }
    for round in 0..<600 as Range<UInt32> {
      let (epoch, generation) =
        switch round % 4 {
        case 0: (other, round)
        case 1: (present.id, present.generation + 65 + round)
        case 2: (present.id, .max)
        default: (present.id, present.generation)
        }
      world.forward(stranger.garbage(epoch, generation, count: round % 3 == 0 ? 0 : nil), from: stranger.node)
      world.run(.milliseconds(200))
    }
    #expect(stranger.hellos.count == hellos)
    #expect(isUndisturbed(world, room, before))
  }

  @Test("Z42: members whom one has read are asked about noise under their ids, at most one in 2 s, each one in 6 s")
  func forgedIds() throws {
    let world = RoomWorld(seed: 43)
    let room = world.room(of: 4)
    for speaker in room.dropFirst() { #expect(world.hears(room[0], speaker)) }
    world.run(.seconds(6))
    let present = try #require(newest(room[0]))
    let stranger = Stranger(in: world, entering: false)
    var asked: [(to: ParticipantID, at: HostTime)] = []
    var seen = world.recording.count
    let began = world.now
    for round in 0..<200 as Range<UInt64> {
      // A hub may show anybody's id.
      let id = room[1 + Int(round % 3)].id
      world.inject(stranger.garbage(present.id, .max - UInt32(round), as: id), into: room[0])
      world.run(.milliseconds(100))
      for sent in world.recording[seen...] {
        let header = try EnvelopeHeader(envelope: sent.envelope)
        guard header.kind == .door, header.sender == room[0].id, let to = sent.to?.first else { continue }
        asked.append((to, world.now))
      }
      seen = world.recording.count
    }
    #expect(!asked.isEmpty)
    #expect(asked.count <= Int((world.now - began) / .seconds(2)) + 1)
    for (index, one) in asked.enumerated() {
      for later in asked[(index + 1)...] where later.to == one.to { #expect(later.at - one.at >= .seconds(6)) }
    }
    #expect(isUndisturbed(world, room, room.map(newest)))
  }

  @Test("Z41: at a door that is kept nobody says HELLO, and no WELCOME is taken, whoever comes there")
  func oldDoor() throws {
    let world = RoomWorld(seed: 44)
    let room = world.room(of: 2)
    let owner = room[0]
    world.run(.seconds(10))
    owner.room.retire(keeping: RoomSecrets { [UInt8](repeating: 5, count: $0) })
    let present = try #require(newest(owner))
    let sent = world.recording.count
    let stranger = Stranger(in: world)
    stranger.answers { _ in [Epoch(id: present.id, generation: present.generation + 1_000, chain: stranger.secret())] }
    for round in 0..<100 as Range<UInt32> {
      world.forward(stranger.garbage(present.id, present.generation + 65 + round), from: stranger.node)
      world.run(.milliseconds(100))
    }
    // The doorkeeper's own link comes back, too.
    world.cut(owner)
    world.run(.seconds(10))
    world.enter(owner)
    world.run(.seconds(5))
    #expect(stranger.hellos.isEmpty)
    let doors = world.recording[sent...].filter {
      (try? EnvelopeHeader(envelope: $0.envelope)).map { $0.kind == .door && $0.sender == owner.id } ?? false
    }
    #expect(doors.isEmpty)
    #expect(newest(owner) == present)
  }

  @Test("Z41: who was away asks whom it knows first, though a stranger is the oldest, and takes what follows from its key")
  func strangerFirst() throws {
    let world = RoomWorld(seed: 45)
    let stranger = Stranger(in: world)
    world.run(.seconds(2))
    let room = world.room(of: 3)
    let away = room[2]
    let present = try #require(newest(away))
    #expect(world.hears(away, room[0]))
    world.run(.seconds(6))
    world.cut(away)
    world.run(.seconds(6))
    // Meanwhile somebody came, and the key went on.
    world.enter(world.add())
    world.run(.seconds(60))
    stranger.answers { _ in
      [Epoch(id: present.id, generation: present.generation + 1_000, chain: stranger.secret())]
    }
    let asked = stranger.hellos.count
    world.enter(away)
    #expect(world.run(atMost: .seconds(5)) { away.secured == 2 })
    #expect(stranger.hellos.count == asked)
    #expect(newest(away) == newest(room[0]))
    for other in room[0...1] { #expect(world.hears(away, other) && world.hears(other, away)) }
  }

  @Test("a newcomer that was welcomed by one member is not talked out of its key by strangers who come later")
  func talkedOut() throws {
    let world = RoomWorld(seed: 46)
    let pair = world.room(of: 2)
    // Not by the session's creator, whom nobody doubts.
    let member = pair[1]
    world.cut(pair[0])
    world.run(.seconds(1))
    let guest = world.add()
    world.enter(guest)
    world.run(.seconds(1))
    let present = try #require(newest(guest))
    let strangers = (0..<2).map { _ in Stranger(in: world) }
    for stranger in strangers {
      stranger.answers { _ in [Epoch(id: present.id, generation: 0, chain: stranger.secret())] }
    }
    world.run(.seconds(1))
    for _ in 0..<10 {
      for stranger in strangers {
        world.forward(stranger.garbage(present.id, present.generation, count: 0), from: stranger.node)
      }
      world.run(.seconds(1))
    }
    #expect(newest(guest)?.id == present.id)
    #expect(world.hears(guest, member) && world.hears(member, guest))
  }
}

extension EpochID {
  /// The one that a contest of ids would be won by.
  static let max = EpochID(value: .max)
}

@Suite("A room with a member that raises the generation")
struct RoomRaisingTests {
  @Test("a member raises the generation by 64 fifty times a second: what the others say arrives all the time")
  func raising() throws {
    let world = RoomWorld(seed: 64)
    let room = world.room(of: 4)
    let (honest, liar) = (Array(room[..<3]), room[3])
    world.run(.seconds(6))
    let first = try #require(honest[0].room.keyring?.newest.generation)
    var epoch = try #require(liar.room.keyring?.newest)
    var missed = 0
    for round in 0..<1_000 {
      epoch = try #require(epoch.advanced(to: epoch.generation + 64))
      liar.room.keyring = Keyring(epoch, now: world.now)
      // Now to all, now to some: the others are to differ.
      world.say(liar, to: round % 3 == 0 ? nil : [honest[round % 3]])
      world.run(.milliseconds(20))
      guard round % 10 == 9 else { continue }
      let speaker = honest[round / 10 % 3]
      let number = world.say(speaker)
      world.run(.milliseconds(30))
      missed += honest.count { $0 !== speaker && !$0.numbers(from: speaker).contains(number) }
    }
    #expect(missed == 0)
    let last = try #require(honest[0].room.keyring?.newest.generation)
    // 20 s and what the honest ones need in between: 64 in 10 s.
    #expect(last - first <= 64 * 4)
  }
}

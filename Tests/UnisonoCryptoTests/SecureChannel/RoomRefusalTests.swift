import Testing
import UnisonoBase
import UnisonoWire

@testable import UnisonoCrypto

@Suite("What a room refuses")
struct RoomRefusalTests {
  @Test("Z10: the window takes 2,000 shuffled and doubled counters as a perfect memory of the newest 1,024 would")
  func window() {
    var dice = RoomWorld.Dice(seed: 10)
    let order = (0..<2_000).flatMap { [$0, $0] }.shuffled(using: &dice)
    var greatest = -1
    var taken: Set<Int> = []
    var lane = LaneWindow(Lane(index: 1, random: 1))
    for index in order {
      let isTaken = index > greatest || (greatest - index < 1_024 && !taken.contains(index))
      #expect(lane.accepts(.unordered, UInt64(index)) == isTaken)
      guard isTaken else { continue }
      lane.record(.unordered, UInt64(index))
      taken.insert(index)
      greatest = max(greatest, index)
    }
    #expect(taken.count > 1_000 && taken.count < 2_000)
  }

  @Test("an ordered frame that comes again, or late, is refused")
  func ordered() {
    let world = RoomWorld()
    let room = world.room(of: 2)
    let envelopes = (0..<3).map { _ in world.sealed(by: room[0]) }
    for index in [0, 2, 1, 2] { world.inject(envelopes[index], into: room[1]) }
    #expect(room[1].numbers(from: room[0]).count == 2)
    #expect(room[1].refused(.replay) == 2)
  }

  @Test("4.4: a HELLO that a hub sends again is refused: no record is made, nobody is welcomed twice")
  func replayedHello() {
    let world = RoomWorld()
    let room = world.room(of: 2)
    let hellos = world.recording.filter {
      (try? EnvelopeHeader(envelope: $0.envelope)).map { $0.kind == .door && $0.sender == room[1].id } ?? false
    }
    #expect(!hellos.isEmpty)
    world.run(.seconds(20))
    let sent = world.recording.count
    let record = room[0].record
    for hello in hellos { world.inject(hello.envelope, into: room[0]) }
    world.run(.seconds(1))
    #expect(room[0].refused(.replay) == hellos.count)
    #expect(world.recording.count == sent)
    #expect(room[0].record == record)
  }

  @Test("Z15: an introduction with a low-order or a bent key is refused, and its bringer is counted")
  func badKeys() throws {
    let world = RoomWorld()
    let room = world.room(of: 2)
    var dice = RoomWorld.Dice(seed: 15)
    let good = Identity { dice.bytes($0) }
    let one: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)
    let cases: [(signing: [UInt8], agreement: [UInt8])] = [
      (good.signing.publicKey.bytes, [UInt8](repeating: 0, count: 32)),
      (good.signing.publicKey.bytes, one),
      (one, good.agreement.publicKey.bytes),
      ([0xee] + [UInt8](repeating: 0xff, count: 30) + [0x7f], good.agreement.publicKey.bytes),
    ]
    for (index, keys) in cases.enumerated() {
      var body = ItemWriter()
      body.item(1, keys.signing)
      body.item(2, keys.agreement)
      body.item(6, good.hybrid.publicKey.bytes)
      var intro = ItemWriter()
      intro.item(1, body.bytes)
      intro.item(2, good.signing.sign(.intro, world.door.scope.session + body.bytes))
      let effects = room[0].room.send(.update(statements: [], intros: [intro.bytes]), to: nil, now: world.now)
      guard case .transmit(let envelope, _)? = effects.last else { return #expect(Bool(false), "nothing was sent") }
      world.inject(envelope, into: room[1])
      #expect(room[1].refused(.introduction) == index + 1)
    }
    #expect(room[1].room.introductions.all.count == 2)
  }

  @Test("another agreement key under a known id is refused, and told in the log")
  func secondKey() {
    let world = RoomWorld()
    let room = world.room(of: 2)
    var dice = RoomWorld.Dice(seed: 16)
    let known = room[0].room.identity
    let other = Identity { dice.bytes($0) }
    var body = ItemWriter()
    body.item(1, known.signing.publicKey.bytes)
    body.item(2, other.agreement.publicKey.bytes)
    body.item(6, known.hybrid.publicKey.bytes)
    var mixed = ItemWriter()
    mixed.item(1, body.bytes)
    mixed.item(2, known.signing.sign(.intro, world.door.scope.session + body.bytes))
    let effects = room[0].room.send(.update(statements: [], intros: [mixed.bytes]), to: nil, now: world.now)
    guard case .transmit(let envelope, _)? = effects.last else { return #expect(Bool(false), "nothing was sent") }
    world.inject(envelope, into: room[1])
    #expect(room[1].refused(.introduction) == 1)
    #expect(room[1].logs.contains { $0.contains("another key") })
    #expect(room[1].room.introductions[known.id]?.agreementKey == known.agreement.publicKey)
  }

  @Test("100 signed frames of nonsense in 10 s from one sender: it is ignored for a minute, the others are not")
  func ignored() {
    let world = RoomWorld()
    let room = world.room(of: 3)
    for _ in 0...100 { world.inject(world.sealed(by: room[0], content: [200]), into: room[1]) }
    #expect(room[1].refused(.malformed) == 100)
    #expect(!world.hears(room[1], room[0]))
    #expect(world.hears(room[1], room[2]))
    // Both are told: whom, why, and for how long.
    #expect(room[1].ignored.map(\.sender) == [room[0].id] && room[1].ignored.first?.reason == .malformed)
    let told = room[0].others.compactMap { entry -> IgnoringMessage? in
      if case .ignoring(let message) = entry.message, entry.from == room[1].id { message } else { nil }
    }
    #expect(told == [IgnoringMessage(reason: ChannelRefusal.malformed.number, length: 60_000)])
    #expect(room[2].others.allSatisfy { entry in if case .ignoring = entry.message { false } else { true } })
    world.run(.seconds(61))
    #expect(world.hears(room[1], room[0]))
  }

  @Test(
    "what is refused because it is too much at once is no fault: its sender is heard as soon as there is room again")
  func tooMuch() {
    let world = RoomWorld()
    let room = world.room(of: 3)
    for _ in 0..<4_000 { world.inject(world.sealed(by: room[0]), into: room[1]) }
    #expect(room[1].refused(.budget) > 1_000)
    #expect(room[1].ignored.isEmpty)
    world.run(.seconds(1))
    #expect(world.hears(room[1], room[0]))
  }

  @Test("who speaks under a key that is not known here, or before it was introduced, is not ignored for it")
  func unknownKeys() {
    let world = RoomWorld()
    let room = world.room(of: 3)
    var envelope = world.sealed(by: room[0])
    envelope[2] ^= 1
    for _ in 0..<300 { world.inject(envelope, into: room[1]) }
    room[2].forgetIntroductions(of: room[0].id)
    let early = world.sealed(by: room[0])
    for _ in 0..<300 { world.inject(early, into: room[2]) }
    #expect(room[2].refused(.unknownSender) > 100)
    #expect(room[1].ignored.isEmpty && room[2].ignored.isEmpty)
    world.run(.seconds(1))
    #expect(world.hears(room[1], room[0]) && world.hears(room[2], room[0]))
  }

  @Test("ids that only headers name leave nothing behind")
  func endlessIds() {
    let world = RoomWorld()
    let room = world.room(of: 2)
    let before = room[1].room.senders.count
    var envelope = world.sealed(by: room[0])
    for number in 0..<500 as Range<UInt16> {
      envelope[14] = UInt8(truncatingIfNeeded: number)
      envelope[15] = UInt8(truncatingIfNeeded: number >> 8)
      world.inject(envelope, into: room[1])
    }
    #expect(room[1].room.senders.count == before)
    #expect(room[1].refused(.unknownSender) > 400)
    #expect(world.hears(room[1], room[0]))
  }
}

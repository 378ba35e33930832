import Testing
import UnisonoBase

@testable import UnisonoCrypto

@Suite("Two keys of one room")
struct RoomEpochTests {
  private func hearEachOther(_ world: RoomWorld, _ nodes: [RoomWorld.Node]) -> Bool {
    nodes.allSatisfy { listener in nodes.allSatisfy { $0 === listener || world.hears(listener, $0) } }
  }

  @Test("two halves of one group whose keys went on apart meet in one, however many generations lie between")
  func halvesOfAGroup() {
    for (steps, isAheadComing) in [(3, true), (60, false), (200, true), (200, false), (1_500, true), (1_500, false)] {
      let world = RoomWorld(seed: UInt64(steps))
      let group = world.room(of: 4)
      let (here, there) = (Array(group[..<2]), Array(group[2...]))
      for node in there { world.cut(node) }
      world.run(.seconds(6))
      for _ in 0..<steps {
        for node in isAheadComing ? there : here { _ = node.room.keyring?.advanceForNewcomer(now: world.now) }
        world.run(.seconds(5))
      }
      for node in there { world.enter(node) }
      world.run(.seconds(1))
      for node in group { world.say(node) }
      world.run(.seconds(9))
      #expect(hearEachOther(world, group))
      guard steps <= 200 else { continue }
      // They talk, and those behind catch up.
      for _ in 0..<25 {
        for node in group { world.say(node) }
        world.run(.seconds(2))
      }
      #expect(Set(group.compactMap(\.room.keyring?.newest.generation)).count == 1)
      #expect(hearEachOther(world, group))
    }
  }

  @Test("who has the group's key goes over to no other, whatever its id, and its host is told who offered it")
  func otherEpoch() {
    for id in [.max, EpochID(value: 1)] {
      let world = RoomWorld(seed: 7)
      let stranger = Stranger(in: world)
      let room = world.room(of: 2)
      let before = room.map(\.room.keyring?.newest)
      let other = Epoch(id: id, generation: 1, chain: stranger.secret())
      stranger.answers { _ in [other] }
      for (node, companion) in [(room[0], room[1]), (room[1], room[0])] {
        world.cut(node)
        world.run(.seconds(6))
        companion.isDeaf = true
        world.enter(node)
        world.run(.seconds(6))
        companion.isDeaf = false
      }
      #expect(!stranger.hellos.isEmpty)
      #expect(room.map(\.room.keyring?.id) == before.map(\.?.id))
      #expect(room.allSatisfy { $0.logs.contains { $0.contains("\(stranger.node.id)") && $0.contains("refused") } })
      #expect(hearEachOther(world, room))
    }
  }

  @Test("a newcomer to whom a stranger handed a key goes over to the creator's as soon as it hears that one")
  func captured() {
    let world = RoomWorld(seed: 8)
    let stranger = Stranger(in: world)
    world.run(.seconds(2))
    let room = world.room(of: 2)
    let other = Epoch(id: .max, generation: 1, chain: stranger.secret())
    stranger.answers { _ in [other] }
    let guest = world.add()
    world.enter(guest)
    world.run(.milliseconds(200))
    #expect(guest.room.keyring?.id == other.id)
    world.say(room[0])
    world.run(.seconds(1))
    #expect(guest.room.keyring?.id == room[0].room.keyring?.id)
    #expect(hearEachOther(world, room + [guest]))
  }

  @Test("Z41: a welcome's generation is derived 2,048 steps from the own one, and no further, be it true or not")
  func bound() throws {
    let first = Fixture.epoch
    var keyring = Keyring(first, now: 0)
    let last = try #require(first.advanced(to: Keyring.welcomeSteps, atMost: Keyring.welcomeSteps))
    let beyond = try #require(last.advanced())
    #expect(keyring.judge(last) == .ahead && first.advanced().map(keyring.judge) == .ahead)
    #expect(keyring.judge(beyond) == .tooFar)
    #expect(keyring.judge(Epoch(id: first.id, generation: .max, chain: first.chain)) == .tooFar)
    #expect(keyring.judge(Epoch(id: first.id, generation: last.generation, chain: beyond.chain)) == .foreign)
    #expect(keyring.judge(first) == .known)
    #expect(keyring.judge(Epoch(id: first.id, generation: 0, chain: last.chain)) == .foreign)
    // Of one that was passed and erased the same.
    keyring.advance(to: last, now: 0)
    keyring.erase(now: .seconds(30))
    #expect(keyring.judge(first) == .behind)
    #expect(keyring.judge(Epoch(id: first.id, generation: 0, chain: last.chain)) == .foreign)
    let far = Keyring(beyond, now: 0)
    #expect(far.judge(first) == .tooFar)
  }

  @Test("others take the generation 64 steps on in 10 s, and no further; the first excess is told")
  func pace() {
    var pace = GenerationPace()
    #expect(pace.admit(60, now: .seconds(100)) == (60, .all))
    #expect(pace.admit(5, now: .seconds(101)) == (4, .some(isFirst: true)))
    #expect(pace.admit(5, now: .seconds(109)) == (0, .some(isFirst: false)))
    #expect(pace.admit(64, now: .seconds(110)) == (64, .all))
    #expect(pace.admit(.max, now: .seconds(120)) == (64, .some(isFirst: true)))
  }
}

import Testing
import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto

/// What is left of content keys in this process's memory: live ones are found as often as somebody holds them and nowhere
/// else, old ones not at all.
///
/// Serialized, because a search takes as long as memory is large; what other tests do has keys of its own.
@Suite("Erasure", .serialized, .enabled(if: MemoryScan.isPossible))
struct RoomErasureTests {
  /// A key that no other test has.
  private static func fresh() -> Secret { Secret { (0..<$0).map { _ in UInt8.random(in: 0...255) } } }

  /// In the key's own form, and in those of a keyed hash's blocks.
  private static func counts(_ scans: [MemoryScan]) -> [Int] { scans.map { $0.count() } }

  @Test("Z39: the search finds a key in freed memory, in use, and in a block of a keyed hash")
  func search() {
    let secret = Self.fresh()
    let scans = MemoryScan.forms(of: secret)
    #expect(Self.counts(scans) == [1, 0, 0])
    let copy = Secret(secret.bytes)
    #expect(scans[0].count() >= 3)
    let block = secret.bytes.map { $0 ^ 0x5c }
    #expect(scans[2].count() >= 1)
    withExtendedLifetime((secret, copy, block)) {}
  }

  @Test("Z39: nothing is left of a key from which others were derived")
  func deriving() {
    let secret = Self.fresh()
    let scans = MemoryScan.forms(of: secret)
    let derived = (0..<20).map { secret.expand(.send, [UInt8](repeating: $0, count: 61)) }
    #expect(Self.counts(scans) == [1, 0, 0])
    let root = Secret.extract(salt: [1, 2, 3], material: secret)
    #expect(Self.counts(scans) == [1, 0, 0])
    withExtendedLifetime((secret, derived, root)) {}
  }

  @Test("Z39: nothing is left of a link's keys once it is let go, after records were sealed and opened with them")
  func link() throws {
    let secret = Self.fresh()
    let scans = MemoryScan.forms(of: secret)
    try Self.carry(HubFrame.ping(1).raw, over: secret)
    #expect(Self.counts(scans) == [1, 0, 0])
    withExtendedLifetime(secret) {}
  }

  private static func carry(_ frame: RawFrame, over key: Secret) throws {
    var (sealer, opener) = (RecordSealer(key: key), RecordOpener(key: key))
    for _ in 0..<3 {
      let record = sealer.seal(RecordText(frame))
      #expect(try opener.open(Array(#require(record).dropFirst(4))) == frame)
    }
  }

  @Test("Z39: nothing is left of a key that was sealed to somebody, or unsealed", arguments: [0, 12, 32, 100, 400])
  func sealing(before: Int) throws {
    let secret = Self.fresh()
    let scans = MemoryScan.forms(of: secret)
    let sealed = try #require(Self.sealed(secret, behind: before))
    #expect(Self.counts(scans) == [1, 0, 0])
    let opened = HPKESeal.open(sealed, with: Fixture.bob.agreement, info: [1])?.secret(at: before)
    #expect(opened == secret)
    #expect(Self.counts(scans) == [2, 0, 0])
    withExtendedLifetime((secret, opened)) {}
  }

  private static func sealed(_ secret: Secret, behind before: Int) -> [UInt8]? {
    var plain = SecretBuffer(capacity: before + 32)
    plain.append([UInt8](repeating: 7, count: before))
    plain.append(secret)
    return HPKESeal.seal(plain, to: Fixture.bob.agreement.publicKey, info: [1])
  }

  @Test("Z39: nothing is left of the key in a WELCOME, at either end")
  func welcome() throws {
    let seal = WelcomeSeal(scope: Fixture.door.scope, welcomer: Fixture.alice.id, newcomer: Fixture.bob.id, hello: [1])
    let chain = Self.fresh()
    let scans = MemoryScan.forms(of: chain)
    let text = WelcomeText(record: Fixture.founding.bytes, proof: [Fixture.founding.bytes], roster: [Fixture.alice.id])
    let opened = try seal.open(
      try seal.seal(text, chain: chain, to: Fixture.bob.hybrid.publicKey), with: Fixture.bob.hybrid)
    #expect(opened.text == text && opened.chain == chain && Self.counts(scans) == [2, 0, 0])
    withExtendedLifetime((chain, opened)) {}
  }

  @Test("Z39: nothing is left of the keys in a REKEY, at either end")
  func rekey() throws {
    let seal = RekeySeal(
      scope: Fixture.door.scope, sender: Fixture.alice.id, recipient: Fixture.bob.id, policy: PolicyID(high: 1, low: 2),
      record: Fixture.founding.id)
    let secrets = RoomSecrets(door: Self.fresh(), chain: Self.fresh(), founding: Fixture.founding)
    let (doors, chains) = (MemoryScan.forms(of: secrets.door), MemoryScan.forms(of: secrets.chain))
    let wrap = try #require(seal.seal(secrets, to: Fixture.bob.hybrid.publicKey))
    let opened = try #require(seal.open(wrap, with: Fixture.bob.hybrid))
    #expect(opened.door == secrets.door && opened.chain == secrets.chain)
    _ = secrets.place(in: Fixture.origin.session)
    #expect(Self.counts(doors) == [2, 0, 0] && Self.counts(chains) == [2, 0, 0])
    withExtendedLifetime((secrets, opened)) {}
  }

  @Test("Z39: of the key of a message only what swift-crypto does not clear is left, until the next message")
  func message() throws {
    let (first, second) = (sendKey(), sendKey())
    let scan = MemoryScan(first.secret)
    for sender in [first, second] {
      let envelope = try Envelope.seal(
        [9, 1], header: Fixture.header(), scope: Fixture.door.scope, key: sender, author: Fixture.alice.signing)
      _ = try Envelope.open(envelope, key: sender)
      #expect(scan.count() == (sender == first ? 2 : 1))
    }
  }

  private func sendKey() -> SendKey {
    SendKey(chain: Self.fresh(), scope: Fixture.door.scope, header: Fixture.header())
  }

  // MARK: Rooms

  /// Of the key that `room` has now: each of them has it, nobody else, and 61 s after the next one was taken nobody.
  private func erases(_ world: RoomWorld, _ room: [RoomWorld.Node], door: Door? = nil) throws {
    let (old, scans) = try held(by: room[0])
    #expect(Self.counts(scans) == [room.count, 0, 0])
    #expect(world.hears(room[0], room[1]) && world.hears(room[1], room[0]))
    world.run(.seconds(6))
    let guest = world.add(door: door)
    world.enter(guest)
    world.run(.seconds(3))
    #expect(room.allSatisfy { $0.number == old + 1 })
    #expect(world.hears(guest, room[0]) && world.hears(room[1], guest))
    #expect(Self.counts(scans) == [room.count, 0, 0])
    world.run(.seconds(66))
    #expect(Self.counts(scans) == [0, 0, 0])
  }

  private func held(by node: RoomWorld.Node) throws -> (number: UInt32, scans: [MemoryScan]) {
    let record = try #require(node.record)
    return (try #require(node.number), MemoryScan.forms(of: try #require(node.room.records.heldKey(of: record))))
  }

  @Test("Z39: a content key that was derived from one is nowhere in memory 61 s after the next was taken")
  func derived() throws {
    let world = RoomWorld(seed: 0x5EC2_E7)
    let room = world.room(of: 2)
    // A record that nobody was welcomed to: its key was in no message.
    for _ in 0..<122 {
      for node in room { world.say(node) }
      world.run(.seconds(5))
    }
    #expect(room.allSatisfy { $0.number == 2 })
    world.run(.seconds(66))
    try erases(world, room)
  }

  @Test("Z39: a content key that came in a WELCOME is nowhere in memory 61 s after the next was taken")
  func welcomed() throws {
    let world = RoomWorld(seed: 0x5EC2_E8)
    try erases(world, world.room(of: 3))
  }

  @Test("Z39: a content key that came in a REKEY is nowhere in memory 61 s after the next was taken")
  func rekeyed() throws {
    let world = RoomWorld(seed: 0x5EC2_E9)
    let room = world.room(of: 3)
    let door = try move(world, room)
    try erases(world, Array(room[0...1]), door: door)
  }

  /// The first one removes the third, and moves with the second; nothing of the secrets is kept here.
  private func move(_ world: RoomWorld, _ room: [RoomWorld.Node]) throws -> Door {
    let secrets = room[0].room.makeRoom(without: [room[2].id], basis: PolicyStack.origin, now: world.now)
    room[0].room.setPolicy(levels: [try world.removal(of: room[2], by: room[0], to: secrets)])
    world.rekey(room[0], secrets)
    world.run(.seconds(1))
    let received = try #require(room[1].moves.first?.secrets)
    world.cut(room[2])
    for (node, secrets) in [(room[0], secrets), (room[1], received)] {
      node.room = node.room.relocated(to: secrets, now: world.now)
      world.cut(node)
      node.forgetWhatCame()
    }
    world.run(.seconds(1))
    for node in room[0...1] { world.enter(node) }
    world.run(.seconds(1))
    return secrets.place(in: world.door.scope.session)
  }
}

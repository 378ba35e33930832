import Testing
import UnisonoBase
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Words for some of the room")
struct RoomPrivateTests {
  private func bytes(of node: RoomWorld.Node) -> [[UInt8]] {
    node.others.compactMap { entry in if case .data(_, let bytes, _, _, _) = entry.message { bytes } else { nil } }
  }

  @Test(
    "Z14: a message to B and C opens for both, and for D, who gets the same bytes, it does not",
    arguments: [false, true])
  func toSome(unordered: Bool) throws {
    let world = RoomWorld()
    let room = world.room(of: 4)
    let message = InnerMessage.data(number: 1, bytes: [7, 8, 9])
    world.sendPrivately(message, from: room[0], to: [room[1], room[2]], unordered: unordered)
    let sent = try #require(world.recording.last)
    #expect(sent.to == [room[1].id, room[2].id].sorted())
    world.run(.seconds(1))
    #expect(bytes(of: room[1]) == [[7, 8, 9]] && bytes(of: room[2]) == [[7, 8, 9]])
    world.inject(sent.envelope, into: room[3])
    #expect(bytes(of: room[3]).isEmpty && room[3].refused(.notAddressed) == 1)
  }

  @Test("Z14: C sends the wraps that it was given on as its own: B refuses them")
  func passedOn() throws {
    let world = RoomWorld(seed: 2)
    let room = world.room(of: 3)
    let (a, b, c) = (room[0], room[1], room[2])
    world.sendPrivately(.data(number: 5, bytes: [1]), from: a, to: [b, c])
    let envelope = try #require(world.recording.last).envelope
    world.run(.seconds(1))
    // C can open the envelope of the group, and so has the wraps.
    let header = try EnvelopeHeader(envelope: envelope)
    let chain = try #require(c.record.flatMap { c.room.records.heldKey(of: $0) })
    #expect(c.record?.epoch == header.epoch)
    let opened = try Envelope.open(envelope, key: SendKey(chain: chain, scope: world.door.scope, header: header))
    let message = try #require(try InnerMessage.decode(opened.content))
    guard case .private(let wraps) = message else {
      Issue.record("not a private message")
      return
    }
    b.forgetWhatCame()
    world.send(.private(wraps), from: c, to: b)
    world.run(.seconds(1))
    #expect(bytes(of: b).isEmpty && b.refused(.notAddressed) == 1)
  }

  @Test("what only the library says is not taken from inside, and an unknown recipient is an error told in the log")
  func limits() {
    let world = RoomWorld(seed: 3)
    let room = world.room(of: 2)
    world.sendPrivately(.want([]), from: room[0], to: [room[1]])
    world.run(.seconds(1))
    #expect(room[1].refused(.malformed) == 1 && room[1].delivered.isEmpty)
    let before = world.recording.count
    let effects = room[0].room.sendPrivately(
      .bye, to: [room[1].id, ParticipantID(high: 9, low: 9)], now: world.now)
    #expect(effects.count == 1 && world.recording.count == before)
  }

  @Test(
    "5.4: a message to many is sealed 32 at a time; what is said meanwhile comes after it, in its order",
    arguments: [false, true])
  func slices(_ isCut: Bool) {
    let world = RoomWorld(seed: 16)
    let room = world.room(of: 70)
    let (speaker, others) = (room[0], Array(room.dropFirst()))
    let before = world.recording.count
    let first = InnerMessage.data(number: 900, bytes: [1])
    world.sendPrivately(first, from: speaker, to: others)
    // Nothing leaves in the turn in which 69 recipients would have to be sealed for.
    #expect(world.recording.count == before)
    world.say(speaker)
    world.sendPrivately(.data(number: 901, bytes: [2]), from: speaker, to: Array(others.prefix(40)))
    world.sendPrivately(.data(number: 902, bytes: [3]), from: speaker, to: [others[0]])
    world.say(speaker, unordered: true)
    #expect(world.recording.count == before)
    if isCut {
      // The link breaks in the middle: nothing of it goes any more, and the next link begins with nothing behind it.
      world.cut(speaker)
      world.run(.seconds(1))
      world.enter(speaker)
      world.run(.seconds(2))
      #expect(others.allSatisfy { $0.numbers(from: speaker).isEmpty })
      world.sendPrivately(first, from: speaker, to: others)
    }
    world.run(.seconds(2))
    let heard = others[0].numbers(from: speaker)
    if isCut {
      #expect(heard == [900])
    } else {
      #expect(heard.first == 900 && heard.filter { $0 > 899 } == [900, 901, 902] && heard.count == 5)
      #expect(others[50].numbers(from: speaker).filter { $0 > 899 } == [900])
    }
    #expect(others.allSatisfy { $0.numbers(from: speaker).contains(900) })
    #expect(world.nodes.allSatisfy { $0.refusals.isEmpty })
  }

  @Test("a message to 255 recipients fits into one envelope", .timeLimit(.minutes(1)))
  func many() throws {
    var dice = RoomWorld.Dice(seed: 4)
    let recipients = (0..<255).map { _ in Identity { dice.bytes($0) } }
    let author = Identity { dice.bytes($0) }
    let door = RoomWorld(seed: 4).door
    let header = EnvelopeHeader(
      kind: .ordered, epoch: EpochID(high: 1, low: 2), sender: author.id, lane: Lane(index: 1, random: 2),
      counter: 3)
    let text = [UInt8](repeating: 1, count: 65_536)
    let message = try #require(
      PrivateSeal.seal(
        text, header: header, scope: door.scope, key: Secret { dice.bytes($0) },
        recipients: recipients.map { ($0.id, $0.agreement.publicKey) }))
    #expect(InnerMessage.private(message).encoded.count <= WireLimits.content)
    let last = recipients[254]
    #expect(
      PrivateSeal.open(message, header: header, scope: door.scope, recipient: last.id, key: last.agreement) == text)
  }
}

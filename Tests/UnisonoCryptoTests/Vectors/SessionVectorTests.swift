import Testing
import UnisonoBase
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Vectors: a whole session") struct SessionVectorTests {
  /// A participant of the run, with the room that the library makes of its keys.
  private struct Person {
    let name: String
    let identity: Identity
    var room: SecureChannel
    /// Everything that it took from others, in order.
    var heard: [InnerMessage] = []
    var sent: [[UInt8]] = []

    init(_ fields: VectorFields, _ invite: Invite, chain: Secret) throws {
      name = try fields.text("name")
      identity = Identity(
        signingSeed: try #require(Secret(try fields.bytes("seed_sign"))),
        agreementSeed: try #require(Secret(try fields.bytes("seed_kex"))),
        hybridSeed: try #require(Secret(try fields.bytes("seed_xwing"))))
      let lane = try Array(fields.bytes("lane").suffix(8))
      // The creator draws the first content key, the other one a key for its hello.
      let drawn = fields.has("seed_hello") ? try fields.bytes("seed_hello") : chain.bytes
      room = SecureChannel(
        door: Door(session: invite.origin.session, secret: invite.door), identity: identity, root: invite.origin.root,
        isCreator: name == "A", random: { count in count == 8 ? lane : drawn })
    }

    mutating func take(_ effects: [ChannelEffect]) {
      for effect in effects {
        switch effect {
        case .transmit(let envelope, _): sent.append(envelope)
        case .deliver(.update(let statements), _), .deliver(.snapshot(let statements?), _):
          heard.append(.update(statements: statements.compactMap(\.signed), intros: []))
        case .deliver(.beat(let beat), _): heard.append(.beat(beat))
        case .deliver(.want(let keys), _): heard.append(.want(keys))
        case .other(let message, _): heard.append(message)
        case .refused(_, let reason): Issue.record("\(name) refused something: \(reason)")
        default: break
        }
      }
    }
  }

  @Test(
    "A's and B's rooms, made of the same seeds, take everything that the other says", arguments: Vectors.good("session")
  )
  func run(_ vector: VectorCase) throws {
    let invite = try Invite(parsing: vector.given.text("invite"))
    let chain = try #require(Secret(try vector.given.bytes("chain")))
    var people = try Dictionary(
      uniqueKeysWithValues: vector.given.objects("people").map {
        (try $0.text("name"), try Person($0, invite, chain: chain))
      })
    let now: HostTime = .seconds(1_000)
    for entry in try #require(vector.expected).objects("frames") {
      let (to, bytes) = try (entry.text("to"), entry.bytes("frame"))
      var assembler = FrameAssembler(limit: WireLimits.frame)
      assembler.append(bytes)
      let raw = try #require(try assembler.next())
      let frame = try #require(try HubFrame.decode(raw))
      #expect(frame.encoded == bytes)
      guard var person = people[to] else { continue }
      switch frame {
      case .entered(let seat):
        person.take(person.room.entered(members: seat.members.filter { $0.id != person.identity.id }, now: now))
      case .presence(let joined, let gone):
        person.take(person.room.presence(joined: joined, gone: gone, now: now))
      case .deliver(let envelope): person.take(person.room.received(envelope, now: now))
      default: break
      }
      people[to] = person
    }
    let (ann, ben) = try (#require(people["A"]), #require(people["B"]))
    // B's hello is the one in the run: all that is drawn are the lane and its key.
    let frames = try #require(vector.expected).objects("frames")
    let hello = try #require(ben.sent.first)
    #expect(
      try frames.contains { try $0.text("from") == "B" && $0.bytes("frame").suffix(hello.count).elementsEqual(hello) })
    #expect(ann.room.records.current == ben.room.records.current)
    #expect(ben.room.roster == [ann.identity.id, ben.identity.id])
    #expect(ann.heard.map(\.type) == [.want, .update, .update, .beat, .data, .bye])
    #expect(ben.heard.map(\.type) == [.update, .update, .update, .data, .data, .notice])
    let texts = ben.heard.compactMap {
      if case .data(_, let bytes, _, _, _) = $0 { String(decoding: bytes, as: UTF8.self) } else { nil }
    }
    #expect(texts == ["for Ben alone", "quick"])
    #expect(ann.room.members.isEmpty)
  }
}

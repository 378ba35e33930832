import Testing
import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto

@Suite struct RoomSecurityTests {
  /// A creator and a guest who have met.
  private func pair() -> (RecordedRoom, creator: ParticipantID, guest: ParticipantID) {
    var hub = RecordedRoom()
    let creator = hub.make("creator", isCreator: true)
    let guest = hub.make("guest")
    hub.enter(creator)
    hub.enter(guest)
    return (hub, creator, guest)
  }

  @Test("Z1: a recording and the invite open hellos and welcomes, and no content")
  func inviteOpensNoContent() throws {
    var (hub, creator, guest) = pair()
    hub.say([1], from: creator)
    hub.say([2], from: guest, unordered: true)
    #expect(hub.heard(by: guest) == [[1]])
    #expect(hub.heard(by: creator) == [[2]])
    var atTheDoor = 0
    for carried in hub.record {
      let key = SendKey(chain: hub.door.chain, scope: hub.door.scope, header: carried.header)
      if carried.header.kind == .door {
        atTheDoor += 1
        let content = try Envelope.open(carried.envelope, key: key).content
        guard case .welcome(let welcome)? = try InnerMessage.decode(content) else { continue }
        let seal = WelcomeSeal(scope: hub.door.scope, welcomer: creator, newcomer: guest, hello: [])
        let finder = Identity(random: { Array(repeating: 7, count: $0) })
        #expect(throws: WelcomeError.seal) { try seal.open(welcome.sealed, with: finder.hybrid) }
      } else {
        #expect(throws: EnvelopeError.seal) { try Envelope.open(carried.envelope, key: key) }
      }
    }
    #expect(atTheDoor == 2)
  }

  @Test("P5, Z2: what was said before a newcomer joined is refused when a hub replays it")
  func replayToNewcomer() {
    var hub = RecordedRoom()
    let creator = hub.make("creator", isCreator: true)
    let guest = hub.make("guest")
    hub.enter(creator)
    let old = (0..<10).map { hub.say([$0], from: creator, unordered: true) }
    hub.enter(guest)
    hub.say([99], from: creator)
    #expect(hub.heard(by: guest) == [[99]])
    for envelope in old {
      let effects = hub.replay(envelope, to: guest)
      #expect(effects.refusals.isEmpty || effects.refusals == [.unknownEpoch])
      #expect(effects.heard.isEmpty)
    }
  }

  @Test("Z7: two processes cloned from one session object never use a key and nonce twice")
  func clones() throws {
    var hub = RecordedRoom()
    let creator = hub.make("creator", isCreator: true)
    hub.enter(creator)
    // Only a process's own randomness tells clones apart: the second draws what comes next.
    let before = hub.record.count
    hub.enter(creator)
    hub.say([1], from: creator)
    let original = try #require(hub.rooms[creator])
    var headers = hub.record[before...].map(\.header)
    var clone = original
    var other = original
    for effect in clone.entered(members: [], now: hub.now) + clone.send(.bye, to: nil, now: hub.now)
      + other.entered(members: [], now: hub.now) + other.send(.bye, to: nil, now: hub.now)
    {
      guard case .transmit(let envelope, _) = effect else { continue }
      headers.append(try EnvelopeHeader(envelope: envelope))
    }
    let cloned = headers.filter { $0.lane.index == original.lane.index + 1 && $0.counter == 0 }
    #expect(cloned.count == 2)
    #expect(Set(cloned.map(\.lane)).count == 2)
    let chain = hub.door.chain
    let keys = cloned.map { SendKey(chain: chain, scope: hub.door.scope, header: $0) }
    #expect(keys[0] != keys[1])
  }

  @Test("Z8: after 20 reconnects in 30 s the last connection but one is still read, an older one is not")
  func reconnects() {
    var (hub, creator, guest) = pair()
    var late: [[UInt8]] = []
    for connection in UInt8(0)..<20 {
      late.append(hub.say([connection], from: creator, carrying: false))
      hub.now += .milliseconds(1_500)
      hub.enter(creator)
    }
    hub.say([100], from: creator)
    #expect(hub.heard(by: guest) == [[100]])
    #expect(hub.replay(late[18], to: guest).refusals == [.oldLane])
    #expect(hub.replay(late[0], to: guest).refusals == [.oldLane])
    #expect(hub.replay(late[19], to: guest).heard == [[19]])
    hub.say([101], from: creator)
    #expect(hub.heard(by: guest) == [[100], [101]])
  }

  @Test("Z10: 2,000 unordered messages, shuffled and doubled: each at most once, none from behind the window")
  func unorderedWindow() throws {
    var (hub, creator, guest) = pair()
    var envelopes: [[UInt8]] = []
    for number in 0..<2_000 {
      let bytes = [UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
      envelopes.append(hub.say(bytes, from: creator, unordered: true, carrying: false))
    }
    var generator = SplitMix(state: 10)
    var heard: Set<[UInt8]> = []
    var greatest: UInt64 = 0
    for envelope in (envelopes + envelopes).shuffled(using: &generator) {
      // Slowly enough that refused ones do not add up to a flood.
      hub.now += .seconds(1)
      let counter = try EnvelopeHeader(envelope: envelope).counter
      for bytes in hub.replay(envelope, to: guest).heard {
        #expect(heard.insert(bytes).inserted)
        #expect(counter + 1_024 > greatest)
      }
      greatest = max(greatest, counter)
    }
    #expect(heard.count > 1_000)
  }

  @Test("Z11: a member who knows all send keys cannot speak in another's name")
  func forgery() throws {
    var (hub, creator, guest) = pair()
    let third = hub.make("third")
    hub.enter(third)
    let real = try EnvelopeHeader(envelope: hub.say([1], from: creator))
    let forger = try #require(hub.rooms[third])
    let chain = try #require(forger.records.present?.chain)
    #expect(forger.records.current?.epoch == real.epoch)
    var header = real
    header.counter += 1
    let forged = try Envelope.seal(
      InnerMessage.data(number: 1, bytes: [66]).encoded, header: header, scope: hub.door.scope,
      key: SendKey(chain: chain, scope: hub.door.scope, header: header),
      author: try #require(hub.identities[third]).signing)
    let effects = hub.replay(forged, to: guest)
    #expect(effects.refusals == [.signature])
    #expect(effects.heard.isEmpty)
    // The counter that was forged is still the creator's to use.
    hub.say([2], from: creator)
    #expect(hub.heard(by: guest) == [[1], [2]])
  }

  @Test("Z13: an envelope with any bit changed is refused, and changes nothing")
  func flippedBits() throws {
    var (hub, creator, guest) = pair()
    hub.say([1], from: creator)
    let envelope = hub.say([2], from: creator, carrying: false)
    let receiver = try #require(hub.rooms[guest])
    for index in envelope.indices {
      for bit in 0..<8 {
        var changed = envelope
        changed[index] ^= 1 << UInt8(bit)
        var room = receiver
        let effects = room.received(changed, now: hub.now)
        #expect(effects.heard.isEmpty)
        #expect(!effects.refusals.isEmpty || effects.transmits, "byte \(index), bit \(bit)")
        #expect(room.records.current == receiver.records.current)
        #expect(room.received(envelope, now: hub.now).heard == [[2]], "byte \(index), bit \(bit)")
      }
    }
  }

  @Test("Z15: a newcomer with a low-order agreement key or a small-order signing key is not welcomed")
  func badKeys() throws {
    let (pair, creator, _) = pair()
    let identity = Identity(random: { Array(repeating: 9, count: $0) })
    let order8: [UInt8] = [
      0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0, 0xd5, 0xdf, 0xac,
      0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
    ]
    let zero = [UInt8](repeating: 0, count: 32)
    let signing = identity.signing.publicKey.bytes
    let agreement = identity.agreement.publicKey.bytes
    for (signingKey, agreementKey, isGood) in [
      (signing, agreement, true), (signing, zero, false), (signing, [1] + zero.dropLast(), false),
      (order8, agreement, false), (zero, agreement, false), ([UInt8](repeating: 0xFF, count: 32), agreement, false),
    ] {
      var hub = pair
      hub.now += .seconds(1)
      var body = ItemWriter()
      body.item(1, signingKey)
      body.item(2, agreementKey)
      body.item(6, identity.hybrid.publicKey.bytes)
      var intro = ItemWriter()
      intro.item(1, body.bytes)
      intro.item(2, identity.signing.sign(.intro, hub.door.scope.session + body.bytes))
      let header = EnvelopeHeader(
        kind: .door, epoch: .none,
        sender: ParticipantID(bytes: Hash.truncated(signingKey)) ?? .none, lane: Lane(index: 1, random: 1), counter: 0)
      let hello = try Envelope.seal(
        InnerMessage.hello(
          HelloMessage(intro: intro.bytes, freshKey: identity.hybrid.publicKey.bytes)
        ).encoded, header: header, scope: hub.door.scope,
        key: SendKey(chain: hub.door.chain, scope: hub.door.scope, header: header), author: identity.signing)
      let effects = hub.replay(hello, to: creator)
      #expect(effects.transmits == isGood)
      #expect(effects.refusals == (isGood ? [] : [.introduction]))
    }
  }

  @Test("a participant whose record got lost is asked for it, and what it said is read then")
  func lostIntroduction() {
    var (hub, creator, guest) = pair()
    let third = hub.make("third")
    hub.withholds = { $0.sender == creator && $0.kind == .ordered && $0.counter == 0 && $1 == guest }
    hub.enter(third)
    hub.say([3], from: third)
    #expect(hub.heard(by: creator) == [[3]])
    #expect(hub.heard(by: guest) == [[3]])
    #expect(hub.record.count < 12)
  }

  @Test("Z35: a statement with an unknown tag 60 is relayed byte for byte, and its signature stays valid")
  func unknownTagRelayed() throws {
    var (hub, creator, guest) = pair()
    let value = RegisterValue.position(PositionValue(rank: .command, position: 5))
    let statement = Statement(
      key: .position("film"), author: creator, policy: PolicyStack.origin, time: 7, value: value)
    let body = try StatementBody.encode(statement) + [60, 0, 0, 2, 1, 2]
    let author = try #require(hub.identities[creator]).signing
    let signed = StatementSignature.sign(body, session: hub.door.scope.session, author: author)
    var told = hub.rooms[creator]?.send(.update(statements: [signed], intros: []), to: nil, now: hub.now) ?? []
    hub.carry(told, from: creator)
    let heard = try #require(hub.statements(by: guest).last)
    #expect(heard.signed == signed)
    #expect(heard.value == value)

    let third = hub.make("third")
    hub.enter(third)
    told = hub.rooms[guest]?.send(.update([heard]), to: third, now: hub.now) ?? []
    hub.carry(told, from: guest)
    #expect(hub.statements(by: third) == [heard])
  }
}

extension [ChannelEffect] {
  var heard: [[UInt8]] {
    compactMap {
      guard case .other(.data(_, let bytes, _, _, _), _) = $0 else { return nil }
      return bytes
    }
  }

  var refusals: [ChannelRefusal] {
    compactMap {
      guard case .refused(_, let reason) = $0 else { return nil }
      return reason
    }
  }

  fileprivate var transmits: Bool {
    contains {
      guard case .transmit = $0 else { return false }
      return true
    }
  }
}

extension RecordedRoom {
  /// Application messages that `id` was given.
  func heard(by id: ParticipantID) -> [[UInt8]] { (told[id] ?? []).heard }

  /// Statements that `id` was given, signatures checked.
  fileprivate func statements(by id: ParticipantID) -> [Statement] {
    (told[id] ?? []).flatMap { effect -> [Statement] in
      guard case .deliver(.update(let statements), _) = effect else { return [] }
      return statements
    }
  }
}

/// SplitMix64: the same order for the same seed.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

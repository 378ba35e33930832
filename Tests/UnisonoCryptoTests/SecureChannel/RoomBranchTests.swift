import Testing
import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Branches of the records of a room")
struct RoomBranchTests {
  private func hearEachOther(_ world: RoomWorld, _ nodes: [RoomWorld.Node]) -> Bool {
    nodes.allSatisfy { listener in nodes.allSatisfy { $0 === listener || world.hears(listener, $0) } }
  }

  private func talk(_ world: RoomWorld, _ nodes: [RoomWorld.Node], for seconds: Int) {
    for _ in 0..<(seconds / 2) {
      for node in nodes where node.isLinked { world.say(node) }
      world.run(.seconds(2))
    }
  }

  @Test("Z50: halves that let others in for 5 min, both in place, are one within 20 s of mending, and list all")
  func halves() {
    for seed in 50..<54 as Range<UInt64> {
      let world = RoomWorld(seed: seed)
      let group = world.room(of: 4)
      let here = [group[0], group[Int(seed % 3) + 1]]
      let there = group.filter { node in !here.contains { $0 === node } }
      func side(_ node: RoomWorld.Node) -> Bool { here.contains { $0 === node } || node.label == 1 }
      world.drops = { side($0) != side($1) }
      world.run(.seconds(20))
      let (left, right) = (world.add(), world.add())
      left.label = 1
      world.enter(left, seenBy: here)
      world.enter(right, seenBy: there)
      talk(world, world.nodes, for: 300)
      #expect(left.secured == 1 && right.secured == 1)
      #expect(Set(world.nodes.map(\.record)).count == 2)
      world.drops = nil
      for node in here + [left] { for other in there + [right] { world.meet(node, other) } }
      talk(world, world.nodes, for: 20)
      #expect(Set(world.nodes.map(\.record)).count == 1, "seed \(seed)")
      #expect(group[0].room.roster.count == 6)
      #expect(hearEachOther(world, world.nodes))
    }
  }

  @Test("Z93: who cannot be read is asked by HELLO after 4 s, though its words about records are read all the time")
  func wordsAboutRecords() throws {
    let world = RoomWorld(seed: 93)
    let room = world.room(of: 2)
    talk(world, room, for: 40)
    let (elsewhere, known) = (room[0], try #require(room[0].record))
    // It speaks in a record on a key that the other one does not have.
    let chain = Secret { [UInt8](repeating: 9, count: $0) }
    let parent = try #require(elsewhere.room.records[known])
    let step = RosterRecord.step(
      after: parent.record, roster: parent.roster, admitting: [], chain: chain, scope: world.door.scope,
      author: elsewhere.room.identity.signing)
    elsewhere.forge { _ = $0.hold(step.record, step.chain, ChannelPolicy(root: elsewhere.id), now: world.now) }
    var asked = 0
    for _ in 0..<8 {
      let seen = world.recording.count
      elsewhere.forge { $0.begin(step.record.id, now: world.now) }
      world.say(elsewhere)
      let answer = InnerMessage.epoch(EpochMessage(records: []))
      for case .transmit(let envelope, _) in elsewhere.room.send(answer, to: [room[1].id], under: known, now: world.now) {
        world.inject(envelope, into: room[1])
      }
      world.run(.seconds(1))
      asked += world.recording[seen...].count { sent in
        sent.to == [elsewhere.id] && (try? EnvelopeHeader(envelope: sent.envelope))?.kind == .door
      }
    }
    #expect(asked > 0)
  }

  @Test("Z46: a member forks: two records on one parent, told to different halves: one within 5 s, every frame read")
  func fork() throws {
    let world = RoomWorld(seed: 46)
    let room = world.room(of: 5)
    let liar = room[4]
    let parent = try #require(liar.record)
    var (one, other) = (liar.room, liar.room)
    let guests = (0..<2).map { _ in Introduction(world.add().room.identity, session: world.door.scope.session) }
    _ = one.introduce(guests[0], by: guests[0].id, now: world.now)
    _ = other.introduce(guests[1], by: guests[1].id, now: world.now)
    for (index, var channel) in [one, other].enumerated() {
      let effects = channel.makeRecord(admitting: [guests[index]], now: world.now) ?? []
      for case .transmit(let envelope, _) in effects {
        for node in room[(2 * index)..<(2 * index + 2)] { world.inject(envelope, into: node) }
      }
    }
    let honest = Array(room[..<4])
    #expect(Set(honest.map(\.record)).count == 2 && !honest.contains { $0.record == parent })
    var missed = 0
    for _ in 0..<5 {
      for speaker in honest {
        let number = world.say(speaker)
        world.run(.milliseconds(250))
        missed += honest.count { $0 !== speaker && !$0.numbers(from: speaker).contains(number) }
      }
    }
    #expect(missed == 0)
    #expect(Set(honest.map(\.record)).count == 1)
  }

  @Test("Z47: a member makes 50 records a second for a minute: what the others say arrives, and memory is bounded")
  func flood() throws {
    let world = RoomWorld(seed: 47)
    let room = world.room(of: 4)
    let (honest, liar) = (Array(room[..<3]), room[3])
    var missed = 0
    for round in 0..<3_000 {
      let effects = liar.room.makeRecord(admitting: [], now: world.now) ?? []
      for case .transmit(let envelope, _) in effects {
        for node in honest { world.inject(envelope, into: node) }
      }
      world.run(.milliseconds(20))
      guard round % 50 == 49 else { continue }
      for speaker in honest {
        let number = world.say(speaker)
        world.run(.milliseconds(30))
        missed += honest.count { $0 !== speaker && !$0.numbers(from: speaker).contains(number) }
      }
    }
    #expect(missed == 0)
    for node in honest {
      #expect(node.room.records.counts.records <= RecordBook.most && node.room.records.counts.keys <= KeyChain.most)
    }
    // Who comes meanwhile gets in, and somebody else's record is taken at once.
    let guest = world.add()
    world.enter(guest)
    world.run(.seconds(1))
    #expect(guest.secured == 1)
    talk(world, honest + [guest], for: 6)
    #expect(hearEachOther(world, honest + [guest]))
  }

  /// A step on a record with this roster.
  private func step(
    after parent: RosterRecord, roster: [ParticipantID], admitting admitted: [ParticipantID] = [], by author: Identity
  ) -> RosterRecord {
    RosterRecord.step(
      after: parent, roster: roster, admitting: admitted, chain: Fixture.chain, scope: Fixture.door.scope, author: author.signing
    ).record
  }

  private func founding(_ roster: [ParticipantID], _ chain: Secret) -> RosterRecord {
    RosterRecord.founding(
      roster: roster, policy: PolicyStack.origin, chain: chain, scope: Fixture.door.scope, author: Fixture.alice.signing)
  }

  @Test("Z47: one author's 64 records with 32 invented ids each leave places for all whom others let in")
  func inventedIDs() {
    var book = RecordBook()
    let roster = [Fixture.alice.id, Fixture.bob.id]
    let first = founding(roster, Fixture.chain)
    #expect(book.add(founding: first) == .added)
    for branch in 0..<64 as Range<UInt64> {
      let invented = (0..<32 as Range<UInt64>).map { ParticipantID(high: 1_000 + branch, low: $0) }
      let made = step(after: first, roster: roster, admitting: invented, by: Fixture.bob)
      #expect(book.add(step: made, isRemoved: { _ in false }) == .added)
    }
    let newcomers = (0..<30 as Range<UInt64>).map { ParticipantID(high: 1, low: $0) }
    let honest = step(after: first, roster: roster, admitting: newcomers, by: Fixture.alice)
    #expect(book.add(step: honest, isRemoved: { _ in false }) == .added)
    #expect(book.proof(of: newcomers, founding: first.id) == [honest])
  }

  @Test("Z47: with records that are let go of goes who came in by them, but for who is on a roster that counts, and all former beginnings")
  func forgottenPlaces() {
    var book = RecordBook()
    let roster = [Fixture.alice.id, Fixture.bob.id]
    let (former, present) = (founding(roster, Fixture.chain), founding(roster, Fixture.secret("another chain")))
    for record in [former, present] { #expect(book.add(founding: record) == .added) }
    let (invented, member) = (ParticipantID(high: 1_000, low: 1), ParticipantID(high: 1, low: 1))
    let branch = step(after: present, roster: roster, admitting: [invented], by: Fixture.bob)
    let entrance = step(after: present, roster: roster, admitting: [member], by: Fixture.alice)
    for record in [branch, entrance] { #expect(book.add(step: record, isRemoved: { _ in false }) == .added) }
    #expect(book.place(of: invented, founding: present.id) != nil && book.place(of: Fixture.bob.id, founding: former.id) != nil)
    var last = entrance
    for _ in 0..<RecordBook.most {
      last = step(after: last, roster: roster + [member], by: Fixture.alice)
      #expect(book.add(step: last, isRemoved: { _ in false }) == .added)
    }
    book.prune(base: last.id, kept: [last.id])
    #expect(book[branch.id] == nil && book[entrance.id] == nil && book[former.id] == nil && book[present.id] != nil)
    #expect(book.place(of: invented, founding: present.id) == nil && book.place(of: Fixture.bob.id, founding: former.id) == nil)
    #expect(book.proof(of: [member], founding: present.id) == [entrance])
  }

  @Test("Z48: a record with a false commitment is refused, and its author named")
  func falseCommitment() throws {
    let world = RoomWorld(seed: 48)
    let room = world.room(of: 3)
    let liar = room[2]
    let parent = try #require(liar.record.flatMap { liar.room.records[$0] })
    var body = RosterRecordBody(
      kind: .step, parent: parent.record.id, number: parent.record.number + 1, author: liar.id, admitted: [],
      rosterHash: RosterRecord.rosterHash(parent.roster))
    body.commit = [UInt8](repeating: 7, count: 32)
    let bad = RosterRecord.signing(body, scope: world.door.scope, author: liar.room.identity.signing)
    let before = room.map(\.record)
    for case .transmit(let envelope, _) in liar.room.send(.epoch(EpochMessage(records: [bad.bytes])), to: nil, now: world.now) {
      for node in room[..<2] { world.inject(envelope, into: node) }
    }
    #expect(room.map(\.record) == before)
    for node in room[..<2] {
      #expect(node.refused(.record) == 1 && node.logs.contains { $0.contains("\(liar.id)") })
      #expect(node.room.records[bad.id] == nil)
    }
  }

  @Test("Z52: a member that is junior to all speaks in a made-up record: nobody follows")
  func madeUp() throws {
    let world = RoomWorld(seed: 52)
    let room = world.room(of: 4)
    let liar = room[3]
    // Of its own making from a key that nobody else has.
    let chain = Secret { [UInt8](repeating: 9, count: $0) }
    let parent = try #require(liar.record.flatMap { liar.room.records[$0] })
    let phony = RosterRecord.step(
      after: parent.record, roster: parent.roster, admitting: [], chain: chain, scope: world.door.scope,
      author: liar.room.identity.signing)
    liar.forge {
      _ = $0.hold(phony.record, phony.chain, ChannelPolicy(root: liar.id), now: world.now)
      $0.begin(phony.record.id, now: world.now)
    }
    let before = room[0].record
    for _ in 0..<10 {
      // It goes back by itself, as honest code does; the liar insists.
      liar.forge { $0.begin(phony.record.id, now: world.now) }
      for node in room { world.say(node) }
      world.run(.seconds(2))
    }
    #expect(room[..<3].allSatisfy { $0.record == before })
    #expect(hearEachOther(world, Array(room[..<3])))
  }

  @Test("Z49: a newcomer to whom a malicious member hands a key of its own is with the others within 8 s")
  func maliciousWelcomer() throws {
    let world = RoomWorld(seed: 49)
    let room = world.room(of: 3)
    talk(world, room, for: 4)
    let guest = world.add()
    let usurper = Usurper(room[1], in: world, showing: room[0])
    // It is the oldest whom the newcomer sees.
    room[0].isDeaf = true
    world.enter(guest)
    world.run(.seconds(1))
    room[0].isDeaf = false
    #expect(guest.secured == 1 && guest.record == usurper.record(for: guest.id))
    talk(world, [room[0], room[2]], for: 8)
    #expect(guest.record == room[0].record)
    #expect(hearEachOther(world, [room[0], room[2], guest]))
    #expect(world.nodes.allSatisfy { $0.splits.isEmpty })
  }

  @Test("Z49: where the one who lies is the most senior, the newcomer and the others are told of each other within 10 s")
  func maliciousSenior() throws {
    let world = RoomWorld(seed: 490)
    let room = world.room(of: 3)
    talk(world, room, for: 4)
    let guest = world.add()
    let usurper = Usurper(room[0], in: world, showing: room[0])
    world.enter(guest)
    world.run(.seconds(1))
    #expect(guest.secured == 1 && guest.record == usurper.record(for: guest.id))
    let begin = world.now
    for _ in 0..<9 {
      // It goes on to talk to each where that one is.
      usurper.say(to: guest)
      usurper.say(to: Array(room[1...]))
      for node in room[1...] + [guest] { world.say(node) }
      world.run(.seconds(2))
    }
    #expect(guest.unreadable == Set(room[1...].map(\.id)))
    for node in room[1...] { #expect(node.unreadable == [guest.id]) }
    for entry in (room[1...] + [guest]).flatMap(\.splits) {
      #expect(entry.change.kind == .unreadable && !entry.change.isOver)
      #expect(entry.at - entry.change.since >= .seconds(10) && entry.at - begin <= .seconds(11))
    }
  }

  @Test("Z53: the most senior, while no owner is there, gives each another branch: told, and mended by an owner in 20 s")
  func branchesForAll() throws {
    let world = RoomWorld(seed: 53)
    let room = world.room(of: 2)
    talk(world, room, for: 4)
    let owner = room[0]
    world.cut(owner)
    world.run(.seconds(10))
    let usurper = Usurper(room[1], in: world, showing: owner)
    let guests = [world.add(), world.add()]
    for guest in guests {
      world.enter(guest)
      world.run(.seconds(1))
      #expect(guest.record == usurper.record(for: guest.id))
    }
    func talkOn(_ seconds: Int) {
      for _ in 0..<(seconds / 2) {
        for guest in guests {
          usurper.say(to: guest)
          world.say(guest)
        }
        if owner.isLinked { world.say(owner) }
        world.run(.seconds(2))
      }
    }
    talkOn(16)
    #expect(guests[0].unreadable == [guests[1].id] && guests[1].unreadable == [guests[0].id])
    world.enter(owner)
    talkOn(20)
    #expect(guests.allSatisfy { $0.record == owner.record })
    #expect(hearEachOther(world, guests + [owner]))
    // That they hear each other again is told, too.
    #expect(guests.allSatisfy { $0.unreadable.isDisjoint(with: guests.map(\.id)) })
  }
}

/// A member that hands each newcomer a record and a key of its own making, 1,000 ahead, and goes on to talk there.
private final class Usurper {
  private let node: RoomWorld.Node
  private let world: RoomWorld
  private let root: RoomWorld.Node
  private let genuine: RecordID?
  private var branches: [ParticipantID: RecordID] = [:]

  /// `root`: who founded the room, whose introduction proves the rest.
  init(_ node: RoomWorld.Node, in world: RoomWorld, showing root: RoomWorld.Node) {
    (self.node, self.world, self.root, genuine) = (node, world, root, node.record)
    node.takes = { [unowned self] in take($0) }
  }

  func record(for guest: ParticipantID) -> RecordID? { branches[guest] }

  /// Says something to one newcomer in its branch.
  func say(to guest: RoomWorld.Node) { say(to: [guest], in: branches[guest.id]) }

  /// Says something to the others where they are.
  func say(to others: [RoomWorld.Node]) { say(to: others, in: genuine) }

  private func say(to others: [RoomWorld.Node], in record: RecordID?) {
    guard let record else { return }
    node.forge { $0.begin(record, now: world.now) }
    world.say(node, to: others)
  }

  private func take(_ envelope: [UInt8]) {
    guard let header = try? EnvelopeHeader(envelope: envelope), header.kind == .door, branches[header.sender] == nil,
      let opened = try? Envelope.open(envelope, key: SendKey(chain: world.door.chain, scope: world.door.scope, header: header)),
      case .hello(let hello)? = try? InnerMessage.decode(opened.content), hello.known == nil
    else { return }
    let guest = header.sender
    guard let entry = genuine.flatMap({ node.room.records[$0] }), let founding = node.room.records[entry.founding]?.record,
      let proof = node.room.records.proof()?.steps, let key = try? HybridPublicKey(hello.freshKey),
      let introduction = try? Introduction(verifying: hello.intro, session: world.door.scope.session)
    else { return }
    node.isIntroduced([introduction])
    let chain = Secret { [UInt8](repeating: 3 + UInt8(branches.count), count: $0) }
    var body = RosterRecordBody(
      kind: .step, parent: entry.record.id, number: entry.record.number + 1_000, author: node.id, admitted: [guest],
      rosterHash: RosterRecord.rosterHash([node.id, guest]))
    body.commit = ContentKey.commitment(to: chain, of: body, scope: world.door.scope)
    let record = RosterRecord.signing(body, scope: world.door.scope, author: node.room.identity.signing)
    let text = WelcomeText(
      record: record.bytes, proof: ([founding] + proof).map(\.bytes), intros: [root.room.introduction.bytes],
      roster: [node.id, guest])
    let seal = WelcomeSeal(scope: world.door.scope, welcomer: node.id, newcomer: guest, hello: opened.content)
    guard let sealed = try? seal.seal(text, chain: chain, to: key),
      let proven = ProvenRecord(
        text, chain: chain, welcomer: node.id, newcomer: guest, root: root.id,
        keys: Dictionary([node, root].map { ($0.id, $0.room.identity.signing.publicKey) }, uniquingKeysWith: { $1 }),
        scope: world.door.scope)
    else { return }
    node.forge { $0.goOver(to: proven, chain, now: world.now) }
    branches[guest] = record.id
    let message = WelcomeMessage(intro: node.room.introduction.bytes, sealed: sealed)
    for case .transmit(let envelope, let to) in node.room.sendAtDoor(.welcome(message), to: guest) {
      world.forward(envelope, from: node, to: to)
    }
  }
}

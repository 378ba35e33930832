import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto

@Suite("Statements in a room")
struct RoomStatementTests {
  private func statement(_ author: ParticipantID, _ number: Int, size: Int = 0) -> Statement {
    Statement(
      key: .activity, author: author, policy: PolicyStack.origin, time: Int64(number),
      value: .activity(
        Activity(
          identifier: "org.example.\(number)",
          payload: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size))))
  }

  private func updates(_ node: RoomWorld.Node) -> [Statement] {
    node.delivered.flatMap { entry -> [Statement] in
      if case .update(let statements) = entry.message { statements } else { [] }
    }
  }

  @Test("an own statement is signed, and arrives as it was said")
  func signed() {
    let world = RoomWorld()
    let room = world.room(of: 2)
    world.send(.update([statement(room[0].id, 7)]), from: room[0])
    world.run(.milliseconds(50))
    let arrived = updates(room[1])
    #expect(arrived.count == 1)
    #expect(arrived.first?.value == statement(room[0].id, 7).value)
    #expect(arrived.first?.signed != nil)
    #expect(room[1].delivered.first?.from == room[0].id)
  }

  @Test("a statement in another's name is not sent by its relay, and refused where a relay forges one")
  func forged() throws {
    let world = RoomWorld()
    let room = world.room(of: 3)
    world.send(.update([statement(room[0].id, 7)]), from: room[2])
    world.run(.milliseconds(50))
    #expect(updates(room[1]).isEmpty)
    let body = try StatementBody.encode(statement(room[0].id, 8))
    let forged = StatementSignature.sign(
      body, session: world.door.scope.session, author: room[2].room.identity.signing)
    var bent = statement(room[0].id, 8)
    bent.signed = forged
    world.send(.update([bent]), from: room[2])
    world.run(.milliseconds(50))
    #expect(updates(room[1]).isEmpty)
    #expect(room[1].refused(.signature) == 1)
  }

  @Test("G109, F101: what is said of a named coordinator reaches who has it, is read by nobody else, and cannot be passed on as another's")
  func coordinators() throws {
    let world = RoomWorld()
    let room = world.room(of: 3)
    let (kitchen, garden) = (try #require(CoordinatorName("kitchen")), try #require(CoordinatorName("garden")))
    room[1].room.setCoordinators([kitchen, garden])
    let place = Statement(
      key: .position("song"), author: room[0].id, policy: PolicyStack.origin, time: 7,
      value: .position(PositionValue(rank: .command, position: 8)))
    world.send(.update([place]), of: kitchen, from: room[0])
    world.send(.want([]), of: kitchen, from: room[0])
    world.send(.snapshot(nil), of: kitchen, from: room[0])
    world.run(.milliseconds(50))
    #expect(room[1].named.map(\.name) == [kitchen, kitchen, kitchen] && room[2].named.isEmpty)
    guard case .update(let arrived)? = room[1].named.first?.message, let said = arrived.first else {
      return #expect(Bool(false), "nothing came")
    }
    #expect(said.value == place.value)
    // Who relays it says that it is of other items.
    world.send(.update([said]), of: garden, from: room[2])
    world.send(.update([said]), from: room[2])
    world.run(.milliseconds(50))
    #expect(room[1].named.count == 3 && updates(room[1]).isEmpty && room[1].refused(.malformed) == 2)
    // Nothing but registers is a coordinator's.
    world.send(.coordinator(CoordinatorMessage(name: kitchen, content: InnerMessage.bye.encoded)), from: room[2], to: room[1])
    world.send(.coordinator(CoordinatorMessage(name: kitchen, content: [255])), from: room[2], to: room[1])
    world.run(.milliseconds(50))
    #expect(room[1].named.count == 3 && room[1].others.isEmpty && room[1].refused(.malformed) == 4)
    #expect(room[0].refused(.malformed) == 1 && room[2].refusals.isEmpty)
  }

  @Test("Z35: a statement with an unknown tag 60 is relayed byte for byte, and verifies; with tag 200 it is refused")
  func relayed() throws {
    let world = RoomWorld()
    let room = world.room(of: 2)
    let session = world.door.scope.session
    let author = room[0].room.identity
    var later = ItemWriter()
    later.item(60, [1, 2, 3])
    let body = try StatementBody.encode(statement(author.id, 9)) + later.bytes
    let original = StatementSignature.sign(body, session: session, author: author.signing)
    var said = statement(author.id, 9)
    said.signed = original
    world.send(.update([said]), from: room[0])
    world.run(.milliseconds(50))
    let arrived = try #require(updates(room[1]).first)
    #expect(arrived.signed == original)
    // The author is gone; a newcomer gets its words from the other.
    world.cut(room[0])
    world.run(.seconds(1))
    let guest = world.add()
    world.enter(guest)
    world.run(.seconds(1))
    world.send(.snapshot([arrived]), from: room[1], to: guest)
    world.run(.milliseconds(50))
    guard case .snapshot(let statements?)? = guest.delivered.last?.message else {
      return #expect(Bool(false), "no snapshot came")
    }
    #expect(statements.map(\.signed) == [original])
    #expect(guest.refusals.isEmpty)

    var strict = ItemWriter()
    strict.item(200, [1])
    let refusedBody = try StatementBody.encode(statement(author.id, 10)) + strict.bytes
    var strange = statement(author.id, 10)
    strange.signed = StatementSignature.sign(refusedBody, session: session, author: author.signing)
    world.send(.update([strange]), from: room[1])
    world.run(.milliseconds(50))
    #expect(guest.refused(.malformed) == 1)
  }

  @Test("Z35: a message with an unknown tag 60 is skipped over, with an unknown tag 200 refused; so are types")
  func unknownInMessages() throws {
    let world = RoomWorld()
    let room = world.room(of: 2)
    func inject(_ content: [UInt8]) {
      world.inject(world.sealed(by: room[0], content: content), into: room[1])
    }
    var later = ItemWriter()
    later.item(60, [1])
    inject(InnerMessage.data(number: 1, bytes: [1]).encoded + later.bytes)
    #expect(room[1].numbers(from: room[0]) == [1])
    inject([100])
    #expect(room[1].refusals.isEmpty)
    var strict = ItemWriter()
    strict.item(200, [1])
    inject(InnerMessage.data(number: 2, bytes: [1]).encoded + strict.bytes)
    inject([200])
    #expect(room[1].refused(.malformed) == 2)
    #expect(room[1].numbers(from: room[0]) == [1])
  }

  @Test("a register of a later version is skipped, the others beside it are taken")
  func laterRegister() throws {
    let world = RoomWorld()
    let room = world.room(of: 2)
    var body = ItemWriter()
    body.integer(1, UInt8(77))
    body.identifier(3, room[0].id)
    body.identifier(4, PolicyStack.origin)
    body.time(5, 3)
    body.item(6, [])
    var later = statement(room[0].id, 3)
    later.signed = StatementSignature.sign(
      body.bytes, session: world.door.scope.session, author: room[0].room.identity.signing)
    world.send(.update([later, statement(room[0].id, 4)]), from: room[0])
    world.run(.milliseconds(50))
    #expect(updates(room[1]).map(\.time) == [4])
    #expect(room[1].refusals.isEmpty)
  }

  @Test("statements of an author whom nobody introduced wait until somebody who knows it is asked")
  func unknownAuthor() throws {
    let world = RoomWorld()
    let room = world.room(of: 3)
    world.send(.update([statement(room[0].id, 5)]), from: room[0])
    world.run(.milliseconds(50))
    let arrived = try #require(updates(room[1]).first)
    // A member that never heard of the author, as its introduction got lost.
    room[2].forgetIntroductions(of: room[0].id)
    room[2].forgetWhatCame()
    let signed = try #require(arrived.signed)
    let effects = room[1].room.send(.update(statements: [signed], intros: []), to: nil, now: world.now)
    guard case .transmit(let envelope, _)? = effects.last else { return #expect(Bool(false), "nothing was sent") }
    world.inject(envelope, into: room[2])
    #expect(updates(room[2]).isEmpty)
    world.run(.milliseconds(100))
    #expect(updates(room[2]).map(\.signed) == [signed])
    #expect(room[2].refusals.isEmpty)
  }

  @Test("frames of a sender whom nobody introduced wait until somebody who knows it is asked, in their order")
  func unknownSender() {
    let world = RoomWorld()
    let room = world.room(of: 3)
    room[2].forgetIntroductions(of: room[0].id)
    let numbers = (0..<3).map { _ in world.say(room[0]) }
    world.run(.milliseconds(100))
    #expect(room[2].numbers(from: room[0]) == numbers)
    #expect(room[2].refusals.isEmpty)
  }

  @Test("what waits for an introduction is bounded in number, bytes and time")
  func held() {
    var frames = UnreadFrames()
    let one = ParticipantID(high: 1, low: 1)
    func store(_ envelope: [UInt8], now: HostTime) -> Bool {
      frames.store(UnreadFrames.Frame(envelope, from: one, now: now), isStranger: false, now: now)
    }
    let first = (0..<UnreadFrames.count).map { _ in store([1], now: 0) }
    #expect(first.allSatisfy { $0 })
    let (tooMany, later) = (store([1], now: 0), store([1], now: UnreadFrames.lifetime))
    #expect(!tooMany && later)
    let taken = frames.removeAll(now: UnreadFrames.lifetime)
    #expect(taken.count == 1)
    // Tried again it is kept for as long as it had left.
    let again = frames.store(taken[0], isStranger: false, now: UnreadFrames.lifetime * 2 - 1)
    let left = frames.removeAll(now: UnreadFrames.lifetime * 2)
    #expect(again && left.isEmpty)
    let tooLong = store([UInt8](repeating: 0, count: UnreadFrames.bytes + 1), now: 0)
    #expect(!tooLong)
  }

  @Test("Z42: of who is on no roster eight frames wait at most; whoever has most of places or bytes makes room for who has less")
  func heldOfStrangers() {
    var frames = UnreadFrames()
    func store(_ sender: UInt64, _ count: Int = 1, size: Int = 1, isStranger: Bool = false) -> Int {
      let frame = UnreadFrames.Frame([UInt8](repeating: 0, count: size), from: ParticipantID(high: sender, low: 1), now: 0)
      return (0..<count).count { _ in frames.store(frame, isStranger: isStranger, now: 0) }
    }
    func held() -> [ParticipantID: Int] {
      let all = frames.removeAll(now: 0)
      frames = UnreadFrames()
      return all.reduce(into: [:]) { $0[$1.sender, default: 0] += 1 }
    }
    let (noise, late, again) = (store(1, 100, isStranger: true), store(2, 2, size: 1_000, isStranger: true), store(1, isStranger: true))
    #expect([noise, late, again] == [8, 2, 0])
    let (members, another) = (store(3, 56), store(4, 3))
    #expect([members, another] == [56, 3])
    let counts = held()
    #expect(counts.values.sorted() == [2, 3, 6, 53])
    let (large, small) = (store(1, 8, size: 32_000, isStranger: true), store(2, 3, size: 4_000))
    #expect([large, small] == [8, 3])
    #expect(held().values.sorted() == [3, 7])
  }

  @Test("a snapshot too long for one message comes in parts, and is told once it is whole")
  func parts() {
    let world = RoomWorld()
    let room = world.room(of: 2)
    let statements = (1...6).map { statement(room[0].id, $0, size: 60_000) }
    world.send(CoordinationMessage.want([]), from: room[1], to: room[0])
    let before = world.recording.count
    world.send(.snapshot(statements), from: room[0], to: room[1])
    #expect(world.recording.count - before == 3)
    world.run(.milliseconds(50))
    guard case .snapshot(let arrived?)? = room[1].delivered.last?.message else {
      return #expect(Bool(false), "no snapshot came")
    }
    #expect(room[1].delivered.count == 1)
    #expect(arrived.map(\.time) == Array(1...6))
    #expect(room[1].refusals.isEmpty)
  }

  @Test("Z81: parts of snapshots and lists that another sends between an answer's parts keep nobody from the whole of it")
  func partsOfOthers() {
    let world = RoomWorld(seed: 100)
    let room = world.room(of: 3)
    let (member, newcomer, liar) = (room[0], room[1], room[2])
    world.send(CoordinationMessage.want([]), from: newcomer, to: member)
    world.run(.milliseconds(50))
    let entries = (0..<1_500).map { number in
      HaveEntry(
        key: .rate(ItemID(String(repeating: "x", count: 300) + "\(number)")), stamp: Stamp(time: 1, author: member.id),
        sum: RegisterSum(high: 0, low: 1))
    }
    let answer = CoordinationMessage.snapshot((1...6).map { statement(member.id, $0, size: 60_000) })
    for message in [answer, .have(entries)] {
      let parts = member.room.send(message, to: newcomer.id, now: world.now).compactMap { effect -> [UInt8]? in
        if case .transmit(let envelope, _) = effect { envelope } else { nil }
      }
      #expect(parts.count > 2)
      for part in parts {
        world.inject(part, into: newcomer)
        for lie in [InnerMessage.snapshot(SnapshotPart(number: 0, of: 2)), .have([], part: 0, of: 2)] {
          world.inject(world.sealed(by: liar, content: lie.encoded), into: newcomer)
        }
      }
    }
    let (snapshots, lists) = newcomer.delivered.reduce(into: (0, 0)) { counts, entry in
      if case .snapshot(let whole?) = entry.message, whole.count == 6 { counts.0 += 1 }
      if case .have(entries) = entry.message { counts.1 += 1 }
    }
    #expect(snapshots == 1 && lists == 1 && newcomer.refusals.isEmpty)
  }

  @Test("Z81: a snapshot in parts is kept of who was asked alone, once for each question; one in a single part always")
  func unaskedParts() {
    let world = RoomWorld(seed: 101)
    let room = world.room(of: 2)
    let statements = (1...6).map { statement(room[0].id, $0, size: 60_000) }
    func answer(_ statements: [Statement]) -> Int {
      world.send(.snapshot(statements), from: room[0], to: room[1])
      // As fast as the hub reads it.
      world.run(.seconds(2))
      return room[1].delivered.count
    }
    #expect(answer(statements) == 0)
    world.send(CoordinationMessage.want([]), from: room[1], to: room[0])
    #expect(answer(statements) == 1)
    #expect(answer(statements) == 1)
    #expect(answer([statements[0]]) == 2)
    #expect(room[1].refusals.isEmpty)
  }

  @Test("an empty snapshot, and the answer that one is joining oneself, arrive as such")
  func emptySnapshot() {
    let world = RoomWorld()
    let room = world.room(of: 2)
    world.send(.snapshot([]), from: room[0], to: room[1])
    world.send(.snapshot(nil), from: room[0], to: room[1])
    world.run(.milliseconds(50))
    #expect(room[1].delivered.map(\.message) == [.snapshot([]), .snapshot(nil)])
  }

  @Test("a snapshot of 600 registers is verified at once; a flood of statements is not")
  func budget() {
    let world = RoomWorld()
    let room = world.room(of: 2)
    let many = (1...600).map { statement(room[0].id, $0) }
    world.send(CoordinationMessage.want([]), from: room[1], to: room[0])
    world.send(.snapshot(many), from: room[0], to: room[1])
    world.run(.milliseconds(50))
    #expect(room[1].refusals.isEmpty && room[1].delivered.count == 1)
    for _ in 0..<6 { world.send(.update(many), from: room[0]) }
    world.run(.milliseconds(50))
    #expect(room[1].refused(.budget) > 0)
    world.run(.seconds(10))
    room[1].forgetWhatCame()
    world.send(.update([statement(room[0].id, 1)]), from: room[0])
    world.run(.milliseconds(50))
    #expect(updates(room[1]).count == 1)
  }

  @Test("Z80: beside 9 MB for one that asks for everything, commands wait less than 100 ms at the hub, and another one is answered in time")
  func commandsBesideAnswers() {
    let world = RoomWorld(seed: 800)
    let room = world.room(of: 4)
    let (member, liar, newcomer, player) = (room[0], room[1], room[2], room[3])
    world.run(.seconds(2))
    let everything = (1...50).map { statement(member.id, $0, size: 60_000) }
    let some = Array(everything.prefix(10))
    for asker in [liar, newcomer] { world.send(CoordinationMessage.want([]), from: asker, to: member) }
    // What the hub reads of one connection.
    let rate = 262_144.0
    var hub = TokenBucket(rate: rate, burst: 2 * rate, now: world.now)
    var (charged, longest) = (world.recording.count, 0.0)
    for _ in 0..<3 { world.send(.snapshot(everything), from: member, to: liar) }
    world.send(.snapshot(some), from: member, to: newcomer)
    func whole(_ wanted: [Statement], at node: RoomWorld.Node) -> Int {
      node.delivered.count { entry in
        if case .snapshot(let statements?) = entry.message { statements.count == wanted.count } else { false }
      }
    }
    var commands: [UInt64] = []
    var answered: Int?
    for step in 0..<250 {
      commands.append(world.say(member))
      for sent in world.recording[charged...] where (try? EnvelopeHeader(envelope: sent.envelope))?.sender == member.id {
        hub.charge(Double(sent.envelope.count), now: world.now)
      }
      charged = world.recording.count
      longest = max(longest, -hub.level(now: world.now) / rate)
      world.run(.milliseconds(100))
      if answered == nil, whole(some, at: newcomer) > 0 { answered = step }
    }
    #expect(longest < 0.1)
    #expect(player.numbers(from: member) == commands)
    // Its 0.7 MB go in turn with the other's 3.3 MB, of which 0.4 MB went at once: 5 s.
    #expect(answered.map { $0 < 70 } ?? false)
    #expect(whole(everything, at: liar) == 1)
    // Who is gone is sent nothing any more.
    world.send(.snapshot(everything), from: member, to: liar)
    world.run(.seconds(1))
    world.cut(liar)
    world.run(.seconds(1))
    let before = world.recording.count
    world.run(.seconds(5))
    #expect(!world.recording[before...].contains { $0.to == [liar.id] })
  }

  @Test("Z81: a list of 4,096 registers with long names comes in parts that each fit, and is compared as a whole")
  func longLists() {
    let world = RoomWorld(seed: 81)
    let room = world.room(of: 2)
    let items = (0..<1_365).map { ItemID(String(repeating: "x", count: 1_000) + "\($0)") }
    let keys = items.flatMap { [RegisterKey.rate($0), .position($0), .continuation($0)] }
    let sum = RegisterSum(high: .max, low: 1)
    let entries = keys.map { HaveEntry(key: $0, stamp: Stamp(time: 1, author: room[0].id), sum: sum) }
    for message in [CoordinationMessage.have(entries), .want(keys)] {
      let effects = room[0].room.send(message, to: room[1].id, now: world.now)
      let sizes = effects.compactMap { effect -> Int? in
        if case .transmit(let envelope, _) = effect { envelope.count } else { nil }
      }
      #expect(sizes.count == effects.count && sizes.count > 20 && sizes.allSatisfy { $0 < 200_000 })
      for case .transmit(let envelope, _) in effects { world.inject(envelope, into: room[1]) }
    }
    let lists = room[1].delivered.compactMap { message, _ in if case .have(let list) = message { list } else { nil } }
    #expect(lists == [entries])
    let wanted = room[1].delivered.flatMap { message, _ -> [RegisterKey] in
      if case .want(let keys) = message { keys } else { [] }
    }
    #expect(Array(wanted.suffix(keys.count)) == keys)
    #expect(room[1].refusals.isEmpty)
  }

  @Test("Z81: parts of a list that are missing, doubled or out of order are no list")
  func brokenLists() {
    var assembly = PartAssembly<HaveEntry>(most: 100)
    let (one, other) = (ParticipantID(high: 1, low: 1), ParticipantID(high: 2, low: 2))
    func add(_ part: UInt8, of count: UInt8 = 3, from sender: ParticipantID, at now: HostTime = 0) -> Int? {
      let entry = HaveEntry(key: .end, stamp: Stamp(time: Int64(part), author: one), sum: RegisterSum(high: 0, low: 0))
      return assembly.add([entry], size: 1, number: Int(part), of: Int(count), from: sender, now: now)?.count
    }
    let inOrder = [add(0, from: one), add(1, from: one), add(2, from: one)]
    #expect(inOrder == [nil, nil, 3])
    let lacking = [add(0, from: one), add(2, from: one), add(1, from: one), add(2, from: one)]
    #expect(lacking == [nil, nil, nil, nil])
    let besideAnother = [add(0, from: one), add(1, from: other), add(1, from: one), add(2, from: one)]
    #expect(besideAnother == [nil, nil, nil, 3])
    let ofAnother = [
      add(0, from: one), add(0, from: other), add(1, from: one), add(1, from: other), add(2, from: other), add(2, from: one),
    ]
    #expect(ofAnother == [nil, nil, nil, nil, 3, 3])
    let begunAnew = [add(0, from: one), add(1, from: one), add(0, from: one), add(1, from: one), add(2, from: one)]
    #expect(begunAnew == [nil, nil, nil, nil, 3])
    let tooLate = [add(0, from: one), add(1, from: one), add(2, from: one, at: .seconds(11))]
    #expect(tooLate == [nil, nil, nil])
    let single = add(0, of: 1, from: one)
    #expect(single == 1)
  }

  @Test("Z81: of lists in parts four are kept at once, the first begun goes; where they are too much whoever has most makes room")
  func manyLists() {
    var assembly = PartAssembly<Int>(most: 100)
    func add(_ sender: UInt64, _ number: Int, size: Int = 1) -> Bool {
      assembly.add([number], size: size, number: number, of: 2, from: ParticipantID(high: sender, low: 1), now: 0) != nil
    }
    let begun = (1...5).map { add($0, 0) }
    let ended = (1...5).map { add($0, 1) }
    #expect(begun == [false, false, false, false, false] && ended == [false, true, true, true, true])
    let filled = [add(1, 0, size: 60), add(2, 0, size: 30), add(3, 0, size: 20)]
    let left = [add(1, 1), add(2, 1), add(3, 1)]
    #expect(filled == [false, false, false] && left == [false, true, true])
    let tooLong = [add(1, 0, size: 50), add(1, 1, size: 51)]
    #expect(tooLong == [false, false] && assembly.elements.isEmpty)
  }
}

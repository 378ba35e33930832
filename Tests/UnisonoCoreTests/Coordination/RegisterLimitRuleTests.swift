import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica
@testable import UnisonoWire

/// What others can make a participant keep of registers, whatever they say (wire 8.22).
@Suite struct RegisterLimitRuleTests {
  private static let bound = 12 * 1_048_576
  private static let boundOfEach = 131_072

  private func identity(_ number: UInt64) -> ParticipantID { ParticipantID(high: (0x51 + number) << 56, low: 7) }

  /// As it comes over the wire, with bytes behind it that nobody reads.
  private func said(
    _ key: RegisterKey, _ value: RegisterValue, by author: ParticipantID, at time: GroupTime, padding: Int = 0
  ) throws -> Statement {
    var statement = Statement(key: key, author: author, policy: RuleHarness.policy, time: time, value: value)
    var body = try StatementBody.encode(statement)
    if padding > 0 {
      body += [60, 0, UInt8(padding >> 8), UInt8(padding & 255)] + [UInt8](repeating: 1, count: padding)
    }
    statement.signed = SignedStatement(body: body, signature: [UInt8](repeating: 0, count: 64))
    return statement
  }

  private func entry(_ number: Int, by author: ParticipantID, title: String, at time: GroupTime, padding: Int = 0)
    throws -> Statement
  {
    let id = EntryID(high: author.high, low: UInt64(number))
    let entry = PlaylistEntry(
      place: .spread(number % 1_000), item: ItemID("\(author) \(number)"), added: time, title: title)
    return try said(.playlistEntry(id), .playlistEntry(entry), by: author, at: time, padding: padding)
  }

  private func position(of item: ItemID, by author: ParticipantID, at time: GroupTime, waits: Int = 0) throws
    -> Statement
  {
    let waits = (0..<waits).map { Wait(reason: String(repeating: "w", count: 120) + String($0 + 100)) }
    return try said(
      .position(item), .position(PositionValue(rank: .command, position: 0, waits: waits)), by: author, at: time)
  }

  /// A participant says something to another one.
  private func tell(_ statements: [Statement], from author: ParticipantID, to index: Int, in room: inout RuleHarness) {
    room.give(.message(.update(statements), from: author), to: index)
  }

  private func kept(_ node: Coordination) -> Int {
    node.facts.registers.statements.values.reduce(0) { $0 + $1.footprint } + node.facts.held.footprint
  }

  private func crowdings(_ room: RuleHarness, _ index: Int) -> [Crowding] {
    room.notices[index].compactMap { if case .session(.crowded(let crowding)) = $0 { crowding } else { nil } }
  }

  @Test(
    "Z95: five identities say all they can: what is kept has a bound, and others are heard"
  )
  func fiveIdentities() throws {
    var room = RuleHarness.playing(2)
    let honest = room.ids[1]
    let five = (0..<5 as Range<UInt64>).map(identity)
    let members = five.enumerated().map { Member(id: $1, connection: UInt64($0) + 50, age: 0) }
    room.give(.presence(joined: members, gone: []), to: 0)
    let before = try entry(0, by: honest, title: "of an honest one", at: room.nodes[0].groupNow)
    tell([before], from: honest, to: 0, in: &room)
    var greatest = 0
    for round in 0..<60 {
      for author in five {
        let now = room.nodes[0].groupNow
        var statements: [Statement] = []
        for number in 0..<30 {
          let item = ItemID("\(author) \(round) \(number) " + String(repeating: "i", count: 900))
          statements.append(try position(of: item, by: author, at: now, waits: 45))
          statements.append(
            try entry(
              round * 30 + number, by: author, title: String(repeating: "t", count: number % 255 + 1), at: now,
              padding: 600))
          // With more than may be behind it.
          statements.append(try entry(100_000 + round * 30 + number, by: author, title: "t", at: now, padding: 5_000))
          let early = now + .seconds(2) + Int64(round * 30 + number)
          statements.append(try entry(200_000 + round * 30 + number, by: author, title: "t", at: early, padding: 600))
          statements.append(
            try said(
              .clock(ClockID(high: author.high, low: UInt64(round * 30 + number))),
              .clock(ClockValue(offset: 1, error: 5)), by: author, at: now))
        }
        for place in 0..<16 as Range<UInt8> {
          let content = try #require(AttachmentID([UInt8](repeating: place, count: 32)))
          let offer = AttachmentValue(
            id: content, name: String(repeating: "n", count: 255), type: "text/plain", size: 9)
          statements.append(
            try said(
              .attachment(AttachmentSlot(author: author, number: place)), .attachment(offer), by: author, at: now,
              padding: 600))
        }
        let poster = Activity(
          identifier: "poster", previewImage: [UInt8](repeating: 2, count: 65_536),
          payload: [UInt8](repeating: 3, count: 65_536))
        statements.append(try said(.activity, .activity(poster), by: author, at: now))
        statements.append(try said(.activity, .activity(poster), by: author, at: now + .seconds(3)))
        tell(statements, from: author, to: 0, in: &room)
        greatest = max(greatest, kept(room.nodes[0]))
      }
      room.run(.seconds(1))
    }
    #expect(greatest <= Self.bound + (five.count + 2) * Self.boundOfEach, "\(greatest) bytes")
    #expect(greatest > 1_048_576, "they were to say much")
    for author in five { #expect(crowdings(room, 0).contains { $0.participant == author }, "\(author)") }
    // What was said before stays, and what is said now counts.
    #expect(room.nodes[0].facts.registers[before.key] != nil)
    room.give(.rateChange(rate: 0, immediately: false), to: 1)
    room.run(.seconds(1))
    #expect(room.commands[0].last?.kind == .pause)
    #expect(room.isInStep)
    let item = ItemID("another film")
    tell([try position(of: item, by: honest, at: room.nodes[0].groupNow)], from: honest, to: 0, in: &room)
    #expect(room.nodes[0].facts.registers[.position(item)] != nil)
  }

  @Test("Z96: which items that nobody is on are kept does not depend on the order in which they came", arguments: 1...8)
  func order(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let room = RuleHarness.playing(1)
    let begun = room.now
    var statements: [Statement] = []
    for number in 0..<300 {
      let author = identity(UInt64.random(in: 0..<5, using: &random))
      let waits = Int.random(in: 0...45, using: &random)
      statements.append(
        try position(
          of: ItemID("film \(number)"), by: author, at: begun - .seconds(400) + .seconds(Int64(number)), waits: waits))
    }
    var kept: [Set<ItemID>] = []
    for _ in 0..<4 {
      var copy = room
      copy.give(
        .presence(
          joined: (0..<5 as Range<UInt64>).map { Member(id: identity($0), connection: 60 + $0, age: 0) }, gone: []),
        to: 0)
      var rest = statements.shuffled(using: &random)[...]
      while !rest.isEmpty {
        let part = rest.prefix(Int.random(in: 1...90, using: &random))
        rest = rest.dropFirst(part.count)
        tell(Array(part), from: identity(0), to: 0, in: &copy)
        copy.run(.milliseconds(20))
      }
      copy.run(.seconds(35))
      kept.append(Set(copy.nodes[0].facts.registers.statementsByItem.keys))
    }
    #expect(Set(kept).count == 1)
    #expect(kept[0].count <= Expiry.capacity + 1 && kept[0].contains("film 299"))
  }

  @Test("8.22: one who says much of items keeps out its own oldest ones, not what others said")
  func own() throws {
    var room = RuleHarness.playing(2)
    let (loud, quiet) = (identity(1), room.ids[1])
    room.give(.presence(joined: [Member(id: loud, connection: 70, age: 0)], gone: []), to: 0)
    tell([try position(of: "quiet", by: quiet, at: room.nodes[0].groupNow)], from: quiet, to: 0, in: &room)
    for number in 0..<40 {
      let item = ItemID("loud \(number)")
      tell([try position(of: item, by: loud, at: room.nodes[0].groupNow, waits: 45)], from: loud, to: 0, in: &room)
      room.run(.seconds(1))
    }
    let items = room.nodes[0].facts.registers.statementsByItem
    #expect(items["quiet"] != nil && items["loud 39"] != nil && items["loud 0"] == nil)
    #expect(
      items.values.joined().filter { $0.author == loud }.reduce(0) { $0 + $1.weight } <= Expiry.authorWeight
        + Expiry.growth)
    #expect(crowdings(room, 0).contains(Crowding(participant: loud, kind: .items)))
    #expect(!crowdings(room, 0).contains { $0.participant == quiet })
  }

  @Test("8.22: items of who was put out, that nobody is on, make room before all else, everywhere")
  func removed() throws {
    var room = RuleHarness()
    let out = identity(1)
    let origin = PolicyOrigin(root: ParticipantID(high: 1, low: 0))
    for index in 0..<2 {
      room.add(UInt64(index) + 1, isCreator: index == 0, origin: origin)
      room.link(index)
      room.run(.seconds(1))
      room.give(.transition(to: "X", proposal: nil), to: index)
    }
    room.run(.seconds(3))
    func said(_ name: String, from number: Int, by author: ParticipantID) throws {
      for number in number..<(number + 40) {
        let item = ItemID("\(name) \(number)")
        let statement = try position(of: item, by: author, at: room.nodes[0].groupNow)
        for index in 0..<2 { tell([statement], from: room.ids[1 - index], to: index, in: &room) }
        room.run(.milliseconds(10))
      }
    }
    try said("honest", from: 0, by: room.ids[1])
    try said("out", from: 0, by: out)
    room.give(
      .changePolicy(
        .removal(
          [out], topic: [UInt8](repeating: 1, count: 32),
          founding: try #require(RecordID(bytes: [UInt8](repeating: 1, count: 32))),
          leaving: [])), to: 0)
    room.run(.seconds(40))
    for node in room.nodes {
      let items = node.facts.registers.statementsByItem.keys
      #expect(node.facts.policies.isRemoved(out))
      #expect((0..<40).allSatisfy { items.contains(ItemID("honest \($0)")) })
      #expect(items.count == Expiry.capacity + 1)
    }
    #expect(
      Set(room.nodes[0].facts.registers.statementsByItem.keys)
        == Set(room.nodes[1].facts.registers.statementsByItem.keys))
  }

  @Test("8.22: of the future one author's are 64 and 256 KiB, and who has most makes room")
  func early() throws {
    var held = HeldStatements()
    func hold(_ author: ParticipantID, number: Int) throws -> Bool {
      held.hold(try entry(number, by: author, title: "t", at: .seconds(100) + Int64(number), padding: 700))
    }
    let admitted = try (0..<100).filter { try hold(identity(1), number: $0) }
    #expect(admitted == Array(0..<HeldStatements.authorCapacity))
    for author in 2...5 as ClosedRange<UInt64> {
      for number in 0..<100 { _ = try hold(identity(author), number: number) }
    }
    #expect(held.authors.count == HeldStatements.capacity)
    // All places are taken by five who have many each: one who has none gets in.
    let isIn = try hold(identity(9), number: 0)
    #expect(isIn && held.authors.count == HeldStatements.capacity && held.authors.contains(identity(9)))
    #expect(held.footprint <= HeldStatements.byteLimit)
    let due = held.take(until: .max)
    #expect(due.count == HeldStatements.capacity && held.authors.isEmpty && held.footprint == 0)
  }

  @Test("8.22: who cites policies that nobody knows fills no place that others need")
  func citations() throws {
    var held = HeldCitations()
    for number in 0..<200 {
      let statement = try entry(number, by: identity(1), title: "t", at: Int64(number))
      _ = held.hold(statement, from: identity(1), now: 0)
    }
    #expect(held.entries.count == HeldCitations.count)
    let honest = try entry(0, by: identity(2), title: "t", at: 1)
    let isIn = held.hold(honest, from: identity(2), now: 0)
    #expect(isIn && held.entries.count == HeldCitations.count && held.entries.last?.statement == honest)
  }
}

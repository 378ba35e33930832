import Testing

@testable import UnisonoBase
@testable import UnisonoReplica
@testable import UnisonoWire

@Suite struct StatementBodyTests {
  @Test("every statement comes back as it was, and its bytes too", arguments: 1...40)
  func roundTrip(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    for _ in 0..<20 {
      let statement = generator.statement()
      let body = try StatementBody.encode(statement)
      let decoded = try #require(try StatementBody.decode(body))
      #expect(decoded == statement)
      #expect(try StatementBody.encode(decoded) == body)
    }
  }

  @Test("8.22: what this version writes is compact; over 768 bytes that nobody reads do not count", arguments: 1...40)
  func compact(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    for _ in 0..<50 {
      var statement = generator.statement()
      let body = try StatementBody.encode(statement)
      statement.signed = SignedStatement(body: body, signature: [])
      #expect(statement.isCompact, "\(statement.key): \(body.count) bytes")
      statement.signed = SignedStatement(body: body + [60, 0, 4, 0] + [UInt8](repeating: 1, count: 1_024), signature: [])
      let mayGrow = statement.key.isParticipant || statement.key == .activity
      #expect(statement.isCompact == mayGrow, "\(statement.key)")
    }
  }

  @Test("8.22: the fullest cells and continuation are compact")
  func fullest() throws {
    let key = CellKey(policy: PolicyID(high: 2, low: 2), rank: .command, stamp: Stamp(time: .max, author: ParticipantID(high: 3, low: 3)))
    let item = ItemID(String(repeating: "x", count: 1_023))
    let named = (1...16).map { ParticipantID(high: 9, low: $0) }
    let waits = (0..<40).map { Wait(reason: String(repeating: "w", count: 87) + String($0 + 10), limit: 7) }
    let rate = RateValue(
      rank: .command, rate: 1, at: .max, basePosition: key, snap: true, waits: waits, deadline: 5, settle: 5, readyUntil: 5, named: named,
      original: key.stamp)
    let line = ContinuationValue.Kind.line(coverage: 7, since: 5, at: 5, prior: Line(at: 5, rate: 1, since: 5))
    let values: [(RegisterKey, RegisterValue)] = [
      (.rate(item), .rate(rate)),
      (
        .position(item),
        .position(PositionValue(rank: .command, position: 5, waits: waits, deadline: 5, readyUntil: 5, named: named, original: key.stamp))
      ),
      (
        .continuation(item),
        .continuation(ContinuationValue(base: Pair(rate: key, position: key), sequence: 9, kind: line, original: key.stamp))
      ),
    ]
    for (key, value) in values {
      var statement = statement(key, value)
      statement.signed = SignedStatement(body: try StatementBody.encode(statement), signature: [])
      #expect(statement.isCompact, "\(key)")
    }
  }

  @Test("G109, F101: what was said of one coordinator's items is no statement about another's, nor of what is the session's")
  func coordinators() throws {
    let (kitchen, garden) = (try #require(CoordinatorName("kitchen")), try #require(CoordinatorName("garden")))
    let place = statement(.position("song"), .position(PositionValue(rank: .command, position: 7)))
    let body = try StatementBody.encode(place, of: kitchen)
    #expect(try StatementBody.decode(body, of: kitchen) == place)
    #expect(throws: WireError.range) { try StatementBody.decode(body, of: garden) }
    #expect(throws: WireError.range) { try StatementBody.decode(body) }
    #expect(throws: WireError.range) { try StatementBody.decode(StatementBody.encode(place), of: kitchen) }
    for (key, value): (RegisterKey, RegisterValue) in [
      (.end, .end), (.activity, .activity(Activity(identifier: "x"))), (.skipPolicy, .skipPolicy(.none)),
      (.audience, .audience(nil)),
      (.clock(ClockID(high: 1, low: 1)), .clock(ClockValue(offset: 0, error: 1))),
    ] {
      #expect(throws: WireError.range) { try StatementBody.encode(statement(key, value), of: kitchen) }
    }
    #expect(CoordinatorName("") == nil && CoordinatorName(String(repeating: "x", count: 33)) == nil && CoordinatorName("a\u{7}") == nil)
  }

  @Test("no proper prefix of a statement is one")
  func prefixes() throws {
    var generator = SplitMix64(seed: 5)
    for _ in 0..<20 {
      let body = try StatementBody.encode(generator.statement())
      for length in 0..<body.count {
        #expect(throws: WireError.self) { try StatementBody.decode(Array(body[..<length])) }
      }
    }
  }

  @Test("Z35: a statement with an unknown tag 60 is read; with an unknown tag 200 it is refused")
  func unknownTags() throws {
    var generator = SplitMix64(seed: 6)
    let statement = generator.statement()
    let body = try StatementBody.encode(statement)
    #expect(try StatementBody.decode(body + [60, 0, 0, 2, 1, 2]) == statement)
    #expect(throws: WireError.unknownMustUnderstand) { try StatementBody.decode(body + [200, 0, 0, 0]) }
  }

  @Test("a register that this version does not know is left alone")
  func unknownRegister() throws {
    var generator = SplitMix64(seed: 7)
    var body = try StatementBody.encode(generator.statement())
    body[4] = 90
    #expect(try StatementBody.decode(body) == nil)
    body[4] = 190
    #expect(throws: WireError.unknownMustUnderstand) { try StatementBody.decode(body) }
  }

  private func statement(_ key: RegisterKey, _ value: RegisterValue) -> Statement {
    Statement(
      key: key, author: ParticipantID(high: 1, low: 1), policy: PolicyID(high: 2, low: 2), time: 3, value: value)
  }

  private func participant(_ change: (inout ParticipantValue) -> Void) -> Statement {
    var value = ParticipantValue(incarnation: 1)
    change(&value)
    return statement(.participant(ParticipantID(high: 1, low: 1)), .participant(value))
  }

  @Test("what is over a limit, or no number, is refused before it is signed")
  func limits() throws {
    func refused(_ statement: Statement, _ error: WireError) {
      #expect(throws: error) { try StatementBody.encode(statement) }
    }
    let rate = RateValue(rank: .command, rate: 1, at: 0)
    refused(statement(.end, .rate(rate)), .range)
    refused(statement(.rate(""), .rate(rate)), .text)
    refused(statement(.rate(ItemID(String(repeating: "x", count: 1_024))), .rate(rate)), .text)
    #expect(throws: Never.self) {
      try StatementBody.encode(statement(.rate(ItemID(String(repeating: "x", count: 1_023))), .rate(rate)))
    }
    for bad in [Double.nan, .infinity, 16.5] {
      refused(statement(.rate("a"), .rate(RateValue(rank: .command, rate: bad, at: 0))), .range)
    }
    refused(statement(.rate("a"), .rate(RateValue(rank: .command, rate: 1, at: .min))), .range)
    refused(participant { $0.displayName = String(repeating: "x", count: 64) }, .text)
    refused(participant { $0.suspensions = [.init(reason: String(repeating: "x", count: 128), since: 0)] }, .text)
    refused(participant { $0.waits = Array(repeating: Wait(reason: "x"), count: 65) }, .count)
    refused(
      participant {
        $0.suspensions = Array(repeating: .init(reason: String(repeating: "x", count: 127), since: 0), count: 64)
      }, .count)
    refused(statement(.activity, .activity(Activity(identifier: ""))), .text)
    refused(
      statement(.activity, .activity(Activity(identifier: "a", payload: Array(repeating: 0, count: 65_537)))), .count)
    refused(statement(.stallPolicy, .stallPolicy(StallPolicy(waits: true, debounce: -1))), .range)
    refused(statement(.stallPolicy, .stallPolicy(StallPolicy(waits: true, limit: .seconds(601)))), .range)
    refused(statement(.startPolicy, .startPolicy(StartPolicy(waiting: .first, limit: -1))), .range)
    refused(statement(.startPolicy, .startPolicy(StartPolicy(waiting: .first, limit: .seconds(601)))), .range)
    let ids = (1...17).map { ParticipantID(high: 1, low: $0) }
    refused(statement(.rate("a"), .rate(RateValue(rank: .command, rate: 1, at: 0, named: ids))), .count)
    refused(statement(.position("a"), .position(PositionValue(rank: .command, position: 0, named: ids))), .count)
    let largest = Activity(
      identifier: String(repeating: "a", count: 255), title: String(repeating: "a", count: 255),
      fallbackURL: String(repeating: "a", count: 2_047), previewImage: Array(repeating: 1, count: 65_536),
      payload: Array(repeating: 1, count: 65_536))
    #expect(
      try StatementBody.decode(StatementBody.encode(statement(.activity, .activity(largest))))?.value
        == .activity(largest))
  }

  @Test("a continuation has what its kind needs and nothing of another kind")
  func continuationKinds() throws {
    let key = CellKey(
      policy: PolicyID(high: 2, low: 2), rank: .command, stamp: Stamp(time: 1, author: ParticipantID(high: 1, low: 1)))
    let pair = Pair(rate: key, position: key)
    let hold = ContinuationValue(base: pair, sequence: 1, kind: .hold(at: 5, deadline: 6))
    var writer = ItemWriter()
    ContinuationCoding.write(hold, to: &writer)
    #expect(try ContinuationCoding.read(ByteReader(writer.bytes)) == hold)
    // A hold whose kind is changed to a line has no since; to one that nobody knows, no kind at all.
    let kindAt = 2 * 45 + 8 + 4
    for (kind, error) in [(UInt8(1), WireError.range), (3, .range), (9, .truncated)] {
      var bad = writer.bytes
      bad[kindAt] = kind
      #expect(throws: error) { try ContinuationCoding.read(ByteReader(bad)) }
    }
  }

  @Test("random and changed bytes never trap", arguments: 1...4)
  func random(seed: Int) throws {
    var generator = SplitMix64(seed: UInt64(seed))
    for _ in 0..<600 {
      _ = try? StatementBody.decode(generator.bytes(Int.random(in: 0...200, using: &generator)))
      var body = try StatementBody.encode(generator.statement())
      body[Int.random(in: 0..<body.count, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      guard let decoded = try? StatementBody.decode(body) else { continue }
      #expect(try StatementBody.decode(StatementBody.encode(decoded)) == decoded)
    }
  }
}

import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// Random statements about one item, by few authors at few times, so that ties are common.
struct StatementMaker {
  var random: SplitMix64
  static let policy = PolicyID(high: 1, low: 1)
  static let item: ItemID = "X"

  mutating func stamp() -> Stamp {
    Stamp(time: Int64.random(in: 1...6, using: &random), author: author())
  }

  mutating func author() -> ParticipantID { ParticipantID(high: UInt64.random(in: 1...3, using: &random), low: 0) }

  mutating func rank() -> CellKey.Rank { [.nullProposal, .proposal, .command][Int.random(in: 0...2, using: &random)] }

  /// A function of its key, as one author never writes two values under one key.
  func rate(_ key: CellKey) -> Statement {
    Statement(
      key: .rate(Self.item), author: key.stamp.author, policy: Self.policy, time: key.stamp.time,
      value: .rate(
        RateValue(
          rank: key.rank, rate: Double((key.stamp.time + Int64(key.stamp.author.high)) % 3) - 1, at: key.stamp.time)))
  }

  func position(_ key: CellKey) -> Statement {
    Statement(
      key: .position(Self.item), author: key.stamp.author, policy: Self.policy, time: key.stamp.time,
      value: .position(PositionValue(rank: key.rank, position: key.stamp.time * 10)))
  }

  mutating func key() -> CellKey { CellKey(policy: Self.policy, rank: rank(), stamp: stamp()) }

  /// Two cells and, mostly, a continuation of them: what travels together.
  mutating func message() -> [Statement] {
    let positionKey = key()
    let rateKey = key()
    var message = [position(positionKey), rate(rateKey)]
    guard Int.random(in: 0...3, using: &random) > 0 else { return message }
    let sequence = UInt32.random(in: 1...2, using: &random)
    let base = Pair(rate: rateKey, position: positionKey)
    let at = Int64.random(in: 0...3, using: &random)
    let kinds: [ContinuationValue.Kind] = [
      .line(coverage: UInt16(at), since: 10 + at, at: nil, prior: nil), .hold(at: at, deadline: 9), .ended(at: at),
    ]
    message.append(
      Statement(
        key: .continuation(Self.item), author: author(), policy: Self.policy, time: 9,
        value: .continuation(
          ContinuationValue(base: base, sequence: sequence, kind: kinds[Int.random(in: 0...2, using: &random)]))))
    return message
  }
}

@Suite struct MergeTests {
  private let policies = PolicyOrder(origin: StatementMaker.policy)

  private func merged(_ messages: [[Statement]]) -> RegisterStore {
    var store = RegisterStore(policies: policies)
    for statement in messages.joined() { store.merge(statement) }
    return store
  }

  @Test("2.3: a continuation of cells that never came is of interest beside older ones, and not beside such as count for nothing",
    arguments: [StatementMaker.policy, PolicyID(high: 9, low: 9)])
  func aheadOfStale(cited: PolicyID) {
    let maker = StatementMaker(random: SplitMix64(seed: 1))
    let author = ParticipantID(high: 1, low: 0)
    func key(_ policy: PolicyID, _ time: GroupTime) -> CellKey {
      CellKey(policy: policy, rank: .command, stamp: Stamp(time: time, author: author))
    }
    var cells = [maker.rate(key(cited, 2)), maker.position(key(cited, 1))]
    for index in cells.indices { cells[index].policy = cited }
    let never = Pair(rate: key(StatementMaker.policy, 4), position: key(StatementMaker.policy, 3))
    let continuation = Statement(
      key: .continuation(StatementMaker.item), author: author, policy: StatementMaker.policy, time: 5,
      value: .continuation(ContinuationValue(base: never, sequence: 1, kind: .ended(at: 0))))
    let store = merged([cells, [continuation]])
    #expect(store.isStale(continuation))
    #expect(store.isAhead(continuation) == (cited == StatementMaker.policy))
    #expect(!merged([[continuation]]).isAhead(continuation))
  }

  @Test("the same messages, in any order and any number of times, give the same state", arguments: 0..<300)
  func anyOrder(seed: Int) {
    var maker = StatementMaker(random: SplitMix64(seed: UInt64(seed)))
    let messages = (0..<Int.random(in: 2...6, using: &maker.random)).map { _ in maker.message() }
    let expected = merged(messages)
    for _ in 0..<12 {
      let repeated = (messages + messages.prefix(2)).shuffled(using: &maker.random)
      let other = merged(repeated)
      #expect(other[.rate(StatementMaker.item)] == expected[.rate(StatementMaker.item)])
      #expect(other[.position(StatementMaker.item)] == expected[.position(StatementMaker.item)])
      #expect(
        EffectiveState(other.cells(of: StatementMaker.item)) == EffectiveState(expected.cells(of: StatementMaker.item)))
    }
  }

  @Test("of the values that a liar signs with one stamp the same one counts everywhere, in whatever order they come", arguments: 0..<100)
  func signedTwice(seed: Int) {
    var maker = StatementMaker(random: SplitMix64(seed: UInt64(seed) + 30_000))
    let key = maker.key()
    let statements = (0..<4 as Range<UInt8>).flatMap { number -> [Statement] in
      var (rate, position) = (maker.rate(key), maker.position(key))
      rate.value = .rate(RateValue(rank: key.rank, rate: Double(number), at: 0))
      position.value = .position(PositionValue(rank: key.rank, position: Nanoseconds(number)))
      rate.signed = SignedStatement(body: [number ^ 2, 1], signature: [])
      position.signed = SignedStatement(body: [number ^ 1], signature: [])
      return [rate, position]
    }
    for _ in 0..<12 {
      let store = merged([statements.shuffled(using: &maker.random)])
      // Whose bytes are the greatest.
      #expect(store.cells(of: StatementMaker.item)?.rate.rate == 1)
      #expect(store[.position(StatementMaker.item)]?.value == .position(PositionValue(rank: key.rank, position: 2)))
    }
  }

  @Test("a stale continuation cannot hide the current one", arguments: 0..<300)
  func stale(seed: Int) throws {
    var maker = StatementMaker(random: SplitMix64(seed: UInt64(seed) + 10_000))
    let messages = (0..<6).map { _ in maker.message() }
    let store = merged(messages)
    let pair = try #require(store.cells(of: StatementMaker.item)?.pair)
    let ofThePair = messages.joined().contains { statement in
      if case .continuation(let value) = statement.value { value.base == pair } else { false }
    }
    #expect((store.cells(of: StatementMaker.item)?.continuation != nil) == ofThePair)
  }

  @Test("any two statements of one register are ordered alike from both sides", arguments: 0..<100)
  func antisymmetric(seed: Int) {
    var maker = StatementMaker(random: SplitMix64(seed: UInt64(seed) + 20_000))
    let order = RegisterOrder(policies: policies)
    let statements = (0..<8).flatMap { _ in maker.message() }
    for left in statements {
      for right in statements where left.key == right.key {
        #expect(order.compare(left, right) == order.compare(right, left).reversed)
        if order.compare(left, right) == .equal { #expect(left.stamp == right.stamp) }
      }
    }
  }

  private func key(_ rank: CellKey.Rank, _ time: GroupTime, _ author: UInt64 = 1) -> CellKey {
    CellKey(
      policy: StatementMaker.policy, rank: rank, stamp: Stamp(time: time, author: ParticipantID(high: author, low: 0)))
  }

  @Test("O2: equal times, the author decides, in either order")
  func equalTimes() {
    let order = CellOrder(policies: policies)
    #expect(order.compare(key(.command, 5, 1), key(.command, 5, 2)) == .less)
    #expect(order.compare(key(.command, 5, 2), key(.command, 5, 1)) == .greater)
  }

  @Test("H6: a command beats any proposal, an explicit proposal a NULL one, and the oldest proposal wins")
  func ranks() {
    let order = CellOrder(policies: policies)
    #expect(order.compare(key(.command, 1), key(.proposal, 9)) == .greater)
    #expect(order.compare(key(.proposal, 9), key(.nullProposal, 1)) == .greater)
    #expect(order.compare(key(.proposal, 1), key(.proposal, 9)) == .greater)
    #expect(order.compare(key(.nullProposal, 1), key(.nullProposal, 9)) == .greater)
    #expect(order.compare(key(.command, 1), key(.command, 9)) == .less)
  }

  @Test("H14: of two starts the one that counted more wins, then the later, then the author")
  func continuationOrder() {
    let order = ContinuationOrder(cells: CellOrder(policies: policies))
    let base = Pair(rate: key(.command, 1), position: key(.command, 1))
    func start(_ coverage: UInt16, _ since: GroupTime, _ sequence: UInt32 = 1) -> ContinuationValue {
      ContinuationValue(
        base: base, sequence: sequence, kind: .line(coverage: coverage, since: since, at: nil, prior: nil))
    }
    let low = ParticipantID(high: 1, low: 0)
    let high = ParticipantID(high: 2, low: 0)
    func compare(_ left: ContinuationValue, _ right: ContinuationValue) -> Comparison {
      order.compare(left, by: low, right, by: high, backwards: false)
    }
    #expect(compare(start(3, 10), start(1, 99)) == .greater)
    #expect(compare(start(2, 10), start(2, 11)) == .less)
    #expect(compare(start(2, 10), start(2, 10)) == .less)
    #expect(compare(start(1, 10, 2), start(3, 99, 1)) == .greater)
    let hold = ContinuationValue(base: base, sequence: 1, kind: .hold(at: 5, deadline: 0))
    let laterHold = ContinuationValue(base: base, sequence: 1, kind: .hold(at: 9, deadline: 0))
    #expect(compare(hold, start(9, 99)) == .greater)
    #expect(compare(hold, laterHold) == .greater)
    #expect(order.compare(hold, by: low, laterHold, by: high, backwards: true) == .less)
    let newerBase = Pair(rate: key(.command, 2), position: key(.command, 1))
    let newer = ContinuationValue(base: newerBase, sequence: 1, kind: .line(coverage: 0, since: 0, at: nil, prior: nil))
    #expect(compare(newer, hold) == .greater)
  }
}

import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

@Suite struct PolicyStackTests {
  @Test("the same levels, in any order and any number of times, give the same policy", arguments: 0..<200)
  func anyOrder(seed: Int) {
    var maker = PolicyMaker(seed: UInt64(seed))
    let levels = maker.levels()
    var expected = maker.empty
    expected.add(levels)
    for _ in 0..<8 {
      var order = maker.empty
      // What stands on something that has not come yet comes again.
      var waiting: [PolicyLevel] = []
      for level in (levels + levels.prefix(3)).shuffled(using: &maker.random) {
        waiting = order.add(waiting + [level]).unplaced
      }
      #expect(waiting.isEmpty)
      #expect(order.greatest == expected.greatest)
      #expect(Set(order.levels) == Set(expected.levels))
    }
  }

  @Test("the order of policies is total, transitive, and puts a prefix below what extends it", arguments: 0..<100)
  func totalOrder(seed: Int) {
    var maker = PolicyMaker(seed: UInt64(seed) &* 31 &+ 5)
    var order = maker.empty
    order.add(maker.levels())
    let stacks = maker.stacks(of: order.levels)
    for left in stacks {
      for right in stacks {
        let comparison = left.compare(right, origin: maker.origin)
        #expect(comparison == right.compare(left, origin: maker.origin).reversed)
        #expect((comparison == .equal) == (left == right))
        if left.levels.count < right.levels.count, Array(right.levels.prefix(left.levels.count)) == left.levels {
          #expect(comparison == .less)
        }
        for third in stacks where comparison == .less && right.compare(third, origin: maker.origin) == .less {
          #expect(left.compare(third, origin: maker.origin) == .less)
        }
      }
    }
  }

  @Test("Z20: a demoted owner's levels on old bases lose whatever their stamps, and one more senior is not outdone")
  func demotedOwner() throws {
    let maker = PolicyMaker(seed: 1)
    let (a, b) = (PolicyMaker.id(1), PolicyMaker.id(2))
    var order = maker.empty
    order.add([try #require(maker.level(in: order, by: a, at: 10, .role(b, .owner)))])
    let whileOwner = order
    let demotion = try #require(maker.level(in: order, by: a, at: 20, .role(b, .viewer)))
    order.add([demotion])
    let demoted = order.greatest
    #expect(order.role(of: b) == .viewer)
    for time in [21, 1_000_000_000_000_000, Int64(1) << 62] {
      let forged = try #require(maker.level(in: whileOwner, by: b, at: time, .control(.everyone)))
      order.add([forged])
      #expect(order.greatest == demoted)
    }
    // On the stack in force it may not put anything at all.
    let onTop = PolicyLevel(
      author: b, basis: demoted.id, time: 30, terms: whileOwner.terms, sign: PolicyMaker.sign, hash: RuleHarness.hash)
    order.add([onTop])
    #expect(order.greatest == demoted)
    #expect(order.role(of: b) == .viewer)
  }

  @Test("a level that is not valid changes nothing: basis, author, seniority, owners above")
  func invalid() throws {
    let maker = PolicyMaker(seed: 2)
    let (a, b, c) = (PolicyMaker.id(1), PolicyMaker.id(2), PolicyMaker.id(3))
    var order = maker.empty
    order.add([try #require(maker.level(in: order, by: a, at: 1, .role(b, .owner)))])
    order.add([try #require(maker.level(in: order, by: b, at: 2, .role(c, .owner)))])
    #expect(order.greatest.levels.map(\.author) == [a, b])
    let before = order.greatest
    func make(_ author: ParticipantID, on basis: PolicyID, _ change: (inout PolicyTerms) -> Void) -> PolicyLevel {
      var terms = order.terms
      change(&terms)
      return PolicyLevel(
        author: author, basis: basis, time: 1_000, terms: terms, sign: PolicyMaker.sign, hash: RuleHarness.hash)
    }
    let aLevel = try #require(before.prefixes(originID: PolicyMaker.originID, hash: RuleHarness.hash).dropFirst().first)
    let wrong = [
      make(PolicyMaker.id(9), on: before.id) { $0.control = .everyone },
      make(b, on: before.id) { $0.control = .everyone },
      make(a, on: before.id) { $0.control = .everyone },
      make(c, on: before.id) { $0.owners = [b, c] },
      make(c, on: before.id) { $0.owners = [a, c] },
      make(c, on: before.id) { $0.owners = [b, a, c] },
      make(b, on: aLevel.id) { $0.owners = [a] },
      make(b, on: PolicyMaker.originID) { $0.control = .everyone },
      make(c, on: before.id) { $0.roles[c] = .viewer },
      make(c, on: before.id) { $0.removed = [c] },
    ]
    for level in wrong {
      order.add([level])
      #expect(order.greatest == before)
    }
    #expect(order.add([make(c, on: PolicyID(high: 1, low: 2)) { $0.control = .everyone }]).unplaced.count == 1)
  }

  @Test("of many policies the greatest few are known, and the greatest can still be built on")
  func bounded() throws {
    let maker = PolicyMaker(seed: 3)
    let (a, b) = (PolicyMaker.id(1), PolicyMaker.id(2))
    var order = maker.empty
    order.add([try #require(maker.level(in: order, by: a, at: 1, .role(b, .owner)))])
    for time in Int64(2)...60 {
      let role: Role = time % 2 == 0 ? .viewer : .host
      order.add([try #require(maker.level(in: order, by: b, at: time, .role(PolicyMaker.id(5), role)))])
      #expect(order.greatest.levels.last?.time == time)
    }
    #expect(order.levels.count <= PolicyOrder.kept + 1)
    #expect(order.knows(PolicyMaker.originID))
    var newcomer = maker.empty
    #expect(newcomer.add(order.levels).unplaced.isEmpty)
    #expect(newcomer.greatest == order.greatest)
  }

  @Test("a level is read as it was written, byte for byte; every part of it that is missing or too long is refused")
  func coding() throws {
    var maker = PolicyMaker(seed: 4)
    for _ in 0..<40 {
      for level in maker.levels() {
        let again = try PolicyLevel(reading: level.bytes, hash: RuleHarness.hash)
        #expect(again == level && again.terms == level.terms && again.stamp == level.stamp)
        for length in 0..<level.bytes.count {
          #expect(throws: WireError.self) {
            try PolicyLevel(reading: Array(level.bytes.prefix(length)), hash: RuleHarness.hash)
          }
        }
      }
    }
  }

  @Test("who may do what: owners by seniority, roles by owners only, at most eight owners")
  func changes() throws {
    let maker = PolicyMaker(seed: 5)
    let ids = (UInt64(1)...12).map(PolicyMaker.id)
    var order = maker.empty
    for number in 1..<8 {
      order.add([try #require(maker.level(in: order, by: ids[0], at: Int64(number), .role(ids[number], .owner)))])
    }
    var terms = order.terms
    func refusal(_ change: PolicyChange, by author: ParticipantID) -> PolicyRefusal? {
      do {
        try change.apply(to: &terms, by: author, joinerRole: .member)
        return nil
      } catch { return error }
    }
    #expect(refusal(.role(ids[9], .owner), by: ids[0]) == .full)
    #expect(refusal(.role(ids[0], .member), by: ids[1]) == .senior)
    #expect(refusal(.role(ids[1], .member), by: ids[1]) == .senior)
    #expect(refusal(.removal([ids[1]], topic: terms.topic, founding: .none, leaving: []), by: ids[2]) == .senior)
    #expect(refusal(.control(.everyone), by: ids[9]) == .notOwner)
    #expect(refusal(.role(ids[2], .viewer), by: ids[1]) == nil)
    #expect(refusal(.control(.hostsOnly), by: ids[2]) == .notOwner)
    #expect(terms.role(of: ids[2], joinerRole: .member) == .viewer)
    #expect(ControlPolicy.perRole.allowsCommands(by: .member) && !ControlPolicy.perRole.allowsCommands(by: .viewer))
    #expect(ControlPolicy.hostsOnly.allowsCommands(by: .host) && !ControlPolicy.hostsOnly.allowsCommands(by: .member))
    #expect(ControlPolicy.everyone.allowsCommands(by: .viewer))
  }
}

extension PolicyStackTests {
  @Test("6.8: which rooms a session left, only its owners' levels say, of no other room and no other session")
  func left() throws {
    let maker = PolicyMaker(seed: 6)
    let ids = (UInt64(1)...3).map(PolicyMaker.id)
    func topic(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }
    func hasLeft(_ number: UInt8, _ levels: [PolicyLevel], root: ParticipantID? = nil) -> Bool {
      PolicyOrigin(root: root ?? ids[0], control: .perRole)
        .hasLeft(topic(number), by: levels, originID: PolicyMaker.originID, hash: RuleHarness.hash)
    }
    func move(_ order: inout PolicyOrder, by author: ParticipantID, at time: GroupTime, from: [UInt8], to: UInt8) throws
    {
      let change = PolicyChange.removal([], topic: topic(to), founding: .none, leaving: from.map(topic))
      order.add([try #require(maker.level(in: order, by: author, at: time, change))])
    }
    var order = maker.empty
    order.add([try #require(maker.level(in: order, by: ids[0], at: 1, .role(ids[1], .owner)))])
    #expect(!hasLeft(0, order.greatest.levels) && !hasLeft(1, order.greatest.levels))
    try move(&order, by: ids[0], at: 2, from: [1], to: 2)
    let first = order.greatest.levels
    #expect(hasLeft(1, first) && !hasLeft(2, first) && !hasLeft(1, []))
    #expect(!hasLeft(1, first, root: ids[1]))
    // What came later stands on it, by others as well, and keeps what was said.
    order.add([try #require(maker.level(in: order, by: ids[1], at: 3, .control(.everyone)))])
    try move(&order, by: ids[1], at: 4, from: [1, 2], to: 3)
    let second = order.greatest.levels
    #expect(hasLeft(1, second) && hasLeft(2, second) && !hasLeft(3, second))
    // Levels in another order, or without what they stand on, say nothing.
    #expect(second.count == 2 && !hasLeft(1, second.reversed()) && !hasLeft(1, [second[1]]))
    // Who is no owner says nothing either, however well it signs.
    let basis = order.greatest
    let terms = PolicyTerms(control: .everyone, owners: [ids[0], ids[2]], former: [topic(3)])
    let forged = PolicyLevel(
      author: ids[2], basis: basis.id, time: 5, terms: terms, sign: PolicyMaker.sign, hash: RuleHarness.hash)
    #expect(!hasLeft(3, second + [forged]) && !hasLeft(3, [forged]))
    // The last eight are kept.
    for number in 3..<12 {
      try move(&order, by: ids[0], at: 6 + Int64(number), from: [UInt8(number)], to: UInt8(number) + 1)
    }
    let last = order.greatest.levels
    #expect(!hasLeft(3, last) && (4...11).allSatisfy { hasLeft($0, last) } && !hasLeft(12, last))
  }

  @Test("Z78: an owner whose clock was an hour ahead says its next level after that one, so that the next counts")
  func ownLevelsAscend() throws {
    let maker = PolicyMaker(seed: 1)
    var order = maker.empty
    let (root, member) = (PolicyMaker.id(1), PolicyMaker.id(2))
    order.add([try #require(maker.level(in: order, by: root, at: .seconds(3_600), .role(member, .viewer)))])
    #expect(order.terms.role(of: member, joinerRole: .member) == .viewer)
    order.add([try #require(maker.level(in: order, by: root, at: .seconds(1), .role(member, .host)))])
    #expect(order.terms.role(of: member, joinerRole: .member) == .host)
  }
}

extension PolicyMaker {
  /// All stacks that can be made of levels.
  func stacks(of levels: [PolicyLevel]) -> [PolicyStack] {
    var stacks = [PolicyStack(originID: Self.originID)]
    for level in levels {
      if let basis = stacks.first(where: { $0.id == level.basis }),
        let stack = basis.adding(level, origin: origin, hash: RuleHarness.hash)
      {
        stacks.append(stack)
      }
    }
    return stacks
  }
}

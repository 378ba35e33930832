import Testing

@testable import UnisonoBase
@testable import UnisonoCrypto
@testable import UnisonoReplica

@Suite("Vectors: policies") struct PolicyVectorTests {
  private struct Refused: Error, CustomStringConvertible { let description: String }

  /// The stack that levels make, each signed and in its place. Throws what is wrong with it.
  private func stack(_ levels: [[UInt8]], _ origin: UnisonoCrypto.Origin, authors: [VerifyingKey]?) throws
    -> PolicyStack
  {
    var stack = PolicyStack(originID: PolicyStack.origin)
    // All are read before any is placed.
    let read = try levels.map { try PolicyLevel(reading: $0, hash: Hash.sha256) }
    for level in read {
      if let authors {
        let key = authors.first { ParticipantID(bytes: $0.hashedID) == level.author }
        guard let key, PolicySignature.verifies(level, session: origin.session, author: key) else {
          throw Refused(description: "signature")
        }
      }
      guard let next = stack.adding(level, origin: origin.policy, hash: Hash.sha256) else {
        throw Refused(description: "place")
      }
      stack = next
    }
    return stack
  }

  private func origin(_ given: VectorFields) throws -> UnisonoCrypto.Origin {
    let bytes = try given.bytes("origin")
    let root = try #require(ParticipantID(bytes: Array(bytes[1..<17])))
    return UnisonoCrypto.Origin(root: root, controlPolicy: bytes[17], joinerRole: bytes[18])
  }

  @Test(
    "stacks are valid or not, and say what they say",
    arguments: Vectors.cases("policy").filter { $0.given.has("levels") })
  func stacks(_ vector: VectorCase) throws {
    let origin = try self.origin(vector.given)
    let authors = try vector.given.byteLists("authors").map { try VerifyingKey($0) }
    let levels = try vector.given.byteLists("levels")
    #expect(outcome { _ = try self.stack(levels, origin, authors: authors) } == vector.open)
    guard let expected = vector.expected else { return }
    let stack = try self.stack(levels, origin, authors: authors)
    let terms = stack.terms(origin: origin.policy)
    #expect(try stack.id.bytes == expected.bytes("policy_id"))
    #expect(try terms.control.rawValue == expected.integer("control"))
    #expect(try terms.owners.map(\.bytes) == expected.byteLists("owners"))
    let roles = terms.roles.sorted { $0.key < $1.key }.map { $0.key.bytes + [$0.value.rawValue] }
    #expect(try roles == expected.byteLists("roles"))
    #expect(try terms.removed.sorted().map(\.bytes) == expected.byteLists("removed"))
    #expect(try terms.topic == expected.bytes("topic"))
    #expect(try terms.founding.bytes == expected.bytes("founding"))
    #expect(try terms.former == expected.byteLists("former"))
    #expect(try (terms.isClosed ? 1 : 0) == expected.integer("closed"))
    #expect(try terms.succession.deputies.map(\.bytes) == expected.byteLists("deputies"))
    #expect(try terms.succession.rule.rawValue == expected.integer("rule"))
    #expect(try terms.succession.patience == .milliseconds(expected.integer("patience")))
    let takeovers = stack.takeovers(origin: origin.policy).map { $0.author.bytes + [$0.isAccepted ? 1 : 0] }
    #expect(try takeovers == expected.byteLists("takeovers"))
    guard vector.deterministic == true else { return }
    for level in stack.levels {
      let again = PolicyLevel(
        author: level.author, basis: level.basis, time: level.time, terms: level.terms,
        sign: { body in
          #expect(body == level.body)
          return level.signature
        }, hash: Hash.sha256)
      #expect(again.bytes == level.bytes)
    }
  }

  @Test("the order of stacks", arguments: Vectors.cases("policy").filter { $0.given.has("left") })
  func order(_ vector: VectorCase) throws {
    let origin = try self.origin(vector.given)
    let left = try stack(vector.given.byteLists("left"), origin, authors: nil)
    let right = try stack(vector.given.byteLists("right"), origin, authors: nil)
    let expected = try #require(vector.expected).text("order")
    #expect("\(left.compare(right, origin: origin.policy))" == expected)
    // Whatever comes first, the greater one is in force.
    for both in [left.levels + right.levels, right.levels + left.levels] {
      var policies = PolicyOrder(origin: PolicyStack.origin, terms: origin.policy, hash: Hash.sha256)
      policies.add(both)
      #expect(policies.greatest.id == (expected == "less" ? right.id : left.id))
    }
  }
}

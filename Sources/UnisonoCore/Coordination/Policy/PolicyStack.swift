/// A policy: levels of owners, each junior to the author of the one below (wire-and-security 8.2).
///
/// Made only of valid levels, so a stack that exists is valid, but for signatures.
public struct PolicyStack: Hashable, Sendable {
  /// The most senior author's first; empty: the origin.
  public let levels: [PolicyLevel]
  /// First 16 bytes of the hash of all levels' bytes, joined.
  public let id: PolicyID

  /// The empty stack; its id is the hash of nothing.
  init(originID: PolicyID) {
    levels = []
    id = originID
  }

  private init(_ levels: [PolicyLevel], hash: ([UInt8]) -> [UInt8]) {
    self.levels = levels
    id = PolicyID(bytes: hash(Array(levels.map(\.bytes).joined())).prefix(16)) ?? .none
  }

  /// All stacks that this one begins with, itself included.
  func prefixes(originID: PolicyID, hash: ([UInt8]) -> [UInt8]) -> [PolicyStack] {
    guard !levels.isEmpty else { return [self] }
    return [PolicyStack(originID: originID)]
      + (1..<levels.count).map { PolicyStack(Array(levels.prefix($0)), hash: hash) }
      + [self]
  }

  /// What holds under it.
  public func terms(origin: PolicyOrigin) -> PolicyTerms { levels.last?.terms ?? origin.terms }

  /// The stack with one more level; nil: that level may not stand here.
  func adding(_ level: PolicyLevel, origin: PolicyOrigin, hash: ([UInt8]) -> [UInt8]) -> PolicyStack? {
    let below = terms(origin: origin)
    guard level.basis == id, level.author != .none, level.terms.isWellFormed,
      let seniority = below.owners.firstIndex(of: level.author),
      level.terms.owners.prefix(seniority + 1) == below.owners.prefix(seniority + 1)
    else { return nil }
    if let senior = levels.last?.author {
      guard let floor = below.owners.firstIndex(of: senior), seniority > floor else { return nil }
    } else {
      guard level.author == origin.root else { return nil }
    }
    return PolicyStack(levels + [level], hash: hash)
  }

  /// What remains when `author` puts its own level on: its own and its juniors' levels are cut off. nil: it is no owner.
  func basis(for author: ParticipantID, origin: PolicyOrigin, originID: PolicyID, hash: ([UInt8]) -> [UInt8])
    -> PolicyStack?
  {
    let owners = terms(origin: origin).owners
    guard let seniority = owners.firstIndex(of: author) else { return nil }
    let kept = levels.prefix { level in owners.firstIndex(of: level.author).map { $0 < seniority } ?? false }
    return kept.isEmpty ? PolicyStack(originID: originID) : PolicyStack(Array(kept), hash: hash)
  }

  /// The order of policies (8.3), level by level: the more senior author wins, then the later stamp, then the greater
  /// hash; a prefix is less than what extends it.
  func compare(_ other: PolicyStack, origin: PolicyOrigin) -> Comparison {
    var owners = origin.terms.owners
    for (own, others) in zip(levels, other.levels) {
      if own != others {
        // The lower index is the more senior.
        return Comparison(seniority(others, in: owners), seniority(own, in: owners))
          .then(Comparison(own.time, others.time))
          .then(own.hash.lexicographicallyPrecedes(others.hash) ? .less : .greater)
      }
      owners = own.terms.owners
    }
    return Comparison(levels.count, other.levels.count)
  }

  private func seniority(_ level: PolicyLevel, in owners: [ParticipantID]) -> Int {
    owners.firstIndex(of: level.author) ?? owners.count
  }
}

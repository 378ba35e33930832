import UnisonoBase

/// A policy: levels of owners, each junior to the author of the one below (wire 8.2), but for takeovers.
///
/// Made only of valid levels, so a stack that exists is valid, but for signatures.
package struct PolicyStack: Hashable, Sendable {
  package static let limit = WireLimits.policyLevels
  /// The most senior author's first; empty: the origin.
  package let levels: [PolicyLevel]
  /// First 16 bytes of the hash of all levels' bytes, joined.
  package let id: PolicyID

  /// The empty stack; its id is the hash of nothing.
  package init(originID: PolicyID) {
    levels = []
    id = originID
  }

  private init(_ levels: [PolicyLevel], hash: ([UInt8]) -> [UInt8]) {
    self.levels = levels
    id = PolicyID(bytes: hash(Array(levels.map({ $0.bytes }).joined())).prefix(16)) ?? .none
  }

  /// All stacks that this one begins with, itself included.
  package func prefixes(originID: PolicyID, hash: ([UInt8]) -> [UInt8]) -> [PolicyStack] {
    guard !levels.isEmpty else { return [self] }
    return [PolicyStack(originID: originID)]
      + (1..<levels.count).map { PolicyStack(Array(levels.prefix($0)), hash: hash) }
      + [self]
  }

  /// What holds under it.
  package func terms(origin: PolicyOrigin) -> PolicyTerms { levels.last?.terms ?? origin.terms }

  /// The stack with one more level; nil: that level may not stand here.
  ///
  /// A deputy's level on the owners' that name it is a takeover: the deputy becomes the last of the owners. Whether it was
  /// time for that is not to be seen from levels. On a takeover an owner of before may stand, too: that accepts what
  /// was done meanwhile, and ends it.
  package func adding(_ level: PolicyLevel, origin: PolicyOrigin, hash: ([UInt8]) -> [UInt8]) -> PolicyStack? {
    let below = terms(origin: origin)
    guard level.basis == id, level.author != .none, level.terms.isWellFormed, levels.count < Self.limit else { return nil }
    guard let seniority = below.owners.firstIndex(of: level.author) else {
      guard below.succession.deputies.contains(level.author),
        level.terms.owners.starts(with: below.owners + [level.author])
      else { return nil }
      return PolicyStack(levels + [level], hash: hash)
    }
    guard level.terms.owners.prefix(seniority + 1) == below.owners.prefix(seniority + 1) else { return nil }
    if let last = levels.last {
      guard let floor = below.owners.firstIndex(of: last.author) else { return nil }
      let returns = seniority < floor && takeovers(origin: origin).last?.level == last
      guard seniority > floor || returns else { return nil }
    } else {
      guard level.author == origin.root else { return nil }
    }
    return PolicyStack(levels + [level], hash: hash)
  }

  /// A deputy's level that made it an owner.
  package struct Takeover: Sendable {
    package var level: PolicyLevel
    /// What was said below.
    package var below: PolicyTerms
    /// An owner who was senior to the deputy stands above.
    package var isAccepted = false
    package var author: ParticipantID { level.author }

    /// The same deputy's, on the same policy.
    package func isAlike(_ other: Takeover) -> Bool { author == other.author && level.basis == other.level.basis }
  }

  /// The lowest first.
  package func takeovers(origin: PolicyOrigin) -> [Takeover] {
    var found: [Takeover] = []
    var below = origin.terms
    for level in levels {
      if let seniority = below.owners.firstIndex(of: level.author) {
        for index in found.indices {
          guard let deputy = below.owners.firstIndex(of: found[index].author), seniority < deputy else { continue }
          found[index].isAccepted = true
        }
      } else {
        found.append(Takeover(level: level, below: below))
      }
      below = level.terms
    }
    return found
  }

  /// Those from this owner, or from who stood in for one itself, that nobody has accepted.
  package func openTakeovers(from owner: ParticipantID, origin: PolicyOrigin) -> [Takeover] {
    takeovers(origin: origin).filter { !$0.isAccepted && $0.below.owners.contains(owner) }
  }

  /// What remains when `author` puts its own level on: its own and its juniors' levels are cut off. nil: it is no owner.
  package func basis(for author: ParticipantID, origin: PolicyOrigin, originID: PolicyID, hash: ([UInt8]) -> [UInt8])
    -> PolicyStack?
  {
    let owners = terms(origin: origin).owners
    guard let seniority = owners.firstIndex(of: author) else { return nil }
    let kept = levels.prefix { level in owners.firstIndex(of: level.author).map { $0 < seniority } ?? false }
    return kept.isEmpty ? PolicyStack(originID: originID) : PolicyStack(Array(kept), hash: hash)
  }

  /// The order of policies (8.3), level by level: the more senior author wins, deputies being junior to all owners, then
  /// the later stamp, then the greater hash; a prefix is less than what extends it.
  package func compare(_ other: PolicyStack, origin: PolicyOrigin) -> Comparison {
    var below = origin.terms
    for (own, others) in zip(levels, other.levels) {
      if own != others {
        // The lower index is the more senior.
        return Comparison(seniority(others, in: below), seniority(own, in: below))
          .then(Comparison(own.time, others.time))
          .then(own.hash.lexicographicallyPrecedes(others.hash) ? .less : .greater)
      }
      below = own.terms
    }
    return Comparison(levels.count, other.levels.count)
  }

  /// Owners before deputies, each in the order in which the policy below lists them.
  private func seniority(_ level: PolicyLevel, in terms: PolicyTerms) -> Int {
    let all = terms.owners + terms.succession.deputies
    return all.firstIndex(of: level.author) ?? all.count
  }
}

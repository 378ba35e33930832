import UnisonoBase

/// The policies that statements may cite, and their order: the most significant part of every order of commands.
///
/// A session begins under its origin policy, which is the only one until levels are signed on top of it. The greatest
/// known stack is in force; the greatest few are kept, for statements that cite them.
package struct PolicyOrder: Sendable {
  /// Beside the origin.
  package static let kept = 16

  private struct Known: Sendable {
    var stack: PolicyStack
    var terms: PolicyTerms
    /// A takeover is in it.
    var isByDeputy = false
  }

  package let origin: PolicyOrigin
  private let originID: PolicyID
  private let hash: @Sendable ([UInt8]) -> [UInt8]
  /// Ascending; the origin is the first.
  private var known: [Known] {
    didSet { (owners, haveDeputies, haveOverruled) = (Self.owners(of: known), Self.haveDeputies(known), !overruled.isEmpty) }
  }
  /// All who are or were owners by what is known.
  package private(set) var owners: Set<ParticipantID>
  /// Somebody may stand in, or does.
  package private(set) var haveDeputies: Bool
  /// A takeover is known that an owner, or a deputy who goes before it, has decided against.
  package private(set) var haveOverruled = false

  /// - Parameters:
  ///   - origin: id of the empty stack.
  ///   - terms: what the origin says.
  package init(
    origin: PolicyID, terms: PolicyOrigin = PolicyOrigin(),
    hash: @escaping @Sendable ([UInt8]) -> [UInt8] = { _ in [UInt8](repeating: 0, count: 32) }
  ) {
    self.origin = terms
    originID = origin
    self.hash = hash
    let known = [Known(stack: PolicyStack(originID: origin), terms: terms.terms)]
    self.known = known
    (owners, haveDeputies) = (Self.owners(of: known), Self.haveDeputies(known))
  }

  private static func owners(of known: [Known]) -> Set<ParticipantID> { known.reduce(into: []) { $0.formUnion($1.terms.owners) } }

  private static func haveDeputies(_ known: [Known]) -> Bool {
    known.contains { $0.isByDeputy || !$0.terms.succession.deputies.isEmpty }
  }

  /// Ids of all that are kept, ascending in their order.
  package var ids: [PolicyID] { known.map { $0.stack.id } }
  /// The policy in force.
  package var greatest: PolicyStack { _read { yield known[known.count - 1].stack } }
  /// Takeovers are part of the policy in force.
  package var isByDeputies: Bool { known[known.count - 1].isByDeputy }
  /// What the policy in force says.
  package var terms: PolicyTerms { _read { yield known[known.count - 1].terms } }

  /// A statement that cites an unknown policy cannot be judged.
  package func knows(_ policy: PolicyID) -> Bool { known.contains { $0.stack.id == policy } }

  /// Whether `left` comes before `right`; unknown ones come before all known ones.
  package func precedes(_ left: PolicyID, _ right: PolicyID) -> Bool { left != right && position(left) < position(right) }

  /// Whether a participant may command under the policy in force.
  package func allowsCommands(by participant: ParticipantID) -> Bool {
    terms.allowsCommands(by: participant, joinerRole: origin.joinerRole)
  }

  /// Whether a participant may command under a policy; nobody may under one that is not known.
  package func allowsCommands(by participant: ParticipantID, under policy: PolicyID) -> Bool {
    known.first { $0.stack.id == policy }?.terms.allowsCommands(by: participant, joinerRole: origin.joinerRole) ?? false
  }

  /// Whether a session may have an audience: its hosts alone command, and who joins is less. Not under a policy that is not known.
  package func allowsAudience(under policy: PolicyID) -> Bool {
    known.first { $0.stack.id == policy }.map { $0.terms.control == .hostsOnly && origin.joinerRole == .member } ?? false
  }

  /// Under the policy in force.
  package func role(of participant: ParticipantID) -> Role { terms.role(of: participant, joinerRole: origin.joinerRole) }

  package func isRemoved(_ participant: ParticipantID) -> Bool { terms.removed.contains(participant) }

  /// Levels of all that is known, each after the one it stands on.
  package var levels: [PolicyLevel] {
    var seen: Set<PolicyLevel> = []
    let all = known.flatMap { $0.stack.levels.enumerated().map { (depth: $0.offset, level: $0.element) } }
    return all.sorted { $0.depth < $1.depth }.map { $0.level }.filter { seen.insert($0).inserted }
  }

  /// Who was removed by a level that is not in force, and is not removed by what is: such a removal lost a race.
  package var lostRemovals: [(author: ParticipantID, participants: Set<ParticipantID>)] {
    let (stack, removed) = (greatest, terms.removed)
    return known.flatMap { $0.stack.levels }.compactMap { level in
      guard !level.terms.removed.isEmpty, !stack.levels.contains(level) else { return nil }
      let lost = level.terms.removed.subtracting(removed)
      // A list that would be too long has forgotten those whom an older door keeps out.
      guard !lost.isEmpty, lost.count + removed.count <= PolicyTerms.removedLimit else { return nil }
      return (level.author, lost)
    }
  }

  /// What became of levels that were not taken in.
  package struct Rest: Sendable {
    /// Their basis is not known.
    package var unplaced: [PolicyLevel] = []
    /// Greater than what is in force, by takeovers that are not believed.
    package var doubted: [PolicyStack] = []
    /// Less than what is in force, by takeovers that no owner has accepted.
    package var overruled: [PolicyStack] = []
  }

  /// Takes levels in; each is the top of exactly one stack, which its basis names.
  ///
  /// A takeover is known if it is believed, or if an owner has accepted it.
  @discardableResult
  package mutating func add(_ levels: [PolicyLevel], believing: (PolicyStack.Takeover) -> Bool = { _ in true }) -> Rest {
    // What is only a part of a kept stack may be built on, too.
    var bases: [PolicyID: PolicyStack] = [:]
    for stack in known.flatMap({ $0.stack.prefixes(originID: originID, hash: hash) }) { bases[stack.id] = stack }
    var rest = Rest(unplaced: levels)
    var placed: [PolicyStack] = []
    while true {
      let before = rest.unplaced.count
      rest.unplaced.removeAll { level in
        guard let basis = bases[level.basis] else { return false }
        if let stack = basis.adding(level, origin: origin, hash: hash), bases[stack.id] == nil {
          bases[stack.id] = stack
          placed.append(stack)
        }
        return true
      }
      if rest.unplaced.count == before { break }
    }
    let accepted = (known.map { $0.stack } + placed).flatMap { $0.takeovers(origin: origin).filter { $0.isAccepted } }
    for stack in placed {
      let takeovers = stack.takeovers(origin: origin)
      let isGreater = stack.compare(greatest, origin: origin) == .greater
      let isKnown = takeovers.allSatisfy { takeover in
        takeover.isAccepted || isStanding(takeover, accepted: accepted) || isGreater && believing(takeover)
      }
      if isKnown {
        insert(stack)
      } else if isGreater {
        rest.doubted.append(stack)
      } else {
        rest.overruled.append(stack)
      }
    }
    return rest
  }

  /// Forgets takeovers that an owner, or a deputy who goes before, has decided against, with all that stands on them: who never
  /// believed one could not judge what cites it.
  package mutating func forgetOverruled() {
    let overruled = overruled
    known.removeAll { overruled.contains($0.stack.id) }
  }

  private var overruled: [PolicyID] {
    guard known.contains(where: { $0.isByDeputy }) else { return [] }
    let accepted = known.flatMap { $0.stack.takeovers(origin: origin).filter { $0.isAccepted } }
    return known.filter { entry in
      entry.isByDeputy && entry.stack != greatest
        && !entry.stack.takeovers(origin: origin).allSatisfy { $0.isAccepted || isStanding($0, accepted: accepted) }
    }.map { $0.stack.id }
  }

  /// The deputy acts by the policy in force, or an owner accepted what it did until later than that.
  private func isStanding(_ takeover: PolicyStack.Takeover, accepted: [PolicyStack.Takeover]) -> Bool {
    greatest.takeovers(origin: origin).contains { $0.isAlike(takeover) && !$0.isAccepted }
      || accepted.contains { $0.isAlike(takeover) && takeover.level.time <= $0.level.time }
  }

  /// The deputy who acts as owner by the policy in force.
  package var acting: PolicyStack.Takeover? { greatest.takeovers(origin: origin).last { !$0.isAccepted } }

  /// An owner accepted what a deputy did while it acted as owner.
  package func hasAccepted(takeoverBy deputy: ParticipantID) -> Bool {
    known.contains { $0.stack.takeovers(origin: origin).contains { $0.author == deputy && $0.isAccepted } }
  }

  /// Whether a stack would be in force.
  package func isGreater(_ stack: PolicyStack) -> Bool { stack.compare(greatest, origin: origin) == .greater }

  /// The level by which a deputy takes over from the owners of the policy in force.
  package func takeover(by deputy: ParticipantID, time: GroupTime, sign: ([UInt8]) -> [UInt8]) -> PolicyLevel {
    PolicyLevel(
      author: deputy, basis: greatest.id, time: time, terms: terms.taken(over: deputy), sign: sign, hash: hash)
  }

  /// The level by which an owner, or who stands in for one, accepts what deputies did since it was there; nil: none did, or it is neither.
  package func acceptance(of stack: PolicyStack, by owner: ParticipantID, time: GroupTime, sign: ([UInt8]) -> [UInt8])
    -> PolicyLevel?
  {
    guard let before = stack.openTakeovers(from: owner, origin: origin).first?.below else { return nil }
    return PolicyLevel(
      author: owner, basis: stack.id, time: time, terms: stack.terms(origin: origin).given(backTo: before), sign: sign,
      hash: hash)
  }

  /// The level by which `author` would say `terms` now, later than all of its own; nil: it is no owner.
  package func level(
    by author: ParticipantID, time: GroupTime, terms: PolicyTerms, sign: ([UInt8]) -> [UInt8]
  ) -> PolicyLevel? {
    guard let basis = greatest.basis(for: author, origin: origin, originID: originID, hash: hash) else { return nil }
    let own = known.flatMap { $0.stack.levels }.filter { $0.author == author }.map { $0.time }.max()
    let time = max(time, own?.adding(1) ?? .min)
    return PolicyLevel(author: author, basis: basis.id, time: time, terms: terms, sign: sign, hash: hash)
  }

  private mutating func insert(_ stack: PolicyStack) {
    guard !knows(stack.id) else { return }
    let index = known.firstIndex { stack.compare($0.stack, origin: origin) == .less } ?? known.count
    let isByDeputy = !stack.takeovers(origin: origin).isEmpty
    known.insert(Known(stack: stack, terms: stack.terms(origin: origin), isByDeputy: isByDeputy), at: index)
    // The least, but never the origin.
    if known.count > Self.kept + 1 { known.remove(at: 1) }
  }

  private func position(_ policy: PolicyID) -> Int { known.firstIndex { $0.stack.id == policy } ?? -1 }
}

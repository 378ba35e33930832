import UnisonoBase
import UnisonoReplica

/// What owners do without being asked: the most senior one who is there, the next ones if it does not (wire 6.9, 8.4).
struct OwnerTasks: Sendable {
  /// Since when removals are known that lost against another owner's change, and whose author is gone.
  private var lostRemovals: (participants: Set<ParticipantID>, since: HostTime)?
  /// Participants whose role an owner has decided: their own wish counts no more.
  private(set) var decided: Set<ParticipantID> = []
  /// Since when a wish for a role is open.
  private(set) var wishes: [ParticipantID: HostTime] = [:]
  /// Since when the list of deputies is not what it should be.
  private var lineDue: HostTime?

  /// What an owner who is gone would do, the next one does so long after the one before it could have.
  static let ownerStep: Nanoseconds = .seconds(2)
  /// So long the list of deputies may be behind who is there.
  private static let lineDelay: Nanoseconds = .seconds(1)

  /// Another policy is in force.
  mutating func policyChanged(_ facts: borrowing Facts) { decided.formUnion(facts.policies.terms.roles.keys) }

  /// Lets go of one participant. What an owner decided holds for who finds its link again, as long as there is room.
  mutating func forget(_ id: ParticipantID) {
    wishes[id] = nil
    if decided.count > PolicyTerms.roleLimit { decided.remove(id) }
  }

  /// How long owners who are more senior have for what is to be done; nil: none of it is ours, and nothing is due.
  mutating func delay(_ facts: borrowing Facts) -> Nanoseconds? {
    guard facts.session.phase == .member, facts.session.secured, facts.clock.isKnown, let rank = ownerRank(facts) else {
      lostRemovals = nil
      wishes = [:]
      lineDue = nil
      return nil
    }
    return Self.ownerStep * Int64(rank)
  }

  func wake(_ facts: borrowing Facts) -> HostTime? {
    guard let rank = ownerRank(facts) else { return nil }
    let step = Self.ownerStep
    let removal = lostRemovals.map { $0.since.adding(step * Int64(rank + 1)) }
    let line = lineDue.map { $0.adding(Self.lineDelay).adding(step * Int64(rank)) }
    return ([removal, line] + wishes.values.map { $0.adding(step * Int64(rank)) }).compactMap { $0 }
      .filter { $0 > facts.now }.min()
  }

  /// How many owners who are there are senior to us; nil: we are none.
  private func ownerRank(_ facts: borrowing Facts) -> Int? {
    let owners = facts.policies.terms.owners
    return owners.firstIndex(of: facts.local).map { owners[..<$0].count { isThere($0, facts) } }
  }

  private func isThere(_ id: ParticipantID, _ facts: borrowing Facts) -> Bool { facts.roster.contains(id) }

  /// A removal that an owner signed, and that lost against another's change, is made again when that owner is gone.
  mutating func repeatLostRemovals(after delay: Nanoseconds, _ facts: borrowing Facts) -> [Intent] {
    let owners = facts.policies.terms.owners
    let seniority = owners.firstIndex(of: facts.local) ?? owners.count
    let lost = facts.policies.lostRemovals.filter {
      $0.author != facts.local && owners.contains($0.author) && !isThere($0.author, facts)
    }
    guard !lost.isEmpty else {
      lostRemovals = nil
      return []
    }
    let participants = Set(lost.flatMap { $0.participants })
      .filter { id in id != facts.local && owners.firstIndex(of: id).map { $0 > seniority } ?? true }
    guard !participants.isEmpty else {
      lostRemovals = nil
      return []
    }
    guard let known = lostRemovals, known.participants == participants else {
      lostRemovals = (participants, facts.now)
      return []
    }
    guard facts.now >= known.since.adding(Self.ownerStep).adding(delay) else { return [] }
    // Until it is done; should it fail, once more then.
    lostRemovals = (participants, facts.now.adding(PolicyProposal.raceTime))
    return [.notify(.session(.removalWanted(participants.sorted())))]
  }

  /// Who asks for a lesser role than it has is given it. More than what the origin gives, only a person gives.
  mutating func grantWishes(after delay: Nanoseconds, _ facts: borrowing Facts) -> [Intent] {
    var open: [ParticipantID: Role] = [:]
    for id in facts.roster.wishing where !decided.contains(id) {
      guard let value = facts.value(of: id), let wish = Role(rawValue: value.roleWish),
        wish < facts.policies.role(of: id), facts.policies.role(of: id) != .owner
      else { continue }
      open[id] = wish
    }
    wishes = wishes.filter { open[$0.key] != nil }
    var intents: [Intent] = []
    for (id, wish) in open.sorted(by: { $0.key < $1.key }) {
      let since = wishes[id] ?? facts.now
      wishes[id] = since
      guard facts.now >= since.adding(delay) else { continue }
      wishes[id] = nil
      decided.insert(id)
      intents.append(.changePolicy(.role(id, wish), isRepetition: false))
    }
    return intents
  }

  /// Who would stand in, where nobody was named: those who have been there longest, the highest roles first. Who is on the
  /// list keeps its place, so that it does not change with every coming and going; alone nobody changes it.
  mutating func keepLine(after delay: Nanoseconds, _ facts: borrowing Facts) -> [Intent] {
    let terms = facts.ownTerms
    guard terms.succession.rule == .bySeniority, terms.control != .everyone, !facts.isApart,
      !facts.roster.others.isEmpty, case let line = line(of: terms, facts), line != terms.succession.deputies
    else {
      lineDue = nil
      return []
    }
    let since = lineDue ?? facts.now
    lineDue = since
    guard facts.now >= since.adding(Self.lineDelay).adding(delay) else { return [] }
    lineDue = nil
    return [.listDeputies(line)]
  }

  private func line(of terms: PolicyTerms, _ facts: borrowing Facts) -> [ParticipantID] {
    guard terms.owners.count < PolicyTerms.ownerLimit else { return [] }
    let policies = facts.policies
    let there = facts.presence.entries.filter { !$0.value.left && facts.registers.hasParticipant($0.key) }
    let arrived = there.sorted { ($0.value.since, $0.key) < ($1.value.since, $1.key) }.map { $0.key }
    let listed = terms.succession.deputies.filter { there[$0] != nil }
    let all = (listed + arrived.filter { !listed.contains($0) }).filter { id in
      !terms.owners.contains(id) && !terms.removed.contains(id)
        && (policies.role(of: id) != .viewer || policies.origin.joinerRole == .viewer)
    }
    let ordered = all.enumerated().sorted {
      let (left, right) = (policies.role(of: $0.element), policies.role(of: $1.element))
      return left != right ? left > right : $0.offset < $1.offset
    }
    return ordered.prefix(SuccessionTerms.lineLength).map { $0.element }
  }
}

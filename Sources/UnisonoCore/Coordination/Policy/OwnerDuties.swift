/// What owners do without being asked: the most senior one who is there, the next ones if it does not (wire
/// 6.5, 8.4).
extension Coordination {
  mutating func doOwnerDuties() {
    guard membership.phase == .member, membership.secured, clock.isKnown, let rank = ownerRank else {
      policyState.lostRemovals = nil
      policyState.wishes = [:]
      policyState.lineDue = nil
      return
    }
    let delay = PolicyState.ownerStep * Int64(rank)
    repeatLostRemovals(after: delay)
    grantWishes(after: delay)
    keepLine(after: delay)
  }

  var ownerWake: HostTime? {
    guard let rank = ownerRank else { return nil }
    let step = PolicyState.ownerStep
    let removal = policyState.lostRemovals.map { $0.since.adding(step * Int64(rank + 1)) }
    let line = policyState.lineDue.map { $0.adding(PolicyState.lineDelay).adding(step * Int64(rank)) }
    return ([removal, line] + policyState.wishes.values.map { $0.adding(step * Int64(rank)) }).compactMap(\.self)
      .filter { $0 > now }.min()
  }

  /// How many owners who are there are senior to us; nil: we are none.
  private var ownerRank: Int? {
    policies.terms.owners.filter { $0 == local || isThere($0) }.firstIndex(of: local)
  }

  private func isThere(_ id: ParticipantID) -> Bool { presentParticipants.contains(id) }

  /// A removal that an owner signed, and that lost against another's change, is made again when that owner is gone.
  private mutating func repeatLostRemovals(after delay: Nanoseconds) {
    let owners = policies.terms.owners
    let seniority = owners.firstIndex(of: local) ?? owners.count
    let lost = policies.lostRemovals.filter { $0.author != local && owners.contains($0.author) && !isThere($0.author) }
    let participants = Set(lost.flatMap(\.participants))
      .filter { id in id != local && owners.firstIndex(of: id).map { $0 > seniority } ?? true }
    guard !participants.isEmpty else {
      policyState.lostRemovals = nil
      return
    }
    guard let known = policyState.lostRemovals, known.participants == participants else {
      policyState.lostRemovals = (participants, now)
      return
    }
    guard now >= known.since.adding(PolicyState.ownerStep).adding(delay) else { return }
    notices.append(.removalWanted(participants.sorted()))
    // Until it is done; should it fail, once more then.
    policyState.lostRemovals = (participants, now.adding(PolicyState.raceTime))
  }

  /// Who would stand in, where nobody was named: those who have been there longest, the highest roles first. Who is on the
  /// list keeps its place, so that it does not change with every coming and going; alone nobody changes it.
  private mutating func keepLine(after delay: Nanoseconds) {
    let terms = ownTerms
    guard terms.succession.rule == .bySeniority, terms.control != .everyone, !apart.isApart,
      !presentParticipants.isEmpty, case let line = line(of: terms), line != terms.succession.deputies
    else {
      policyState.lineDue = nil
      return
    }
    let since = policyState.lineDue ?? now
    policyState.lineDue = since
    guard now >= since.adding(PolicyState.lineDelay).adding(delay) else { return }
    policyState.lineDue = nil
    listDeputies(line)
  }

  private func line(of terms: PolicyTerms) -> [ParticipantID] {
    guard terms.owners.count < PolicyTerms.ownerLimit else { return [] }
    let there = presence.entries.filter { !$0.value.left && registers.hasParticipant($0.key) }
    let arrived = there.sorted { ($0.value.since, $0.key) < ($1.value.since, $1.key) }.map(\.key)
    let listed = terms.succession.deputies.filter { there[$0] != nil }
    let all = (listed + arrived.filter { !listed.contains($0) }).filter { id in
      !terms.owners.contains(id) && !terms.removed.contains(id)
        && (policies.role(of: id) != .viewer || policies.origin.joinerRole == .viewer)
    }
    let ordered = all.enumerated().sorted {
      let (left, right) = (policies.role(of: $0.element), policies.role(of: $1.element))
      return left != right ? left > right : $0.offset < $1.offset
    }
    return ordered.prefix(SuccessionTerms.lineLength).map(\.element)
  }

  /// Who asks for a lesser role than it has is given it. More than what the origin gives, only a person gives.
  private mutating func grantWishes(after delay: Nanoseconds) {
    var open: [ParticipantID: Role] = [:]
    for id in presentParticipants where !policyState.decided.contains(id) {
      guard let value = value(of: id), let wish = Role(rawValue: value.roleWish), wish < policies.role(of: id),
        policies.role(of: id) != .owner
      else { continue }
      open[id] = wish
    }
    policyState.wishes = policyState.wishes.filter { open[$0.key] != nil }
    for (id, wish) in open.sorted(by: { $0.key < $1.key }) {
      let since = policyState.wishes[id] ?? now
      policyState.wishes[id] = since
      guard now >= since.adding(delay) else { continue }
      policyState.wishes[id] = nil
      policyState.decided.insert(id)
      changePolicy(.role(id, wish))
    }
  }
}

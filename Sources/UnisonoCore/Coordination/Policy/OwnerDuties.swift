/// What owners do without being asked: the most senior one who is there, the next ones if it does not (wire-and-security
/// 6.5, 8.4).
extension Coordination {
  mutating func doOwnerDuties() {
    guard membership.phase == .member, membership.secured, clock.isKnown, let rank = ownerRank else {
      policyState.lostRemovals = nil
      policyState.wishes = [:]
      return
    }
    let delay = PolicyState.ownerStep * Int64(rank)
    repeatLostRemovals(after: delay)
    grantWishes(after: delay)
  }

  var ownerWake: HostTime? {
    guard let rank = ownerRank else { return nil }
    let step = PolicyState.ownerStep
    let removal = policyState.lostRemovals.map { $0.since.adding(step * Int64(rank + 1)) }
    return ([removal] + policyState.wishes.values.map { $0.adding(step * Int64(rank)) }).compactMap(\.self)
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

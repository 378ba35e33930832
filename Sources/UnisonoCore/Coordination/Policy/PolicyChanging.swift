/// An owner's changes of the policy (wire-and-security 8.2, 8.3).
extension Coordination {
  mutating func changePolicy(_ change: PolicyChange) {
    guard membership.phase == .member else {
      return refuse(change.operation, .state, "the session is not joined yet; wait until it is")
    }
    makeChange(change, isRepetition: false)
  }

  private mutating func makeChange(_ change: PolicyChange, isRepetition: Bool) {
    var terms = policies.terms
    terms.makeRoom(joinerRole: policies.origin.joinerRole) { $0 == local || presence.entries[$0] != nil }
    do {
      try change.apply(to: &terms, by: local, joinerRole: policies.origin.joinerRole)
    } catch {
      return refuse(change.operation, .denied, error.message)
    }
    guard terms != policies.terms,
      let level = policies.level(
        by: local, time: stamps.next(now: stampTime), terms: terms, sign: configuration.sign)
    else { return }
    policyState.change = PolicyState.Change(
      wanted: change, level: level, until: now.adding(PolicyState.raceTime), wasRepeated: isRepetition)
    adopt([level])
    // The way to another door goes out in this step, and this with it.
    if case .removal = change { broadcast(.levels(policies.greatest.levels)) } else { outbox.putPolicy() }
  }

  /// Another owner's change may have beaten the own one: it is made once more on top of that, and then given up.
  mutating func reviewOwnChange() {
    guard let change = policyState.change, !policies.greatest.levels.contains(change.level) else { return }
    policyState.change = nil
    guard now < change.until else { return }
    guard !change.wasRepeated, policies.role(of: local) == .owner else {
      return refuse(
        change.wanted.operation, .denied, "another owner's change came at the same time and counts instead of this one")
    }
    // Those whom it removed were handed the winner's door.
    if case .removal(let participants, let topic, _, _) = change.wanted, policies.terms.hasMoved,
      policies.terms.topic != topic
    {
      notices.append(.removalWanted(participants))
    } else {
      makeChange(change.wanted, isRepetition: true)
    }
  }

  /// The last owner who is there does not leave the session without one.
  mutating func appointSuccessor() {
    let present = presence.byAge().filter { !policies.isRemoved($0) && registers.participant($0) != nil }
    guard policies.role(of: local) == .owner, !present.contains(where: { policies.role(of: $0) == .owner }),
      let highest = present.map(policies.role).max(),
      let successor = present.first(where: { policies.role(of: $0) == highest })
    else { return }
    makeChange(.role(successor, .owner), isRepetition: true)
  }
}

/// An owner's changes of the policy (wire 8.2, 8.3).
extension Coordination {
  mutating func changePolicy(_ change: PolicyChange) {
    guard membership.phase == .member else {
      return refuse(change.operation, .state, "the session is not joined yet; wait until it is")
    }
    makeChange(change, isRepetition: false)
  }

  private mutating func makeChange(_ change: PolicyChange, isRepetition: Bool) {
    var terms = ownTerms
    terms.makeRoom(joinerRole: policies.origin.joinerRole) { $0 == local || presence.entries[$0] != nil }
    do {
      try change.apply(to: &terms, by: local, joinerRole: policies.origin.joinerRole)
    } catch {
      return refuse(change.operation, .denied, error.message)
    }
    guard terms != ownTerms, let level = ownLevel(saying: terms) else { return }
    policyState.change = PolicyState.Change(
      wanted: change, level: level, until: now.adding(PolicyState.raceTime), wasRepeated: isRepetition)
    adopt([level], from: local)
    // The way to another door goes out in this step, and this with it.
    if case .removal = change { broadcast(.levels(policies.greatest.levels)) } else { outbox.putPolicy() }
  }

  /// What is in force; of the origin, with what the creator wants of deputies, which is not in the invite.
  var ownTerms: PolicyTerms {
    var terms = policies.terms
    if policies.greatest.levels.isEmpty, let succession = configuration.succession { terms.succession = succession }
    return terms
  }

  private mutating func ownLevel(saying terms: PolicyTerms) -> PolicyLevel? {
    policies.level(by: local, time: stamps.next(now: stampTime), terms: terms, sign: configuration.sign)
  }

  /// Says what is in force once more, by a level of this owner's, which outranks what deputies said.
  mutating func sayAgain() {
    guard let level = ownLevel(saying: policies.terms) else { return }
    adopt([level], from: local)
    tellPolicies()
  }

  /// The list of deputies that the library keeps by itself; nobody is told if another owner's change beats it.
  mutating func listDeputies(_ deputies: [ParticipantID]) {
    var terms = ownTerms
    terms.succession.deputies = deputies
    guard let level = ownLevel(saying: terms) else { return }
    adopt([level], from: local)
    outbox.putPolicy()
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
    let deputy = policies.terms.succession.deputies.first(where: present.contains)
    guard policies.role(of: local) == .owner, !present.contains(where: { policies.role(of: $0) == .owner }),
      let highest = present.map(policies.role).max(),
      let successor = deputy ?? present.first(where: { policies.role(of: $0) == highest })
    else { return }
    makeChange(.role(successor, .owner), isRepetition: true)
  }
}

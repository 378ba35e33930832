import UnisonoBase
import UnisonoReplica

/// The own change of the policy that another owner's may still beat (wire 8.2, 8.3).
struct PolicyProposal: Sendable {
  private struct Change: Sendable {
    var wanted: PolicyChange
    var level: PolicyLevel
    var until: HostTime
    var wasRepeated: Bool
  }

  private var change: Change?

  /// So long after a change a lost race is noticed, and the change made once more.
  static let raceTime: Nanoseconds = .seconds(10)

  mutating func record(_ wanted: PolicyChange, as level: PolicyLevel, isRepetition: Bool, now: HostTime) {
    change = Change(wanted: wanted, level: level, until: now.adding(Self.raceTime), wasRepeated: isRepetition)
  }

  /// Another owner's change may have beaten the own one: it is made once more on top of that, and then given up.
  mutating func review(_ facts: borrowing Facts) -> [Intent] {
    guard let change, !facts.policies.greatest.levels.contains(change.level) else { return [] }
    self.change = nil
    guard facts.now < change.until, let operation = change.wanted.operation else { return [] }
    guard !change.wasRepeated, facts.policies.role(of: facts.local) == .owner else {
      return [
        .refuse(
          operation: operation, status: .denied,
          message: "another owner's change came at the same time and counts instead of this one")
      ]
    }
    // Those whom it removed were handed the winner's door.
    if case .removal(let participants, let topic, _, _) = change.wanted, facts.policies.terms.hasMoved,
      facts.policies.terms.topic != topic
    {
      return [.notify(.session(.removalWanted(participants)))]
    }
    return [.changePolicy(change.wanted, isRepetition: true)]
  }
}

extension Facts {
  /// Whom the last owner who is there leaves the session to; nil: another owner is there, or nobody.
  var successor: ParticipantID? {
    let present = presence.byAge().filter { !policies.isRemoved($0) && registers.participant($0) != nil }
    let deputy = policies.terms.succession.deputies.first(where: present.contains)
    guard policies.role(of: local) == .owner, !present.contains(where: { policies.role(of: $0) == .owner }),
      let highest = present.map(policies.role).max()
    else { return nil }
    return deputy ?? present.first { policies.role(of: $0) == highest }
  }
}

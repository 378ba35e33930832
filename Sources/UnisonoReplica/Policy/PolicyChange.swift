import UnisonoBase

/// What an owner wants of the policy.
package enum PolicyChange: Equatable, Sendable {
  case role(ParticipantID, Role)
  case control(ControlPolicy)
  /// Whether nobody new is let in.
  case closing(Bool)
  /// Who stands in when no owner is there; those who are owners or removed are left out.
  case succession(SuccessionTerms)
  /// Out with these; the room moves to a new door (none removed: only that), and the rooms of `leaving` are left for good.
  case removal([ParticipantID], topic: [UInt8], founding: RecordID, leaving: [[UInt8]])
  /// The room behind the same door begins anew: those who are gone cannot read from then on.
  case refresh(topic: [UInt8], founding: RecordID)

  /// Call that asks for it, for refusals; nil: nobody does.
  package var operation: Operation? {
    switch self {
    case .role: .setRole
    case .control: .setControlPolicy
    case .closing: .setClosed
    case .succession: .setDeputies
    case .removal: .removeParticipant
    case .refresh: nil
    }
  }

  /// Carries it out as `author`, who must be an owner, and may not touch who is as senior. Throws the reason against it.
  package func apply(to terms: inout PolicyTerms, by author: ParticipantID, joinerRole: Role) throws(PolicyRefusal) {
    guard let own = terms.owners.firstIndex(of: author) else { throw .notOwner }
    switch self {
    case .role(let participant, let role):
      guard !terms.removed.contains(participant) else { throw .removed }
      if let seniority = terms.owners.firstIndex(of: participant) {
        if role == .owner { return }
        guard seniority > own else { throw .senior }
        terms.owners.remove(at: seniority)
      } else if role == .owner {
        guard terms.owners.count < PolicyTerms.ownerLimit else { throw .full }
        terms.roles[participant] = nil
        terms.owners.append(participant)
        terms.succession.deputies.removeAll { $0 == participant }
        try Self.makeRoom(for: &terms)
        return
      }
      terms.roles[participant] = role == joinerRole ? nil : role
      guard terms.roles.count <= PolicyTerms.roleLimit else { throw .full }
    case .control(let control):
      terms.control = control
    case .closing(let isClosed):
      terms.isClosed = isClosed
    case .succession(var succession):
      succession.deputies.removeAll { terms.owners.contains($0) || terms.removed.contains($0) }
      guard succession.isWellFormed else { throw .full }
      terms.succession = succession
      try Self.makeRoom(for: &terms)
    case .refresh(let topic, let founding):
      (terms.topic, terms.founding) = (topic, founding)
    case .removal(let participants, let topic, let founding, let leaving):
      for participant in participants {
        if let seniority = terms.owners.firstIndex(of: participant) {
          guard seniority > own else { throw .senior }
          terms.owners.remove(at: seniority)
        }
        terms.roles[participant] = nil
        terms.succession.deputies.removeAll { $0 == participant }
      }
      // The door that was shut to earlier ones stays shut, so that they may be forgotten.
      let all = terms.removed.union(participants)
      terms.removed = all.count <= PolicyTerms.removedLimit ? all : Set(participants.prefix(PolicyTerms.removedLimit))
      terms.topic = topic
      terms.founding = founding
      terms.former = (terms.former + leaving.filter { !terms.former.contains($0) }).suffix(PolicyTerms.formerLimit)
    }
  }
}

extension PolicyChange {
  /// A deputy becomes one owner more. Those whom nobody named give way.
  private static func makeRoom(for terms: inout PolicyTerms) throws(PolicyRefusal) {
    guard !terms.hasRoomForDeputies else { return }
    guard terms.succession.rule == .bySeniority else { throw .fullOfDeputies }
    terms.succession.deputies = []
  }
}

/// Why a change of the policy is not made.
package enum PolicyRefusal: Error, Equatable, Sendable {
  case notOwner
  /// It touches an owner who is senior, or the author itself.
  case senior
  /// It gives a role to somebody who is out for good.
  case removed
  case full
  /// Eight owners, and deputies: a deputy becomes one owner more.
  case fullOfDeputies

  package var message: String {
    switch self {
    case .notOwner: "only an owner may do this; ask one, or to be made one"
    case .senior: "an owner can change only those who became owners after it, and not itself"
    case .removed: "this participant was removed from the session"
    case .full: "the policy's lists are full (8 owners, 256 roles, 8 deputies); take somebody off first"
    case .fullOfDeputies: "a policy with deputies has at most 7 owners; take somebody off first"
    }
  }
}

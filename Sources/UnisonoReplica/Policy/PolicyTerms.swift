import UnisonoBase

/// What a policy says (wire 8.1): the whole of it, not a change.
package struct PolicyTerms: Hashable, Sendable {
  package static let ownerLimit = 8
  package static let roleLimit = 256
  package static let removedLimit = 256
  package static let formerLimit = 8

  package var control: ControlPolicy
  /// By seniority, the root first; who is listed here is not repeated under `roles`.
  package var owners: [ParticipantID]
  /// Of those who differ from what the origin gives joiners.
  package var roles: [ParticipantID: Role]
  /// Out of the session for good.
  package var removed: Set<ParticipantID>
  /// The room of the newest re-key, 32 bytes; zeros before the first.
  package var topic: [UInt8]
  /// The room's founding record; none before the first re-key.
  package var founding: RecordID
  /// Rooms that the session left for good, 32 bytes each, the last ones, without doubles.
  package var former: [[UInt8]]
  /// Nobody new is let in, whoever has the invite.
  package var isClosed: Bool
  package var succession: SuccessionTerms

  package static let noTopic = [UInt8](repeating: 0, count: 32)

  package init(
    control: ControlPolicy, owners: [ParticipantID], roles: [ParticipantID: Role] = [:],
    removed: Set<ParticipantID> = [], topic: [UInt8]? = nil, founding: RecordID = .none, former: [[UInt8]] = [],
    isClosed: Bool = false, succession: SuccessionTerms = SuccessionTerms()
  ) {
    self.control = control
    self.owners = owners
    self.roles = roles
    self.removed = removed
    self.topic = topic ?? Self.noTopic
    self.founding = founding
    self.former = former
    self.isClosed = isClosed
    self.succession = succession
  }

  /// Whether there was a re-key: the origin's door is shut.
  package var hasMoved: Bool { topic != Self.noTopic }

  /// Sizes and lists as a level must have them.
  package var isWellFormed: Bool {
    (1...Self.ownerLimit).contains(owners.count) && Set(owners).count == owners.count
      && roles.count <= Self.roleLimit && removed.count <= Self.removedLimit && topic.count == 32
      && former.count <= Self.formerLimit && former.allSatisfy { $0.count == 32 } && Set(former).count == former.count
      && owners.allSatisfy { roles[$0] == nil && !removed.contains($0) } && !roles.values.contains(.owner)
      && succession.isWellFormed && hasRoomForDeputies
      && succession.deputies.allSatisfy { !owners.contains($0) && !removed.contains($0) }
  }

  /// Who stands in becomes one owner more.
  package var hasRoomForDeputies: Bool { succession.deputies.isEmpty || owners.count < Self.ownerLimit }

  /// The same with a deputy as the last of the owners.
  package func taken(over deputy: ParticipantID) -> PolicyTerms {
    var terms = self
    terms.owners.append(deputy)
    terms.roles[deputy] = nil
    terms.succession.deputies.removeAll { $0 == deputy }
    if !terms.hasRoomForDeputies { terms.succession.deputies = [] }
    return terms
  }

  /// The same with the owners, deputies and the deputy's role as they were in `before`: an owner is back.
  package func given(backTo before: PolicyTerms) -> PolicyTerms {
    var terms = self
    terms.owners = before.owners
    for id in owners where !before.owners.contains(id) { terms.roles[id] = before.roles[id] }
    terms.succession = before.succession
    terms.succession.deputies.removeAll { removed.contains($0) }
    return terms
  }

  /// Where the list of roles is full, forgets some of those who are gone: first whoever would be more without being listed is
  /// kept. Who comes back is a new participant, but for who lost its link and finds it again.
  package mutating func makeRoom(joinerRole: Role, isThere: (ParticipantID) -> Bool) {
    guard roles.count >= Self.roleLimit else { return }
    let gone = roles.filter { !isThere($0.key) }.sorted { left, right in
      (left.value < joinerRole ? 1 : 0, left.key) < (right.value < joinerRole ? 1 : 0, right.key)
    }
    for (id, _) in gone.prefix(roles.count - Self.roleLimit + 1) { roles[id] = nil }
  }

  /// `joinerRole`: what the origin gives those who are not named.
  package func role(of participant: ParticipantID, joinerRole: Role) -> Role {
    owners.contains(participant) ? .owner : roles[participant] ?? joinerRole
  }

  package func allowsCommands(by participant: ParticipantID, joinerRole: Role) -> Bool {
    participant != .none && !removed.contains(participant)
      && control.allowsCommands(by: role(of: participant, joinerRole: joinerRole))
  }
}

import UnisonoBase

/// Policy version zero, which the invite carries: it names the first owner, so that nobody can claim to be it (H10).
package struct PolicyOrigin: Hashable, Sendable {
  /// The creator, owner for the session's whole life; `.none`: a session without roles.
  package var root: ParticipantID
  package var control: ControlPolicy
  /// The role of everybody who is not named in a level.
  package var joinerRole: Role

  package init(root: ParticipantID = .none, control: ControlPolicy = .everyone, joinerRole: Role = .member) {
    self.root = root
    self.control = control
    self.joinerRole = joinerRole
  }

  /// What it says, as a level would.
  package var terms: PolicyTerms { PolicyTerms(control: control, owners: [root]) }

  /// Whether `levels`, in this order, are a policy of this session by which it left the room `topic` for good.
  ///
  /// For who knows nothing of the session but its origin: that deputies took over is only believed where an owner accepted
  /// it. `originID`: of the empty stack; signatures are checked before.
  package func hasLeft(_ topic: [UInt8], by levels: [PolicyLevel], originID: PolicyID, hash: ([UInt8]) -> [UInt8])
    -> Bool
  {
    terms(of: levels, originID: originID, hash: hash)?.former.contains(topic) ?? false
  }

  /// What `levels`, in this order, say where they are a policy of this session, without deputies that no owner accepted; else
  /// nil.
  package func terms(of levels: [PolicyLevel], originID: PolicyID, hash: ([UInt8]) -> [UInt8]) -> PolicyTerms? {
    var stack = PolicyStack(originID: originID)
    for level in levels {
      guard let next = stack.adding(level, origin: self, hash: hash) else { return nil }
      stack = next
    }
    return stack.takeovers(origin: self).allSatisfy { $0.isAccepted } ? stack.terms(origin: self) : nil
  }
}

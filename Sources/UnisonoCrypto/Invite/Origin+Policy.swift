import UnisonoBase
import UnisonoReplica

extension Origin {
  /// The origin as the core knows it; numbers that are not known count as absent.
  package var policy: PolicyOrigin {
    PolicyOrigin(
      root: root, control: ControlPolicy(rawValue: controlPolicy) ?? .everyone,
      joinerRole: Role(rawValue: joinerRole) ?? .member)
  }

  /// Whether `levels`, in this order, are a policy of this session by which it left the room `topic` for good. Their
  /// signatures are the caller's to check.
  package func hasLeft(_ topic: [UInt8], by levels: [PolicyLevel]) -> Bool {
    policy.hasLeft(topic, by: levels, originID: PolicyStack.origin, hash: Hash.sha256)
  }

  /// Whether a participant is an owner by `levels`, which are a policy of this session. Their signatures are the caller's to
  /// check.
  package func isOwner(_ id: ParticipantID, by levels: [PolicyLevel]) -> Bool {
    policy.terms(of: levels, originID: PolicyStack.origin, hash: Hash.sha256)?.owners.contains(id) ?? false
  }
}

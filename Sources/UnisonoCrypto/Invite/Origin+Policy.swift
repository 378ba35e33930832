import UnisonoCore

extension Origin {
  /// What the origin says, as the core knows it; numbers that are not known count as absent.
  public var policy: PolicyOrigin {
    PolicyOrigin(
      root: root, control: ControlPolicy(rawValue: controlPolicy) ?? .everyone,
      joinerRole: Role(rawValue: joinerRole) ?? .member)
  }
}

/// Policy version zero, which the invite carries: it names the first owner, so that nobody can claim to be it (H10).
public struct PolicyOrigin: Hashable, Sendable {
  /// The creator, owner for the session's whole life; `.none`: a session without roles.
  public var root: ParticipantID
  public var control: ControlPolicy
  /// The role of everybody who is not named in a level.
  public var joinerRole: Role

  public init(root: ParticipantID = .none, control: ControlPolicy = .everyone, joinerRole: Role = .member) {
    self.root = root
    self.control = control
    self.joinerRole = joinerRole
  }

  /// What it says, as a level would.
  public var terms: PolicyTerms { PolicyTerms(control: control, owners: [root]) }
}

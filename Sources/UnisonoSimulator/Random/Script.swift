import UnisonoCore

/// A whole evening, written down: who takes part, and what happens when. The same script is the same run.
public struct Script: Sendable {
  /// Chance that is left: jitter, players that forget, identities.
  public var seed: UInt64
  public var profile: Profile
  public var specs: [ParticipantSpec]
  public var hubs = 1
  public var clockError = Nanoseconds.milliseconds(1)
  public var hubDrift: Int64 = 0
  public var dropsUnreadable = false
  /// The group waits for one whose player stalls.
  public var waitsForStalls = false
  /// Who may command from the beginning: the first of the participants is the owner, the others have `joinerRole`.
  public var control = ControlPolicy.everyone
  public var joinerRole = Role.member
  /// Who stands in when the owner is gone; nil: nobody.
  public var succession: SuccessionTerms?
  /// In the order of their times.
  public var steps: [Step]

  public struct Step: Sendable {
    /// After everybody has gathered, ns.
    public var at: Nanoseconds
    public var who: String
    public var action: ScriptAction
  }

  public var actions: Int { steps.count { !$0.action.isFault } }

  /// Permissions are not everybody's from beginning to end.
  var hasRoles: Bool {
    control != .everyone
      || steps.contains { step in
        switch step.action {
        case .setRole, .setControl, .setDeputies: true
        default: false
        }
      }
  }

  /// For people: one line each.
  public var lines: [String] {
    let head =
      "seed \(seed), \(profile.rawValue), \(hubs) hub\(hubs == 1 ? "" : "s"), clocks within \(seconds(clockError))\(waitsForStalls ? ", waits for stalls" : "")"
    let rules = control == .everyone ? [] : ["  \(control), the others are \(joinerRole)s"]
    let deputies = succession.map { ["  somebody stands in for the owner after \(seconds($0.patience))"] } ?? []
    return [head] + rules + deputies + specs.map { "  \($0.summary)" }
      + steps.map { "  \(seconds($0.at)) \($0.who) \($0.action)" }
  }
}

import UnisonoBase
import UnisonoReplica

/// A whole evening, written down: who takes part, and what happens when. The same script is the same run.
package struct Script: Sendable {
  /// Chance that is left: jitter, players that forget, identities.
  package var seed: UInt64
  package var profile: Profile
  package var specs: [ParticipantSpec]
  package var hubs = 1
  package var clockError = Nanoseconds.milliseconds(1)
  package var hubDrift: Int64 = 0
  package var dropsUnreadable = false
  /// The group waits for one whose player stalls.
  package var waitsForStalls = false
  /// Who may command from the beginning: the first of the participants is the owner, the others have `joinerRole`.
  package var control = ControlPolicy.everyone
  package var joinerRole = Role.member
  /// Who stands in when the owner is gone; nil: nobody.
  package var succession: SuccessionTerms?
  /// Devices of one person; empty: each is a person of its own.
  package var onePerson: [String] = []
  /// Members that lie; empty: all are honest.
  package var liars: [String] = []
  /// In the order of their times.
  package var steps: [Step]

  package struct Step: Sendable {
    /// After everybody has gathered, ns.
    package var at: Nanoseconds
    package var who: String
    package var action: ScriptAction
  }

  package var actions: Int { actions(at: nil) }

  /// nil: at the session's first coordinator.
  func actions(at name: CoordinatorName?) -> Int {
    steps.count { step in
      guard case .coordinator(let other, let action) = step.action else {
        return name == nil && !step.action.isFault && !step.action.isBeside
      }
      return name == nil ? action.isAboutSession : name == other
    }
  }

  /// In the order of their times; sorted by these alone, steps of one instant would stand in any order.
  mutating func sortSteps() {
    steps = steps.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map { $0.element }
  }

  var hasChat: Bool { steps.contains { if case .chat = $0.action { true } else { false } } }
  var hasCues: Bool { steps.contains { if case .sendAt = $0.action { true } else { false } } }
  var hasAttachments: Bool { steps.contains { if case .attachment = $0.action { true } else { false } } }

  /// Who joins the others only after they have begun.
  var latecomers: Set<String> { Set(steps.compactMap { if case .enter = $0.action { $0.who } else { nil } }) }

  /// Names of coordinators beside the first one.
  var coordinators: [CoordinatorName] {
    Set(steps.compactMap { if case .coordinator(let name, _) = $0.action { name } else { nil } }).sorted()
  }

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

  /// How long a start waits for persons at most, ns.
  var longestReadyLimit: Nanoseconds {
    steps.map { if case .setStartPolicy(let policy) = $0.action, policy.waiting != .none { policy.limit } else { 0 } }.max() ?? 0
  }

  /// The group may pause for one that was lost, half a minute later.
  var pausesForLeavers: Bool {
    steps.contains { if case .setStartPolicy(let policy) = $0.action { policy.leaving == .pause } else { false } }
  }

  /// For people: one line each.
  package var lines: [String] {
    let head =
      "seed \(seed), \(profile.rawValue), \(hubs) hub\(hubs == 1 ? "" : "s"), clocks within \(seconds(clockError))\(waitsForStalls ? ", waits for stalls" : "")"
    let rules = control == .everyone ? [] : ["  \(control), the others are \(joinerRole)s"]
    let deputies = succession.map { ["  somebody stands in for the owner after \(seconds($0.patience))"] } ?? []
    let devices = onePerson.isEmpty ? [] : ["  \(onePerson.joined(separator: " and ")) are one person's"]
    let lying = liars.isEmpty ? [] : ["  \(liars.joined(separator: " and ")) \(liars.count == 1 ? "lies" : "lie")"]
    return [head] + devices + lying + rules + deputies + specs.map { "  \($0.summary)" }
      + steps.map { "  \(seconds($0.at)) \($0.who) \($0.action)" }
  }
}

import UnisonoReplica

/// What participants tell each other about registers (numbers of wire 11.3); everything else is the session's.
package enum CoordinationMessage: Equatable, Sendable {
  case update([Statement])
  case beat(Beat)
  case have([HaveEntry])
  /// Registers to send; empty: everything, as a snapshot (a joiner's first question).
  case want([RegisterKey])
  /// Policy levels, each after the one it stands on; their signatures were checked.
  case levels([PolicyLevel])
  /// The answer to an empty `want`; nil: "joining myself, ask somebody else".
  case snapshot([Statement]?)
}

extension CoordinationMessage {
  /// It hands policies on, or asks for them.
  var isOfPolicy: Bool {
    switch self {
    case .levels, .want([.policy]): true
    default: false
    }
  }
}

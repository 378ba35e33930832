/// Who may command playback, set the activity and end the session; numbers of `unisono_control_policy`.
package enum ControlPolicy: UInt8, Sendable, CaseIterable {
  case everyone = 0
  /// Hosts and owners.
  case hostsOnly = 1
  /// All but viewers.
  case perRole = 2

  package func allowsCommands(by role: Role) -> Bool {
    switch self {
    case .everyone: true
    case .hostsOnly: role >= .host
    case .perRole: role > .viewer
    }
  }
}

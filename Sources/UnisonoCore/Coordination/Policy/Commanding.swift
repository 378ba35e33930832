/// Who may command (coordination 2.12; scenario P1).
extension Coordination {
  /// Alone, before any group, everybody may.
  var mayCommand: Bool { membership.phase == .solo || policies.allowsCommands(by: local) }

  /// Refuses a command of the own host. Its player may have moved already: it is told the group's state again.
  mutating func deny(_ operation: String) {
    refuse(
      operation, .denied,
      "the session's policy does not let this participant command; an owner can give it another role")
    host.forgetIssued()
    host.nextCause = .reapply
  }
}

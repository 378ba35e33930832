import UnisonoBase

/// Group, as far as a client knows it, that it belongs to, or wants to meet.
struct HubGroup: Equatable, Sendable {
  /// The group's state is not here: whoever is at any of the hubs may have it.
  var isNewcomer: Bool
  /// Everybody who belongs to the session and did not leave, this participant included. Empty: nobody is looked for.
  var known: Set<ParticipantID>

  /// A link for its own sake.
  static let none = HubGroup(isNewcomer: false, known: [])
}

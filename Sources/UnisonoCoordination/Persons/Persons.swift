import UnisonoBase

/// Which participants are devices of one person, as their introductions show (wire 5.6). Who shows nothing is a person of its own.
struct Persons: Sendable {
  private var persons: [ParticipantID: ParticipantID] = [:]

  /// The same for all devices of a person.
  func person(of id: ParticipantID) -> ParticipantID { persons[id] ?? id }

  /// Persons of all whose introductions are known; those who are missing here are persons of their own.
  mutating func know(_ persons: [ParticipantID: ParticipantID]) { self.persons = persons }
}

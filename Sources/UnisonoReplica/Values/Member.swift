import UnisonoBase

/// A participant in the hub's list.
package struct Member: Hashable, Sendable {
  package var id: ParticipantID
  /// Which of the participant's entries the connection is; the greatest counts.
  package var connection: UInt64
  /// Milliseconds since it entered.
  package var age: UInt32
  package init(id: ParticipantID, connection: UInt64, age: UInt32) {
    self.id = id
    self.connection = connection
    self.age = age
  }
}

/// The hub's word that a connection is over.
package struct Departure: Hashable, Sendable {
  package var id: ParticipantID
  package var connection: UInt64
  /// It said goodbye.
  package var left: Bool
  package init(id: ParticipantID, connection: UInt64, left: Bool) {
    self.id = id
    self.connection = connection
    self.left = left
  }
}

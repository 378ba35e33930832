import UnisonoBase

/// News of a participant for the people at this device, which the library finds by itself and nobody sends.
package struct PersonNotice: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// It came.
    case joined
    /// It went.
    case left
    /// It was there when this participant joined.
    case present
    /// It is at another item than this device, and has been for a while.
    case elsewhere(ItemID)
  }

  package let kind: Kind
  package let participant: ParticipantID
  /// Its display name, never empty.
  package let name: String
}

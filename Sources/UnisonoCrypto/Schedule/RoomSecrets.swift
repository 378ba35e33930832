import UnisonoReplica

/// Secrets of a room that a session moves to: the door's, and the first content key.
package struct RoomSecrets: Equatable, Sendable {
  package let door: Secret
  package let chain: Secret

  package init(door: Secret, chain: Secret) {
    self.door = door
    self.chain = chain
  }

  /// Fresh ones; `random` gives as many bytes as asked for.
  package init(random: (Int) -> [UInt8]) { self.init(door: Secret(random: random), chain: Secret(random: random)) }

  /// The topic and the epoch that they lead to, which an owner signs for.
  package func place(in session: [UInt8]) -> (door: Door, epoch: Epoch) {
    let door = Door(session: session, secret: self.door)
    return (door, Epoch(first: chain, in: door.scope))
  }

  /// Whether they are those that a policy names.
  func fit(_ terms: PolicyTerms, session: [UInt8]) -> Bool {
    let place = place(in: session)
    return place.door.topic == terms.topic && place.epoch.id == terms.epoch
  }
}

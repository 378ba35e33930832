import UnisonoBase
import UnisonoReplica
import UnisonoWire

/// Secrets of a room that a session moves to, the door's and the first content key, and the record that founds it.
package struct RoomSecrets: Equatable, Sendable {
  package let door: Secret
  package let chain: Secret
  package let founding: RosterRecord

  package init(door: Secret, chain: Secret, founding: RosterRecord) {
    self.door = door
    self.chain = chain
    self.founding = founding
  }

  /// The door that they lead to.
  package func place(in session: [UInt8]) -> Door { Door(session: session, secret: door) }

  /// Reads what a re-key brings; nil: not the room that a policy names, or the key is not the record's. Whether `record` is signed is
  /// the caller's to check.
  init?(door: Secret, chain: Secret, record: [UInt8], terms: PolicyTerms, session: [UInt8]) {
    let scope = Door(session: session, secret: door).scope
    guard scope.topic == terms.topic, let founding = try? RosterRecord(reading: record, scope: scope),
      founding.id == terms.founding, founding.body.kind == .founding,
      RosterRecord.rosterHash(founding.body.admitted) == founding.body.rosterHash,
      ContentKey.commitment(to: chain, of: founding.body, scope: scope) == founding.body.commit
    else { return nil }
    self.init(door: door, chain: chain, founding: founding)
  }
}

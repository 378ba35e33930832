import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// Who is there and who can read, as a participant has read it: what its chat and its attachments go by.
struct RoomSight {
  /// Connections of the others who are there.
  private(set) var connections: [ParticipantID: UInt64] = [:]
  /// The clock of the hub that it is at; nil: it has no link.
  private(set) var hub: ClockID?
  /// Who can read, the most senior first.
  private(set) var readers: [ParticipantID] = []
  /// It has the room's keys.
  private(set) var isSecured = false

  var present: Set<ParticipantID> { Set(connections.keys) }

  mutating func take(_ event: CoordinationEvent) {
    switch event {
    case .linkUp(let members, let clock), .moved(let members, let clock):
      (connections, hub) = ([:], clock)
      for member in members { connections[member.id] = member.connection }
    case .linkDown: (connections, isSecured, hub) = ([:], false, nil)
    case .presence(let joined, let gone):
      for member in joined { connections[member.id] = member.connection }
      for departure in gone where connections[departure.id] == departure.connection { connections[departure.id] = nil }
    case .secured: isSecured = true
    case .roster(let ids): readers = ids
    default: break
    }
  }
}

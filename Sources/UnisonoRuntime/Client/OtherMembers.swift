import UnisonoBase
import UnisonoReplica

/// Members of a client's room besides itself, by id, with their connections; empty while there is no link.
struct OtherMembers: Sendable {
  private(set) var connections: [ParticipantID: UInt64] = [:]
  private let local: ParticipantID

  init(local: ParticipantID) { self.local = local }

  mutating func enter(with members: [Member]) {
    connections = [:]
    for member in members.filter({ $0.id != local }).prefix(WireLimits.members) {
      connections[member.id] = max(connections[member.id] ?? 0, member.connection)
    }
  }

  mutating func clear() { connections = [:] }

  /// Applies what the hub reports; true: somebody was lost who did not leave on purpose.
  mutating func update(joined: [Member], gone: [Departure]) -> Bool {
    for member in joined where member.id != local {
      if connections[member.id] != nil || connections.count < WireLimits.members {
        connections[member.id] = member.connection
      }
    }
    var isLoss = false
    for departure in gone where connections[departure.id].map({ $0 <= departure.connection }) ?? false {
      connections[departure.id] = nil
      if !departure.left { isLoss = true }
    }
    return isLoss
  }

  /// Somebody who belongs to the session is not in the room, or nobody of it is known yet.
  func isMissingSomebody(of group: HubGroup) -> Bool {
    group.isNewcomer || group.known.contains { $0 != local && connections[$0] == nil }
  }
}

import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// What travels: messages through the hubs, and their word about who is there.
extension SimulatedSession {
  private func travel(_ delay: Nanoseconds, jitter: Nanoseconds) -> Nanoseconds {
    jitter == 0 ? delay : delay + generator.number(in: 0...jitter)
  }

  private func travelUp(_ link: inout Link) -> Nanoseconds {
    guard let path = link.quality.path else { return travel(link.quality.up, jitter: link.quality.jitter) }
    return path.up.draw(&generator, isBad: &link.isUpBad) ?? path.retransmission
  }

  private func travelDown(_ link: inout Link) -> Nanoseconds {
    guard let path = link.quality.path else { return travel(link.quality.down, jitter: link.quality.jitter) }
    return path.down.draw(&generator, isBad: &link.isDownBad) ?? path.retransmission
  }

  /// What a packet beside the connection takes; nil: it is lost.
  func packetUp(_ participant: Participant) -> Nanoseconds? {
    guard let path = participant.link.quality.path else { return travelUp(&participant.link) }
    return path.up.draw(&generator, isBad: &participant.link.isUpBad)
  }

  func packetDown(_ participant: Participant) -> Nanoseconds? {
    guard let path = participant.link.quality.path else { return travelDown(&participant.link) }
    return path.down.draw(&generator, isBad: &participant.link.isDownBad)
  }

  /// When something that leaves now arrives at the hub, not before what left earlier.
  func arrivalUp(_ participant: Participant) -> Nanoseconds {
    let leaves = max(now, participant.link.stalledUntil)
    let arrival = max(leaves + travelUp(&participant.link), participant.link.lastUp)
    participant.link.lastUp = arrival
    return arrival
  }

  private func arrivalDown(_ participant: Participant) -> Nanoseconds {
    let leaves = max(now, participant.link.stalledUntil)
    let arrival = max(leaves + travelDown(&participant.link), participant.link.lastDown)
    participant.link.lastDown = arrival
    return arrival
  }

  func send(_ message: CoordinationMessage, from participant: Participant, to: ParticipantID?) {
    send(message, of: participant.coordinator, from: participant, to: to)
  }

  /// Says something of a coordinator, which an honest one has.
  func send(_ message: CoordinationMessage, of coordinator: CoordinatorName?, from participant: Participant, to: ParticipantID?) {
    let hub = participant.link.hub
    guard let connection = participant.link.connection, hubs[hub].carries(connection), participant.link.isSecured else {
      return
    }
    if participant.hidesPolicies, case .levels = message { return }
    let sent = CoordinationHeld(message: message, coordinator: coordinator, sender: participant.id, sent: now)
    at(arrivalUp(participant)) { room in
      guard room.hubs[hub].carries(connection) else { return }
      for other in room.participants where other.id != participant.id && (to == nil || to == other.id) {
        guard let entry = room.hubs[hub].members[other.id], other.hidden[participant.id] ?? 0 <= room.now else {
          continue
        }
        room.fan(sent, to: other, hub: hub, connection: entry.connection)
      }
    }
  }

  /// A message of another down one connection, once and in order unless the link is one that plays tricks.
  private func fan(_ message: CoordinationHeld, to other: Participant, hub: Int, connection: UInt64) {
    let quality = other.link.quality
    if quality.duplicates > 0, generator.chance(quality.duplicates) {
      after(generator.number(in: 0...(.milliseconds(300)))) { room in
        guard room.hubs[hub].members[message.sender] != nil else { return }
        room.fromHub(hub, to: other, connection: connection) { $0.arrive(message, at: other) }
      }
    }
    guard quality.reorders > 0, generator.chance(quality.reorders) else {
      return fromHub(hub, to: other, connection: connection) { $0.arrive(message, at: other) }
    }
    after(generator.number(in: 0...(.milliseconds(100)))) { room in
      guard room.hubs[hub].members[message.sender] != nil else { return }
      room.fromHub(hub, to: other, connection: connection) { $0.arrive(message, at: other) }
    }
  }

  /// From a hub down one connection; lost if that breaks meanwhile.
  func fromHub(
    _ hub: Int, to participant: Participant, connection: UInt64, _ action: @escaping (SimulatedSession) -> Void
  ) {
    guard hubs[hub].carries(connection) else { return }
    at(arrivalDown(participant)) { room in
      guard room.hubs[hub].carries(connection) else { return }
      action(room)
    }
  }

  private func arrive(_ message: CoordinationHeld, at participant: Participant) {
    var message = message
    message.message = Signature.proven(message.message)
    if participant.link.isSecured {
      hear(message, at: participant)
    } else if !dropsUnreadable {
      participant.link.unread.append(message)
    }
  }

  /// A hub tells everybody in its room but one.
  func announce(_ event: CoordinationEvent, at hub: Int, except participant: Participant) {
    guard case .presence(let joined, let gone) = event else { return }
    for other in participants where other.id != participant.id {
      guard let entry = hubs[hub].members[other.id] else { continue }
      fromHub(hub, to: other, connection: entry.connection) { room in
        other.known.formUnion(joined.map { $0.id })
        other.known.subtract(gone.filter { $0.left }.map { $0.id })
        room.deliver(event, to: other)
      }
    }
  }
}

import UnisonoCore

/// What travels: messages through the hub, its word about who is there, and links that come and go.
extension Room {
  private func travel(_ delay: Nanoseconds, jitter: Nanoseconds) -> Nanoseconds {
    jitter == 0 ? delay : delay + generator.number(in: 0...jitter)
  }

  /// When something that leaves now arrives at the hub, not before what left earlier.
  private func arrivalUp(_ participant: Participant) -> Nanoseconds {
    let quality = participant.link.quality
    let arrival = max(now + travel(quality.up, jitter: quality.jitter), participant.link.lastUp)
    participant.link.lastUp = arrival
    return arrival
  }

  private func arrivalDown(_ participant: Participant) -> Nanoseconds {
    let quality = participant.link.quality
    let arrival = max(now + travel(quality.down, jitter: quality.jitter), participant.link.lastDown)
    participant.link.lastDown = arrival
    return arrival
  }

  func send(_ message: CoordinationMessage, from participant: Participant, to: ParticipantID?) {
    guard let connection = participant.link.connection, hub.carries(connection), participant.link.isSecured else {
      return
    }
    at(arrivalUp(participant)) { room in
      guard room.hub.carries(connection) else { return }
      for other in room.participants where other.id != participant.id && (to == nil || to == other.id) {
        guard let entry = room.hub.members[other.id] else { continue }
        room.fromHub(to: other, connection: entry.connection) { room in
          room.arrive(message, at: other, from: participant.id)
        }
      }
    }
  }

  /// From the hub down one connection; lost if that breaks meanwhile.
  private func fromHub(to participant: Participant, connection: UInt64, _ action: @escaping (Room) -> Void) {
    guard hub.carries(connection) else { return }
    at(arrivalDown(participant)) { room in
      guard room.hub.carries(connection) else { return }
      action(room)
    }
  }

  private func arrive(_ message: CoordinationMessage, at participant: Participant, from sender: ParticipantID) {
    let message = Signature.proven(message)
    if participant.link.isSecured {
      deliver(.message(message, from: sender), to: participant)
    } else if !dropsUnreadable {
      participant.link.unread.append(CoordinationHeld(message: message, sender: sender))
    }
  }

  /// Tells everybody in the room but one.
  private func announce(_ event: CoordinationEvent, except participant: Participant) {
    for other in participants where other.id != participant.id {
      guard let entry = hub.members[other.id] else { continue }
      fromHub(to: other, connection: entry.connection) { $0.deliver(event, to: other) }
    }
  }

  /// Goes to the hub; it is let in after a handshake of a round trip.
  func connect(_ participant: Participant) {
    guard participant.isRunning, participant.link.state == .down else { return }
    participant.link.state = .connecting
    participant.link.isSecured = false
    participant.link.unread = []
    participant.link.attempt += 1
    let attempt = participant.link.attempt
    at(now + participant.link.quality.roundTrip + participant.link.quality.up) { room in
      guard participant.link.attempt == attempt, participant.isRunning else { return }
      room.enter(participant)
    }
  }

  private func enter(_ participant: Participant) {
    actionTimes.append(now)
    let connection = hub.enter(participant.id, at: now)
    let members = hub.others(than: participant.id, at: now)
    announce(
      .presence(joined: [Member(id: participant.id, connection: connection, age: 0)], gone: []), except: participant)
    let attempt = participant.link.attempt
    fromHub(to: participant, connection: connection) { room in
      guard participant.link.attempt == attempt else { return }
      participant.link.state = .up(connection: connection)
      room.deliver(.linkUp(members: members, clock: room.hub.clock), to: participant)
      room.secure(participant, members: members)
      room.synchronise(participant, after: participant.synchronisesAfter ?? 2 * participant.link.quality.roundTrip)
    }
  }

  /// The keys come from the oldest member after a round trip to it; who is alone has them already.
  private func secure(_ participant: Participant, members: [Member]) {
    let attempt = participant.link.attempt
    let other = members.first.flatMap { first in participants.first { $0.id == first.id } }
    let delay = other.map { participant.link.quality.roundTrip + $0.link.quality.roundTrip } ?? 0
    after(delay) { room in
      guard participant.link.attempt == attempt, participant.link.connection != nil, participant.isRunning else {
        return
      }
      participant.link.isSecured = true
      room.deliver(.secured, to: participant)
      let unread = participant.link.unread
      participant.link.unread = []
      for held in unread { room.deliver(.message(held.message, from: held.sender), to: participant) }
    }
  }

  private func synchronise(_ participant: Participant, after delay: Nanoseconds) {
    let attempt = participant.link.attempt
    after(delay) { room in
      guard participant.link.attempt == attempt, participant.link.connection != nil else { return }
      let model = participant.clock.model(ofHub: room.hub.time(at: room.now), at: room.now)
      room.deliver(
        .clock(model, roundTrip: participant.link.quality.up + participant.link.quality.down), to: participant)
    }
  }

  /// Breaks a link. Nothing is carried from now on; both ends learn of it later.
  func breakLink(
    of participant: Participant, noticedAfter: Nanoseconds, hubNoticesAfter: Nanoseconds, backAfter: Nanoseconds?
  ) {
    guard let connection = participant.link.connection else { return }
    log.note(now, participant.name, "link breaks")
    hub.cut(connection)
    let attempt = participant.link.attempt
    after(noticedAfter) { room in
      guard participant.link.attempt == attempt, participant.link.connection != nil else { return }
      participant.link.state = .down
      participant.link.isSecured = false
      room.deliver(.linkDown, to: participant)
    }
    after(hubNoticesAfter) { room in
      room.actionTimes.append(room.now)
      room.hub.forget(participant.id, connection: connection)
      let gone = Departure(id: participant.id, connection: connection, left: false)
      room.announce(.presence(joined: [], gone: [gone]), except: participant)
    }
    if let backAfter {
      after(max(backAfter, noticedAfter)) { room in room.connect(participant) }
    }
  }

  /// Says goodbye to the hub; what was sent before arrives before.
  func disconnect(_ participant: Participant) {
    guard let connection = participant.link.connection else { return }
    participant.link.state = .down
    participant.link.isSecured = false
    participant.link.attempt += 1
    at(arrivalUp(participant)) { room in
      room.hub.forget(participant.id, connection: connection)
      let gone = Departure(id: participant.id, connection: connection, left: true)
      room.announce(.presence(joined: [], gone: [gone]), except: participant)
    }
  }
}

import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// Links that come, break, and find another hub.
extension SimulatedSession {
  /// A host that is not there refuses at once; one behind a broken path only stays silent.
  private static let connectTimeout = Nanoseconds.seconds(1)

  func canReach(_ participant: Participant, hub: Int) -> Bool {
    reach?[participant.name]?.contains(hub) ?? (reach == nil)
  }

  /// Goes to a hub, the one it had before at first, then the others in the common order until one lets it in; that takes a
  /// handshake of a round trip.
  func connect(_ participant: Participant) {
    guard participant.isRunning, participant.link.state == .down else { return }
    participant.link.state = .connecting
    participant.link.isSecured = false
    participant.link.isUnanswered = false
    participant.link.unread = []
    participant.link.attempt += 1
    participant.link.tries = 0
    knock(participant)
  }

  private func knock(_ participant: Participant) {
    let attempt = participant.link.attempt
    let quality = participant.link.quality
    let hub = participant.link.hub
    let reaches = canReach(participant, hub: hub)
    let answer = reaches ? quality.roundTrip + quality.up : Self.connectTimeout
    at(max(now, participant.link.stalledUntil) + answer) { room in
      guard participant.link.attempt == attempt, participant.isRunning else { return }
      if reaches, room.canReach(participant, hub: hub), room.hubs[hub].isUp {
        room.enter(participant)
      } else {
        room.retry(participant)
      }
    }
  }

  /// The next in the common order; after each turn through the list it waits twice as long, 100 ms at first, 5 s at most.
  private func retry(_ participant: Participant) {
    participant.link.hub = (participant.link.hub + 1) % hubs.count
    participant.link.tries += 1
    let turns = participant.link.tries / hubs.count
    let isEndOfTurn = participant.link.tries % hubs.count == 0
    let wait: Nanoseconds = isEndOfTurn ? min(.seconds(5), .milliseconds(100) << Int64(min(turns - 1, 6))) : 0
    let attempt = participant.link.attempt
    after(max(wait, .milliseconds(1))) { room in
      guard participant.link.attempt == attempt, participant.isRunning else { return }
      room.knock(participant)
    }
  }

  private func enter(_ participant: Participant) {
    actionTimes.append(now)
    let hub = participant.link.hub
    let connection = hubs[hub].enter(participant.id, at: now)
    recordConnectedGroup()
    let members = hubs[hub].others(than: participant.id, at: now)
    log.note(now, participant.name, "is let in by hub \(hub + 1)")
    announce(
      .presence(joined: [Member(id: participant.id, connection: connection, age: 0)], gone: []), at: hub,
      except: participant)
    let attempt = participant.link.attempt
    fromHub(hub, to: participant, connection: connection) { room in
      guard participant.link.attempt == attempt else { return }
      participant.link.state = .up(connection: connection)
      participant.known.formUnion(members.map { $0.id })
      room.deliver(.linkUp(members: members, clock: room.clockHub(of: participant).clock), to: participant)
      room.tellOtherClocks(participant)
      room.secure(participant, members: members)
      room.learnClock(participant)
      room.lookForLargerRooms(participant)
    }
    awaitWord(participant, of: connection, at: hub, attempt: attempt)
  }

  /// Let in, but not told so yet: a hub that dies meanwhile never says it, and the next one is tried.
  private func awaitWord(_ participant: Participant, of connection: UInt64, at hub: Int, attempt: UInt64) {
    after(Self.connectTimeout) { room in
      guard participant.link.attempt == attempt, participant.link.state == .connecting, participant.isRunning else {
        return
      }
      if room.hubs[hub].carries(connection) {
        room.awaitWord(participant, of: connection, at: hub, attempt: attempt)
      } else {
        room.retry(participant)
      }
    }
  }

  /// The keys come from the oldest member after a round trip to it; who is alone has them already, but for who comes to a group that is
  /// elsewhere: that one waits.
  private func secure(_ participant: Participant, members: [Member]) {
    let isAlone = hubs[participant.link.hub].members.count < 2
    guard !isAlone || roster.isEmpty || roster.contains(participant.id) else {
      participant.link.isUnanswered = true
      return
    }
    participant.link.isUnanswered = false
    let attempt = participant.link.attempt
    let other = members.first.flatMap { first in participants.first { $0.id == first.id } }
    let delay = other.map { participant.link.quality.roundTrip + $0.link.quality.roundTrip } ?? 0
    after(delay) { room in
      guard participant.link.attempt == attempt, participant.link.connection != nil, participant.isRunning else {
        return
      }
      participant.link.isSecured = true
      // Also where its link broke before it was told that somebody is there.
      participant.known.formUnion(members.map { $0.id })
      room.admit(participant)
      room.deliver(.secured, to: participant)
      let unread = participant.link.unread
      participant.link.unread = []
      for held in unread { room.hear(held, at: participant) }
    }
  }

  /// Who comes in is on everybody's roster from the next turns on.
  private func admit(_ participant: Participant) {
    if !roster.contains(participant.id) { roster.append(participant.id) }
    for other in participants where other.isRunning && other.link.isSecured {
      other.inbox.append(Arrival(event: .roster(roster)))
      if !persons.isEmpty { other.inbox.append(Arrival(event: .persons(persons))) }
    }
    let hub = participant.link.hub
    for other in participants where other.isRunning && other.link.isUnanswered && other.link.hub == hub && other.link.connection != nil {
      secure(other, members: hubs[hub].others(than: other.id, at: now))
    }
  }

  /// The hub's clock is measured, or known after two round trips.
  func learnClock(_ participant: Participant) {
    if participant.measuresClock {
      beginProbing(participant)
    } else {
      synchronise(participant, after: participant.synchronisesAfter ?? 2 * participant.link.quality.roundTrip)
    }
  }

  /// After a time the hub's clock is known, and what the link takes.
  func synchronise(_ participant: Participant, after delay: Nanoseconds) {
    let attempt = participant.link.attempt
    after(delay) { room in
      guard participant.link.attempt == attempt, participant.link.connection != nil else { return }
      let hub = participant.link.hub
      let error = hub == 0 ? participant.clock.error : participant.hubErrors[hub - 1]
      let lie = participant.hubLie.amount(at: room.now)
      let model = participant.clock.model(ofHub: room.clockHub(of: participant), error: error + lie, at: room.now)
      room.deliver(
        .clock(model, roundTrip: participant.link.quality.up + participant.link.quality.down), to: participant)
    }
  }

  /// Breaks a link. Nothing is carried from now on; both ends learn of it later.
  func breakLink(
    of participant: Participant, noticedAfter: Nanoseconds, hubNoticesAfter: Nanoseconds, backAfter: Nanoseconds?
  ) {
    guard let connection = participant.link.connection else { return }
    let hub = participant.link.hub
    log.note(now, participant.name, "link breaks")
    hubs[hub].cut(connection)
    recordConnectedGroup()
    let attempt = participant.link.attempt
    after(noticedAfter) { $0.noticeLoss(participant, attempt: attempt) }
    after(hubNoticesAfter) { room in
      room.actionTimes.append(room.now)
      room.hubs[hub].forget(participant.id, connection: connection)
      room.recordConnectedGroup()
      let gone = Departure(id: participant.id, connection: connection, left: false)
      room.announce(.presence(joined: [], gone: [gone]), at: hub, except: participant)
    }
    if let backAfter {
      after(max(backAfter, noticedAfter)) { room in room.connect(participant) }
    }
  }

  /// A participant learns that the connection it had at `attempt` is over.
  func noticeLoss(_ participant: Participant, attempt: UInt64) {
    guard participant.link.attempt == attempt, participant.link.connection != nil else { return }
    participant.link.state = .down
    participant.link.isSecured = false
    deliver(.linkDown, to: participant)
  }

  /// Says goodbye to the hub; what was sent before arrives before.
  func disconnect(_ participant: Participant) {
    guard let connection = participant.link.connection else { return }
    participant.link.state = .down
    participant.link.isSecured = false
    participant.link.attempt += 1
    close(participant, connection: connection, left: true)
  }

  /// The hub learns in order that a connection was closed.
  private func close(_ participant: Participant, connection: UInt64, left: Bool) {
    let hub = participant.link.hub
    at(arrivalUp(participant)) { room in
      room.hubs[hub].forget(participant.id, connection: connection)
      room.recordConnectedGroup()
      let gone = Departure(id: participant.id, connection: connection, left: left)
      room.announce(.presence(joined: [], gone: [gone]), at: hub, except: participant)
    }
  }

  // MARK: Rooms that should be one (coordination 2.10)

  /// While the room has fewer than were known, the other hubs are asked every 5 s.
  private func lookForLargerRooms(_ participant: Participant) {
    guard hubs.count > 1, !participant.looksForLargerRooms else { return }
    participant.looksForLargerRooms = true
    after(.seconds(5)) { $0.lookAround(participant) }
  }

  private func lookAround(_ participant: Participant) {
    guard participant.isRunning else {
      participant.looksForLargerRooms = false
      return
    }
    after(.seconds(5)) { $0.lookAround(participant) }
    let here = participant.link.hub
    let count = hubs[here].members.count
    guard participant.link.connection != nil, now >= participant.stoppedUntil, participant.link.isUnanswered || count < participant.known.count + 1
    else {
      return
    }
    // The smaller room moves; of two alike the one at the later address.
    let better = hubs.indices.first { hub in
      hub != here && hubs[hub].isUp && canReach(participant, hub: hub)
        && (hubs[hub].members.count > count || (hubs[hub].members.count == count && hub < here)
          || participant.link.isUnanswered && isAnswered(at: hub))
    }
    if let better { move(participant, to: better) }
  }

  /// Somebody is there who can let others in: who has no state yet goes wherever such a one is.
  private func isAnswered(at hub: Int) -> Bool {
    participants.contains { $0.isRunning && $0.link.hub == hub && $0.link.connection != nil && !$0.link.isUnanswered }
  }

  private func move(_ participant: Participant, to hub: Int) {
    guard let connection = participant.link.connection else { return }
    log.note(now, participant.name, "moves to hub \(hub + 1)")
    noticeLoss(participant, attempt: participant.link.attempt)
    close(participant, connection: connection, left: false)
    participant.link.hub = hub
    connect(participant)
  }
}

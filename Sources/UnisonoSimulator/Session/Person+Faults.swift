import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// What goes wrong with one participant's machine, link, clock and player. All of it begins at the present instant.
extension Person {
  /// Its process stands still; its link and its player go on.
  package func stopProcess(for duration: Nanoseconds) {
    participant.stoppedUntil = room.now + duration
    room.actionTimes.append(room.now)
    let end = room.now + duration
    room.at(end) { $0.actionTimes.append(end) }
  }

  /// Its machine has more to do than it can: its process has turns, but each only some time after there is something to read, and
  /// reads all of that at once.
  package func isKeptWaiting(for duration: Nanoseconds, turnEvery interval: Nanoseconds) {
    let participant = participant
    let end = room.now + duration
    participant.busy = (until: end, turnEvery: interval)
    room.actionTimes.append(room.now)
    room.at(end) { $0.actionTimes.append(end) }
  }

  /// Its process dies; the hub learns of it later, the player with it.
  package func vanish(hubNoticesAfter delay: Nanoseconds) {
    room.breakLink(of: participant, noticedAfter: .seconds(1_000_000), hubNoticesAfter: delay, backAfter: nil)
    room.noteAction()
    room.noteEnd(of: participant)
    participant.isRunning = false
  }

  /// Loses its link; nil: it does not come back by itself.
  package func loseLink(
    noticedAfter: Nanoseconds = 0, hubNoticesAfter: Nanoseconds = 0, backAfter: Nanoseconds? = nil
  ) {
    room.breakLink(
      of: participant, noticedAfter: noticedAfter, hubNoticesAfter: hubNoticesAfter, backAfter: backAfter)
  }

  /// Its hub says that of what these said something may be missing.
  package func isToldOfLosses(_ others: [Person]) { room.deliver(.missed(others.map { $0.id }.sorted()), to: participant) }

  /// Tries the hub again after its link was lost.
  package func reconnect() { room.connect(participant) }

  /// What it sends, and what is sent to it, is held back that long and then comes at once and in order: packets of a TCP
  /// connection are lost for a while, but the connection is not. What is on the way already arrives.
  package func stallLink(for duration: Nanoseconds) {
    room.log.note(room.now, name, "link stalls for \(seconds(duration))")
    room.actionTimes.append(room.now)
    participant.link.stalledUntil = max(participant.link.stalledUntil, room.now + duration)
    let end = participant.link.stalledUntil
    room.at(end) { $0.actionTimes.append(end) }
  }

  /// Its machine sleeps: process, player and monotonic clock stand. On waking it notices that, forgets what it knew of the
  /// hub's clock, and measures anew. A hub that waits for longer than `hubPatience` closes the connection meanwhile;
  /// otherwise what was sent to it is read on waking.
  package func sleep(for duration: Nanoseconds, hubPatience: Nanoseconds = .seconds(15)) {
    let participant = participant
    let wakes = room.now + duration
    room.log.note(room.now, name, "sleeps for \(seconds(duration))")
    room.actionTimes.append(room.now)
    participant.stoppedUntil = max(participant.stoppedUntil, wakes)
    participant.asleepUntil = max(participant.asleepUntil, wakes)
    participant.clock.sleep(from: room.now, for: duration)
    participant.link.stalledUntil = max(participant.link.stalledUntil, wakes)
    if duration > hubPatience {
      room.breakLink(of: participant, noticedAfter: duration, hubNoticesAfter: hubPatience, backAfter: duration)
    }
    room.at(wakes) { room in
      guard participant.isRunning else { return }
      room.actionTimes.append(room.now)
      room.wake(participant)
    }
  }

  /// Its belief about every hub's clock is off by `error` from now on, though it states `bound`; an honest one has an error
  /// within its bound.
  package func clockIsOff(by error: Nanoseconds, bound: Nanoseconds? = nil) {
    participant.clock.error = error
    participant.clock.errorBound = bound ?? max(participant.clock.errorBound, error.absolute)
    for index in participant.hubErrors.indices { participant.hubErrors[index] = error }
    if participant.link.connection != nil { room.synchronise(participant, after: 0) }
  }

  /// From now on its policy levels reach nobody.
  package func saysNothingOfPolicies() { participant.hidesPolicies = true }

  /// It is going to lie: nothing is asked of it, and nobody is blamed for doubting it.
  package func isKnownToLie() { participant.lies = true }

  /// Its hub says that another is gone, which is not so, and keeps from it what that one sends.
  package func doesNotHear(_ other: Person, for duration: Nanoseconds) {
    room.log.note(room.now, name, "does not hear \(other.name) for \(seconds(duration))")
    guard let connection = other.participant.link.connection else { return }
    participant.hidden[other.id] = room.now + duration
    let (participant, member) = (participant, Member(id: other.id, connection: connection, age: 0))
    room.deliver(
      .presence(joined: [], gone: [Departure(id: other.id, connection: connection, left: false)]), to: participant)
    room.after(duration) { $0.deliver(.presence(joined: [member], gone: []), to: participant) }
  }

  /// From its next link on it measures the hub's clock with the library's own filter, on this network, instead of being given
  /// a model with a constant error.
  package func measuresClock(_ measures: Bool = true) { participant.measuresClock = measures }

  /// From now on its hub lies to it, and to nobody else, about its clock: `shift` more than that shows, and growing by `drift`
  /// parts per million. Who does not measure its clock is told at its next link.
  package func isLiedTo(shift: Nanoseconds = 0, drift: Double = 0) {
    room.log.note(room.now, name, "hub lies: \(seconds(shift)) and \(drift) ppm")
    participant.hubLie = HubLie(shift: shift, drift: drift, since: room.now)
  }

  /// Whose clocks contradict its own one.
  package var contradictingClocks: [String] {
    let ids = participant.read { $0.contradictingClocks }
    return room.people.filter { ids.contains($0.id) }.map { $0.name }
  }

  /// How far its idea of group time is off now, ns, and how far at most by its own word; nil: it has none.
  package var clockError: (error: Nanoseconds, bound: Nanoseconds)? {
    let host = participant.clock.host(at: room.now)
    guard let model = participant.groupClock else { return nil }
    return (model.remote(at: host) - room.groupTime, model.error(at: host))
  }
}

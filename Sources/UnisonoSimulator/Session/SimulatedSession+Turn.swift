import UnisonoBase
import UnisonoCoordination

/// Loop turns: what arrived is handled, then settled, then carried out.
extension SimulatedSession {
  /// Puts an event into a participant's loop; it is read in its next turn.
  func deliver(_ event: CoordinationEvent, to participant: Participant) {
    guard participant.isRunning else { return }
    let coordinator = participant.coordinator
    let participant = first(of: participant)
    participant.inbox.append(Arrival(coordinator: coordinator, event: event))
    guard !participant.isTurnScheduled else { return }
    let wait = now < participant.busy.until ? participant.busy.turnEvery : participant.turnDelay
    let due = max(now + wait, participant.stoppedUntil)
    if due <= now {
      turn(participant)
    } else {
      participant.isTurnScheduled = true
      at(due) { room in
        participant.isTurnScheduled = false
        room.turn(participant)
      }
    }
  }

  func turn(_ participant: Participant) {
    guard participant.isRunning else { return }
    if now < participant.stoppedUntil {
      guard !participant.isTurnScheduled else { return }
      participant.isTurnScheduled = true
      at(participant.stoppedUntil) { room in
        participant.isTurnScheduled = false
        room.turn(participant)
      }
      return
    }
    guard !spins(participant) else { return }
    let host = participant.clock.host(at: now)
    let events = participant.inbox
    participant.inbox = []
    for arrival in events {
      eventCount += 1
      let event = arrival.event
      if let name = arrival.coordinator {
        handle(event, of: name, at: participant)
        continue
      }
      note(event, of: participant)
      mark(event, of: participant)
      if event.isLoss { participant.losses.append(now) }
      if case .secured = event { participant.securedAt = now }
      if event.isRequest, let time = participant.groupClock?.remote(at: host) {
        participant.requests.append(Dated(at: now, value: time))
      }
      followSide(event, at: participant)
      if case .leave = event { leaveCoordinators(of: participant) }
      carryOut(participant.coordination.handle(event, now: host), for: participant)
      followInNamed(event, at: participant)
    }
    let settled = participant.coordination.settle(now: host)
    checkTurn(of: participant)
    if participant.layer != nil { feed(participant.read { $0.view }, to: participant) }
    carryOut(settled, for: participant)
    noteFirstBelief(of: participant)
    settleNamed(participant)
    scheduleWake(of: participant)
    settleSide(participant)
  }

  /// A machine woke from sleep: its clock stood, so that nothing it knew of the hub's holds any more.
  func wake(_ participant: Participant) {
    // Sleep is noticed before any timer runs: nothing is said any more of the clock as it was measured before.
    participant.inbox.removeAll { if case .clock = $0.event { true } else { false } }
    participant.inbox.insert(Arrival(event: .slept), at: 0)
    deliver(.tick, to: participant)
    participant.measured?.discard(at: participant.clock.host(at: now))
    if participant.link.connection != nil { learnClock(participant) }
  }

  /// A coordination that wakes itself at once again and again would stop time: it is reported and left alone.
  private func spins(_ participant: Participant) -> Bool {
    if participant.turnsAtInstant.time == now {
      participant.turnsAtInstant.count += 1
    } else {
      participant.turnsAtInstant = (now, 1)
    }
    guard participant.turnsAtInstant.count > 1_000 else { return false }
    violate("spins", "\(participant.name) had a thousand turns at one instant")
    participant.isRunning = false
    return true
  }

  /// (t): what holds after each turn of a coordination does; what costs more is judged after some.
  func checkTurn(of participant: Participant) {
    guard !participant.lies else { return }
    participant.turns += 1
    let looksAtAll = participant.turns % 8 == 0
    let broken = participant.read { $0.brokenInvariants + (looksAtAll ? $0.brokenDerivations : []) }
    for rule in broken { violate("t", "\(participant.name): not so: \(rule)") }
    for other in participant.read({ $0.contradictingClocks }) where !participants.contains(where: { $0.id == other && $0.lies }) {
      violate("clocks", "\(participant.name) takes the clock of \(other) for wrong, and every hub tells the truth")
    }
  }

  private func scheduleWake(of participant: Participant) {
    let wakes = [participant.read { $0.nextWake }, participant.machine.named.nextWake]
    guard let host = wakes.compactMap({ $0 }).min() else {
      participant.wakesAt = nil
      return
    }
    let time = max(now, participant.clock.time(at: host))
    guard time < .max, participant.wakesAt != time else { return }
    participant.wakesAt = time
    at(firing(of: time, for: participant)) { room in
      guard participant.wakesAt == time else { return }
      participant.wakesAt = nil
      room.deliver(.tick, to: participant)
    }
  }

  /// When a timer for a true time fires: 0.1...1.5 ms later, as the kernel and the loop take their time. What is due already is
  /// done in the next round of the loop.
  func firing(of time: Nanoseconds, for participant: Participant) -> Nanoseconds {
    time <= now ? now : time.adding(participant.lateness.number(in: .microseconds(100)...(.microseconds(1_500))))
  }

  func carryOut(_ effects: [CoordinationEffect], for participant: Participant) {
    for effect in effects {
      note(effect, of: participant)
      mark(effect, of: participant)
      switch effect {
      case .send(let message, let to):
        participant.history.sent.append(Dated(at: now, value: .init(message: message, to: to)))
        if case .update = message { count(participant) }
        noteCells(in: message, of: participant)
        send(message, from: participant, to: to)
      case .playback(let effect): carryOut(effect, for: participant)
      case .session(let effect):
        if case .joined = effect { participant.chat?.isEntering = true }
        if case .policyChanged = effect, participant.read({ !$0.view.mayCommand }) { participant.deniedAt = now }
        participant.history.record(effect, at: now)
      }
    }
  }

  private func carryOut(_ effect: PlaybackEffect, for participant: Participant) {
    if participant.layer != nil { tellLayer(effect, of: participant) }
    switch effect {
    case .command(let command): give(command, to: participant)
    case .commandOverdue(let command): participant.history.overdue.append(Dated(at: now, value: command))
    case .timingChanged(let change):
      participant.history.timing.append(Dated(at: now, value: change))
      noteWaiting(change.status == .waiting, of: participant)
    case .suspensionsChanged(let reasons): participant.history.suspensions.append(Dated(at: now, value: reasons))
    case .refused(let operation, let status, _):
      participant.history.refusals.append(Dated(at: now, value: .init(operation: operation, status: status)))
    }
  }

  func noteWaiting(_ waits: Bool, of participant: Participant) {
    let open = participant.history.waits.last.map { $0.to == nil } ?? false
    if waits, !open {
      participant.history.waits.append(.init(from: now, to: nil))
    } else if !waits, open {
      participant.history.waits[participant.history.waits.count - 1].to = now
    }
  }

  func violate(_ invariant: String, _ what: String) {
    violations.append(Violation(invariant: invariant, at: now, what: what))
    log.note(now, "VIOLATION (\(invariant))", what)
    fingerprint?.add(invariant)
  }
}

extension CoordinationEvent {
  /// A person's, which may become a command.
  var isRequest: Bool {
    switch self {
    case .rateChange, .seek, .endSuspension: true
    default: false
    }
  }

  /// Others are out of reach from here on, or some of them.
  fileprivate var isLoss: Bool {
    switch self {
    case .linkDown: true
    case .presence(_, let gone): !gone.isEmpty
    default: false
    }
  }
}

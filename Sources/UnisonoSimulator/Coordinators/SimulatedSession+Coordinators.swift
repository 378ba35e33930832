import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoWire

/// Coordinators beside the session's first one (coordination 2.22): the library's own `NamedCoordinations` in each process, and a host
/// for each that is open, which is a `Participant` of its own on the same machine.
extension SimulatedSession {
  /// Who has or had one of a name.
  package func people(of name: CoordinatorName) -> [Person] {
    coordinators[name, default: NamedCoordinator()].participants.map { Person(room: self, participant: $0) }
  }

  /// One of a participant's coordinators that is open; nil as a name: the first one.
  func open(_ name: CoordinatorName?, of participant: Participant) -> Participant? {
    guard let name else { return participant }
    return coordinators[name]?.participants.last { $0.isOpen && $0.id == participant.id }
  }

  /// The same participant at the session's first coordinator.
  func first(of participant: Participant) -> Participant {
    guard participant.coordinator != nil else { return participant }
    return participants.first { $0.id == participant.id } ?? participant
  }

  /// Somebody has a coordinator; nil: the first one, which everybody has.
  func has(_ name: CoordinatorName?, _ id: ParticipantID) -> Bool {
    name.flatMap { coordinators[$0] }.map { $0.participants.contains { $0.id == id && $0.isRunning } } ?? true
  }

  /// It is no longer on its way into the group of its coordinator.
  func hasEntered(_ participant: Participant) -> Bool {
    participant.coordinator == nil || participant.read { $0.isConnected }
  }

  func opensCoordinator(_ name: CoordinatorName, at participant: Participant) {
    guard participant.isRunning, open(name, of: participant) == nil else { return }
    let count = coordinators.values.reduce(1) { $0 + $1.participants.count }
    let before = coordinators[name]?.participants.count { $0.id == participant.id } ?? 0
    let host = Participant(
      name: "\(participant.name)/\(name)\(before == 0 ? "" : "/\(before + 1)")", id: participant.id, machine: participant.machine,
      coordinator: name, firstCommand: UInt64(count) << 32, openedAt: now,
      player: Player(abilities: participant.player.abilities, at: participant.clock.host(at: now)), lateness: participant.lateness)
    host.reportsEvery = participant.reportsEvery
    coordinators[name, default: NamedCoordinator()].participants.append(host)
    participant.machine.named.add(name, of: participant.machine.configuration, firstCommand: host.firstCommand) {
      StatementBody.digestInput(of: $0, of: name)
    }
    noteAction()
    noteAction(at: name)
    tellCoordinators(of: participant)
  }

  // MARK: Loop turns

  /// What came for one of a process's named coordinators.
  func handle(_ event: CoordinationEvent, of name: CoordinatorName, at participant: Participant) {
    guard let one = open(name, of: participant) else { return }
    note(event, of: one)
    mark(event, of: one)
    if case .leave = event { return close(one, of: participant) }
    let host = participant.clock.host(at: now)
    if event.isRequest, let time = one.groupClock?.remote(at: host) {
      one.requests.append(Dated(at: now, value: time))
      if participant.coordination.isApart { one.requestsApart.insert(now) }
    }
    if case .message(let message, let sender) = event {
      let around = surroundings(of: participant)
      let effects = participant.machine.named.receive(
        message, from: sender, of: name, participant.coordination, around, now: host)
      carryOut(effects, at: participant)
    } else {
      carryOut(participant.machine.named.handle(event, of: name, participant.coordination, now: host), at: participant)
    }
  }

  func followInNamed(_ event: CoordinationEvent, at participant: Participant) {
    if case .setCoordinators(let names) = event {
      for name in names.sorted() { open(name, of: participant)?.isListed = true }
      recordConnectedGroups()
    }
    guard !participant.machine.named.isEmpty else { return }
    let host = participant.clock.host(at: now)
    carryOut(participant.machine.named.follow(event, participant.coordination, now: host), at: participant)
  }

  func settleNamed(_ participant: Participant) {
    guard !participant.machine.named.isEmpty else { return }
    let host = participant.clock.host(at: now)
    let settled = participant.machine.named.settle(participant.coordination, surroundings(of: participant), now: host)
    for name in participant.machine.named.names.sorted() {
      guard let one = open(name, of: participant) else { continue }
      checkTurn(of: one)
      noteFirstBelief(of: one)
    }
    carryOut(settled, at: participant)
    participant.coordination.setPlayingBeside(participant.machine.named.isPlaying)
  }

  private func surroundings(of participant: Participant) -> NamedCoordinations.Surroundings? {
    participant.sight.hub.map { NamedCoordinations.Surroundings(members: participant.sight.connections, hub: $0) }
  }

  /// Who leaves the session says so at each.
  func leaveCoordinators(of participant: Participant) {
    let host = participant.clock.host(at: now)
    for name in participant.machine.named.names.sorted() {
      carryOut(participant.machine.named.handle(.leave, of: name, participant.coordination, now: host), at: participant)
    }
  }

  private func close(_ one: Participant, of participant: Participant) {
    guard let name = one.coordinator else { return }
    let host = participant.clock.host(at: now)
    one.close()
    let goodbye = participant.machine.named.remove(name, firstCommand: one.firstCommand, participant.coordination, now: host)
    for step in goodbye { carryOut(step.effects, for: one) }
    participant.coordination.setPlayingBeside(participant.machine.named.isPlaying)
    noteWaiting(false, of: one)
    recordConnectedGroup()
    tellCoordinators(of: participant)
  }

  private func tellCoordinators(of participant: Participant) {
    deliver(.setCoordinators(participant.machine.named.names), to: participant)
  }

  private func carryOut(_ effects: NamedCoordinations.Effects, at participant: Participant) {
    for step in effects {
      if let one = open(step.name, of: participant) { carryOut(step.effects, for: one) }
    }
  }

  /// Somebody has a coordinator and has told the others that it has: who did not is nobody's company there.
  private func lists(_ name: CoordinatorName, _ id: ParticipantID) -> Bool {
    coordinators[name]?.participants.contains { $0.id == id && $0.isRunning && $0.isListed } ?? false
  }

  // MARK: Books

  func note(_ cell: WrittenCell, of participant: Participant) {
    if let name = participant.coordinator { coordinators[name]?.written.append(cell) } else { written.append(cell) }
  }

  func count(_ participant: Participant) {
    if let name = participant.coordinator { coordinators[name]?.messageCount += 1 } else { messageCount += 1 }
  }

  /// A participant's process ends.
  func noteEnd(of participant: Participant) {
    noteWaiting(false, of: participant)
    for name in coordinators.keys.sorted() {
      if let one = open(name, of: participant) { noteWaiting(false, of: one) }
    }
  }

  func recordConnectedGroups() {
    for name in coordinators.keys.sorted() {
      let counts = hubs.map { hub in hub.members.count { hub.carries($0.value.connection) && lists(name, $0.key) } }
      let largest = counts.max() ?? 0
      if coordinators[name]?.connectedGroups.last?.value != largest {
        coordinators[name]?.connectedGroups.append(Dated(at: now, value: largest))
      }
    }
  }
}

extension Person {
  /// Opens a coordinator beside the first one; nothing if one of its name is open.
  package func opens(_ name: CoordinatorName) { room.opensCoordinator(name, at: participant) }
  package func closes(_ name: CoordinatorName) {
    guard let one = room.open(name, of: participant) else { return }
    room.noteAction()
    room.noteAction(at: name)
    room.deliver(.leave, to: one)
  }
  /// The same person at another of its coordinators; nil: that is not open.
  package func at(_ name: CoordinatorName) -> Person? {
    room.open(name, of: participant).map { Person(room: room, participant: $0) }
  }
}

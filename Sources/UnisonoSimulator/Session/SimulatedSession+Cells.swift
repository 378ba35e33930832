import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// Keeps the books of commands: which cells their authors sent, and when.
extension SimulatedSession {
  func noteCells(in message: CoordinationMessage, of participant: Participant) {
    let statements: [Statement]
    switch message {
    case .update(let sent): statements = sent
    case .snapshot(let sent): statements = sent ?? []
    case .beat, .have, .want, .levels: return
    }
    for statement in statements where statement.author == participant.id {
      guard isCommand(statement) else { continue }
      let name = CellName(key: statement.key, stamp: statement.stamp)
      guard participant.written.insert(name).inserted else { continue }
      let hub = hubs[participant.link.hub]
      let carried = participant.link.connection.map(hub.carries) ?? false
      // Who does not hear it, noticed or not, is in no connected group with it.
      let others = hub.members.filter { member in
        member.key != participant.id && hub.carries(member.value.connection) && has(participant.coordinator, member.key)
      }
      checkPermission(of: statement, by: participant)
      // What is sent long after it was stamped was given while nobody could hear it.
      let given = givenTime(of: statement, by: participant)
      let isFresh = now - given < .milliseconds(8)
      let isUnaware = participant.losses.contains { ($0 - given).absolute < .milliseconds(8) }
      note(
        WrittenCell(
          at: isFresh ? now : given, author: participant.name, key: statement.key, stamp: statement.stamp,
          value: statement.value, policy: statement.policy, sentAt: now, isFresh: isFresh, isUnaware: isUnaware,
          isToNewcomers: others.keys.allSatisfy { wasNew($0, to: participant, at: given) }
            && (!participant.requestsApart.contains(given)
              || ([participant.id] + others.keys).allSatisfy { wasAlone($0, of: participant, at: given) }),
          clockError: clockError(of: participant), guess: guess(of: participant, among: others.keys),
          // What was asked for a moment before it could speak has no better stamp than its clock had by then.
          isInGroup: carried && !others.isEmpty && isFresh && given >= participant.securedAt && hasEntered(participant)), of: participant)
    }
  }

  /// Nobody had told it anything by then, at the coordinator of `participant`.
  private func wasAlone(_ id: ParticipantID, of participant: Participant, at given: Nanoseconds) -> Bool {
    participants.first { $0.id == id }.flatMap { open(participant.coordinator, of: $0) }?.met.values.allSatisfy { $0 > given } ?? true
  }

  /// They may have met since, before it could be said.
  private func wasNew(_ id: ParticipantID, to participant: Participant, at given: Nanoseconds) -> Bool {
    let other = participants.first { $0.id == id }.flatMap { open(participant.coordinator, of: $0) }
    return other?.met[participant.id].map { $0 > given } ?? true
  }

  /// True time at which something was stamped: that of the request it came of; of what the library wrote by itself, by the
  /// author's clock.
  private func givenTime(of statement: Statement, by participant: Participant) -> Nanoseconds {
    if let request = participant.requests.last(where: {
      $0.value.subtracting(statement.time).absolute < .milliseconds(1)
    }) {
      return request.at
    }
    let host = participant.clock.host(at: now)
    let age = participant.groupClock?.remote(at: host).subtracting(statement.time) ?? 0
    return now - max(0, age)
  }

  /// As it is by the first hub's clock, but not more than it may be by its own word.
  private func clockError(of participant: Participant) -> Nanoseconds {
    errors(of: participant).map { min($0.real, $0.stated) } ?? 0
  }

  private func guess(of participant: Participant, among others: some Sequence<ParticipantID>) -> Nanoseconds {
    let isKnown = others.contains { id in
      let other = participants.first { $0.id == id }.flatMap { open(participant.coordinator, of: $0) }
      return other.flatMap { errors(of: $0) }.map { $0.real <= $0.stated } ?? false
    }
    guard !isKnown, let own = errors(of: participant), own.real > own.stated else { return 0 }
    return own.real
  }

  /// Of group time: as it is by the first hub's clock, and as it may be by the participant's own word; nil: it knows none.
  private func errors(of participant: Participant) -> (real: Nanoseconds, stated: Nanoseconds)? {
    let host = participant.clock.host(at: now)
    return participant.groupClock.map { (($0.remote(at: host) - groupTime).absolute, $0.error(at: host)) }
  }

  /// (p): nobody sends a command that it may not give, by the policy that the command itself cites.
  private func checkPermission(of statement: Statement, by participant: Participant) {
    guard !participant.lies, participant.read({ statement.policy == $0.policy.id && !$0.view.mayCommand }) else { return }
    violate("p", "\(participant.name) sends a command, though it may not command")
  }

  private func isCommand(_ statement: Statement) -> Bool {
    switch statement.value {
    case .rate(let value): value.rank == .command && value.original == nil
    case .position(let value): value.rank == .command && value.original == nil
    default: false
    }
  }
}

/// Asking one member after another for all registers (coordination 2.13).
extension Coordination {
  mutating func startPull() {
    membership.pull = Membership.Pull(asked: nil, answerBy: now)
    askNext()
  }

  private mutating func askNext() {
    guard var pull = membership.pull, membership.secured else { return }
    let members = presence.byAge()
    if let next = members.first(where: { !pull.refused.contains($0) }) {
      pull.asked = next
      pull.answerBy = now.adding(Parameters.snapshotAnswer).adding((clock.roundTrip ?? 0) * 2)
      membership.pull = pull
      direct(.want([]), to: next)
      return
    }
    if membership.joined {
      finishPull()
    } else if members.isEmpty {
      // Nobody is there: whoever comes is asked.
      membership.pull = nil
    } else {
      // All are joining themselves: they are asked again, as somebody may have been told meanwhile.
      pull.asked = nil
      pull.refused = []
      pull.answerBy = now.adding(Parameters.snapshotAnswer)
      membership.pull = pull
    }
  }

  mutating func takeSnapshot(_ statements: [Statement]?, from sender: ParticipantID) {
    guard let statements else {
      guard membership.pull?.asked == sender else { return }
      membership.pull?.refused.insert(sender)
      askNext()
      return
    }
    receive(statements, from: sender)
    guard membership.pull != nil else { return }
    if !membership.joined { becomeJoined() }
    finishPull()
  }

  mutating func checkPull() {
    guard let pull = membership.pull, membership.secured, now >= pull.answerBy else { return }
    if let asked = pull.asked { membership.pull?.refused.insert(asked) }
    askNext()
  }

  /// Host time at which somebody did not answer.
  var pullWake: HostTime? { membership.secured ? membership.pull?.answerBy : nil }

  private mutating func finishPull() {
    membership.pull = nil
    if apart.meetingUntil != nil, !waitsForClock { endApart(keepingAll: false) }
  }

  mutating func becomeJoined() {
    membership.joined = true
    heartbeat.next = now
    if membership.participates { notices.append(.joined) }
    refreshClock()
  }

  /// A member's question for registers.
  mutating func answer(_ wanted: [RegisterKey], to asker: ParticipantID) {
    if wanted.isEmpty {
      // Who is apart has nothing to give before it is decided what of it counts.
      let knows = membership.joined && !(apart.isApart && isReturning(asker))
      // But its own register tells the asker since when it is apart.
      if !knows, apart.isApart, let own = registers[.participant(local)] { direct(.update([own]), to: asker) }
      if knows { tellPolicies(to: asker) }
      let statements = registers.statements.values.filter { $0.key.isParticipant || policies.knows($0.policy) }
      direct(.snapshot(knows ? statements.sorted { $0.stamp < $1.stamp } : nil), to: asker)
    } else if wanted.contains(.policy) {
      tellPolicies(to: asker)
    } else if !apart.isApart {
      let statements = wanted.compactMap { registers[$0] }
      if !statements.isEmpty { direct(.update(statements), to: asker) }
    }
  }

  /// Sends to one participant, at once.
  mutating func direct(_ message: CoordinationMessage, to receiver: ParticipantID) {
    guard membership.secured else { return }
    sends.append(.send(message, to: receiver))
  }

  mutating func broadcast(_ message: CoordinationMessage) {
    guard membership.secured, !presence.byAge().isEmpty else { return }
    sends.append(.send(message, to: nil))
  }
}

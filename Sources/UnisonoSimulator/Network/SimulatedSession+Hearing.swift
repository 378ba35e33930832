import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// Who was told what by whom.
extension SimulatedSession {
  /// A message can be read.
  func hear(_ held: CoordinationHeld, at participant: Participant) {
    // What is said of a coordinator that is not here is dropped unread.
    guard let participant = open(held.coordinator, of: participant) else { return }
    noteHeard(held, at: participant)
    deliver(.message(held.message, from: held.sender), to: participant)
  }

  private func noteHeard(_ held: CoordinationHeld, at participant: Participant) {
    let statements: [Statement]
    switch held.message {
    case .update(let sent): statements = sent
    case .snapshot(let sent): statements = sent ?? []
    case .beat, .have, .want, .levels: statements = []
    }
    let isApart = participant.read { $0.isApart }
    for statement in statements {
      let original: Stamp?
      switch statement.value {
      case .rate(let value): original = value.original
      case .position(let value): original = value.original
      default: continue
      }
      let name = CellName(key: statement.key, stamp: original ?? statement.stamp)
      participant.heard.insert(name)
      if isApart { participant.heardApart.insert(name) } else { participant.heardApart.remove(name) }
    }
    guard let author = participants.first(where: { $0.id == held.sender }), let sender = open(held.coordinator, of: author) else { return }
    participant.met[sender.id] = participant.met[sender.id] ?? now
    let met = max(sender.securedAt, participant.securedAt) + Self.exchange
    if held.sent > met { participant.lastTold[sender.name] = held.sent }
  }

  /// Who has met somebody again has told what it has to tell by then: what may still count is kept for 5 s, and exchanging it
  /// takes a moment.
  static let exchange = Nanoseconds.milliseconds(6_500)
}

import UnisonoBase
import UnisonoReplica

/// Which persons a command waits for, as it says itself (coordination 2.16).
extension Facts {
  /// Until when a start from a pause waits for persons, by the session's policy; nil: it does not.
  func readyWait(for cells: Cells) -> GroupTime? {
    let policy = startPolicy
    switch policy.waiting {
    case .none: return nil
    case .first where cells.wasStarted: return nil
    case .first, .every: return groupNow.adding(policy.limit)
    }
  }

  /// Who is excused of a start, as a command names them that takes the place of its R: whoever commanded it stays so.
  func excused(of cells: Cells, and others: [ParticipantID] = []) -> [ParticipantID] {
    Set(cells.excused + [cells.pair.rate.stamp.author] + others).sorted()
  }

  /// The start that waits for persons, without the persons of these participants, or of anybody (`ids` empty); nil: none waits.
  func start(without ids: [ParticipantID], on item: ItemID) -> [Intent]? {
    guard let cells = registers.cells(of: item), case .preparing(let preparation) = EffectiveState(cells),
      let until = preparation.readyUntil, groupNow < until
    else { return nil }
    let excused = excused(of: cells, and: ids)
    let isForSome = !ids.isEmpty && excused.count <= WireLimits.namedPersons
    let atOnce = isAlone(on: item)
    let write = rateWrite(
      preparation.rate, at: preparation.at, cells, on: item, waiting: !atOnce,
      readyUntil: isForSome && !atOnce ? until : nil, named: isForSome && !atOnce ? excused : [])
    return atOnce ? [write, startNow(on: item)] : [write]
  }
}

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

  /// How a command waits for persons that takes the place of the R of a start that does: as long as that would, and for nobody whom
  /// that did not wait for, its author among them. For no person, where these are more than a command can name.
  func readyWait(on preparation: EffectiveState.Preparation, _ cells: Cells, without others: [ParticipantID] = [])
    -> (until: GroupTime?, excused: [ParticipantID])
  {
    let excused = Set(cells.excused + [cells.pair.rate.stamp.author] + others).sorted()
    guard let until = preparation.readyUntil, excused.count <= WireLimits.namedPersons else { return (nil, []) }
    return (until, excused)
  }

  /// The start that waits for persons, without the persons of these participants, or of anybody (`ids` empty); nil: none waits.
  func start(without ids: [ParticipantID], on item: ItemID) -> [Intent]? {
    guard let cells = registers.cells(of: item), case .preparing(let preparation) = EffectiveState(cells),
      let until = preparation.readyUntil, groupNow < until
    else { return nil }
    let atOnce = isAlone(on: item)
    let wait = ids.isEmpty || atOnce ? (until: nil, excused: []) : readyWait(on: preparation, cells, without: ids)
    let write = rateWrite(
      preparation.rate, at: preparation.at, cells, on: item, waiting: !atOnce, readyUntil: wait.until, named: wait.excused)
    return atOnce ? [write, startNow(on: item)] : [write]
  }
}

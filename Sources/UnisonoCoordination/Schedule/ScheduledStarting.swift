import UnisonoBase
import UnisonoReplica

/// The play that a scheduled start is, by whoever of those on its item is there (coordination 2.7).
///
/// It is a play as a person gives it, a little before the time, so that everybody is prepared by then; the start that follows is
/// written for the instant. It has no state: who is there, what was commanded and what is scheduled say all.
struct ScheduledStarting: Sendable {
  /// The play, if it is due and ours to write. `isReconciling`: others are met again, and it is not known yet what counts.
  func start(_ facts: borrowing Facts, isReconciling: Bool) -> [Intent] {
    guard !isReconciling, let time = time(facts), facts.now >= time, let item = facts.own.item,
      let cells = facts.registers.cells(of: item)
    else { return [] }
    return facts.play(1, immediately: false, cells, on: item) { $0 }
  }

  /// Host time at which the play is ours to write.
  func wake(_ facts: borrowing Facts) -> HostTime? { time(facts).flatMap { $0 > facts.now ? $0 : nil } }

  private func time(_ facts: borrowing Facts) -> HostTime? {
    guard facts.knowsInstants, let start = facts.scheduledStart?.value, facts.own.item == start.item,
      facts.groupNow < start.instant.adding(Parameters.schedulePatience), let cells = facts.registers.cells(of: start.item),
      // Whoever commanded since knew of it.
      cells.pair.rate.stamp.time < start.opening, case .paused = EffectiveState(cells),
      let rank = facts.keeperRank(for: cells, on: start.item)
    else { return nil }
    let begins = facts.startsAtOnce(on: start.item) ? start.instant : start.opening
    return facts.clock.wake(at: begins).adding(facts.takeoverDelay(rank: rank))
  }
}

extension ScheduledStart {
  /// Group time at which players begin to prepare.
  var opening: GroupTime { instant.subtracting(Parameters.scheduleOpening) }
}

extension Facts {
  /// What was scheduled last, and who said so; nil: nothing, or it was called off.
  var scheduledStart: (value: ScheduledStart, said: Stamp)? { registers.scheduledStart }

  /// The instant before which a start of this pair is not made, as it is the scheduled one; nil: none, or it is past.
  func scheduledInstant(of cells: Cells, on item: ItemID) -> GroupTime? {
    scheduledInstant(commanded: cells.pair.rate.stamp.time, on: item)
  }

  /// The same of a play that was commanded at this group time.
  func scheduledInstant(commanded time: GroupTime, on item: ItemID) -> GroupTime? {
    guard let start = scheduledStart?.value, start.item == item, time >= start.opening, groupNow < start.instant else { return nil }
    return start.instant
  }
}

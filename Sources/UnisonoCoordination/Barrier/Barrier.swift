import UnisonoBase
import UnisonoReplica

/// What continues the current item's pair of cells: the start that everybody is waited for, the hold for one that stalls, the
/// going on at the end of a range that is left out, and the end (coordination 2.6, 2.7, 2.20).
struct Barrier: Sendable {
  /// A continuation that a keeper writes: what, and after which one.
  private struct Step: Hashable, Sendable {
    enum Kind: Sendable { case start, hold, skip, ended }
    var kind: Kind
    var base: Pair
    var sequence: UInt32
  }

  /// What is to be written, and when that became due in our own view.
  private var due: (step: Step, since: HostTime)?
  /// The own readiness came in this turn: it may complete the set.
  private(set) var completedThisTurn = false
  private var holds = StallHolds()
  /// One whom the start waited for when that was asked last: as long as it still does nobody else need be asked about.
  private var awaited: ParticipantID?

  /// The own host became ready, or its person.
  mutating func complete() { completedThisTurn = true }

  mutating func endTurn() { completedThisTurn = false }

  /// Nothing of the current item is continued.
  mutating func reset() { due = nil }

  /// Lets go of one participant.
  mutating func forget(_ id: ParticipantID) { holds.forget(id) }

  /// The start of the current item, if it is waited for, due and ours to write. `isReconciling`: others are met again, and it
  /// is not known yet what there is to continue.
  mutating func decideStart(_ facts: borrowing Facts, isReconciling: Bool) -> [Intent] {
    guard let item = facts.own.item, facts.session.phase != .joining, let cells = facts.registers.cells(of: item) else {
      due = nil
      return []
    }
    switch EffectiveState(cells) {
    case .preparing(let preparation):
      return decideStart(preparation, cells: cells, on: item, facts, isReconciling: isReconciling)
    case .none, .paused:
      due = nil
      return []
    case .playing:
      return []
    }
  }

  /// The end, a range's end or a hold of the current item, if it runs, and one is due and ours to write. `isNew`: it runs by the start that
  /// was written just now; where everybody stands at the end already there is nothing to run.
  mutating func decideEndOrHold(_ facts: borrowing Facts, isNew: Bool, isReconciling: Bool) -> [Intent] {
    guard let item = facts.own.item, facts.session.phase != .joining, let cells = facts.registers.cells(of: item),
      case .playing(let playing) = EffectiveState(cells)
    else { return [] }
    let end = decideEnd(playing, cells: cells, on: item, facts, isReconciling: isReconciling)
    // One at a time is waited for: what has ended skips nothing, and what is left out stalls nobody.
    if isNew || !end.isEmpty || due?.step.kind == .ended { return end }
    return decideSkip(playing, cells: cells, on: item, facts, isReconciling: isReconciling)
      ?? decideHold(playing, cells: cells, on: item, facts, isReconciling: isReconciling)
  }

  /// Whether a step that is due is ours to write by now: `delay` after it became so; nil: never. From then on it is due, and
  /// once claimed no more.
  private mutating func claim(_ step: Step, after delay: Nanoseconds?, _ facts: borrowing Facts, isReconciling: Bool) -> Bool {
    if due?.step != step { due = (step, facts.now) }
    guard let since = due?.since, !facts.isOwnLinkFresh, !isReconciling, let delay, facts.now >= since.adding(delay)
    else { return false }
    due = nil
    return true
  }

  /// A step of this kind is not due any more.
  private mutating func drop(_ kind: Step.Kind) {
    if due?.step.kind == kind { due = nil }
  }

  // MARK: The start

  private mutating func decideStart(
    _ preparation: EffectiveState.Preparation, cells: Cells, on item: ItemID, _ facts: borrowing Facts, isReconciling: Bool
  ) -> [Intent] {
    let instant = facts.scheduledInstant(of: cells, on: item)
    guard isDue(preparation, cells: cells, item: item, facts), instant.map({ facts.groupNow >= decision(for: $0, on: item, facts) }) ?? true
    else {
      due = nil
      return []
    }
    let step = Step(kind: .start, base: preparation.pair, sequence: preparation.sequence)
    let delay = decisionDelay(preparation, cells: cells, item: item, facts)
    guard claim(step, after: delay, facts, isReconciling: isReconciling) else { return [] }
    let start = preparation.readiness
    let ready = facts.required(for: cells, on: item).count { facts.isReady($0, for: start) }
    return [
      .write(
        .continuation(item),
        .continuation(
          ContinuationValue(
            base: preparation.pair, sequence: preparation.sequence &+ 1,
            kind: .line(
              coverage: UInt16(clamping: ready), since: max(facts.groupNow.adding(facts.startLead(on: item)), instant ?? .min),
              at: preparation.sequence == 0 ? nil : preparation.at, prior: nil))))
    ]
  }

  /// Group time from which on a start for a scheduled instant is written.
  private func decision(for instant: GroupTime, on item: ItemID, _ facts: borrowing Facts) -> GroupTime {
    instant.subtracting(max(Parameters.scheduleDecision, facts.startLead(on: item)))
  }

  /// How long after a start became due in our own view it is ours to write; nil: never.
  ///
  /// The last one ready writes it, whoever sees the set complete first: it has one trip less to make. The keeper leaves it
  /// that much time. Once the deadline has passed, nobody's readiness completes anything: the keepers' turn, all see it at once.
  private func decisionDelay(
    _ preparation: EffectiveState.Preparation, cells: Cells, item: ItemID, _ facts: borrowing Facts
  ) -> Nanoseconds? {
    guard let rank = facts.keeperRank(for: cells, on: item) else { return nil }
    if facts.groupNow >= preparation.end { return facts.takeoverDelay(rank: rank) }
    let start = preparation.readiness
    let last = lastOneReady(start, cells: cells, item: item, facts)
    if last == facts.local { return 0 }
    return rank == 0 && last != nil ? facts.lead(on: item) : facts.takeoverDelay(rank: rank)
  }

  /// Whose readiness has the greatest stamp, of those who may write the start; nil: the set is not complete.
  private func lastOneReady(
    _ start: ParticipantValue.Readiness, cells: Cells, item: ItemID, _ facts: borrowing Facts
  ) -> ParticipantID? {
    if completedThisTurn, facts.own.ready == start { return facts.local }
    let required = facts.required(for: cells, on: item)
    guard required.allSatisfy({ facts.isReady($0, for: start) }) else { return nil }
    let eligible = facts.keepers(initiator: cells.initiator, on: item)
    return required.filter(eligible.contains).compactMap { facts.registers[.participant($0)]?.stamp }.max()?.author
  }

  private mutating func isDue(_ preparation: EffectiveState.Preparation, cells: Cells, item: ItemID, _ facts: borrowing Facts) -> Bool {
    if facts.groupNow >= preparation.end { return true }
    if facts.groupNow < preparation.deadline {
      if let settle = cells.rate.settle, facts.groupNow < settle, !facts.everybodyIs(on: item) { return false }
      if let awaited, facts.isMissing(awaited, for: preparation, cells: cells, item: item) { return false }
      awaited = facts.firstMissing(for: preparation, cells: cells, item: item)
      if awaited != nil { return false }
    }
    return facts.unready(for: preparation, cells: cells, item: item).isEmpty
  }

  // MARK: The end

  /// Each side ends by itself, and the group is paused there once all who take part have (2.7 "ended", H23).
  private mutating func decideEnd(
    _ playing: EffectiveState.Playing, cells: Cells, on item: ItemID, _ facts: borrowing Facts, isReconciling: Bool
  ) -> [Intent] {
    let step = Step(kind: .ended, base: playing.pair, sequence: playing.sequence)
    guard let at = facts.commonEnd(of: playing, on: item) else {
      drop(.ended)
      return []
    }
    let delay = facts.keeperRank(for: cells, on: item).map(facts.takeoverDelay)
    guard claim(step, after: delay, facts, isReconciling: isReconciling) else { return [] }
    return [
      .write(
        .continuation(item),
        .continuation(
          ContinuationValue(base: playing.pair, sequence: playing.sequence &+ 1, kind: .ended(at: at))))
    ]
  }

  // MARK: The end of a range

  /// The group has played into a range that it leaves out, and goes on where that ends (2.20); nil: it has not.
  private mutating func decideSkip(
    _ playing: EffectiveState.Playing, cells: Cells, on item: ItemID, _ facts: borrowing Facts, isReconciling: Bool
  ) -> [Intent]? {
    guard let skip = RangeSkips(playing, cells: cells, on: item, facts)?.due(at: facts.groupNow) else {
      drop(.skip)
      return nil
    }
    let step = Step(kind: .skip, base: playing.pair, sequence: playing.sequence)
    let delay = facts.keeperRank(for: cells, on: item).map(facts.takeoverDelay)
    guard claim(step, after: delay, facts, isReconciling: isReconciling) else { return [] }
    let kind: ContinuationValue.Kind =
      skip.endsEntry && facts.actionAtEnd != .none
      ? .ended(at: skip.at) : .skip(from: skip.from, at: skip.at, deadline: facts.groupNow.adding(Law.waitLimit))
    return [
      .write(
        .continuation(item),
        .continuation(ContinuationValue(base: playing.pair, sequence: playing.sequence &+ 1, kind: kind)))
    ]
  }

  // MARK: The hold

  /// Remembers for whom the present hold is, whoever wrote it.
  mutating func rememberHold(_ facts: borrowing Facts) {
    guard let item = facts.own.item, let cells = facts.registers.cells(of: item), let held = cells.heldSince,
      let continuation = cells.continuation
    else { return }
    let stalled = facts.participants(on: item).compactMap { id in facts.value(of: id)?.stalled.map { (id, $0.since) } }
    holds.remember(
      ParticipantValue.Readiness(base: cells.pair, sequence: continuation.sequence), at: held,
      stalled: Dictionary(uniqueKeysWithValues: stalled))
  }

  private mutating func decideHold(
    _ playing: EffectiveState.Playing, cells: Cells, on item: ItemID, _ facts: borrowing Facts, isReconciling: Bool
  ) -> [Intent] {
    let stalls = holds.due(playing, on: item, facts)
    let step = Step(kind: .hold, base: playing.pair, sequence: playing.sequence)
    guard !stalls.isEmpty else {
      drop(.hold)
      return []
    }
    let delay = facts.keeperRank(for: cells, on: item).map(facts.takeoverDelay)
    guard claim(step, after: delay, facts, isReconciling: isReconciling) else { return [] }
    let positions = stalls.map { $0.at } + [playing.position(at: facts.groupNow)]
    let isBackwards = playing.line.rate < 0
    guard let at = isBackwards ? positions.max() : positions.min() else { return [] }
    return [
      .write(
        .continuation(item),
        .continuation(
          ContinuationValue(
            base: playing.pair, sequence: playing.sequence &+ 1,
            kind: .hold(at: at, deadline: facts.groupNow.adding(facts.stallPolicy.limit)))))
    ]
  }

  /// The own host stalls once more within a minute: the group goes on without it until it has recovered.
  func leavesOwnBehind(_ facts: borrowing Facts) -> Bool { holds.leavesOwnBehind(facts) }

  // MARK: When

  /// Host time at which there is something to do again by itself.
  func wake(_ facts: borrowing Facts) -> HostTime? {
    guard let item = facts.own.item, let cells = facts.registers.cells(of: item) else { return nil }
    let keeper = keeperWake(cells: cells, on: item, facts)
    let own: HostTime?
    switch EffectiveState(cells) {
    case .preparing(let preparation): own = startWake(preparation, cells: cells, on: item, facts)
    case .playing(let playing):
      own = [holds.wake(playing, on: item, facts), skipWake(playing, cells: cells, on: item, facts)].compactMap { $0 }.min()
    case .none, .paused: own = nil
    }
    guard let keeper, let own else { return keeper ?? own }
    return min(keeper, own)
  }

  /// Host time at which the group plays into a range that it leaves out.
  private func skipWake(
    _ playing: EffectiveState.Playing, cells: Cells, on item: ItemID, _ facts: borrowing Facts
  ) -> HostTime? {
    guard facts.session.phase != .joining, let skips = RangeSkips(playing, cells: cells, on: item, facts) else { return nil }
    if skips.due(at: facts.groupNow) != nil {
      // It is in one by the start that was written just now; else that is due already.
      return due == nil ? facts.now.adding(1) : nil
    }
    return skips.next(after: facts.groupNow).map { max(facts.clock.wake(at: $0), facts.now.adding(1)) }
  }

  /// Host time at which a hold, a range's end or an end that is due is ours to write.
  private func keeperWake(cells: Cells, on item: ItemID, _ facts: borrowing Facts) -> HostTime? {
    guard let due, due.step.kind != .start, let rank = facts.keeperRank(for: cells, on: item) else { return nil }
    let time = due.since.adding(facts.takeoverDelay(rank: rank))
    return time > facts.now ? time : nil
  }

  private func startWake(
    _ preparation: EffectiveState.Preparation, cells: Cells, on item: ItemID, _ facts: borrowing Facts
  ) -> HostTime? {
    guard facts.session.phase != .joining else { return nil }
    var wakes: [HostTime] = []
    if let due, due.step.kind == .start, let delay = decisionDelay(preparation, cells: cells, item: item, facts) {
      wakes.append(due.since.adding(delay))
      if let lost = facts.presence.ownLinkLost { wakes.append(lost.adding(Parameters.ownLinkGrace)) }
      return wakes.filter { $0 > facts.now }.min()
    }
    wakes.append(facts.clock.wake(at: preparation.deadline))
    if let until = preparation.readyUntil { wakes.append(facts.clock.wake(at: until)) }
    if let settle = cells.rate.settle { wakes.append(facts.clock.wake(at: settle)) }
    if let instant = facts.scheduledInstant(of: cells, on: item) {
      wakes.append(facts.clock.wake(at: decision(for: instant, on: item, facts)))
    }
    // Someone who is waited for may fall silent, or stop counting as present.
    let silence = facts.silence
    for id in facts.required(for: cells, on: item) where id != facts.local {
      if let entry = facts.presence.entries[id] {
        wakes.append(entry.heard.adding(silence).adding(1))
        if let grace = entry.graceEnd { wakes.append(grace) }
      }
      if facts.registers.standing(of: id)?.availableSince == nil {
        wakes.append(facts.clock.wake(at: cells.asked.adding(Parameters.gather)))
      }
    }
    if let lost = facts.presence.ownLinkLost { wakes.append(lost.adding(Parameters.ownLinkGrace)) }
    return wakes.filter { $0 > facts.now }.min()
  }
}

/// The start that everybody is waited for (coordination 2.6, 2.7).
struct Barrier: Sendable {
  /// A continuation that a keeper writes: what, and after which one.
  struct Step: Hashable, Sendable {
    enum Kind: Sendable { case start, hold, ended }
    var kind: Kind
    var base: Pair
    var sequence: UInt32
  }

  /// What is to be written, and when that became due in our own view.
  var due: (step: Step, since: HostTime)?
  /// The own readiness came in this turn: it may complete the set.
  var becameReady = false

  /// A step of this kind is not due any more.
  mutating func forget(_ kind: Step.Kind) {
    if due?.step.kind == kind { due = nil }
  }
}

extension Coordination {
  /// Writes what continues the current item's pair of cells, if something is due and ours to write.
  mutating func decideContinuation() {
    defer { barrier.becameReady = false }
    guard let item = host.item, membership.phase != .joining, let cells = registers.cells(of: item) else {
      barrier.due = nil
      return
    }
    switch EffectiveState(cells) {
    case .preparing(let preparation):
      decideStart(preparation, cells: cells, on: item)
      // Where everybody stands at the end already there is nothing to run.
      if let cells = registers.cells(of: item), case .playing(let playing) = EffectiveState(cells) {
        decideEnd(playing, cells: cells, on: item)
      }
    case .playing(let playing):
      decideEnd(playing, cells: cells, on: item)
      decideHold(playing, cells: cells, on: item)
    case .none, .paused: barrier.due = nil
    }
  }

  /// Whether a step that is due is ours to write by now: `delay` after it became so; nil: never. While others are met again it
  /// is not known yet what there is to continue.
  mutating func isOurs(_ step: Barrier.Step, after delay: Nanoseconds?) -> Bool {
    if barrier.due?.step != step { barrier.due = (step, now) }
    guard let since = barrier.due?.since, !isOwnLinkFresh, apart.meetingUntil == nil, let delay,
      now >= since.adding(delay)
    else { return false }
    barrier.due = nil
    return true
  }

  private mutating func decideStart(_ preparation: EffectiveState.Preparation, cells: Cells, on item: ItemID) {
    guard isDue(preparation, cells: cells, item: item) else {
      barrier.due = nil
      return
    }
    let step = Barrier.Step(kind: .start, base: preparation.pair, sequence: preparation.sequence)
    guard isOurs(step, after: decisionDelay(preparation, cells: cells, item: item)) else { return }
    let start = preparation.readiness
    let ready = required(for: cells, on: item).count { isReady($0, for: start) }
    write(
      .continuation(item),
      .continuation(
        ContinuationValue(
          base: preparation.pair, sequence: preparation.sequence &+ 1,
          kind: .line(
            coverage: UInt16(clamping: ready), since: groupNow.adding(lead(on: item)),
            at: preparation.sequence == 0 ? nil : preparation.at, prior: nil))))
  }

  /// Since the own link broke nothing is decided, until it is clear that it does not come back at once.
  var isOwnLinkFresh: Bool {
    guard let lost = presence.ownLinkLost else { return false }
    return now < lost.adding(Parameters.ownLinkGrace)
  }

  /// How long after a start became due in our own view it is ours to write; nil: never.
  ///
  /// The last one ready writes it, whoever sees the set complete first: it has one trip less to make. The keeper leaves it
  /// that much time. Once the deadline has passed, nobody's readiness completes anything: the keepers' turn, all see it at once.
  private func decisionDelay(_ preparation: EffectiveState.Preparation, cells: Cells, item: ItemID) -> Nanoseconds? {
    guard let rank = keeperRank(for: cells, on: item) else { return nil }
    if groupNow >= preparation.deadline { return takeoverDelay(rank: rank) }
    let start = preparation.readiness
    let last = lastOneReady(start, cells: cells, item: item)
    if last == local { return 0 }
    return rank == 0 && last != nil ? lead(on: item) : takeoverDelay(rank: rank)
  }

  /// Whose readiness has the greatest stamp, of those who may write the start; nil: the set is not complete.
  private func lastOneReady(_ start: ParticipantValue.Readiness, cells: Cells, item: ItemID) -> ParticipantID? {
    if barrier.becameReady, me.ready == start { return local }
    let required = required(for: cells, on: item)
    guard required.allSatisfy({ isReady($0, for: start) }) else { return nil }
    let eligible = keepers(initiator: cells.initiator, on: item)
    return required.filter(eligible.contains).compactMap { registers[.participant($0)]?.stamp }.max()?.author
  }

  func keeperRank(for cells: Cells, on item: ItemID) -> Int? {
    keepers(initiator: cells.initiator, on: item).firstIndex(of: local)
  }

  func takeoverDelay(rank: Int) -> Nanoseconds {
    Parameters.takeover * Int64(min(rank, Parameters.takeoverSteps))
  }

  private func isDue(_ preparation: EffectiveState.Preparation, cells: Cells, item: ItemID) -> Bool {
    if groupNow >= preparation.deadline { return true }
    if let settle = cells.rate.settle, groupNow < settle, !everybodyIs(on: item) { return false }
    return missing(for: preparation, cells: cells, item: item).isEmpty
  }

  /// The required ones that are not ready.
  func missing(for preparation: EffectiveState.Preparation, cells: Cells, item: ItemID) -> [ParticipantID] {
    let start = preparation.readiness
    return required(for: cells, on: item).filter { !isReady($0, for: start) }
  }

  /// Prepared for this start, and told of it in time. Who is on its way back, or has just come, cannot read before it has the
  /// keys, which is when it says something; and what it reads before it has ended being apart it only keeps.
  private func isReady(_ id: ParticipantID, for start: ParticipantValue.Readiness) -> Bool {
    guard let value = value(of: id), value.ready == start else { return false }
    return id == local || presence.hasSpoken(id) && !value.isApart
  }

  /// Host time at which a hold or an end that is due is ours to write.
  var keeperWake: HostTime? {
    guard let due = barrier.due, due.step.kind != .start, let item = host.item, let cells = registers.cells(of: item),
      let rank = keeperRank(for: cells, on: item)
    else { return nil }
    let time = due.since.adding(takeoverDelay(rank: rank))
    return time > now ? time : nil
  }

  /// Host time at which the barrier has something to do again by itself.
  var barrierWake: HostTime? {
    guard let item = host.item, membership.phase != .joining, let cells = registers.cells(of: item),
      case .preparing(let preparation) = EffectiveState(cells)
    else { return nil }
    var wakes: [HostTime] = []
    if let due = barrier.due, due.step.kind == .start,
      let delay = decisionDelay(preparation, cells: cells, item: item)
    {
      wakes.append(due.since.adding(delay))
      if let lost = presence.ownLinkLost { wakes.append(lost.adding(Parameters.ownLinkGrace)) }
      return wakes.filter { $0 > now }.min()
    }
    wakes.append(clock.wake(at: preparation.deadline))
    if let settle = cells.rate.settle { wakes.append(clock.wake(at: settle)) }
    // Someone who is waited for may fall silent, or stop counting as present.
    let silence = silence
    for id in required(for: cells, on: item) where id != local {
      if let heard = presence.entries[id]?.heard {
        wakes.append(heard.adding(silence).adding(1))
      }
      if let grace = presence.entries[id]?.graceEnd { wakes.append(grace) }
      if value(of: id)?.availableSince == nil {
        wakes.append(clock.wake(at: cells.asked.adding(Parameters.gather)))
      }
    }
    if let lost = presence.ownLinkLost { wakes.append(lost.adding(Parameters.ownLinkGrace)) }
    return wakes.filter { $0 > now }.min()
  }
}

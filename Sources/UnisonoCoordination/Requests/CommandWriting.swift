import UnisonoBase
import UnisonoReplica

/// The writes that a command of the person consists of (coordination 2.7).
extension Facts {
  /// R = N(0, here); nothing where the item pauses already. `leaver`: who left, so that the group pauses.
  func pause(_ cells: Cells, on item: ItemID, for leaver: ParticipantID? = nil) -> [Intent] {
    let state = EffectiveState(cells)
    if case .paused = state, cells.rate.rate == 0 { return [] }
    guard let at = state.position(at: groupNow) else { return [] }
    // What was withdrawn before it began is the first start still.
    var withdrawn: GroupTime?
    if case .preparing(let preparation) = state { withdrawn = preparation.readyUntil }
    return [
      rateWrite(
        0, at: at, cells, on: item, waiting: false, readyUntil: withdrawn, named: leaver.map { [$0] } ?? [])
    ]
  }

  /// A start, for which the others are waited for unless one is alone, or another rate of what starts or runs. `ownFrame`:
  /// where the own player stands, if that is the group's position to a frame: players that show frames stand on the next one,
  /// and starting there spares everybody the rest of it.
  func play(
    _ rate: Double, immediately: Bool, _ cells: Cells, on item: ItemID, ownFrame: (ItemTime) -> ItemTime
  ) -> [Intent] {
    let atOnce = immediately || startsAtOnce(on: item)
    switch EffectiveState(cells) {
    case .none:
      return []
    case .paused(let paused):
      let at = ownFrame(paused)
      let write = rateWrite(
        rate, at: at, cells, on: item, waiting: !atOnce, readyUntil: atOnce ? nil : readyWait(for: cells))
      return atOnce ? [write, startNow(on: item)] : [write]
    case .preparing(let preparation):
      guard atOnce || preparation.rate != rate else { return [] }
      let wait = atOnce ? (until: nil, excused: []) : readyWait(on: preparation, cells)
      let write = rateWrite(
        rate, at: preparation.at, cells, on: item, waiting: !atOnce, readyUntil: wait.until, named: wait.excused)
      return atOnce ? [write, startNow(on: item)] : [write]
    case .playing(let playing):
      guard playing.line.rate != rate else { return [] }
      return changeRate(to: rate, of: playing, cells, on: item)
    }
  }

  /// Another rate while playing: at one instant for all, from where the line then is.
  func changeRate(to rate: Double, of playing: EffectiveState.Playing, _ cells: Cells, on item: ItemID) -> [Intent] {
    var since = groupNow.adding(isAlone(on: item) ? 0 : lead(on: item))
    let prior = playing.inForce(at: groupNow)
    // A start that is still to come is not made earlier.
    if prior == nil { since = max(since, playing.line.since) }
    let at = (prior ?? playing.line).position(at: since)
    return [
      rateWrite(rate, at: at, cells, on: item, waiting: false),
      .continuePair(
        of: item, sequence: 1, kind: .line(coverage: 1, since: since, at: prior == nil ? nil : at, prior: prior)),
    ]
  }

  /// P = N(target); from an end that was reached, or that the person sees already, nothing restarts by itself.
  func seek(to target: ItemTime, immediately: Bool, on item: ItemID) -> [Intent] {
    guard let cells = registers.cells(of: item) else { return [] }
    var intents: [Intent] = []
    var waits = cells.rate.rate != 0
    var end = endThatIsSeen(cells, on: item)
    if case .ended(let at)? = cells.continuation?.kind { end = at }
    if let end {
      intents.append(rateWrite(0, at: end, cells, on: item, waiting: false))
      waits = false
    }
    let atOnce = waits && (immediately || startsAtOnce(on: item))
    let isBarrier = waits && !atOnce
    var readyUntil: GroupTime?
    if isBarrier, case .preparing(let preparation) = EffectiveState(cells) { readyUntil = preparation.readyUntil }
    intents.append(
      .write(
        .position(item),
        .position(
          PositionValue(
            rank: .command, position: target, waits: isBarrier ? settings.waits : [],
            deadline: isBarrier ? groupNow.adding(settings.waitLimit) : nil, readyUntil: readyUntil,
            named: readyUntil == nil ? [] : cells.excused))))
    if atOnce { intents.append(startNow(on: item)) }
    return intents
  }

  /// R = N(rate, at).
  func rateWrite(
    _ rate: Double, at: ItemTime, _ cells: Cells, on item: ItemID, waiting: Bool, readyUntil: GroupTime? = nil,
    named: [ParticipantID] = []
  ) -> Intent {
    .write(
      .rate(item),
      .rate(
        RateValue(
          rank: .command, rate: rate, at: at, basePosition: cells.pair.position, snap: rate == 0 && named.isEmpty && settings.pauseSnaps,
          waits: waiting ? settings.waits : [], deadline: waiting ? groupNow.adding(settings.waitLimit) : nil,
          settle: waiting && isSettling(on: item) ? groupNow.adding(Parameters.settle) : nil, readyUntil: readyUntil,
          named: named)))
  }

  /// C = line(seq 1, since = now) for the pair then in force.
  func startNow(on item: ItemID) -> Intent {
    .continuePair(of: item, sequence: 1, kind: .line(coverage: 1, since: groupNow, at: nil, prior: nil))
  }

  /// A start that this participant wrote for itself alone, with nobody else on the item until now.
  func ownStart(_ cells: Cells, on item: ItemID) -> (coverage: UInt16, since: GroupTime, at: ItemTime?)? {
    guard let continuation = cells.continuation, continuation.original == nil,
      registers[.continuation(item)]?.author == local,
      case .line(let coverage, let since, let at, nil) = continuation.kind, coverage <= 1, mayMoveOwnPlayer,
      isAlone(on: item)
    else { return nil }
    return (coverage, since, at)
  }
}

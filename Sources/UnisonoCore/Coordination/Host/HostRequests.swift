/// Limits of what a host may ask for.
enum HostRequest {
  static let greatestRate = 16.0
  /// Bytes of waiting reasons in one register of 8 KiB, and what each takes beside its text.
  static let waitsLength = 7_680
  static let waitOverhead = 16
}

/// What a host asks of the group (coordination 2.7).
extension Coordination {
  mutating func requestRate(_ rate: Double, immediately: Bool) {
    guard let item = host.item, rate.isFinite, abs(rate) <= HostRequest.greatestRate else {
      refuse("coordinator_coordinate_rate_change", .state, "there is no current item; make a transition to one first")
      return
    }
    if suspensions.isOnlyByLibrary {
      endLibrarySuspensions()
      // The host would be told once more what it could not do, while the rate waits that it may be able to.
      host.rates = Coalesced()
    }
    if suspensions.isSuspended { return setOwnRate(rate) }
    guard membership.phase != .joining, !waitsForClock else {
      membership.pendingRate = (rate, immediately)
      return
    }
    guard mayCommand else { return deny("coordinator_coordinate_rate_change") }
    guard let cells = registers.cells(of: item) else { return }
    if rate != 0, case .playing(let playing) = EffectiveState(cells) {
      guard let rate = host.rates.admit(rate, now: now), playing.line.rate != rate else { return }
      return changeRate(to: rate, of: playing, cells, on: item)
    }
    // Play and pause are never delayed, and never overtake a seek that came before them.
    host.rates.drop()
    sendKeptSeek(early: true)
    guard let cells = registers.cells(of: item) else { return }
    if rate == 0 { pause(cells, on: item) } else { play(rate, immediately: immediately, cells, on: item) }
  }

  mutating func requestSeek(to target: ItemTime, immediately: Bool) {
    guard let item = host.item else {
      refuse("coordinator_coordinate_seek", .state, "there is no current item; make a transition to one first")
      return
    }
    if suspensions.isOnlyByLibrary { endLibrarySuspensions() }
    if suspensions.isSuspended { return setOwnPosition(target) }
    guard membership.phase != .joining, !waitsForClock else {
      membership.pendingSeek = (target, immediately)
      return
    }
    guard mayCommand else { return deny("coordinator_coordinate_seek") }
    guard registers.cells(of: item) != nil, let request = host.seeks.admit((target, immediately), now: now) else {
      return
    }
    seek(to: request.target, immediately: request.immediately, on: item)
  }

  /// What was kept because it came too soon after the one before; the policy may have changed since.
  mutating func sendKeptRequests() {
    sendKeptSeek(early: false)
    guard let rate = host.rates.take(now: now), let item = host.item, let cells = registers.cells(of: item),
      case .playing(let playing) = EffectiveState(cells), playing.line.rate != rate
    else { return }
    guard mayCommand else { return deny("coordinator_coordinate_rate_change") }
    changeRate(to: rate, of: playing, cells, on: item)
  }

  mutating func sendKeptSeek(early: Bool) {
    guard let request = host.seeks.take(now: now, early: early), let item = host.item else { return }
    guard mayCommand else { return deny("coordinator_coordinate_seek") }
    seek(to: request.target, immediately: request.immediately, on: item)
  }

  private mutating func pause(_ cells: Cells, on item: ItemID) {
    let state = EffectiveState(cells)
    if case .paused = state, cells.rate.rate == 0 { return }
    guard let at = state.position(at: groupNow) else { return }
    writeRate(0, at: at, cells, on: item, waiting: false)
  }

  private mutating func play(_ rate: Double, immediately: Bool, _ cells: Cells, on item: ItemID) {
    let atOnce = immediately || isAlone(on: item)
    switch EffectiveState(cells) {
    case .none:
      return
    case .paused(let paused):
      let at = ownFrame(near: paused)
      writeRate(rate, at: at, cells, on: item, waiting: !atOnce)
      if atOnce { startNow(on: item) }
    case .preparing(let preparation):
      guard atOnce || preparation.rate != rate else { return }
      writeRate(rate, at: preparation.at, cells, on: item, waiting: !atOnce)
      if atOnce { startNow(on: item) }
    case .playing(let playing):
      guard playing.line.rate != rate else { return }
      changeRate(to: rate, of: playing, cells, on: item)
    }
  }

  /// Where the own player stands, if that is the group's position to a frame: players that show frames stand on the next
  /// one, and starting there spares everybody the rest of it.
  private func ownFrame(near at: ItemTime) -> ItemTime {
    guard host.issued == .paused(at: at), host.outstanding == nil, settings.outputOffset == 0, let rest = host.rest,
      rest.subtracting(at).absolute <= Parameters.sameFrame
    else { return at }
    return rest
  }

  /// Another rate while playing: at one instant for all, from where the line then is.
  private mutating func changeRate(to rate: Double, of playing: EffectiveState.Playing, _ cells: Cells, on item: ItemID)
  {
    var since = groupNow.adding(isAlone(on: item) ? 0 : lead(on: item))
    let prior = playing.inForce(at: groupNow)
    // A start that is still to come is not made earlier.
    if prior == nil { since = max(since, playing.line.since) }
    let at = (prior ?? playing.line).position(at: since)
    writeRate(rate, at: at, cells, on: item, waiting: false)
    guard let pair = registers.cells(of: item)?.pair else { return }
    write(
      .continuation(item),
      .continuation(
        ContinuationValue(
          base: pair, sequence: 1, kind: .line(coverage: 1, since: since, at: prior == nil ? nil : at, prior: prior))))
  }

  mutating func seek(to target: ItemTime, immediately: Bool, on item: ItemID) {
    guard var cells = registers.cells(of: item) else { return }
    // From an end that was reached nothing restarts by itself.
    if case .ended(let end)? = cells.continuation?.kind {
      writeRate(0, at: end, cells, on: item, waiting: false)
      cells = registers.cells(of: item) ?? cells
    }
    let waits = cells.rate.rate != 0
    let atOnce = waits && (immediately || isAlone(on: item))
    let isBarrier = waits && !atOnce
    write(
      .position(item),
      .position(
        PositionValue(
          rank: .command, position: target, waits: isBarrier ? ownWaits : [],
          deadline: isBarrier ? groupNow.adding(settings.waitLimit) : nil)))
    if atOnce { startNow(on: item) }
  }

  /// Writes R = N(rate, at).
  mutating func writeRate(_ rate: Double, at: ItemTime, _ cells: Cells, on item: ItemID, waiting: Bool) {
    write(
      .rate(item),
      .rate(
        RateValue(
          rank: .command, rate: rate, at: at, basePosition: cells.pair.position, snap: rate == 0 && settings.pauseSnaps,
          waits: waiting ? ownWaits : [], deadline: waiting ? groupNow.adding(settings.waitLimit) : nil,
          settle: waiting && isSettling(on: item) ? groupNow.adding(Parameters.settle) : nil)))
  }

  /// Writes C = line(seq 1, since = now) for the pair now in force.
  mutating func startNow(on item: ItemID) {
    guard let pair = registers.cells(of: item)?.pair else { return }
    write(
      .continuation(item),
      .continuation(
        ContinuationValue(base: pair, sequence: 1, kind: .line(coverage: 1, since: groupNow, at: nil, prior: nil))))
  }

  /// The own waiting reasons with their limits, as they travel in a command: the first ones, as far as there is room for
  /// them in a register (some fifty of the longest).
  var ownWaits: [Wait] {
    var room = HostRequest.waitsLength
    let reasons = settings.waitingReasons.prefix { reason in
      room -= reason.utf8.count + HostRequest.waitOverhead
      return room >= 0
    }
    return reasons.map { Wait(reason: $0, limit: settings.limits[$0] ?? .max) }
  }

  mutating func refuse(_ operation: String, _ status: CoordinationStatus, _ message: String) {
    notices.append(.refused(operation: operation, status: status, message: message))
  }
}

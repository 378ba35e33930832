/// Beginning and ending suspensions (coordination 2.9).
extension Coordination {
  mutating func beginSuspension(id: UInt64, reason: String) {
    host.rates.drop()
    sendKeptSeek(early: true)
    if !suspensions.isSuspended { suspensions.ownLine = presentOwnLine }
    suspensions.begin(reason, id: id, now: now)
    publishSuspensions()
    me.ready = nil
    host.outstanding?.due = nil
    host.outstanding?.answerBy = nil
  }

  /// The own register shows the open suspensions. What was said of one stays: told anew by a clock that has learnt since,
  /// its beginning would differ by microseconds each time, and the register would change for ever.
  mutating func publishSuspensions() {
    let told = me.suspensions
    me.suspensions = suspensions.open.map { open in
      told.first { $0.reason == open.reason }
        ?? ParticipantValue.SuspensionReason(reason: open.reason, since: clock.group(at: open.since))
    }
  }

  mutating func suspendByLibrary(_ reason: String) {
    if !suspensions.isSuspended { suspensions.ownLine = presentOwnLine }
    // What is known last says why.
    suspensions.endLibrarys()
    suspensions.begin(reason, id: nil, now: now)
    suspensions.pairAtLibrarySuspension = host.item.flatMap { registers.cells(of: $0)?.pair }
    publishSuspensions()
    me.ready = nil
  }

  mutating func endSuspension(id: UInt64, proposing: ItemTime?) {
    guard suspensions.end(id: id) else {
      return refuse("suspension_end", .state, "this suspension ended before; each ends once")
    }
    if let proposing {
      suspensions.held = proposing
      suspensions.pairAtHold = host.item.flatMap { registers.cells(of: $0)?.pair }
    }
    // What the library began by itself ends by its own rules.
    guard !suspensions.isSuspended else { return }
    attach()
  }

  mutating func endLibrarySuspensions() {
    suspensions.endLibrarys()
    if !suspensions.isSuspended { attach() }
  }

  /// What the group did since may end the library's suspension, and drops a held proposal.
  mutating func reviewSuspensions() {
    guard suspensions.isSuspended, let item = host.item, let pair = registers.cells(of: item)?.pair else { return }
    if suspensions.held != nil, pair.commands != suspensions.pairAtHold?.commands { suspensions.held = nil }
    if let known = suspensions.pairAtLibrarySuspension, known.commands != pair.commands { endLibrarySuspensions() }
  }

  /// Takes part again: in place, or moving the group by a proposal.
  private mutating func attach() {
    let wasWaitedFor = host.item.flatMap { registers.cells(of: $0) }.map { isWaitedFor(me, waits: $0.waits) } ?? false
    me.suspensions = []
    let proposal = suspensions.held
    suspensions.held = nil
    suspensions.ownRequest = nil
    host.forgetIssued(now: now)
    host.nextCause = .rejoin
    guard let item = host.item, membership.phase != .joining else { return }
    host.rest = suspensions.ownLine.rate == 0 ? suspensions.ownLine.at : nil
    // Whoever was waited for stays waited for until it is ready.
    if !wasWaitedFor || me.availableSince == nil { me.availableSince = arrivalTime }
    if !waitsForClock { resumeTransition() }
    if proposal != nil, !mayCommand { return deny("suspension_end") }
    guard let proposal else { return }
    // A machine that has just woken has no time to stamp it with yet.
    if waitsForClock { return membership.pendingSeek = (proposal, false) }
    seek(to: proposal, immediately: false, on: item)
  }

  // MARK: What a suspended host does by itself

  mutating func setOwnRate(_ rate: Double) {
    suspensions.ownLine = Line(at: suspensions.ownLine.position(at: now), rate: rate, since: now)
    suspensions.ownRequest = rate == 0 ? .pause : .play
  }

  mutating func setOwnPosition(_ target: ItemTime) {
    suspensions.ownLine = Line(at: target, rate: suspensions.ownLine.rate, since: now)
    suspensions.ownRequest = suspensions.ownLine.rate == 0 ? .seek : .play
  }

  mutating func commandOwnRequest(on item: ItemID) {
    guard let request = suspensions.ownRequest else { return }
    suspensions.ownRequest = nil
    let line = suspensions.ownLine
    switch request {
    case .play:
      var command = PlaybackCommand(
        kind: .play, id: 0, originator: .none, item: item, rate: line.rate, itemTime: line.at, hostTime: line.since,
        isLocal: true, cause: .play)
      command.mayBeginLater = true
      issue(command, isOwn: true)
    case .pause:
      issue(
        PlaybackCommand(kind: .pause, id: 0, originator: .none, item: item, itemTime: line.at, cause: .pause),
        isOwn: true)
    case .seek:
      issue(
        PlaybackCommand(kind: .seek, id: 0, originator: .none, item: item, itemTime: line.at, cause: .seek), isOwn: true
      )
    }
    host.issued = .nothing
  }

  /// Where the host is and goes, as far as it was told, in host time.
  private var presentOwnLine: Line {
    if case .playing(let line) = host.issued {
      return Line(at: line.position(at: max(groupNow, line.since)), rate: line.rate, since: now)
    }
    let group = host.item.map { EffectiveState(registers.cells(of: $0)) }?.position(at: groupNow)
    return Line(at: host.rest ?? group ?? 0, rate: 0, since: now)
  }
}

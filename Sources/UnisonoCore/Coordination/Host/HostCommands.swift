/// What the own host is told: at most one command a turn, after everything was merged (coordination 2.8, H25).
extension Coordination {
  mutating func commandHost() {
    guard let item = host.item, membership.phase != .joining else { return }
    if suspensions.isSuspended { return commandOwnRequest(on: item) }
    guard let cells = registers.cells(of: item) else { return }
    switch EffectiveState(cells) {
    case .none: return
    case .paused(let at): commandPaused(at: at, cells, on: item)
    case .preparing(let preparation): commandPreparing(preparation, on: item)
    case .playing(let playing): commandPlaying(playing, on: item)
    }
  }

  private mutating func commandPaused(at: ItemTime, _ cells: Cells, on item: ItemID) {
    if case .paused(let issued) = host.issued {
      guard issued.subtracting(at).absolute > Parameters.sameLine else { return }
      issue(PlaybackCommand(kind: .seek, id: 0, originator: .none, item: item, itemTime: at, cause: .unknown))
      host.rest = reachable(at)
    } else {
      let stop = ownStop(whenCommanded: cells.pair.rate.stamp.time)
      let isElsewhere = stop.map { $0.subtracting(reachable(at)).absolute > Parameters.sameFrame } ?? true
      // Each ends by itself, wherever its end is.
      let hasEnded = cells.hasEnded && me.ended != nil
      let snap = !hasEnded && (cells.rate.snap || !cells.rateKnowsPosition || isElsewhere)
      issue(
        PlaybackCommand(kind: .pause, id: 0, originator: .none, item: item, itemTime: at, snap: snap, cause: .unknown))
      host.rest = snap ? reachable(at) : hasEnded ? me.ended?.at : ownStop(whenCommanded: groupNow)
    }
    host.issued = .paused(at: at)
  }

  /// Where the host stands if it stops at a group time; nil: unknown.
  private func ownStop(whenCommanded time: GroupTime) -> ItemTime? {
    switch host.issued {
    case .nothing: nil
    case .paused, .preparing: host.rest
    case .playing(let line): line.position(at: max(time, line.since))
    }
  }

  private mutating func commandPreparing(_ preparation: EffectiveState.Preparation, on item: ItemID) {
    let preparing = HostState.Preparing(readiness: preparation.readiness, at: preparation.at)
    guard host.issued != .preparing(preparing) else { return }
    var isMoving = false
    if case .playing = host.issued { isMoving = true }
    // A player that is still on its way to where it was last sent would stop somewhere.
    if host.outstanding?.moves == true { isMoving = true }
    let isThere =
      !isMoving
      && (host.rest.map { $0.subtracting(reachable(preparation.at)).absolute <= Parameters.sameFrame } ?? false)
    issue(
      PlaybackCommand(
        kind: isThere ? .buffer : .seek, id: 0, originator: .none, item: item, itemTime: preparation.at,
        dueHostTime: clock.host(at: preparation.deadline), anticipatedRate: preparation.rate,
        buffersInAnticipation: !isThere, cause: .unknown))
    // Who comes when waiting is over still gets a moment.
    let due = max(preparation.deadline, groupNow.adding(Parameters.leastDue))
    host.outstanding?.preparing = preparing
    host.outstanding?.due = due
    host.outstanding?.answerBy = nil
    host.issued = .preparing(preparing)
    // Readiness for another place is none.
    me.ready = nil
    host.rest = reachable(preparation.at)
  }

  private mutating func commandPlaying(_ playing: EffectiveState.Playing, on item: ItemID) {
    let line = playing.line
    if case .playing(let issued) = host.issued, issued.rate == line.rate {
      let instant = max(groupNow, line.since)
      guard issued.position(at: instant).subtracting(line.position(at: instant)).absolute > Parameters.sameLine else {
        return
      }
    }
    if case .preparing = host.issued {
      host.statistics.starts &+= 1
      // The own start of this moment was written a little before it is commanded.
      if line.since < groupNow.subtracting(Parameters.sameLine) { host.statistics.startsLate &+= 1 }
      if let cells = registers.cells(of: item) {
        host.statistics.lastStartWait = line.since.subtracting(cells.commanded)
      }
    }
    let anchor = currentAnchor(of: line)
    var command = PlaybackCommand(
      kind: .play, id: 0, originator: .none, item: item, rate: line.rate, itemTime: anchor.at,
      hostTime: anchorTime(of: anchor), cause: .unknown)
    command.mayBeginLater = registers.cells(of: item).map { mayBeginLater($0, on: item) } ?? false
    issue(command)
    host.issued = .playing(line)
    host.rest = nil
  }

  /// Gives a command its id, its cause and its originator, and the own output offset.
  mutating func issue(_ command: PlaybackCommand, isOwn: Bool = false) {
    var command = command
    command.id = host.nextCommand
    host.nextCommand &+= 1
    let rate = command.rate != 0 ? command.rate : command.anticipatedRate
    // A paused host shows the group's picture; one that moves is ahead by what its output is late.
    if rate != 0 { command.itemTime = command.itemTime.adding(settings.outputOffset.scaled(by: rate)) }
    keepInReach(&command)
    if !isOwn {
      command.cause = host.nextCause ?? origin.cause
      command.isLocal = origin.author == local
      let isRepeated = host.nextCause == .reapply
      command.originator = command.isLocal || isRepeated ? .none : origin.author
      host.nextCause = nil
    }
    voidEnd(command)
    if host.outstanding != nil { host.statistics.commandsSuperseded &+= 1 }
    let answerBy = host.answerBy(instant: command.hostTime, now: now)
    host.outstanding = HostState.Outstanding(
      id: command.id, kind: command.kind, item: command.item,
      moves: command.kind == .seek || command.kind == .pause && command.snap, answerBy: isOwn ? nil : answerBy)
    host.commanded = now
    host.statistics.commandsIssued &+= 1
    commands.append(command)
  }

  /// A completion; of anything but the newest command it is only counted.
  mutating func complete(_ id: UInt64) {
    guard id >= host.firstCommand, id < host.nextCommand else {
      return refuse("coordinator_complete", .notFound, "there was no command with this id")
    }
    guard let outstanding = host.outstanding, outstanding.id == id else { return }
    host.outstanding = nil
    host.unanswered = nil
    host.statistics.commandsCompleted &+= 1
    // Whoever is ready to start does not stall any more.
    if outstanding.preparing != nil { host.stall = nil }
    if outstanding.overdue, suspensions.isOnlyByLibrary {
      endLibrarySuspensions()
    } else if let preparing = outstanding.preparing, host.issued == .preparing(preparing), !suspensions.isSuspended {
      me.ready = preparing.readiness
      barrier.becameReady = true
    }
  }

  mutating func fail(_ id: UInt64, status: Int32) {
    guard id >= host.firstCommand, id < host.nextCommand else {
      return refuse("coordinator_fail", .notFound, "there was no command with this id")
    }
    guard host.outstanding?.id == id else { return }
    host.outstanding = nil
    host.unanswered = nil
    host.statistics.commandsFailed &+= 1
    notices.append(.log(.warning, "the host could not carry out command \(id): status \(status)"))
    suspendByLibrary(Suspensions.notPossible)
  }

  mutating func cannotPlay(status: Int32) {
    guard host.item != nil else { return }
    notices.append(.log(.warning, "the host cannot play its item any more: status \(status)"))
    suspendByLibrary(Suspensions.notPossible)
  }

  /// Host time at which the newest command has to be completed.
  var overdueWake: HostTime? {
    guard let outstanding = host.outstanding, !outstanding.overdue else { return nil }
    return outstanding.due.map(clock.wake(at:)) ?? outstanding.answerBy
  }

  /// A command that was not completed in time: the library suspends the host, so that it is told again by the next one.
  mutating func checkOverdue() {
    // What is about to be told anew is not overdue.
    guard let outstanding = host.outstanding, !outstanding.overdue, host.issued != .nothing else { return }
    let isLate = outstanding.answerBy.map { now >= $0 } ?? false
    guard isLate || isUnprepared(outstanding) else { return }
    host.outstanding?.overdue = true
    host.statistics.commandsOverdue &+= 1
    notices.append(
      .commandOverdue(OverdueCommand(id: outstanding.id, kind: outstanding.kind, item: outstanding.item)))
    suspendByLibrary(Suspensions.stallRecovery)
  }

  /// It was not ready for a start when that was due, by the own clock, or as the start has been written without it: by a clock
  /// that is a little ahead, or before the own timer fired.
  private func isUnprepared(_ outstanding: HostState.Outstanding) -> Bool {
    guard let due = outstanding.due, let preparing = outstanding.preparing, host.issued == .preparing(preparing) else {
      return false
    }
    if groupNow >= due { return true }
    guard let item = host.item, let cells = registers.cells(of: item), let written = cells.continued,
      case .playing(let playing) = EffectiveState(cells), playing.pair.commands == preparing.readiness.base,
      playing.sequence > preparing.readiness.sequence
    else { return false }
    return written >= due
  }

  /// It does what it was told, whether it says that that is done or not.
  mutating func noteObeyed(_ report: PlaybackReport) {
    switch host.issued {
    case .playing(let line) where (report.rate - line.rate).magnitude <= Parameters.sameRate * line.rate.magnitude: break
    case .paused where report.rate == 0: break
    default: return
    }
    host.outstanding?.answerBy = nil
    host.unanswered = nil
  }
}

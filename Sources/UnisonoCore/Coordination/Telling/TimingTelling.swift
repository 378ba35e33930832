/// Telling people of the group's timing, and publishing it for reads.
extension Coordination {
  mutating func tellTiming() {
    let state = presentState
    let timing = presentTiming(of: state)
    var line: Line?
    if case .playing(let playing) = state { line = playing.line }
    guard !looksSame(timing, line) else { return }
    told.timing = timing
    told.line = line
    notices.append(.timingChanged(timing))
  }

  /// The current item's state as it is shown: a start that nobody can write any more is a pause.
  private var presentState: EffectiveState {
    guard let item = host.item, let cells = registers.cells(of: item) else { return .none }
    let state = EffectiveState(cells)
    if case .preparing(let preparation) = state,
      groupNow > preparation.deadline.adding(Parameters.lostStart),
      keepers(initiator: cells.initiator, on: item).isEmpty
    {
      return .paused(at: preparation.at)
    }
    return state
  }

  private func presentTiming(of state: EffectiveState) -> TimingChange {
    var change = TimingChange(
      status: .none, cause: origin.cause, originator: origin.author == local ? .none : origin.author, item: host.item,
      rate: 0, itemTime: 0)
    switch state {
    case .none:
      break
    case .paused(let at):
      change.status = .paused
      change.itemTime = at
    case .preparing(let preparation):
      change.status = .waiting
      change.rate = preparation.rate
      change.itemTime = preparation.at
      change.deadline = clock.host(at: preparation.deadline)
      change.waitingFor = waitingFor
    case .playing(let playing):
      change.status = .playing
      let line = currentAnchor(of: playing.line)
      change.rate = line.rate
      change.itemTime = line.at
      change.hostTime = anchorTime(of: line)
    }
    return change
  }

  /// For whom the start waits, and why.
  var waitingFor: [WaitingFor] {
    guard let item = host.item, membership.phase != .joining, let cells = registers.cells(of: item),
      case .preparing(let preparation) = EffectiveState(cells)
    else { return [] }
    return missing(for: preparation, cells: cells, item: item).map { id in
      let value = value(of: id)
      let stall = value?.stalled == nil ? "" : Suspensions.stallRecovery
      return WaitingFor(participant: id, reason: value?.suspensions.first?.reason ?? stall)
    }
  }

  /// An old anchor would carry the drift of the clocks since then into the host's own clock.
  func currentAnchor(of line: Line) -> Line {
    guard groupNow.subtracting(line.since) > Parameters.oldAnchor else { return line }
    return Line(at: line.position(at: groupNow), rate: line.rate, since: groupNow)
  }

  /// Host time at which a line begins. Of one that began already: such that a player that runs on by its own clock is right
  /// now, whatever is being slewed away.
  func anchorTime(of line: Line) -> HostTime {
    let elapsed = groupNow.subtracting(line.since)
    return elapsed > 0 ? now.subtracting(elapsed) : clock.host(at: line.since)
  }

  /// Whether people would see no difference to what they were told.
  private func looksSame(_ timing: TimingChange, _ line: Line?) -> Bool {
    guard timing.status == told.timing.status, timing.item == told.timing.item, timing.rate == told.timing.rate,
      timing.waitingFor == told.timing.waitingFor
    else { return false }
    guard timing.status == .playing else {
      return timing.itemTime.subtracting(told.timing.itemTime).absolute <= Parameters.sameLine
    }
    guard let line, let toldLine = told.line else { return false }
    let instant = max(groupNow, line.since)
    return line.position(at: instant).subtracting(toldLine.position(at: instant)).absolute <= Parameters.sameLine
  }

  var publishedTiming: PublishedTiming {
    let state = presentState
    var timing = PublishedTiming(outputOffset: settings.outputOffset, reach: host.reach)
    let error = clock.error(at: now)
    switch state {
    case .none:
      return timing
    case .paused(let at):
      timing.status = .paused
      timing.line = Line(at: at, rate: 0, since: now)
    case .preparing(let preparation):
      timing.status = .waiting
      timing.line = Line(at: preparation.at, rate: 0, since: now)
    case .playing(let playing):
      timing.status = .playing
      timing.errorBound = error.scaled(by: playing.line.rate).absolute
      if playing.line.since <= groupNow {
        // Anchored at the present, so that the clocks' drift since the start does not count.
        timing.line = Line(at: playing.position(at: groupNow), rate: playing.line.rate, since: now)
      } else {
        timing.line = Line(at: playing.line.at, rate: playing.line.rate, since: clock.host(at: playing.line.since))
        timing.prior =
          playing.prior.map { Line(at: $0.position(at: groupNow), rate: $0.rate, since: now) }
          ?? Line(at: playing.line.at, rate: 0, since: now)
      }
    }
    return timing
  }
}

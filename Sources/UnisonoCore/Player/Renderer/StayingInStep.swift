/// Where the player should be, how far it is from there, and what is done about it.
extension MediaPlayer {
  mutating func sampleIfDue() {
    // One that was found standing may be found moving again.
    guard case .run = course.goal, renderer.isRunning || renderer.motion.stands, renderer.load == .ready else {
      sampling.next = nil
      return
    }
    guard let next = sampling.next else { return sampling.schedule(at: now) }
    guard now >= next else { return }
    sampling.schedule(at: now)
    if abilities.tellsPosition, !course.isAnswering { effects.append(.askPosition) }
  }

  /// Where the group is at a host time, the own output offset included; nil: it does not play.
  func groupPosition(at host: HostTime) -> ItemTime? {
    guard timing.status == .playing else { return nil }
    let line = if let prior = timing.prior, host < timing.line.since { prior } else { timing.line }
    return line.position(at: host).adding(timing.outputOffset.scaled(by: line.rate))
  }

  /// It begins to run, or goes on elsewhere.
  mutating func beginRunning(_ arrival: DriftController.Arrival?) {
    drift.begin(arrival, at: now)
    renderer.motion.begin(at: renderer.position)
  }

  /// Whether a position that the player gave tells something of how it runs: it moves, as it should.
  mutating func isSeenMoving(_ position: PlaybackReport.Position) -> Bool {
    guard case .run(let line) = course.goal, renderer.isRunning || renderer.motion.stands else { return false }
    switch renderer.motion.take(position, rate: line.rate) {
    case .moves: return true
    case .notYet: drift.wait(at: now)
    case .stands: if isAtEnd { takeEnd() } else { halt() }
    case .movesAgain: recover()
    }
    return false
  }

  /// Takes a position in that the running player gave.
  mutating func correct(_ position: PlaybackReport.Position) {
    guard case .run(let line) = course.goal, renderer.isRunning, renderer.haltedSince == nil, course.step == .settled,
      !isApart, let group = groupPosition(at: position.hostTime)
    else { return }
    let target = queue.current?.isLive == true ? reachable(group) : group
    let lead = position.itemTime.subtracting(target).scaled(by: 1 / line.rate)
    let correction = drift.take(lead: lead, at: max(now, position.hostTime))
    tellStartLatency()
    switch correction {
    case nil:
      return
    case .nudge(let factor):
      nudge(factor)
    case .seek:
      notifyJump(to: target, originator: .none)
      jump(on: Line(at: target, rate: line.rate, since: position.hostTime))
      sampling.noteCorrection(at: now)
    }
  }

  /// The group's starts leave room for what this renderer needs.
  private mutating func tellStartLatency() {
    let latency = drift.startLatency.value
    guard latency.subtracting(told.startLatency).absolute >= PlayerParameters.notableLatency else { return }
    told.startLatency = latency
    coordinate(.setStartLatency(latency))
  }

  /// A nudge ends when it is through with its error, to the millisecond and whatever is measured meanwhile.
  mutating func endNudgeIfDue() {
    guard case .nudge(let factor) = drift.endNudge(at: now) else { return }
    nudge(factor)
  }

  private mutating func nudge(_ factor: Double) {
    render(.nudge) { $0.rate = factor }
    counters.nudges += 1
    sampling.noteCorrection(at: now)
  }

  /// Corrections end before the renderer is told anything else; what takes its own rate error out stays.
  mutating func stopNudging() {
    guard drift.nudge != drift.constant else { return }
    drift.begin(nil, at: now)
    render(.nudge) { [nudge = drift.nudge] in $0.rate = 1 + nudge }
  }

  /// Before another item is loaded, which has the renderer's own speed.
  mutating func endNudging() {
    if drift.nudge != 0 { render(.nudge) { $0.rate = 1 } }
    drift.renew()
  }

  /// It tells the group where it really is, one that broke down included.
  mutating func tellGroup() {
    guard !course.isAnswering, renderer.hasLoaded, let here = renderer.position(at: now) else { return }
    var range = renderer.seekable
    if renderer.hasEnded, let duration, duration != .max { range = 0...max(0, duration) }
    coordinate(
      .report(
        PlaybackReport(
          stalled: renderer.isStalled || holdsGroup && renderer.haltedSince != nil, rate: renderer.rate,
          position: .init(itemTime: here, hostTime: now),
          range: range)))
  }
}

/// What the renderer says, told apart from what a person wishes: players make noise.
extension MediaPlayer {
  mutating func take(_ report: RendererReport) {
    if let duration = report.duration, duration > 0 { renderer.duration = duration }
    if let seekable = report.seekable { renderer.seekable = seekable }
    switch report.state {
    case .position: takePosition(report)
    case .ready: takeReady(report)
    case .seeked: takeSeeked(report)
    case .playing: takePlaying(report)
    case .paused: takePaused(report)
    case .stalled: takeStalled(report)
    case .recovered: takeRecovered(report)
    case .ended: takeEnd()
    case .failed: takeFailure(report)
    }
  }

  private func answers(_ report: RendererReport) -> Bool {
    report.request != 0 && course.step == .answering(request: report.request)
  }

  private mutating func note(_ position: PlaybackReport.Position?) {
    guard let position, position.hostTime <= now.adding(PlayerParameters.jump) else { return }
    renderer.position = position
  }

  private mutating func takePosition(_ report: RendererReport) {
    guard let position = report.position, renderer.load == .ready else { return }
    // What it says while it is on its way elsewhere is neither here nor there.
    guard renderer.sought == nil, !course.isAnswering else { return }
    note(position)
    reviewLiveEdge()
    if isSeenMoving(position) { correct(position) }
    reviewReplay()
    if sampling.tellsGroup(at: now) { tellGroup() }
  }

  private mutating func takeReady(_ report: RendererReport) {
    if renderer.load == .loading(request: report.request) {
      renderer.load = .ready
      renderer.rest(at: report.position?.itemTime ?? queue.current?.startTime ?? 0, now: now)
      course.goal = .rest(at: nil, cueRate: 0)
      return carryOutKept()
    }
    guard answers(report) else { return }
    arrive(at: report.position)
  }

  private mutating func takeSeeked(_ report: RendererReport) {
    guard let sought = renderer.sought, report.request == sought.request || report.request == 0 else { return }
    guard answers(report) || report.request == 0 else {
      renderer.sought = nil
      return
    }
    arrive(at: report.position)
  }

  /// The renderer is where it was sent.
  private mutating func arrive(at position: PlaybackReport.Position?) {
    let sought = renderer.sought
    renderer.sought = nil
    renderer.clearHalt()
    if let sought, sought.isRunning, renderer.isRunning {
      renderer.position = position ?? .init(itemTime: sought.target, hostTime: now)
      if beginsWithPlayer {
        drift.observeSeek(taking: now.subtracting(sought.sent))
        putOffToHere(sought: sought.target)
        beginRunning(nil)
      } else {
        beginRunning(.seek)
      }
    } else {
      if let sought { drift.observeSeek(taking: now.subtracting(sought.sent)) }
      let here = position?.itemTime ?? sought?.target ?? renderer.position(at: now) ?? 0
      renderer.rest(at: here, now: now)
    }
    goOn()
  }

  /// The renderer has answered: what comes next?
  private mutating func goOn() {
    course.step = .settled
    switch course.goal {
    case .rest:
      settle()
    case .run(let line):
      if !renderer.isRunning {
        start(on: line)
      } else if course.isChanged || renderer.rate != line.rate {
        course.isChanged = false
        run(along: line)
      } else {
        settle()
      }
    }
  }

  private mutating func takePlaying(_ report: RendererReport) {
    let wasHalted = renderer.haltedSince != nil
    renderer.clearHalt()
    guard renderer.load == .ready else { return }
    if report.request == 0 { endBackground() }
    if case .rest = course.goal { return stopOnce(report) }
    guard case .run(let line) = course.goal else { return }
    note(report.position ?? renderer.position.map { .init(itemTime: $0.itemTime, hostTime: now) })
    if renderer.sought?.isRunning == false, report.request == 0 { return stopOnce(report) }
    let wasRunning = renderer.isRunning
    let changesRate = wasRunning && renderer.rate != line.rate
    renderer.rate = line.rate
    if wasHalted || report.request == 0 { endStallSuspension() }
    if answers(report) {
      if !wasRunning, report.position == nil {
        renderer.position = .init(itemTime: line.position(at: now), hostTime: now)
      }
      beginRunning(changesRate ? .rate : wasRunning ? nil : course.start.map(DriftController.Arrival.init))
      goOn()
    } else if !wasRunning {
      beginRunning(nil)
      tellGroup()
    }
    sampling.begin(at: now)
  }

  /// It runs although it is to stand, as players do after a seek: it is stopped, but not fought with.
  private mutating func stopOnce(_ report: RendererReport) {
    guard !course.wasStopped, !renderer.hasEnded else { return }
    course.wasStopped = true
    render(.pause)
  }

  private mutating func takePaused(_ report: RendererReport) {
    if answers(report) {
      note(report.position)
      renderer.rest(at: report.position?.itemTime ?? renderer.position(at: now) ?? 0, now: now)
      return goOn()
    }
    guard case .run = course.goal, report.request == 0, renderer.isRunning else {
      if !course.isAnswering { note(report.position) }
      return
    }
    guard renderer.sought == nil, !course.isAnswering else { return }
    note(report.position)
    if isAtEnd { return takeEnd() }
    guard isShown else {
      renderer.rest(at: renderer.position(at: now) ?? 0, now: now)
      return beginBackground()
    }
    halt()
    renderer.rest(at: renderer.position(at: now) ?? 0, now: now)
  }

  /// A renderer that stops this close to the end of its item has played it.
  var isAtEnd: Bool {
    guard let duration, duration != .max, let here = renderer.position(at: now) else { return false }
    return here >= duration.subtracting(PlayerParameters.end)
  }

  private mutating func takeStalled(_ report: RendererReport) {
    // A seek or a start that was asked for may take its time.
    guard case .run = course.goal, renderer.sought == nil, !course.isAnswering else { return }
    note(report.position)
    halt()
  }

  private mutating func takeRecovered(_ report: RendererReport) {
    note(report.position)
    guard renderer.haltedSince != nil else { return }
    if !renderer.isRunning, report.position == nil, let stood = renderer.position {
      renderer.position = .init(itemTime: stood.itemTime, hostTime: now)
    }
    recover()
  }

  /// It runs on from where it is.
  mutating func recover() {
    renderer.clearHalt()
    guard case .run(let line) = course.goal else { return }
    renderer.rate = line.rate
    beginRunning(nil)
    sampling.begin(at: now)
    endStallSuspension()
    tellGroup()
  }

  mutating func takeEnd() {
    guard !renderer.hasEnded, renderer.load == .ready, case .run(let line) = course.goal else { return }
    renderer.hasEnded = true
    renderer.clearHalt()
    renderer.sought = nil
    stopNudging()
    let end = duration.flatMap { $0 == .max ? nil : $0 } ?? renderer.position(at: now) ?? 0
    renderer.rest(at: line.rate > 0 ? end : 0, now: now)
    course.goal = .rest(at: nil, cueRate: 0)
    nextRateReason = .itemEnded
    endStallSuspension()
    settle()
    notify(.itemEnded)
    if line.rate > 0, !queue.upcoming.isEmpty {
      notifyRate(reason: .itemEnded)
      advanceAfterEnd(rate: line.rate)
    }
  }

  private mutating func takeFailure(_ report: RendererReport) {
    let status = report.status < 0 ? report.status : PlayerStatus.notSupported
    switch renderer.load {
    case .loading(report.request): failItem(status: status)
    case .loading where report.request == 0, .ready where report.request == 0: failItem(status: status)
    case .ready where answers(report):
      // What it failed at is no longer what it is to do.
      if course.isChanged {
        renderer.sought = nil
        return goOn()
      }
      if course.command != nil || !renderer.isRunning { return giveUp(status: status) }
      // A correction that came to nothing: it runs on as it did.
      renderer.sought = nil
      course.step = .settled
    default: return
    }
  }
}

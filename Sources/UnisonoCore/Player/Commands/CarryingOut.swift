/// The group's commands, carried out on the renderer: the newest counts, and replaces what was under way.
extension MediaPlayer {
  mutating func take(_ command: PlaybackCommand) {
    guard command.item == queue.current?.id else { return }
    matchSeek(with: command)
    apart.replay?.hasBegun = true
    originator = command.isLocal ? .none : command.originator
    switch renderer.load {
    case .none, .loading:
      kept = command
    case .failed(let status):
      fail(command, status: status)
    case .ready:
      carryOut(command)
    }
  }

  /// What was commanded while the item was loading.
  mutating func carryOutKept() {
    guard let command = kept else { return }
    kept = nil
    carryOut(command)
  }

  /// It came before the item failed, or comes after.
  private mutating func fail(_ command: PlaybackCommand, status: Int32) {
    if command.kind == .play || command.anticipatedRate != 0 { notifyRate(reason: .setRateFailed) }
    answerSeek(of: command.id, status: status)
    coordinate(.failed(command: command.id, status: status))
  }

  /// The item cannot be played, whatever was commanded about it.
  mutating func failItem(status: Int32) {
    renderer.load = .failed(status: status)
    renderer.rate = 0
    course.step = .settled
    guard let command = kept else { return giveUp(status: status) }
    kept = nil
    course.goal = .rest(at: nil, cueRate: 0)
    fail(command, status: status)
  }

  /// What was commanded cannot be done: the renderer stands, whatever it did before, and all that is told says so.
  mutating func giveUp(status: Int32) {
    let failsRate = course.rate != 0
    if renderer.isRunning || course.isAnswering {
      stopNudging()
      render(.pause)
    }
    if let here = renderer.position(at: now) { renderer.rest(at: here, now: now) }
    renderer.rate = 0
    renderer.sought = nil
    renderer.clearHalt()
    course.goal = .rest(at: nil, cueRate: 0)
    course.step = .settled
    if failsRate { notifyRate(reason: .setRateFailed) }
    if let command = course.command {
      course.command = nil
      answerSeek(of: command, status: status)
      coordinate(.failed(command: command, status: status))
    } else {
      coordinate(.cannotPlay(status: status))
    }
    tellGroup()
  }

  private mutating func answerSeek(of command: UInt64, status: Int32) {
    if pendingSeek?.command == command { answerSeek(.failed, status: status) }
  }

  private mutating func carryOut(_ command: PlaybackCommand) {
    if case .run = course.goal, command.kind != .play { stopNudging() }
    noteJump(to: command)
    course.command = command.id
    course.mayBeginLater = command.mayBeginLater
    course.aims = 0
    course.isChanged = false
    course.wasStopped = false
    course.isAtEdge = false
    renderer.hasEnded = false
    switch command.kind {
    case .pause:
      course.goal = .rest(at: command.snap ? command.itemTime : nil, cueRate: command.anticipatedRate)
      stand(mayBeStanding: false)
    case .seek, .buffer:
      course.goal = .rest(at: command.itemTime, cueRate: command.anticipatedRate)
      stand(mayBeStanding: true)
    case .play:
      let line = Line(at: command.itemTime, rate: command.rate, since: command.hostTime ?? now)
      course.goal = .run(line)
      run(along: line)
    }
  }

  /// Stops the renderer, brings it to where it is to stand and gets it ready there; its last answer completes.
  private mutating func stand(mayBeStanding: Bool) {
    guard case .rest(let target, let cueRate) = course.goal else { return }
    // Stopped in between two frames it would stand where no seek brings the others.
    let isBetweenFrames = renderer.isRunning && !abilities.startsExactly
    var last: UInt64?
    if renderer.isRunning || !mayBeStanding || course.isAnswering {
      last = render(.pause)
      // What it is told next finds it standing, whenever the answer comes.
      if let here = renderer.position(at: now) { renderer.rest(at: here, now: now) }
    }
    renderer.clearHalt()
    if cueRate != 0, abilities.cues {
      let at = target ?? renderer.position(at: now) ?? 0
      last = render(.cue) {
        $0.rate = cueRate
        $0.itemTime = at
      }
      renderer.sought = moves(to: at) ? .init(request: last ?? 0, sent: now, target: at, isRunning: false) : nil
    } else if let target, moves(to: target) || isBetweenFrames {
      last = seek(to: target)
    }
    guard let last else { return settle() }
    course.await(last)
  }

  private func moves(to target: ItemTime) -> Bool {
    guard let here = renderer.position(at: now) else { return true }
    return here.subtracting(target).absolute > PlayerParameters.samePosition
  }

  @discardableResult
  mutating func seek(to target: ItemTime) -> UInt64 {
    let target = reachable(target)
    let (before, after) = tolerances(of: course.command)
    let request = render(.seek) {
      $0.itemTime = target
      $0.toleranceBefore = before
      $0.toleranceAfter = after
    }
    renderer.sought = .init(request: request, sent: now, target: target, isRunning: renderer.isRunning)
    return request
  }

  /// What was under way is done.
  mutating func settle() {
    course.step = .settled
    if let command = course.command {
      course.command = nil
      coordinate(.completed(command: command))
      if pendingSeek?.command == command { answerSeek(.done) }
    }
    scrubOn()
    tellGroup()
  }

  /// People see a jump where a command sends the player elsewhere.
  private mutating func noteJump(to command: PlaybackCommand) {
    guard command.kind != .pause || command.snap, let here = renderer.position(at: now) else { return }
    let target =
      command.kind == .play && !command.mayBeginLater
      ? Line(at: command.itemTime, rate: command.rate, since: command.hostTime ?? now)
        .position(at: max(now, command.hostTime ?? now)) : command.itemTime
    guard here.subtracting(target).absolute > PlayerParameters.jump else { return }
    notifyJump(to: target, originator: originator)
  }
}

/// Seeks the person asks for: each is answered exactly once, the older by the newer.
extension MediaPlayer {
  mutating func requestSeek(_ id: UInt64, to target: ItemTime, before: Nanoseconds, after: Nanoseconds) {
    answerSeek(.cancelled)
    let target = reachable(target)
    pendingSeek = PendingSeek(id: id, target: target, before: before, after: after, asked: now)
    guard queue.current != nil else {
      refuse("player_seek", "there is no current item; insert one first")
      return answerSeek(.cancelled)
    }
    continuation = nil
    renderer.hasEnded = false
    personActs(plays: false)
    coordinate(.seek(to: target, resumeImmediately: false))
  }

  /// The nearest position the item has.
  func reachable(_ target: ItemTime) -> ItemTime {
    if let seekable = renderer.seekable, queue.current?.isLive == true {
      return min(max(target, seekable.lowerBound), seekable.upperBound)
    }
    guard let duration, duration != .max else { return queue.current?.isLive == true ? target : max(0, target) }
    return min(max(0, target), duration)
  }

  /// A command has come: is it what the person asked for, or somebody else's?
  mutating func matchSeek(with command: PlaybackCommand) {
    guard var seek = pendingSeek else { return }
    let isOwn = command.isLocal || command.originator == .none
    let slack = PlayerParameters.samePosition.adding(timing.outputOffset.absolute)
    let isThere = command.itemTime.subtracting(seek.target).absolute <= slack
    let isSeek = isOwn && command.cause == .seek
    // An older seek of the same person may still be on its way; later ones were only held inside what can be reached.
    if isThere || isSeek && now >= seek.asked.adding(PlayerParameters.seekAnswer) {
      seek.command = command.id
      pendingSeek = seek
    } else if isSeek {
      return
    } else if command.cause == .seek || command.kind != .pause || command.snap {
      if seek.command != nil || !isOwn { answerSeek(.cancelled) }
    }
  }

  /// The tolerances of the seek that a command is; nothing but the target for all others.
  func tolerances(of command: UInt64?) -> (before: Nanoseconds, after: Nanoseconds) {
    guard let command, let pendingSeek, pendingSeek.command == command else { return (0, 0) }
    return (pendingSeek.before, pendingSeek.after)
  }

  mutating func answerSeek(_ outcome: PlayerNotice.Outcome, status: Int32 = 0) {
    guard let seek = pendingSeek else { return }
    pendingSeek = nil
    notify(.seekDone) { notice in
      notice.request = seek.id
      notice.outcome = outcome
      notice.status = status
    }
  }

  /// A seek to where everybody stands already brings no command; one that never brings any is given up.
  mutating func reviewSeek() {
    guard let seek = pendingSeek else { return }
    if now >= seek.asked.adding(PlayerParameters.seekLimit) { return answerSeek(.cancelled) }
    guard seek.command == nil, now >= seek.asked.adding(PlayerParameters.seekAnswer), timing.status == .paused,
      timing.line.at.subtracting(seek.target).absolute <= PlayerParameters.samePosition
    else { return }
    answerSeek(.done)
  }
}

/// "What did they say": the own player alone goes back, plays faster, and falls in again where it meets the group.
extension MediaPlayer {
  mutating func replay(back: Nanoseconds, rate: Double) {
    guard apart.isEmpty else { return refuse("player_replay", "this player is apart from the group already") }
    guard queue.current != nil, renderer.load == .ready, let here = renderer.position(at: now) else {
      return refuse("player_replay", "nothing is loaded that could be repeated")
    }
    let asked = rate > 0 ? rate : PlayerParameters.replayRate
    let least = abs(timing.status == .playing ? timing.line.rate : 0) * PlayerParameters.replayGain
    apart.replay = .init(id: beginOwn(OwnSuspensions.replaying))
    coordinate(.seek(to: reachable(here.subtracting(max(0, back))), resumeImmediately: false))
    coordinate(.rateChange(rate: min(max(asked, least), HostRequest.greatestRate), immediately: false))
  }

  /// It has caught up with the group.
  mutating func reviewReplay() {
    guard let behind = replayIsBehind, behind <= PlayerParameters.samePosition else { return }
    endReplay()
  }

  /// By how much the replaying renderer is behind the group, ns; nil: nothing is being repeated.
  private var replayIsBehind: Nanoseconds? {
    guard apart.replay?.hasBegun == true, renderer.isRunning, course.step == .settled, case .run = course.goal,
      let here = renderer.position(at: now)
    else { return nil }
    let group = groupPosition(at: now) ?? (timing.status == .none ? nil : timing.line.at)
    return group?.subtracting(here)
  }

  /// Host time at which it meets the group, as both run now.
  var replayMeets: HostTime? {
    guard let behind = replayIsBehind else { return nil }
    let gain = renderer.rate - (timing.status == .playing ? timing.line.rate : 0)
    return gain > 0 ? now.adding(max(0, behind).scaled(by: 1 / gain)) : nil
  }

  mutating func endReplay() {
    guard let replay = apart.replay else { return }
    apart.replay = nil
    endOwn(replay.id)
  }
}

import UnisonoBase
import UnisonoReplica

/// The group's timing as people were last told of it.
struct TimingNotifications: Sendable {
  private var lastNotified = TimingChange(
    status: .none, cause: .unknown, originator: .none, item: nil, rate: 0, itemTime: 0)
  /// Of a playing group, in group time: what is compared, as host time moves with the clock's model.
  private var line: Line?

  /// What people see anew; nil: no difference to what they were told.
  mutating func change(_ facts: borrowing Facts, cause: StateCause) -> TimingChange? {
    let state = facts.presentState
    let timing = presentTiming(of: state, facts, cause: cause)
    var line: Line?
    if case .playing(let playing) = state { line = playing.line }
    guard !looksSame(timing, line, facts) else { return nil }
    lastNotified = timing
    self.line = line
    return timing
  }

  /// Group time is another: people are told the line anew.
  mutating func forgetLine() { line = nil }

  private func presentTiming(of state: EffectiveState, _ facts: borrowing Facts, cause: StateCause) -> TimingChange {
    var change = TimingChange(
      status: .none, cause: cause.cause, originator: cause.author == facts.local ? .none : cause.author,
      item: facts.own.item, rate: 0, itemTime: 0)
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
      change.deadline = facts.clock.host(at: preparation.end)
      change.waitingFor = facts.waitingFor
    case .playing(let playing):
      change.status = .playing
      let line = facts.currentAnchor(of: playing.line)
      change.rate = line.rate
      change.itemTime = line.at
      change.hostTime = facts.anchorTime(of: line)
    }
    return change
  }

  /// Whether people would see no difference to what they were told.
  private func looksSame(_ timing: TimingChange, _ line: Line?, _ facts: borrowing Facts) -> Bool {
    guard timing.status == lastNotified.status, timing.item == lastNotified.item, timing.rate == lastNotified.rate,
      timing.waitingFor == lastNotified.waitingFor
    else { return false }
    guard timing.status == .playing else {
      return timing.itemTime.subtracting(lastNotified.itemTime).absolute <= Parameters.sameLine
    }
    guard let line, let lastLine = self.line else { return false }
    let instant = max(facts.groupNow, line.since)
    return line.position(at: instant).subtracting(lastLine.position(at: instant)).absolute <= Parameters.sameLine
  }
}

extension Facts {
  /// The timing as realtime reads need it; `reach`: what the own player can reach.
  func publishedTiming(reach: ClosedRange<ItemTime>?) -> PublishedTiming {
    let state = presentState
    var timing = PublishedTiming(outputOffset: settings.outputOffset, reach: reach)
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

/// What the host shows of the player.
extension MediaPlayer {
  /// As commanded; 0 paused. What was commanded before the item is loaded counts.
  var wantedRate: Double {
    guard let kept else { return course.rate }
    return kept.kind == .play ? kept.rate : kept.anticipatedRate
  }

  var itemStatus: ItemStatus {
    switch renderer.load {
    case .none, .loading: .unknown
    case .ready: .ready
    case .failed: .failed
    }
  }

  var timeControl: TimeControl {
    guard queue.current != nil else { return told.rate != 0 ? TimeControl(.waiting, .noItem) : TimeControl(.paused) }
    if apart.interstitial != nil { return TimeControl(.waiting, .interstitial) }
    guard wantedRate != 0 else { return TimeControl(.paused) }
    if kept != nil { return TimeControl(.waiting, .evaluatingBufferingRate) }
    // The group waits for this one no longer, if it ever did.
    if !renderer.isRunning, suspensionReasons.contains(Suspensions.stallRecovery) {
      return TimeControl(.waiting, .toMinimizeStalls)
    }
    switch course.goal {
    case .rest:
      return TimeControl(.waiting, .coordinatedPlayback)
    case .run(let line):
      if renderer.haltedSince != nil { return TimeControl(.waiting, .toMinimizeStalls) }
      if renderer.isRunning, renderer.sought == nil { return TimeControl(.playing) }
      // A start on its way is the group's; a seek that the player makes for itself is its own affair.
      let isStarting = line.since > now || renderer.sought == nil
      return TimeControl(.waiting, isStarting ? .coordinatedPlayback : .toMinimizeStalls)
    }
  }

  /// Compares with what was told last.
  mutating func tell() {
    let status = itemStatus
    if status != told.itemStatus || queue.current?.id != told.item {
      told.itemStatus = status
      told.item = queue.current?.id
      notify(.itemStatus)
    }
    // Without an item the rate is what the next one goes on at.
    if queue.current != nil, wantedRate != told.rate {
      let reason = nextRateReason ?? (originator == .none ? .setRateCalled : .participant)
      nextRateReason = nil
      notifyRate(reason: reason)
    }
    let control = timeControl
    if control != told.timeControl {
      told.timeControl = control
      notify(.timeControl)
    }
  }

  /// How things are, for one who begins to listen.
  public var presentState: [PlayerNotice] { [.itemStatus, .rate, .timeControl].map(notice) }

  mutating func notifyRate(reason: RateReason) {
    told.rate = wantedRate
    let originator = originator
    notify(.rate) {
      $0.rateReason = reason
      $0.originator = reason == .participant ? originator : .none
    }
  }

  mutating func notifyJump(to target: ItemTime, originator: ParticipantID) {
    let now = now
    notify(.timeJumped) {
      $0.itemTime = target
      $0.hostTime = now
      $0.originator = originator
    }
  }

  mutating func notify(_ kind: PlayerNotice.Kind, _ change: (inout PlayerNotice) -> Void = { _ in }) {
    var notice = notice(kind)
    change(&notice)
    effects.append(.notify(notice))
  }

  private func notice(_ kind: PlayerNotice.Kind) -> PlayerNotice {
    let here = renderer.position
    var notice = PlayerNotice(
      kind: kind, timeControl: timeControl, itemStatus: itemStatus, item: queue.current?.id, rate: wantedRate,
      itemTime: here?.itemTime, hostTime: here?.hostTime)
    if kind == .itemStatus, case .failed(let status) = renderer.load { notice.status = status }
    return notice
  }
}

/// A player over any renderer: it asks the group before it plays, follows the group's commands, and stays with it.
///
/// Pure: it reads no clock and calls nobody. Feed events with `handle`; carry the effects out in order. `nextWake` says
/// when a `.tick` is due. Where it stands to its coordination is where a host stands: requests go there as effects,
/// commands come back as events.
public struct MediaPlayer: Sendable {
  let abilities: RendererAbilities
  var queue = PlayerQueue()
  var renderer = RendererState()
  var course = Course()
  var drift: DriftController
  /// The newest command that came before the item was loaded.
  var kept: PlaybackCommand?
  /// The group's timing, as of its last turn.
  var timing = PublishedTiming()
  /// Why this participant is apart, as the coordination tells.
  var suspensionReasons: [String] = []
  var apart = OwnSuspensions()
  var groupWaitsForStalls = false
  /// Nobody else is on the item: nothing goes on without this player.
  var isAlone = true
  /// False: it was shown, and is nowhere now.
  var isShown = true
  var pendingSeek: PendingSeek?
  var continuation: Continuation?
  var defaultRate = 1.0
  var volume = 1.0
  var ducking = DuckingRamp()
  var sampling = Sampling()
  var told = ToldPlayer()
  var counters = PlayerStatistics()
  /// Why the rate changes next, where it is neither a request nor the group.
  var nextRateReason: RateReason?
  /// Whose command is being followed.
  var originator: ParticipantID = .none

  /// Host time of the step in progress, or of the last one.
  var now: HostTime = 0
  var effects: [PlayerEffect] = []

  public init(renderer abilities: RendererAbilities) {
    self.abilities = abilities
    drift = DriftController(
      canNudge: abilities.nudges, nudgeLimit: abilities.nudgeLimit, deadBand: abilities.deadBand)
  }

  /// Takes one event in.
  public mutating func handle(_ event: PlayerEvent, now: HostTime) -> [PlayerEffect] {
    self.now = now
    take(event)
    review()
    tell()
    let effects = effects
    self.effects = []
    return effects
  }

  /// Host time at which `.tick` is due; nil: nothing is pending.
  public var nextWake: HostTime? {
    var wakes = [sampling.next, drift.nudgeEnds, replayMeets]
    if case .waiting(let until, _) = course.step { wakes.append(until) }
    // People are shown when waiting ends, which is when the line begins.
    if case .run(let line) = course.goal, line.since > now { wakes.append(line.since) }
    if !renderer.isStalled { wakes.append(renderer.haltedSince?.adding(PlayerParameters.stallDebounce)) }
    if ducking.isMoving(at: now) { wakes.append(now.adding(DuckingRamp.step)) }
    if let pendingSeek {
      wakes.append(pendingSeek.asked.adding(PlayerParameters.seekAnswer))
      wakes.append(pendingSeek.asked.adding(PlayerParameters.seekLimit))
    }
    return wakes.compactMap(\.self).filter { $0 > now }.min() ?? wakes.compactMap(\.self).min().map { max($0, now) }
  }

  public var view: MediaPlayerView {
    var statistics = counters
    statistics.skew = drift.statistics
    statistics.startLatency = drift.startLatency.value
    statistics.seekCost = drift.seekCost.value
    return MediaPlayerView(
      item: queue.current, timeControl: timeControl, itemStatus: itemStatus, rate: wantedRate,
      position: renderer.position, runningRate: renderer.rate, duration: duration, seekable: renderer.seekable,
      statistics: statistics)
  }

  /// Identifiers of what is in the queue, the current one first.
  public var queuedItems: [ItemID] { ([queue.current].compactMap(\.self) + queue.upcoming).map(\.id) }

  public static let queueLimit = PlayerQueue.limit

  /// Where it is at a host time, as far as is known.
  public func position(at host: HostTime) -> ItemTime? { renderer.position(at: host) }

  /// ns; `.max`: live; nil: unknown.
  var duration: Nanoseconds? { queue.current?.isLive == true ? .max : renderer.duration ?? queue.current?.duration }

  private mutating func take(_ event: PlayerEvent) {
    switch event {
    case .insert(let item, let other): insert(item, after: other)
    case .remove(let id): remove(id)
    case .advance: advance()
    case .replaceCurrent(let item): replaceCurrent(item)
    case .play: requestRate(defaultRate, operation: "player_play")
    case .pause: requestRate(0, operation: "player_pause")
    case .setRate(let rate): requestRate(rate, operation: "player_set_rate")
    case .playImmediately(let rate):
      requestRate(rate ?? defaultRate, immediately: true, operation: rate == nil ? "player_play" : "player_set_rate")
    case .setDefaultRate(let rate): if rate != 0 { defaultRate = rate }
    case .seek(let id, let target, let before, let after): requestSeek(id, to: target, before: before, after: after)
    case .scrubBegin: beginScrub()
    case .scrubTo(let target): scrub(to: target)
    case .scrubEnd(let commit): endScrub(commit: commit)
    case .replay(let back, let rate): replay(back: back, rate: rate)
    case .interruptionBegin: beginInterruption()
    case .interruptionEnd(let resume): endInterruption(resume: resume)
    case .interstitialBegin: beginInterstitial()
    case .interstitialEnd: endInterstitial()
    case .setVolume(let volume): setVolume(volume)
    case .othersSpeak(let speak): duck(speak)
    case .shown(let isShown): takeShown(isShown)
    case .setRenderSize(let width, let height): setRenderSize(width: width, height: height)
    case .report(let report): take(report)
    case .command(let command): take(command)
    case .timing(let timing): self.timing = timing
    case .timingChanged(let change): continueIfProposed(change)
    case .suspensionsChanged(let reasons):
      suspensionReasons = reasons
      if apart.stall == nil, reasons.contains(Suspensions.stallRecovery) { course.isGivenUp = course.isAnswering }
    case .refused(let operation, let status): takeRefusal(of: operation, status: status)
    case .company(let waitsForStalls, let isAlone): (groupWaitsForStalls, self.isAlone) = (waitsForStalls, isAlone)
    case .tick: rampVolume()
    case .close: close()
    }
  }

  /// What time alone brings about.
  private mutating func review() {
    startIfDue()
    endNudgeIfDue()
    reviewHalt()
    reviewSeek()
    reviewReplay()
    sampleIfDue()
  }

  /// Tells the renderer something; returns the number its answer will carry.
  @discardableResult
  mutating func render(_ kind: RendererCommand.Kind, _ change: (inout RendererCommand) -> Void = { _ in }) -> UInt64 {
    var command = RendererCommand(
      kind: kind, request: renderer.newRequest(), item: queue.current?.id, uri: queue.current?.uri ?? [])
    change(&command)
    effects.append(.render(command))
    return command.request
  }

  mutating func coordinate(_ event: CoordinationEvent) { effects.append(.coordinate(event)) }

  mutating func refuse(_ operation: String, _ message: String) {
    effects.append(.refuse(operation: operation, message: message))
  }

  private mutating func close() {
    answerSeek(.cancelled)
    if renderer.load != .none { render(.stop) }
    renderer = RendererState()
    course = Course()
    sampling = Sampling()
  }
}

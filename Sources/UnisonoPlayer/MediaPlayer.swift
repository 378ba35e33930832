import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

/// A player over any renderer: it asks the group before it plays, follows the group's commands, and stays with it.
///
/// Pure: it reads no clock and calls nobody. Feed events with `handle`; carry the effects out in order. `nextWake` says
/// when a `.tick` is due. Where it stands to its coordination is where a host stands: requests go there as effects,
/// commands come back as events.
///
/// This is the kernel: it hands each event to the rooms that it concerns, carries out what they return, in order, and goes
/// through the turn (`PlayerTurnStep`). Each room owns its state: the queue, the renderer as it is known (`RendererState`), what
/// it is to do (`RendererPlan`) and how it gets there (`StartScheduler`), how it is kept with the group (`DriftCorrection`), what
/// this player is apart for (`OwnSuspensions`), the person's seek, the volume, and what the host knows.
package struct MediaPlayer: Sendable {
  private let abilities: RendererAbilities
  private var group = GroupState()
  private var queue = PlayerQueue()
  private var renderer = RendererState()
  private var plan = RendererPlan()
  private var starts = StartScheduler()
  private var drift: DriftCorrection
  private var suspensions = OwnSuspensions()
  private var seek = SeekRequest()
  private var volume = PlayerVolume()
  private var notifications = PlayerNotifications()
  private var defaultRate = 1.0
  private var stalls: UInt64 = 0

  /// Host time of the step in progress, or of the last one.
  private var now: HostTime = 0
  private var effects: [PlayerEffect] = []

  package init(renderer abilities: RendererAbilities) {
    self.abilities = abilities
    drift = DriftCorrection(abilities)
  }

  // MARK: The turn

  /// Handles one event, and what time brought about by then.
  package mutating func handle(_ event: PlayerEvent, now: HostTime) -> [PlayerEffect] {
    self.now = now
    receive(event)
    for step in PlayerTurnStep.turn { perform(step.name, after: event) }
    let effects = effects
    self.effects = []
    return effects
  }

  /// Host time at which `.tick` is due; nil: nothing is pending.
  package var nextWake: HostTime? {
    var next: HostTime?
    var isOverdue = false
    for step in PlayerTurnStep.turn {
      guard let wake = wake(of: step.name) else { continue }
      if wake > now { next = min(next ?? wake, wake) } else { isOverdue = true }
    }
    // What is overdue waits for an event; without anything else to come a tick at once is that.
    return next ?? (isOverdue ? now : nil)
  }

  private mutating func perform(_ step: PlayerTurnStep.Name, after event: PlayerEvent) {
    switch step {
    case .rampVolume: if case .tick = event { render(volume: volume.followRamp(at: now)) }
    case .startIfDue: startIfDue()
    case .endNudge: if let factor = drift.endDueNudge(at: now) { nudge(factor) }
    case .reviewHalt: reviewHalt()
    case .reviewSeek: if let outcome = seek.outcome(in: group, at: now) { answerSeek(outcome) }
    case .reviewReplay: reviewReplay()
    case .sample: sampleIfDue()
    case .notify: for notice in notifications.changes(noticeFacts) { effects.append(.notify(notice)) }
    }
  }

  /// Host time at which a step has something to do by itself; nil: only what happens gives it something.
  private func wake(of step: PlayerTurnStep.Name) -> HostTime? {
    switch step {
    case .rampVolume: volume.wake(at: now)
    case .startIfDue: plan.waitsUntil
    case .endNudge: drift.nudgeEnds
    case .reviewHalt: renderer.stallsAt
    case .reviewSeek: seek.wake(after: now)
    case .reviewReplay:
      suspensions.replayMeets(behind: behindGroup, rate: renderer.rate, groupRate: group.rate, at: now)
    case .sample: drift.nextSample
    case .notify: plan.timeControlWake(after: now)
    }
  }

  private mutating func receive(_ event: PlayerEvent) {
    switch event {
    case .insert(let item, let other): insert(item, after: other)
    case .remove(let id): remove(id)
    case .advance: advance()
    case .replaceCurrent(let item): replaceCurrent(item)
    case .play: requestRate(defaultRate, operation: .play)
    case .pause: requestRate(0, operation: .pause)
    case .setRate(let rate): requestRate(rate, operation: .setRate)
    case .playImmediately(let rate):
      requestRate(rate ?? defaultRate, immediately: true, operation: rate == nil ? .play : .setRate)
    case .setDefaultRate(let rate): if rate != 0 { defaultRate = rate }
    case .seek(let id, let target, let before, let after): requestSeek(id, to: target, before: before, after: after)
    case .scrubBegin:
      queue.endContinuation()
      apply(suspensions.beginScrub(hasItem: queue.current != nil))
    case .scrubTo(let target): apply(suspensions.scrub(to: group.landing(of: reachable(target))))
    case .scrubEnd(let commit): apply(suspensions.endScrub(commit: commit))
    case .replay(let back, let rate): replay(back: back, rate: rate)
    case .interruptionBegin: apply(suspensions.beginInterruption())
    case .interruptionEnd(let resume): apply(suspensions.endInterruption(resume: resume, goingOnAt: placeToGoOn))
    case .interstitialBegin: apply(suspensions.beginInterstitial())
    case .interstitialEnd: apply(suspensions.endInterstitial(goingOnAt: placeToGoOn))
    case .setVolume(let own): render(volume: volume.set(own, at: now))
    case .othersSpeak(let speak): render(volume: volume.duck(speak, at: now))
    case .shown(let isShown): apply(suspensions.setShown(isShown, goingOnAt: placeToGoOn))
    case .setRenderSize(let width, let height):
      render(.size) {
        $0.width = width
        $0.height = height
      }
    case .report(let report): receive(report)
    case .command(let command): follow(command)
    case .timing(let timing): group.update(timing: timing)
    case .timingChanged(let change):
      if let rate = queue.continuationRate(after: change) {
        coordinate(.rateChange(rate: rate, immediately: false))
      }
    case .suspensionsChanged(let reasons):
      group.update(suspensionReasons: reasons)
      if !suspensions.isStalled, group.hasGivenUpWaiting { plan.giveUpAnswer() }
    case .refused(let operation, let status): receiveRefusal(of: operation, status: status)
    case .company(let waitsForStalls, let isAlone, let action):
      group.update(waitsForStalls: waitsForStalls, isAlone: isAlone, actionAtEnd: action)
    case .tick: break
    case .close: close()
    }
  }

  private mutating func close() {
    answerSeek(.cancelled)
    if renderer.load != .none { render(.stop) }
    renderer = RendererState()
    plan.end()
    starts = StartScheduler()
    drift.end()
  }

  // MARK: What may be read

  package var view: MediaPlayerView {
    var statistics = drift.statistics
    statistics.stalls = stalls
    let facts = noticeFacts
    return MediaPlayerView(
      item: queue.current, timeControl: notifications.timeControl(facts), itemStatus: facts.itemStatus,
      rate: facts.rate,
      position: renderer.position, runningRate: renderer.rate, duration: duration, seekable: renderer.seekable,
      statistics: statistics)
  }

  /// Identifiers of what is in the queue, the current one first.
  package var queuedItems: [ItemID] { ([queue.current].compactMap { $0 } + queue.upcoming).map { $0.id } }

  package static let queueLimit = PlayerQueue.limit

  /// Position at a host time, as far as is known.
  package func position(at host: HostTime) -> ItemTime? { renderer.position(at: host) }

  /// Distance from the group that is left to nudges, or to nothing where the renderer does not do these, ns: beyond it the player
  /// seeks. It grows where seeks do not last.
  package var tolerance: Nanoseconds { drift.tolerance(at: now) }

  /// Notices of the present state, for one who begins to listen.
  package var presentState: [PlayerNotice] {
    [.itemStatus, .rate, .timeControl].map { notifications.notice($0, noticeFacts) }
  }

  /// The rules that do not hold after an event, whatever was fed to it; empty: all is well. Judged by the simulator.
  package var brokenInvariants: [String] {
    var rules = Invariants()
    if queue.current == nil {
      rules.expect(renderer.load == .none, "without an item nothing is loaded")
      rules.expect(!seek.isPending && !queue.hasContinuation, "without an item nothing waits to be done")
    }
    plan.judge(&rules, item: queue.current?.id, load: renderer.load)
    renderer.judge(&rules)
    suspensions.judge(&rules, hasItem: queue.current != nil)
    rules.expect(defaultRate.isFinite && defaultRate != 0, "the default rate is no pause")
    rules.expect((0...1).contains(volume.own), "volume lies in 0...1")
    notifications.judge(&rules, noticeFacts)
    rules.expect(effects.isEmpty, "an event leaves nothing to be carried out")
    return rules.broken
  }

  /// ns; `.max`: live; nil: unknown.
  private var duration: Nanoseconds? {
    queue.current?.isLive == true ? .max : renderer.duration ?? queue.current?.duration
  }

  private var isLive: Bool { queue.current?.isLive == true }

  /// It does not follow the group at the moment.
  private var isApart: Bool { !suspensions.isEmpty || !group.suspensionReasons.isEmpty }

  /// The nearest position the item has.
  private func reachable(_ target: ItemTime) -> ItemTime {
    if let seekable = renderer.seekable, isLive {
      return min(max(target, seekable.lowerBound), seekable.upperBound)
    }
    guard let duration, duration != .max else { return isLive ? target : max(0, target) }
    return min(max(0, target), duration)
  }

  /// Place at which a suspension ends. Alone nothing has gone on meanwhile that a person would want: it goes on from here. nil: where the
  /// group is.
  private var placeToGoOn: ItemTime? { group.isAlone ? renderer.position(at: now) : nil }

  /// Distance of the running renderer behind the group, ns; nil: it does not run as it should.
  private var behindGroup: Nanoseconds? {
    guard renderer.isRunning, plan.step == .settled, plan.line != nil, let here = renderer.position(at: now) else {
      return nil
    }
    return group.place(at: now)?.subtracting(here)
  }

  // MARK: Effects

  /// Tells the renderer something; returns the number its answer will carry.
  @discardableResult
  private mutating func render(
    _ kind: RendererCommand.Kind, _ change: (inout RendererCommand) -> Void = { _ in }
  ) -> UInt64 {
    var command = RendererCommand(
      kind: kind, request: renderer.newRequest(), item: queue.current?.id, uri: queue.current?.uri ?? [])
    change(&command)
    effects.append(.render(command))
    return command.request
  }

  private mutating func render(volume: Double?) {
    if let volume { render(.volume) { $0.volume = volume } }
  }

  private mutating func nudge(_ factor: Double) { render(.nudge) { $0.rate = factor } }

  private mutating func stopNudging() {
    if let factor = drift.stopNudging(at: now) { nudge(factor) }
  }

  private mutating func coordinate(_ event: CoordinationEvent) { effects.append(.coordinate(event)) }

  private mutating func refuse(_ operation: Operation, _ message: String) {
    effects.append(.refuse(operation: operation, message: message))
  }

  /// Carries out what the suspensions return.
  private mutating func apply(_ intents: [OwnSuspensions.Intent]) {
    for intent in intents {
      switch intent {
      case .coordinate(let event): coordinate(event)
      case .refuse(let operation, let message): refuse(operation, message)
      case .stop(let reason):
        guard queue.current != nil, plan.wantedRate != 0 else { continue }
        if let reason { notifications.expectRateChange(because: reason) }
        coordinate(.rateChange(rate: 0, immediately: false))
      }
    }
  }

  /// Reports to the group where it really is, one that broke down included.
  private mutating func reportToGroup() {
    guard !plan.isAnswering, renderer.hasLoaded, let here = renderer.position(at: now) else { return }
    var range = renderer.seekable
    // What is no live item begins at 0, and ends where it ends.
    if renderer.hasEnded || range == nil, duration != .max { range = 0...max(0, duration ?? .max) }
    coordinate(
      .report(
        PlaybackReport(
          stalled: renderer.isStalled || group.waitsForThis && renderer.haltedSince != nil, rate: renderer.rate,
          position: .init(itemTime: here, hostTime: now), range: range)))
  }

  // MARK: Notices

  private var noticeFacts: PlayerNotifications.Facts {
    let control: TimeControl? =
      queue.current == nil
      ? nil : plan.timeControl(renderer, in: group, playsInterstitial: suspensions.playsInterstitial, at: now)
    return PlayerNotifications.Facts(
      item: queue.current?.id, load: renderer.load, rate: plan.wantedRate, timeControl: control,
      position: renderer.position)
  }

  private mutating func notify(_ kind: PlayerNotice.Kind, _ change: (inout PlayerNotice) -> Void = { _ in }) {
    var notice = notifications.notice(kind, noticeFacts)
    change(&notice)
    effects.append(.notify(notice))
  }

  private mutating func notifyRate(because reason: RateReason) {
    effects.append(.notify(notifications.rateNotice(because: reason, noticeFacts)))
  }

  private mutating func notifyJump(to target: ItemTime, originator: ParticipantID) {
    let now = now
    notify(.timeJumped) {
      $0.itemTime = target
      $0.hostTime = now
      $0.originator = originator
    }
  }

  // MARK: The queue

  private mutating func insert(_ item: PlayerItem, after other: ItemID?) {
    guard queue.insert(item, after: other) else {
      return refuse(.insertItem, "the item to insert after is not in the queue")
    }
    guard queue.current == nil else { return }
    queue.advance()
    beginItem(goingOnAt: notifications.rate)
  }

  private mutating func remove(_ id: ItemID) {
    queue.removeUpcoming(id)
    if queue.current?.id == id { advance() }
  }

  /// The next one, which goes on playing where this one played.
  private mutating func advance() {
    let rate = plan.wantedRate
    queue.advance()
    beginItem(goingOnAt: rate)
  }

  private mutating func replaceCurrent(_ item: PlayerItem?) {
    queue.replaceCurrent(item)
    if item == nil { notifications.clearRate() }
    beginItem(goingOnAt: 0)
  }

  /// Another item is current. The group's state comes first: the proposal only counts where it has none. To go on playing is
  /// asked for afterwards, so that everybody gets time to load.
  private mutating func beginItem(goingOnAt rate: Double) {
    answerSeek(.cancelled)
    if drift.beginItem() { nudge(1) }
    let wasLoaded = renderer.load != .none
    queue.goOn(at: rate)
    renderer.beginItem()
    plan.beginItem(at: queue.current?.startTime)
    starts = StartScheduler()
    apply(suspensions.endOfItem(goingOnAt: placeToGoOn))
    guard let item = queue.current else {
      if wasLoaded { render(.stop) }
      return coordinate(.transition(to: nil, proposal: nil))
    }
    renderer.beginLoading(render(.load) { $0.itemTime = item.startTime })
    let proposal = item.startTime == 0 ? nil : Proposal(rate: 0, itemTime: item.startTime)
    coordinate(.transition(to: item.id, proposal: proposal))
  }

  // MARK: The person's requests: they go to the group, which commands this player like everybody's

  private mutating func requestRate(_ rate: Double, immediately: Bool = false, operation: Operation) {
    guard queue.current != nil else {
      // A queue that ran dry goes on with its next item unless it is paused.
      if rate == 0 { notifications.clearRate() }
      return refuse(operation, "there is no current item; insert one first")
    }
    guard rate.isFinite, abs(rate) <= Law.greatestRate else { return }
    guard !suspensions.playsInterstitial else {
      return refuse(operation, "an interstitial is playing; end it first")
    }
    queue.endContinuation()
    apply(suspensions.endForPerson(plays: rate != 0, goingOnAt: placeToGoOn))
    // Alone nothing went on that a person would want: from where it could not go on it does.
    let goesOn = rate != 0 && group.isAlone && group.suspensionReasons.contains(Suspensions.notPossible)
    coordinate(
      .rateChange(rate: rate, immediately: immediately, from: goesOn ? renderer.position(at: now) : nil))
  }

  private mutating func requestSeek(_ id: UInt64, to target: ItemTime, before: Nanoseconds, after: Nanoseconds) {
    answerSeek(.cancelled)
    let target = group.landing(of: reachable(target))
    seek.begin(id, to: target, before: before, after: after, at: now)
    guard queue.current != nil else {
      refuse(.seek, "there is no current item; insert one first")
      return answerSeek(.cancelled)
    }
    queue.endContinuation()
    renderer.clearEnd()
    apply(suspensions.endForPerson(plays: false, goingOnAt: placeToGoOn))
    coordinate(.seek(to: target, resumeImmediately: false))
  }

  private mutating func answerSeek(_ outcome: PlayerNotice.Outcome, status: Int32 = 0) {
    guard let request = seek.end() else { return }
    notify(.seekDone) { notice in
      notice.request = request
      notice.outcome = outcome
      notice.status = status
    }
  }

  /// The command has failed, and the person's seek with it if it is that.
  private mutating func failSeek(of command: UInt64, status: Int32) {
    if seek.became(command) { answerSeek(.failed, status: status) }
  }

  private mutating func receiveRefusal(of operation: Operation, status: Int32) {
    switch operation {
    case .coordinateSeek:
      answerSeek(.failed, status: status)
    case .coordinateRateChange:
      // What the player asked for by itself is nobody's failure.
      if !notifications.endExpectation(of: .liveEdge) { notifyRate(because: .setRateFailed) }
    default:
      break
    }
  }

  private mutating func replay(back: Nanoseconds, rate: Double) {
    guard suspensions.isEmpty else { return refuse(.replay, "this player is apart from the group already") }
    guard queue.current != nil, renderer.load == .ready, let here = renderer.position(at: now) else {
      return refuse(.replay, "nothing is loaded that could be repeated")
    }
    apply(suspensions.beginReplay())
    coordinate(.seek(to: reachable(here.subtracting(max(0, back))), resumeImmediately: false))
    coordinate(
      .rateChange(rate: OwnSuspensions.replayRate(asked: rate, groupRate: group.rate), immediately: false))
  }

  private mutating func reviewReplay() { apply(suspensions.endReplay(ifCaughtUp: behindGroup)) }

  // MARK: The group's commands: the newest counts, and replaces what was under way

  private mutating func follow(_ command: PlaybackCommand) {
    guard command.item == queue.current?.id else { return }
    if let outcome = seek.follow(command, in: group, at: now) { answerSeek(outcome) }
    suspensions.followCommand()
    notifications.follow(command)
    switch renderer.load {
    case .none, .loading: plan.keep(command)
    case .failed(let status): fail(command, status: status)
    case .ready: execute(command)
    }
  }

  /// It came before the item failed, or comes after.
  private mutating func fail(_ command: PlaybackCommand, status: Int32) {
    if command.kind == .play || command.anticipatedRate != 0 { notifyRate(because: .setRateFailed) }
    failSeek(of: command.id, status: status)
    coordinate(.failed(command: command.id, status: status))
  }

  /// The item cannot be played, whatever was commanded about it.
  private mutating func failItem(status: Int32) {
    renderer.failItem(status: status)
    plan.settle()
    guard let command = plan.releaseCommand() else { return abandon(status: status) }
    plan.rest()
    fail(command, status: status)
  }

  /// Ends a command that cannot be done: the renderer stands, whatever it did before, and all that is said says so.
  private mutating func abandon(status: Int32) {
    let failsRate = plan.rate != 0
    if renderer.isRunning || plan.isAnswering {
      stopNudging()
      render(.pause)
    }
    renderer.abandon(at: now)
    plan.rest()
    plan.settle()
    if failsRate { notifyRate(because: .setRateFailed) }
    if let command = plan.endCommand() {
      failSeek(of: command, status: status)
      coordinate(.failed(command: command, status: status))
    } else {
      coordinate(.cannotPlay(status: status))
    }
    reportToGroup()
  }

  private mutating func execute(_ command: PlaybackCommand) {
    if plan.line != nil, command.kind != .play { stopNudging() }
    notifyJump(by: command)
    plan.begin(command, at: now)
    starts.begin(command, hasEnded: renderer.hasEnded, leavesRange: group.isInRange)
    renderer.clearEnd()
    if let line = plan.line { enter(line) } else { stand(mayBeStanding: command.kind != .pause) }
  }

  /// People see a jump where a command sends the player elsewhere.
  private mutating func notifyJump(by command: PlaybackCommand) {
    guard command.kind != .pause || command.snap, let here = renderer.position(at: now) else { return }
    let target =
      command.kind == .play && !command.mayBeginLater
      ? Line(at: command.itemTime, rate: command.rate, since: command.hostTime ?? now)
        .position(at: max(now, command.hostTime ?? now)) : command.itemTime
    guard here.subtracting(target).absolute > PlayerParameters.jump else { return }
    notifyJump(to: target, originator: notifications.originator)
  }

  /// Stops the renderer, brings it to where it is to stand and gets it ready there; its last answer completes.
  private mutating func stand(mayBeStanding: Bool) {
    let standing = plan.standing(from: renderer, mayBeStanding: mayBeStanding, abilities: abilities, at: now)
    var last: UInt64?
    if standing.pauses {
      last = render(.pause)
      // What it is told next finds it standing, whenever the answer comes.
      renderer.restHere(at: now)
    }
    renderer.clearHalt()
    switch standing.way {
    // A seek that was on its way is over by the pause: some renderers never answer it.
    case nil: renderer.endSeek()
    case .seek(let target): last = sendRenderer(to: target)
    case .cue(let place, let rate, let moves):
      let request = render(.cue) {
        $0.rate = rate
        $0.itemTime = place
      }
      renderer.endSeek()
      if moves { renderer.beginSeek(to: place, request: request, at: now, isRunning: false) }
      last = request
    }
    if let last { plan.await(last) } else { settle() }
  }

  /// Tells the renderer to seek; returns the number of the request.
  private mutating func sendRenderer(to target: ItemTime) -> UInt64 {
    let target = reachable(target)
    let (before, after) = seek.tolerances(of: plan.command)
    let request = render(.seek) {
      $0.itemTime = target
      $0.toleranceBefore = before
      $0.toleranceAfter = after
    }
    renderer.beginSeek(to: target, request: request, at: now, isRunning: renderer.isRunning)
    return request
  }

  /// Ends what was under way: it is done.
  private mutating func settle() {
    plan.settle()
    if let command = plan.endCommand() {
      coordinate(.completed(command: command))
      if seek.became(command) { answerSeek(.done) }
    }
    apply(suspensions.scrubOn())
    reportToGroup()
  }

  // MARK: Onto a line

  private var startFacts: StartScheduler.Facts {
    StartScheduler.Facts(
      now: now, abilities: abilities, renderer: renderer, startLatency: drift.startLatency, seekCost: drift.seekCost,
      tolerance: drift.tolerance(at: now), duration: duration, hasCommand: plan.command != nil,
      isPersonsSeek: seek.became(plan.command), isBusy: plan.isAnswering && !plan.isGivenUp)
  }

  private var beginsWithPlayer: Bool { starts.beginsWithPlayer(hasCommand: plan.command != nil) }

  private mutating func enter(_ line: Line) { apply(starts.enter(line, startFacts)) }

  /// Carries out what the start scheduler returns.
  private mutating func apply(_ intents: [StartScheduler.Intent]) {
    for intent in intents {
      switch intent {
      case .finish: settle()
      case .end(let isNews): end(isNews: isNews)
      case .fail(let status): abandon(status: status)
      case .revise: plan.reviseAfterAnswer()
      case .postpone(let line, let delay):
        plan.postpone(to: line)
        if let command = plan.command { coordinate(.beginsLater(command: command, by: delay)) }
      case .stopNudging: stopNudging()
      case .seek(let target): plan.await(sendRenderer(to: target))
      case .wait(let until, let instant):
        plan.wait(until: until, for: instant)
        startIfDue()
      case .play(let line, let place, let instant): play(line, from: place, at: instant)
      case .jump(let line): jump(on: line)
      }
    }
  }

  private mutating func startIfDue() {
    guard let (line, instant) = plan.dueStart(at: now) else { return }
    let here = renderer.isRunning ? line.position(at: instant) : renderer.position?.itemTime ?? line.at
    play(line, from: here, at: instant)
  }

  private mutating func play(_ line: Line, from here: ItemTime, at instant: HostTime) {
    stopNudging()
    renderer.endSeek()
    starts.begin(line, from: here, startFacts)
    let request = render(.play) {
      $0.rate = line.rate
      $0.itemTime = here
      $0.hostTime = instant
    }
    plan.await(request)
  }

  private mutating func jump(on line: Line) {
    drift.beginSeek(isCorrective: plan.command == nil || starts.isReturn, at: now)
    apply(starts.jump(on: line, startFacts))
  }

  // MARK: The renderer's reports

  private mutating func receive(_ report: RendererReport) {
    if let duration = report.duration, duration > 0 { renderer.record(duration: duration) }
    if let seekable = report.seekable { renderer.record(seekable: seekable) }
    switch RendererReports.meaning(of: report, renderer, plan) {
    case .nothing: break
    case .position(let position): follow(position)
    case .loaded:
      renderer.finishLoading(at: report.position?.itemTime ?? queue.current?.startTime ?? 0, now: now)
      plan.finishLoading()
      if let command = plan.releaseCommand() { execute(command) }
    case .arrived: arrive(at: report.position)
    case .seekReplaced: renderer.endSeek()
    case .playing: receivePlaying(report)
    case .paused:
      renderer.record(report.position, at: now)
      renderer.rest(at: report.position?.itemTime ?? renderer.position(at: now) ?? 0, now: now)
      goOn()
    case .stillPaused: renderer.record(report.position, at: now)
    case .stopped: receiveStop(report)
    case .halted:
      renderer.record(report.position, at: now)
      halt()
    case .recovered: receiveRecovery(report)
    case .ended: end()
    case .itemFailed(let status): failItem(status: status)
    case .replacedOrderFailed:
      renderer.endSeek()
      goOn()
    case .commandFailed(let status): abandon(status: status)
    case .correctionFailed:
      renderer.endSeek()
      plan.settle()
    }
  }

  /// The renderer is where it was sent.
  private mutating func arrive(at position: PlaybackReport.Position?) {
    let sent = renderer.seek
    renderer.endSeek()
    renderer.clearHalt()
    if let sent, sent.isRunning, renderer.isRunning {
      renderer.place(position ?? .init(itemTime: sent.target, hostTime: now))
      if beginsWithPlayer {
        drift.observeSeek(taking: now.subtracting(sent.sent))
        if let line = plan.line {
          apply(
            starts.postpone(line, arrivedAt: sent.target, tolerances: seek.tolerances(of: plan.command), startFacts))
        }
        beginRunning(nil)
      } else {
        beginRunning(.seek)
      }
    } else {
      if let sent { drift.observeSeek(taking: now.subtracting(sent.sent)) }
      renderer.rest(at: position?.itemTime ?? sent?.target ?? renderer.position(at: now) ?? 0, now: now)
    }
    goOn()
  }

  /// The renderer has answered: what comes next?
  private mutating func goOn() {
    plan.settle()
    guard let line = plan.line else { return settle() }
    if !renderer.isRunning {
      apply(starts.start(on: line, startFacts))
    } else if plan.isChanged || renderer.rate != line.rate {
      plan.endRevision()
      enter(line)
    } else {
      settle()
    }
  }

  private mutating func receivePlaying(_ report: RendererReport) {
    let wasHalted = renderer.haltedSince != nil
    renderer.clearHalt()
    guard renderer.load == .ready else { return }
    if report.request == 0 { apply(suspensions.endBackground(goingOnAt: placeToGoOn)) }
    guard let line = plan.line else { return stopOnce() }
    renderer.record(
      report.position ?? renderer.position.map { .init(itemTime: $0.itemTime, hostTime: now) }, at: now)
    // It was sent elsewhere while it stood, and plays on the way.
    if renderer.seek?.isRunning == false, report.request == 0 { return stopOnce() }
    let wasRunning = renderer.isRunning
    // Of a line that came while it was busy it knows nothing yet: it plays as it was told last.
    let rate = starts.rate != 0 ? starts.rate : line.rate
    let changesRate = wasRunning && renderer.rate != rate
    renderer.run(at: rate)
    if wasHalted || report.request == 0 { endStall() }
    if plan.isAnswered(by: report.request) {
      if !wasRunning, report.position == nil { renderer.place(at: line.position(at: now), now: now) }
      beginRunning(changesRate ? .rate : wasRunning ? nil : starts.start.map(DriftController.Arrival.init))
      goOn()
    } else if !wasRunning {
      beginRunning(nil)
      reportToGroup()
    }
    drift.beginSampling(at: now)
  }

  /// It begins to run, or goes on elsewhere.
  private mutating func beginRunning(_ arrival: DriftController.Arrival?) {
    drift.begin(arrival, at: now)
    renderer.watchMotion()
  }

  /// It runs although it is to stand, as players do after a seek.
  private mutating func stopOnce() {
    if plan.stopOnce(renderer) { render(.pause) }
  }

  private mutating func receiveStop(_ report: RendererReport) {
    renderer.record(report.position, at: now)
    if isAtEnd { return end() }
    guard suspensions.isShown else {
      renderer.rest(at: renderer.position(at: now) ?? 0, now: now)
      return apply(suspensions.beginBackground())
    }
    halt()
    renderer.rest(at: renderer.position(at: now) ?? 0, now: now)
  }

  /// A renderer that stops this close to the end of its item has played it.
  private var isAtEnd: Bool {
    guard let duration, duration != .max, let here = renderer.position(at: now) else { return false }
    return here >= duration.subtracting(PlayerParameters.end)
  }

  private mutating func end(isNews: Bool = true) {
    guard !renderer.hasEnded, renderer.load == .ready, let line = plan.line else { return }
    renderer.clearHalt()
    renderer.endSeek()
    stopNudging()
    let end = duration.flatMap { $0 == .max ? nil : $0 } ?? renderer.position(at: now) ?? 0
    renderer.end(at: line.rate > 0 ? end : 0, now: now)
    let action = group.actionAtEnd
    if action != .none {
      plan.rest()
      notifications.expectRateChange(because: .itemEnded)
    }
    endStall()
    settle()
    guard isNews else { return }
    notify(.itemEnded)
    if action == .advance, line.rate > 0, !queue.upcoming.isEmpty {
      notifyRate(because: .itemEnded)
      queue.advance()
      beginItem(goingOnAt: line.rate)
    }
  }

  // MARK: Halts and stalls

  /// The renderer stands although it should run.
  private mutating func halt() {
    guard renderer.halt(at: now) else { return }
    stopNudging()
    // The group that waits has a debounce of its own.
    if group.waitsForThis { reportToGroup() }
  }

  /// A halt that outlasted the debounce: the group is told, and this player is apart where the group does not wait.
  private mutating func reviewHalt() {
    guard renderer.becomesStalled(at: now) else { return }
    stalls += 1
    reportToGroup()
    if !group.waitsForThis { apply(suspensions.beginStall()) }
  }

  private mutating func endStall() { apply(suspensions.endStall(goingOnAt: placeToGoOn)) }

  private mutating func receiveRecovery(_ report: RendererReport) {
    renderer.record(report.position, at: now)
    guard renderer.haltedSince != nil else { return }
    if !renderer.isRunning, report.position == nil, let stood = renderer.position {
      renderer.place(at: stood.itemTime, now: now)
    }
    recover()
  }

  /// It runs on from where it is.
  private mutating func recover() {
    renderer.clearHalt()
    guard let line = plan.line else { return }
    renderer.run(at: line.rate)
    beginRunning(.recovery)
    drift.beginSampling(at: now)
    endStall()
    reportToGroup()
  }

  // MARK: In step

  private mutating func sampleIfDue() {
    // One that was found standing may be found moving again.
    let runs = plan.line != nil && (renderer.isRunning || renderer.isSeenStanding) && renderer.load == .ready
    guard drift.isSampleDue(runs: runs, at: now) else { return }
    if abilities.tellsPosition, !plan.isAnswering { effects.append(.askPosition) }
  }

  /// The renderer gave a position.
  private mutating func follow(_ position: PlaybackReport.Position) {
    renderer.record(position, at: now)
    if isLive, !isApart, plan.reachEdge(renderer, at: now) {
      notifications.expectRateChange(because: .liveEdge)
      coordinate(.rateChange(rate: 1, immediately: false))
    }
    if isMoving(position) { correct(position) }
    reviewReplay()
    if drift.claimReport(at: now) { reportToGroup() }
  }

  /// Whether a position that the player gave says something of how it runs: it moves, as it should.
  private mutating func isMoving(_ position: PlaybackReport.Position) -> Bool {
    guard let line = plan.line, renderer.isRunning || renderer.isSeenStanding else { return false }
    switch renderer.observeMotion(position, rate: line.rate) {
    case .moves: return true
    case .notYet: drift.wait(at: now)
    case .stands: if isAtEnd { end() } else { halt() }
    case .movesAgain: recover()
    }
    return false
  }

  /// Compares a position that the running player gave with the group's, and corrects it.
  private mutating func correct(_ position: PlaybackReport.Position) {
    guard let line = plan.line, renderer.isRunning, renderer.haltedSince == nil, plan.step == .settled, !isApart,
      let group = group.position(at: position.hostTime)
    else { return }
    let target = isLive ? reachable(group) : group
    let lead = position.itemTime.subtracting(target).scaled(by: 1 / line.rate)
    let outcome = drift.measure(lead: lead, of: position.hostTime, at: now)
    if let latency = outcome.startLatency { coordinate(.setStartLatency(latency)) }
    switch outcome.correction {
    case nil:
      return
    case .nudge(let factor):
      nudge(factor)
    case .seek:
      notifyJump(to: target, originator: .none)
      jump(on: Line(at: target, rate: line.rate, since: position.hostTime))
    }
  }
}

import UnisonoBase
import UnisonoReplica

/// What is known: all that rooms read, and that the kernel alone writes.
struct Facts: Sendable {
  private let constants: Constants
  var configuration: Coordination.Configuration { _read { yield constants.configuration } }
  /// Host time of the step in progress, or of the last one.
  fileprivate(set) var now: HostTime = 0
  fileprivate(set) var registers: RegisterStore { didSet { roster.update(registers, presence) } }
  /// Statements of the future.
  fileprivate(set) var held = HeldStatements()
  fileprivate(set) var stamps = HybridClock()
  fileprivate(set) var clock = GroupClock()
  fileprivate(set) var hubClocks = HubClocks()
  fileprivate(set) var presence = Presence() { didSet { roster.update(registers, presence) } }
  private(set) var roster = Roster()
  /// Who can read, as the record that is spoken in lists them.
  fileprivate(set) var readers: [ParticipantID] = []
  fileprivate(set) var persons = Persons()
  fileprivate(set) var missed = MissedStarts()
  fileprivate(set) var clockDoubt = ClockDoubt()
  fileprivate(set) var session: SessionPhase
  fileprivate(set) var settings = HostSettings()
  /// What the own Participant register says now.
  fileprivate(set) var own: ParticipantValue
  /// Host time of the own host's last transition.
  fileprivate(set) var arrived: HostTime = .min
  fileprivate(set) var occupancy = Occupancy()
  fileprivate(set) var expiry = Expiry()

  /// What never changes, apart: the facts are handed from room to room, and the smaller they are the less that costs.
  private final class Constants: Sendable {
    let configuration: Coordination.Configuration
    init(_ configuration: Coordination.Configuration) { self.configuration = configuration }
  }

  fileprivate init(_ configuration: Coordination.Configuration) {
    constants = Constants(configuration)
    registers = RegisterStore(
      policies: PolicyOrder(origin: configuration.policy, terms: configuration.origin, hash: configuration.hash))
    session = SessionPhase(participates: configuration.participates)
    own = ParticipantValue(
      incarnation: configuration.incarnation, displayName: configuration.displayName,
      deviceName: configuration.deviceName)
    own.roleWish = configuration.roleWish?.rawValue ?? 0
  }
}

/// One participant's whole view of a session's playback: registers, presence, the own host's state.
///
/// Pure: it reads no clock, no socket and no random source. Feed events with `handle`, then call `settle` once per loop
/// turn; both return effects to carry out in order. `nextWake` says when a `.tick` is due.
///
/// This is the kernel: it writes the facts, asks the rooms in the order of the turn (`TurnStep`), and does what they want
/// (`Intent`). A room is a type in a file of its own, which nobody else can write to; it reads facts and answers with intents.
/// What has to look at what it has just written stands here, in one place.
package struct Coordination: Sendable {
  private(set) var facts: Facts
  private(set) var requests = Requests()
  private(set) var suspensions = Suspensions()
  private(set) var barrier = Barrier()
  private var standBy = StandBy()
  private var audienceWait = AudienceWait()
  private(set) var player: LocalPlayer
  private(set) var partition = Partition()
  private(set) var antiEntropy: AntiEntropy
  /// What others may have sent to them by asking.
  private(set) var answers = AnswerBudget()
  private(set) var intake = PolicyIntake()
  private(set) var proposal = PolicyProposal()
  private(set) var reconfirmation = Reconfirmation()
  private var unseenCommands = UnseenCommands()
  private(set) var ownerTasks = OwnerTasks()
  private(set) var succession = Succession()
  private(set) var ownRegister = OwnRegister()
  private(set) var listing = ParticipantListing()
  private(set) var notifications = Notifications()
  private var skips = SkipWatch()
  private var lastJump = LastJump()
  private var leaving = LeavingWatch()
  private let scheduledStarting = ScheduledStarting()
  private var playlistAdvance = PlaylistAdvance()
  private var pending = PendingStatements()
  private var attachmentReview = AttachmentReview()
  private var outbox = Outbox()
  private var border = CutBorder()
  private var contradictions = ClockContradictions()
  private var toldTime = ToldGroupTime()
  private var crowding = CrowdingNotices()
  /// Of a named coordinator: what `isCatchingUp` is of the session.
  private var isSessionCatchingUp = false
  /// A named coordinator of this participant plays by the same group time, which is not to jump then.
  private var isPlayingBeside = false

  /// What the step in progress brought about, in the order in which it is handed over.
  private(set) var sends: [CoordinationEffect] = []
  private(set) var commands: [PlaybackCommand] = []
  private(set) var notices: [CoordinationEffect] = []

  package init(_ configuration: Configuration) {
    facts = Facts(configuration)
    player = LocalPlayer(firstCommand: configuration.firstCommand)
    antiEntropy = AntiEntropy(seed: configuration.seed, after: configuration.beatsBefore)
  }

  // MARK: Steps

  /// Takes one event in. Host commands are not computed here but in `settle`.
  package mutating func handle(_ event: CoordinationEvent, now: HostTime) -> [CoordinationEffect] {
    guard begin(at: now) else { return [] }
    guard !keepInRange(event) else { return finish() }
    process(border.inward(event, facts))
    return finish()
  }

  /// Ends a loop turn: decides starts, commands the host at most once, notifies of changes.
  package mutating func settle(now: HostTime) -> [CoordinationEffect] {
    guard begin(at: now) else { return [] }
    // Judged by the first step that needs it.
    var lacksGroupTime: Bool?
    for step in TurnStep.order {
      if isNamed, step.name.isOfSession { continue }
      if step.needsGroupTime {
        let lacks = lacksGroupTime ?? facts.waitsForClock
        lacksGroupTime = lacks
        if lacks { continue }
      }
      perform(step.name)
      // Who has mapped the clock, or believes who stands in and so what that one said of a hub's clock, may know group time again: what
      // follows of that is done in this turn.
      if step.name == .mapClock || step.name == .reviewSuccession { lacksGroupTime = nil }
    }
    facts.registers.endTurn()
    listing.update(facts)
    return finish()
  }

  /// false: the session is over.
  private mutating func begin(at now: HostTime) -> Bool {
    facts.now = now
    facts.presence.advance(to: now)
    return !facts.session.isOver
  }

  private mutating func finish() -> [CoordinationEffect] {
    defer {
      sends = []
      commands = []
      notices = []
    }
    if commands.isEmpty, notices.isEmpty { return sends }
    for command in commands { border.follow(command, facts) }
    return sends + border.outward(commands.map { .playback(.command($0)) } + notices, facts)
  }

  /// Host time at which `.tick` is due; nil: nothing is pending.
  package var nextWake: HostTime? {
    guard !facts.session.isOver else { return nil }
    let lacksGroupTime = facts.waitsForClock
    var next: HostTime?
    for step in TurnStep.order where (!step.needsGroupTime || !lacksGroupTime) && !(isNamed && step.name.isOfSession) {
      if let wake = wake(of: step.name) { next = min(next ?? wake, wake) }
    }
    return next.map { max($0, facts.now) }
  }

  private mutating func perform(_ step: TurnStep.Name) {
    switch step {
    case .mergeDueStatements: mergeDueStatements()
    case .returnToSolo: if facts.session.giveUp(now: facts.now) { returnToSolo() }
    case .pull: if facts.session.expirePull(now: facts.now) { askNext() }
    case .reconcile: reconcile()
    case .mapClock:
      if let wake = facts.hubClocks.nextWake, facts.now >= wake { refreshClock() }
      mapUnknownClock()
    case .enter: enterIfPossible()
    case .expireParticipants: expireParticipants()
    case .reviewSuccession: reviewSuccession()
    case .confirmCells:
      apply(unseenCommands.sayAgain(facts))
      if !isCatchingUp { apply(reconfirmation.confirm(facts)) }
    case .ownerTasks: performOwnerTasks()
    case .proposeUnproposed: proposeUnproposed()
    case .followCut: followCut()
    case .reviewInterstitials: reviewInterstitials()
    case .reviewSuspensions: reviewSuspensions()
    case .checkOverdue:
      apply(player.checkOverdue(facts))
      apply(player.checkMotion(facts, isSuspended: suspensions.isSuspended))
    case .sendKeptRequests: sendKeptRequests()
    case .pauseForLeaver: apply(leaving.pause(facts, isReconciling: partition.isReconciling))
    case .startScheduled: apply(scheduledStarting.start(facts, isReconciling: partition.isReconciling))
    case .showSuspensions: showSuspensions()
    case .voidReadiness, .voidReadinessAgain: invalidateStaleReadiness()
    case .releaseReadiness: releaseReadiness()
    case .showStall: facts.own.stalled = player.shownStall(facts)
    case .rememberHold: barrier.rememberHold(facts)
    case .reviewOwnStall: reviewOwnStall()
    case .decideContinuation: decideContinuation()
    case .advancePlaylist: apply(playlistAdvance.decide(facts, isReconciling: partition.isReconciling))
    case .countMissedStarts:
      var missed = facts.missed
      missed.follow(facts)
      facts.missed = missed
    case .attribute:
      skips.follow(facts)
      notifications.attribute(facts, skips: skips.skip != nil)
      lastJump.follow(facts, skips.skip)
    case .noticeActions: notices += notifications.noticeActions(facts, skips.skip).map(CoordinationEffect.session)
    case .commandHost: commandHost()
    case .rememberOccupation: rememberOccupation()
    case .collectItems:
      expireItems()
      for key in attachmentReview.dropped(facts) { facts.registers.remove(key) }
    case .exchange: apply(antiEntropy.exchangeIfDue(facts))
    case .publishOwnRegister: publishOwn()
    case .flushOutbox: flushOutbox()
    case .beat: beatIfDue()
    case .notifyTiming: if let timing = notifications.notifyTiming(facts) { notices.append(timing) }
    case .notifySession: notifySession()
    }
  }

  /// Host time at which a step has something to do by itself; nil: only what happens gives it something.
  private func wake(of step: TurnStep.Name) -> HostTime? {
    switch step {
    case .mergeDueStatements: heldWake
    case .returnToSolo: facts.session.aloneFrom
    case .pull: facts.session.pullWake
    case .reconcile: [partition.reconcileUntil, partition.newcomersFrom].compactMap { $0 }.min()
    case .mapClock: clockWake
    case .expireParticipants: expiryWake
    case .reviewSuccession: succession.wake(facts)
    case .confirmCells: isCatchingUp ? nil : reconfirmation.wake(facts)
    case .ownerTasks: ownerTasks.wake(facts)
    case .reviewInterstitials: interstitialWake
    case .checkOverdue: [player.overdueWake(facts), player.motionWake].compactMap { $0 }.min()
    case .sendKeptRequests: requests.wake
    case .pauseForLeaver: leaving.wake(facts)
    case .startScheduled: scheduledStarting.wake(facts)
    case .releaseReadiness: audienceWait.wake(facts)
    case .showStall: player.stallWake(facts)
    case .decideContinuation: barrier.wake(facts)
    case .advancePlaylist: playlistAdvance.wake(facts)
    case .noticeActions: notifications.wake
    case .commandHost: [player.entranceWake(facts), standBy.wake(facts)].compactMap { $0 }.min()
    case .exchange: antiEntropy.exchangeWake
    case .publishOwnRegister: ownRegister.wake(facts)
    case .flushOutbox: facts.session.secured ? outbox.wake : nil
    case .beat: facts.session.secured && facts.session.joined ? antiEntropy.next : nil
    case .notifyTiming: facts.clock.nextBend(after: facts.now)
    case .notifySession: facts.knowsInstants ? notifications.countdownWake(facts) : nil
    case .enter, .proposeUnproposed, .followCut, .reviewSuspensions, .showSuspensions, .voidReadiness,
      .rememberHold,
      .reviewOwnStall, .countMissedStarts, .attribute, .voidReadinessAgain, .rememberOccupation, .collectItems:
      nil
    }
  }

  private mutating func process(_ event: CoordinationEvent) {
    if facts.waitsForClock || facts.waitsToEnter && event.isSetting, let operation = event.stampedOperation {
      return postpone(event, operation)
    }
    switch event {
    case .transition(let item, let proposal): transition(to: item, proposal: proposal)
    case .rateChange(let rate, let immediately, let from):
      requestRate(rate, immediately: immediately)
      if let from, suspensions.isSuspended || facts.mayMoveOwnPlayer { requestSeek(to: from, immediately: false) }
    case .seek(let target, let immediately): requestSeek(to: target, immediately: immediately)
    case .undoJump: undoJump()
    case .completed(let id): complete(id)
    case .beginsLater(let id, let delay): beginLater(id, by: delay)
    case .failed(let id, let status): fail(id, status: status)
    case .cannotPlay(let status): cannotPlay(status: status)
    case .reapply: reapply()
    case .beginSuspension(let id, let reason): beginSuspension(id: id, reason: reason)
    case .endSuspension(let id, let proposing): endSuspension(id: id, proposing: proposing)
    case .setWaitingReasons(let reasons): facts.settings.setWaitingReasons(reasons)
    case .setParticipantLimit(let reason, let limit): facts.settings.setLimit(limit, of: reason)
    case .setPauseSnaps(let snaps): facts.settings.setPauseSnaps(snaps)
    case .setPreparesAhead(let prepares): facts.settings.setPreparesAhead(prepares)
    case .setWaitLimit(let limit): facts.settings.setWaitLimit(limit)
    case .setStallPolicy(let policy, let asProposal): setStallPolicy(policy, asProposal: asProposal)
    case .setActionAtEnd(let action, let asProposal): setActionAtEnd(action, asProposal: asProposal)
    case .setStartPolicy(let policy, let asProposal): setStartPolicy(policy, asProposal: asProposal)
    case .setSkipPolicy(let policy, let asProposal): setSkipPolicy(policy, asProposal: asProposal)
    case .scheduleStart(let item, let time, let calendarTime): scheduleStart(of: item, at: time, calendarTime: calendarTime)
    case .cancelStart: cancelStart()
    case .setAudience(let value): setAudience(value)
    case .audienceReadiness(let readiness): audienceWait.follow(readiness)
    case .setReady(let word):
      facts.own.word = word
      if word == .ready { barrier.complete() }
    case .startWithout(let ids): startWithout(ids)
    case .offerAttachment(let slot, let value): offerAttachment(value, in: slot)
    case .takeBackAttachment(let slot, let time): takeBackAttachment(in: slot, offered: time)
    case .setOutputOffset(let offset): setOutputOffset(offset)
    case .setStartLatency(let latency): facts.own.startLatency = min(max(0, latency), Law.greatestLead)
    case .report(let report): receive(report)
    case .resume(let past): resume(past)
    case .setActivity(let activity): setActivity(activity)
    case .editPlaylist(let edit): editPlaylist(edit)
    case .stateCopy(let copy): facts.own.copy = copy
    case .setCutOffset(let entry, let offset): setCutOffset(offset, of: entry)
    case .setInterstitials(let item, let ranges): setInterstitials(ranges, of: item)
    case .changePolicy(let change): changePolicy(change)
    case .end: end()
    case .leave: leave()
    case .setHubAddresses(let addresses): facts.own.hubAddresses = addresses
    case .setCoordinators(let names): facts.own.coordinators = names.sorted()
    case .participate: participate()
    case .linkUp(let members, let hub):
      facts.session.linkUp()
      antiEntropy.beginLink()
      enter(members: members, hub: hub)
    case .moved(let members, let hub):
      facts.session.move()
      enter(members: members, areAlong: true, hub: hub)
    case .linkDown: linkDown()
    case .presence(let joined, let gone): updatePresence(joined: joined, gone: gone)
    case .missed(let ids): antiEntropy.miss(ids, facts)
    case .secured: secure()
    case .roster(let ids): facts.readers = ids
    case .persons(let persons): facts.persons.know(persons)
    case .message(let message, let sender): receive(message, from: sender)
    case .clock(let model, let roundTrip): measureClock(model, roundTrip: roundTrip)
    case .clocks(let report):
      facts.hubClocks.hear(report, now: facts.now)
      refreshClock()
    case .slept:
      facts.hubClocks.sleep()
      facts.clock.doubt(isAlone: partition.wereAllGone(facts))
      toldTime.forgetAll()
      succession.forgetWatch()
    case .tick: break
    }
  }

  /// Without group time it would have a stamp of another timeline, or one before that of what it replaces.
  private mutating func postpone(_ event: CoordinationEvent, _ operation: Operation) {
    if !pending.keep(event) { refuse(operation, .state, "group time is not known yet, and too much waits for it; wait until it is") }
  }

  private mutating func resumePostponed() {
    for event in pending.take() { process(event) }
  }

  // MARK: What rooms want

  private mutating func apply(_ intents: [Intent]) {
    for intent in intents { apply(intent) }
  }

  private mutating func apply(_ intent: Intent) {
    switch intent {
    case .write(let key, let value, let original): write(key, value, original: original)
    case .continuePair(let item, let sequence, let kind, let original):
      guard let pair = facts.registers.cells(of: item)?.pair else { return }
      write(
        .continuation(item),
        .continuation(ContinuationValue(base: pair, sequence: sequence, kind: kind, original: original)))
    case .send(let message, let receiver): send(message, to: receiver)
    case .command(let command): commands.append(command)
    case .notify(let effect): notices.append(effect)
    case .suspend(let reason): suspendByLibrary(reason)
    case .refuse(let operation, let status, let message): refuse(operation, status, message)
    case .voidReadiness: voidReadiness()
    case .setEnded(let moment): facts.own.ended = moment
    case .adopt(let levels, let sender): adopt(levels, from: sender)
    case .askForPolicies(let member): apply(intake.ask(member, facts))
    case .changePolicy(let change, let isRepetition):
      if isRepetition { makeChange(change, isRepetition: true) } else { changePolicy(change) }
    case .listDeputies(let deputies): listDeputies(deputies)
    case .acceptTakeovers(let stack): acceptTakeovers(stack)
    case .restatePolicy: restatePolicy()
    }
  }

  /// Sends to one participant, or to all others, at once.
  private mutating func send(_ message: CoordinationMessage, to receiver: ParticipantID?) {
    guard facts.session.secured, receiver != nil || !facts.presence.isAlone else { return }
    if isNamed, message.isOfPolicy { return }
    sends.append(.send(message, to: receiver))
  }

  private mutating func refuse(_ operation: Operation, _ status: CoordinationStatus, _ message: String) {
    notices.append(
      operation.isOfSession
        ? .session(.refused(operation: operation, status: status, message: message))
        : .playback(.refused(operation: operation, status: status, message: message)))
  }

  /// Refuses a command of the own host. Its player may have moved already: it is commanded to the group's state again.
  private mutating func deny(_ operation: Operation) {
    refuseCommand(operation)
    player.commandAnew(.reapply)
  }

  private mutating func refuseCommand(_ operation: Operation) {
    refuse(
      operation, .denied,
      "the session's policy does not let this participant command; an owner can give it another role")
  }

  // MARK: Statements out

  /// Writes a register of the group, or of nobody else while alone.
  /// `time`: of the stamp; nil: now.
  private mutating func write(_ key: RegisterKey, _ value: RegisterValue, time: GroupTime? = nil, original: Stamp? = nil) {
    let statement = Statement(
      key: key, author: facts.local, policy: facts.policies.greatest.id, time: time ?? facts.stamps.next(now: facts.stampTime),
      value: value, original: original)
    facts.stamps.observe(statement.time)
    facts.registers.merge(statement)
    // A longer place may be what is too much.
    if case .playlistEntry = key { forgetExcess() }
    if key.isReconciled, partition.isApart { partition.recordWrite(of: key) } else { outbox.put(statement) }
  }

  /// Publishes what changed of the own register; moving positions only now and then.
  private mutating func publishOwn() {
    guard facts.session.participates, facts.session.phase != .solo, facts.session.secured,
      facts.session.joined || facts.session.phase == .member
    else { return }
    showSuspensions()
    guard ownRegister.isDue(facts) else { return }
    let statement = Statement(
      key: .participant(facts.local), author: facts.local, policy: facts.policies.greatest.id,
      time: facts.stamps.next(now: facts.stampTime), value: .participant(facts.own))
    facts.registers.merge(statement)
    ownRegister.recordPublication(of: facts.own, at: statement.time, now: facts.now)
    outbox.put(statement)
  }

  /// Commands of one turn and the own register travel together. `isLast`: no later turn will send what has to wait now.
  private mutating func flushOutbox(isLast: Bool = false) {
    guard !outbox.isEmpty else { return }
    // Who comes later asks for everything.
    guard facts.session.secured, !facts.presence.isAlone else { return outbox.drop() }
    let load =
      isLast
      ? outbox.drainAll()
      : outbox.drain(now: facts.now, group: facts.sessionCount) { [item = facts.own.item] key in
        key.item.map { $0 == item } ?? true
      } stands: { [registers = facts.registers] in
        registers[$0.key]?.stamp == $0.stamp
      }
    if load.policy { send(.levels(facts.policies.greatest.levels), to: nil) }
    if !load.statements.isEmpty { send(.update(load.statements), to: nil) }
  }

  /// After the link came back: what we wrote may not have reached anybody.
  private mutating func offerOwn() {
    let own = facts.registers.statements.values.filter {
      $0.author == facts.local && !$0.key.isParticipant && !facts.registers.isStale($0)
    }
    for statement in own.sorted(by: Statement.precedes) { outbox.put(statement) }
  }

  // MARK: Statements in (coordination 2.2 to 2.4)

  private mutating func receive(_ message: CoordinationMessage, from sender: ParticipantID) {
    guard sender != facts.local, facts.session.linked, !facts.policies.isRemoved(sender) else { return }
    guard facts.presence.hear(sender, now: facts.now) else { return }
    if !isNamed { succession.hear(facts) }
    if facts.session.phase == .solo { awaitGroup() }
    switch message {
    case .update(let statements): receive(statements, from: sender)
    case .beat(let beat):
      facts.presence.measure(
        sender, hubDelay: .microseconds(Int64(beat.hubDelay)), clockError: .microseconds(Int64(beat.clockError)))
      apply(antiEntropy.receive(beat, from: sender, facts))
      if !isNamed { toldTime.receive(beat, from: sender, facts) }
      judgeClocks()
    case .have(let entries):
      guard answers.admitsExchange(with: sender, now: facts.now) else { return }
      apply(answers.bounded(antiEntropy.answer(entries, from: sender, facts), to: sender, now: facts.now))
    case .want(let keys):
      if answers.admits(keys, of: sender, now: facts.now) { answer(keys, to: sender) }
    case .snapshot(let statements): receiveSnapshot(statements, from: sender)
    case .levels(let levels): receive(levels, from: sender)
    }
  }

  /// Merges what came from others.
  private mutating func receive(_ statements: [Statement], from sender: ParticipantID) {
    var statements = statements
    if partition.isApart, statements.contains(where: { $0.key.isReconciled }) {
      partition.deferUpdate(statements.filter { $0.key.isReconciled }, from: sender)
      statements.removeAll { $0.key.isReconciled }
      beginReconciliation()
    }
    var incomplete: Set<ItemID> = []
    for statement in statements.sorted(by: { $0.key.mergeRank < $1.key.mergeRank }) {
      guard !facts.policies.isRemoved(statement.author) else { continue }
      guard statement.citesOnlyKnown(facts.policies) else {
        if !intake.hold(statement, from: sender, facts), let notice = crowding.name(statement.author, .citations, facts) {
          apply(notice)
        }
        apply(intake.ask(sender, facts))
        continue
      }
      guard statement.isValid(under: facts.policies) else {
        notices.append(.log(.warning, "a statement of \(statement.author) is not valid and was dropped"))
        continue
      }
      if facts.isFuture(statement.time), !facts.tellsHubTime(statement) {
        if facts.isRefused(statement.time) {
          apply(refuseFuture(statement))
        } else {
          hold(statement)
        }
        continue
      }
      // Asked once for each news: who does not have it either would otherwise be asked for ever.
      let isNews = accept(statement, from: sender)
      if isNews, let item = statement.key.item, !facts.isForgotten(statement), facts.lacksCells(of: item, for: statement) {
        incomplete.insert(item)
      }
    }
    let wanted = incomplete.sorted().flatMap { [RegisterKey.rate($0), .position($0), .continuation($0)] }
    if !wanted.isEmpty { send(.want(wanted), to: sender) }
  }

  /// Keeps what is of the future until it is due; whoever says more of that than is kept is named.
  private mutating func hold(_ statement: Statement) {
    if !facts.held.hold(statement), let notice = crowding.name(statement.author, .early, facts) { apply(notice) }
  }

  private func refuseFuture(_ statement: Statement) -> Intent {
    let ahead = statement.time.subtracting(facts.groupNow) / .seconds(1)
    return .log(.warning, "a statement of \(statement.author) is \(ahead) s ahead of the group's time, and was refused")
  }

  /// Whether it changed anything.
  @discardableResult
  private mutating func accept(_ statement: Statement, from sender: ParticipantID) -> Bool {
    if case .participant(let id) = statement.key {
      if id == facts.local {
        meetOwnCopy(statement)
        return false
      }
      // Third-party copies of who is not there would bring ghosts back.
      guard id == sender || facts.presence.isPresent(id, now: facts.now) else { return false }
    }
    guard !facts.isForgotten(statement), !facts.isCrowdedOut(statement) else { return false }
    if let distance = facts.distance(of: statement) {
      nameContradiction(by: statement.author, distance: distance)
      return false
    }
    // By a time that is in doubt what tells the hub's may be of the future.
    if facts.clock.isKnown, !facts.clockDoubt.isOwn(facts.local) || !facts.isFuture(statement.time) {
      facts.stamps.observe(statement.time)
    }
    unseenCommands.look(at: statement, facts)
    let changed = facts.registers.merge(statement)
    guard changed else { return false }
    switch statement.value {
    case .participant(let value) where value.left: facts.presence.markLeft(statement.author, now: facts.now)
    case .clock:
      forgetOldClocks()
      refreshClock()
    case .playlistEntry(let entry):
      forgetExcess()
      if !entry.isRemoved, let notice = crowding.nameEntry(statement, facts) { apply(notice) }
    default: break
    }
    return true
  }

  /// Somebody has a register of ours that we did not write, or wrote by a group time that turned out to be wrong.
  private mutating func meetOwnCopy(_ statement: Statement) {
    switch ownRegister.meetCopy(statement, facts) {
    case .known:
      // Others go by it now, as it is newer than what was said since.
      guard let own = facts.registers[statement.key], own.stamp < statement.stamp else { return }
      facts.stamps.observe(statement.time)
      ownRegister.publishAgain()
    case .earlierLife: facts.stamps.observe(statement.time)
    case .sharedKey:
      facts.stamps.observe(statement.time)
      facts.session.end()
      notices.append(.session(.invalidated(.duplicateKey)))
    }
  }

  private mutating func mergeDueStatements() {
    guard facts.clock.isKnown else { return }
    let limit = facts.groupNow.adding(facts.clock.error(at: facts.now)).adding(HybridClock.futureLimit)
    // Nobody speaks for itself by a statement that waited: who is gone by now, or was never there, leaves no register behind.
    for statement in facts.held.take(until: limit) { accept(statement, from: .none) }
  }

  private var heldWake: HostTime? {
    guard facts.clock.isKnown, let earliest = facts.held.earliest else { return nil }
    let error = facts.clock.error(at: facts.now)
    return facts.clock.wake(at: earliest.subtracting(error).subtracting(HybridClock.futureLimit))
  }

  /// Once group time is known: what was merged before is seen, unless it is of the future.
  private mutating func reviewStamps() {
    for statement in facts.registers.statements.values.sorted(by: Statement.precedes) {
      if facts.isFuture(statement.time) {
        if facts.tellsHubTime(statement) { continue }
        facts.registers.remove(statement.key)
        // What this one says of itself it says in the present again.
        if statement.key == .participant(facts.local) { ownRegister.publishAgain() }
        // What it did apart by a time that was false is judged when that ends, and would count later as if it had been said then.
        let isApartWord = partition.isApart && statement.author == facts.local && statement.key.isReconciled
        if !isApartWord, !facts.isRefused(statement.time) { hold(statement) }
      } else {
        facts.stamps.observe(statement.time)
      }
    }
  }

  // MARK: The link comes and goes (coordination 2.1, 2.10, 2.13)

  private mutating func enter(members: [Member], areAlong: Bool = false, hub: ClockID) {
    facts.own.left = false
    if !isNamed {
      facts.hubClocks.connect(to: hub)
      readClock()
    }
    facts.presence.replace(
      with: members.filter { $0.id != facts.local && !facts.policies.isRemoved($0.id) }, areAlong: areAlong, now: facts.now)
    let session = facts.session
    if session.phase == .solo, !session.hasGivenUp || session.joined || facts.configuration.isCreator { leaveSolo() }
    awaitGroup()
    refreshClock()
  }

  private mutating func linkDown() {
    facts.session.linkDown()
    facts.presence.loseOwnLink(now: facts.now)
    succession.pauseWatch()
    partition.abandonReconciliation()
    switch facts.session.phase {
    case .solo: break
    case .joining: awaitGroup()
    case .member:
      becomeApart()
      // What waited for the hub's clock is one's own again.
      resumeTransition()
      resumeKeptRequests()
    }
  }

  private mutating func updatePresence(joined: [Member], gone: [Departure]) {
    let wasAlone = facts.presence.isAlone
    let knows = joined.contains { partition.isReturning($0.id, facts) }
    let new = joined.filter { $0.id != facts.local && !facts.policies.isRemoved($0.id) }
    // Who moves along knows our delay.
    for member in new where !facts.presence.isAwaited(member.id) { antiEntropy.meet(member.id) }
    if !new.isEmpty { facts.presence.join(new, now: facts.now) }
    let lost = gone.filter { $0.id != facts.local }
    if !lost.isEmpty { facts.presence.depart(lost, now: facts.now) }
    if knows { waitWithGuess() }
    awaitGroup()
    if facts.session.secured, !facts.session.joined, !facts.session.isPulling { startPull() }
    guard facts.session.phase == .member else { return }
    if partition.isApart, !facts.presence.isAlone {
      guard facts.session.secured, !partition.isReconciling else { return }
      // Who was never there has nothing that could be dragged: what is here is its group's state.
      if knows { beginReconciliation() } else { endApart(keepingAll: true) }
    } else if hasLostEverybody {
      interruptReconciliation()
      becomeApart()
    } else if isNamed, wasAlone, !facts.presence.isAlone {
      meetOtherBeginning()
    }
  }

  /// Whom one meets who has a named coordinator alone may have begun it, too: each has what the other lacks.
  private mutating func meetOtherBeginning() {
    guard facts.session.secured, !facts.session.isPulling else { return }
    ownRegister.publishAgain()
    offerOwn()
    startPull()
  }

  /// The hub shows nobody else, while others were there who did not leave.
  private var hasLostEverybody: Bool {
    facts.presence.isAlone && facts.presence.entries.values.contains { !$0.connected && !$0.left }
  }

  /// Others were there who did not leave, and it has come together with none of them yet.
  package var isApart: Bool { partition.isApart }

  /// The link is to another room, into which the others go, too, and nothing that was said was missed: until messages can be exchanged.
  package var isContinued: Bool { facts.session.isContinued && facts.session.phase == .member && !partition.isApart }

  private mutating func secure() {
    guard !facts.session.secured else { return }
    let hasAll = isContinued
    facts.session.secure()
    // Everybody has what was said in the room before; where that is not so, heartbeats show it.
    guard !hasAll else { return }
    ownRegister.publishAgain()
    antiEntropy.beatSoon(at: facts.now)
    awaitGroup()
    if facts.configuration.isCreator, !facts.session.joined {
      facts.session.found()
      becomeJoined()
    } else if facts.session.isResumed, !facts.session.joined {
      becomeJoined()
    }
    sendPolicies()
    if facts.session.joined {
      if partition.isApart { facts.presence.isAlone ? meetNobody() : beginReconciliation() } else { offerOwn() }
    }
    if !facts.session.isPulling { startPull() }
  }

  /// What was done alone is a proposal to the group, and the host keeps on until the group is known.
  private mutating func leaveSolo() {
    if let item = facts.own.item, !suspensions.pendingTransition.isPending {
      let unbegun = facts.session.participates && !suspensions.isSuspended ? unbegunRate(of: item) : nil
      // What was asked for in this turn, and is no start, the own player has not been told yet.
      if unbegun == nil, facts.session.linked { commandHost() }
      var proposal = facts.statedProposal(of: item)
      // Pressed just before there was a group to start with: it has not begun, and is meant for it.
      if let rate = unbegun {
        requests.keep(Requests.RateChange(rate: rate, immediately: false))
        proposal.stop(at: facts.now)
      }
      suspensions.keepTransition(proposal)
    }
    forgetTimeline()
    voidReadiness()
    facts.own.availableSince = nil
    facts.session.beginJoining()
    facts.clock.forget()
  }

  /// The rate of a start of which the own host was not told yet; nil: there is none.
  private func unbegunRate(of item: ItemID) -> Double? {
    switch EffectiveState(facts.registers.cells(of: item)) {
    case .preparing(let start): start.rate
    case .playing(let playing) where !isPlaying: playing.line.rate
    default: nil
    }
  }

  /// Another time begins, the group's or the own: what has a date of the one before means nothing in it.
  private mutating func forgetTimeline() {
    facts.registers.removeAll()
    facts.stamps = HybridClock()
    facts.held = HeldStatements()
    facts.occupancy = Occupancy()
    facts.expiry = Expiry()
    facts.own.stalled = nil
    intake.forgetPending()
    antiEntropy.forgetDigests()
  }

  /// A group that does not come, or a link that broke before group time was known, does not hold the own player for ever.
  /// Met after that, it counts.
  private mutating func awaitGroup() {
    let isMet = facts.session.secured && (facts.configuration.isCreator || !facts.presence.isAlone)
    if isMet, facts.session.phase == .solo { leaveSolo() }
    facts.session.awaitGroup(isMet: isMet, now: facts.now)
  }

  private mutating func returnToSolo() {
    forgetTimeline()
    facts.clock.useOwn()
    resumeAfterJoining()
  }

  /// The registers and group time are there: the host is commanded from now on.
  private mutating func enterIfPossible() {
    guard facts.session.phase == .joining, facts.session.joined, facts.clock.isKnown else { return }
    facts.session.becomeMember()
    reviewStamps()
    if facts.own.item != nil, !suspensions.isSuspended { facts.own.availableSince = facts.groupNow }
    resumeAfterJoining()
  }

  private mutating func resumeAfterJoining() {
    player.commandAnew(.item)
    player.dateStall(facts.groupNow)
    if let item = facts.own.item, !suspensions.isSuspended {
      let transition = suspensions.resumeTransition()
      arrive(on: item, proposal: transition.proposal, mayBeAbandoned: true)
    }
    if facts.session.phase == .member, let activity = requests.endPendingActivity() {
      write(.activity, .activity(activity))
    }
    if facts.session.phase == .member { resumePostponed() }
    if let policy = facts.settings.stallPolicy { setStallPolicy(policy, asProposal: true) }
    if let action = facts.settings.actionAtEnd { setActionAtEnd(action, asProposal: true) }
    if let policy = facts.settings.startPolicy { setStartPolicy(policy, asProposal: true) }
    if let policy = facts.settings.skipPolicy { setSkipPolicy(policy, asProposal: true) }
    resumeKeptRequests()
  }

  /// Who lost the link goes off the list after a while; who left, at once.
  private mutating func expireParticipants() {
    for id in facts.presence.absent {
      guard let entry = facts.presence.entries[id] else { continue }
      guard entry.left || entry.lost.map({ facts.now >= $0.adding(Parameters.reconnecting) }) ?? true else { continue }
      forget(id)
    }
    // Of those who had to make room.
    guard facts.registers.participants.count > facts.presence.entries.count + 1 else { return }
    let strangers = facts.registers.participants.filter { $0 != facts.local && facts.presence.entries[$0] == nil }
    for id in strangers { forget(id) }
  }

  /// Host time at which the next one goes off the list.
  private var expiryWake: HostTime? {
    var earliest: HostTime?
    for id in facts.presence.absent {
      guard let entry = facts.presence.entries[id], !entry.left, let lost = entry.lost else { continue }
      earliest = min(earliest ?? .max, lost.adding(Parameters.reconnecting))
    }
    return earliest
  }

  /// Lets go of all that is kept of one participant by its id. What it said of the group stays.
  private mutating func forget(_ id: ParticipantID) {
    facts.presence.remove(id)
    facts.registers.remove(.participant(id))
    antiEntropy.forget(id)
    barrier.forget(id)
    facts.missed.forget(id)
    ownerTasks.forget(id)
  }

  // MARK: Asking one member after another for all registers (coordination 2.13)

  private mutating func startPull() {
    facts.session.beginPull(now: facts.now)
    askNext()
  }

  private mutating func askNext() {
    let step = facts.session.nextPull(
      of: facts.presence.byAge(), now: facts.now, roundTrip: facts.clock.roundTrip)
    switch step {
    case .ask(let member): send(.want([]), to: member)
    case .finish: finishPull()
    case .nobodyKnows(let rounds): if isNamed { found(after: rounds) }
    case .wait: break
    }
  }

  /// Nobody has anything of a named coordinator yet: its group begins with the least of those who have it, and without waiting for that one
  /// any longer when all were asked twice. Where two begin they are merged like what any two say at once.
  private mutating func found(after rounds: Int) {
    guard rounds > 1 || facts.presence.byAge().allSatisfy({ facts.local < $0 }) else { return }
    facts.session.endPull()
    becomeJoined()
    awaitGroup()
  }

  private mutating func receiveSnapshot(_ statements: [Statement]?, from sender: ParticipantID) {
    guard let statements else {
      if facts.session.refusePull(sender) { askNext() }
      return
    }
    receive(statements, from: sender)
    // Of what nobody asked for nobody knows whether it is all.
    guard facts.session.hasAsked(sender) else { return }
    if !facts.session.joined { becomeJoined() }
    finishPull()
  }

  private mutating func finishPull() {
    facts.session.endPull()
    if partition.isReconciling, !facts.waitsForClock { endApart(keepingAll: false) }
  }

  private mutating func becomeJoined() {
    facts.session.join()
    antiEntropy.beatSoon(at: facts.now)
    if facts.session.participates { notices.append(.session(.joined)) }
    refreshClock()
  }

  /// A member's question for registers.
  private mutating func answer(_ wanted: [RegisterKey], to asker: ParticipantID) {
    let registers = facts.registers
    if wanted.isEmpty {
      // Who is apart has nothing to give before it is decided what of it counts, and while that is decided nobody who is new.
      let isUndecided = partition.isReconciling || partition.isApart && partition.isReturning(asker, facts)
      let knows = facts.session.joined && !isUndecided
      // But its own register tells the asker since when it is apart.
      if !knows, partition.isApart, let own = registers[.participant(facts.local)] { send(.update([own]), to: asker) }
      // Of who is gone the asker has no use: when it comes back it tells of itself.
      let statements = registers.statements.values.filter { statement in
        if case .participant(let id) = statement.key { return id == asker || facts.isPresent(id) }
        // The policy that an attachment cites says nothing.
        return statement.key.isAttachment || facts.policies.knows(statement.policy)
      }
      let levels = facts.policies.levels
      if knows, let refusal = answers.spend(Array(statements), levels: levels, on: asker, now: facts.now) {
        return apply(refusal)
      }
      if knows { sendPolicies(to: asker) }
      send(.snapshot(knows ? statements.sorted(by: Statement.precedes) : nil), to: asker)
    } else if wanted.contains(.policy) {
      if let refusal = answers.spend([], levels: facts.policies.levels, on: asker, now: facts.now) { return apply(refusal) }
      sendPolicies(to: asker)
    } else if !partition.isApart {
      let statements = wanted.compactMap { registers[$0] }
      if let refusal = answers.spend(statements, on: asker, now: facts.now) { return apply(refusal) }
      if !statements.isEmpty { send(.update(statements), to: asker) }
    }
  }

  // MARK: Group time (coordination 2.1)

  private mutating func measureClock(_ model: ClockModel?, roundTrip: Nanoseconds?) {
    if let roundTrip {
      let old = facts.clock.roundTrip
      facts.clock.measure(roundTrip: roundTrip)
      // Others' leads are computed from our delay: what is new or changed much is told before the next heartbeat.
      let isNews = old.map { roundTrip.subtracting($0).absolute > max(.milliseconds(5), $0 / 5) } ?? true
      if isNews, facts.session.joined { antiEntropy.beatSoon(at: min(antiEntropy.next, facts.now)) }
    }
    facts.hubClocks.measure(model)
    readClock()
    refreshClock()
  }

  /// Group time is to go by the clock that was mapped last of those that can be read at the hub in use.
  private mutating func readClock() {
    guard let chosen = facts.chosenClock() else { return }
    facts.clock.connect(to: chosen.clock)
    facts.clock.require(turn: chosen.leastTurn)
    facts.clock.measure(facts.hubClocks.read(chosen.clock, now: facts.now))
  }

  private mutating func beatIfDue() {
    let beat = antiEntropy.sendHeartbeatIfDue(facts)
    guard !beat.isEmpty else { return }
    apply(beat)
    // Who was compared may be gone, too.
    judgeClocks()
  }

  /// Whose clock is in doubt, by how all of them compare now (wire 8.8).
  private mutating func judgeClocks() {
    guard !isNamed else { return }
    var doubt = facts.clockDoubt
    let intents = doubt.judge(by: antiEntropy.clocks, facts)
    let isOver = facts.clockDoubt.isOwn(facts.local) && !doubt.isOwn(facts.local)
    facts.clockDoubt = doubt
    apply(intents)
    followTrusted()
    if isOver { reviewStamps() }
  }

  /// While the own clock is in doubt group time goes by the most senior one's who contradicts it.
  private mutating func followTrusted() {
    let correction = facts.clockDoubt.senior(facts.local).flatMap {
      antiEntropy.clocks.correction(to: $0, facts) ?? facts.clock.correction
    }
    guard correction != facts.clock.correction else { return }
    let before = facts.groupNow
    facts.clock.correct(by: correction)
    refreshClock()
    reviewStamps(after: before)
  }

  /// Group time is another. Where it went back, what was said by the false one would be of the future, and nothing could be said after it.
  private mutating func reviewStamps(after before: GroupTime) {
    if facts.groupNow < before { facts.stamps = HybridClock() }
    reviewStamps()
  }

  /// Maps the hub's clock onto group time where that is known (coordination 2.1).
  private mutating func refreshClock() {
    guard !isNamed, facts.session.phase != .solo else { return }
    readClock()
    guard let hub = facts.clock.hub, let model = facts.clock.hubModel else { return }
    var known = facts.mapping(of: hub)
    if let value = known, let distance = facts.distance(of: value, measuredBy: model) {
      // It was told before this hub's clock was measured here.
      if let author = facts.registers[.clock(hub)]?.said.author { nameContradiction(by: author, distance: distance) }
      facts.registers.remove(.clock(hub))
      if facts.chosenClock()?.clock != hub { return refreshClock() }
      known = nil
    }
    let hasClocks = facts.registers.statements.keys.contains { if case .clock = $0 { true } else { false } }
    let isFounder = facts.session.isFounder
    if let known {
      adopt(model, known)
      if !partition.isApart { facts.clock.endGuessing() }
    } else if !hasClocks, facts.session.joined, !facts.clock.isKnown, isFounder || facts.hubClocks.isAlone {
      // The session's first hub: group time is its clock, which only its founder knows for sure. Of several it may be another.
      adopt(model, ClockValue(offset: 0, error: isFounder ? 0 : ClockValue.guess))
      if isFounder, facts.policies.allowsCommands(by: facts.local) {
        write(.clock(hub), .clock(ClockValue(offset: 0, error: RegisterOrder.leastClockError)))
      }
    } else if facts.session.joined, facts.clock.unmappedSince == nil {
      facts.clock.awaitMapping(since: facts.now)
    }
  }

  /// When the hub's clock is to be mapped from here, or read anew.
  private var clockWake: HostTime? {
    let mapping = facts.mayMapClock ? facts.clock.unmappedSince.map { facts.clockMappingTime(since: $0) } : nil
    return [mapping, toldTime.wake(facts), facts.session.phase == .solo ? nil : facts.hubClocks.nextWake].compactMap { $0 }.min()
  }

  /// Nobody has mapped the new hub's clock, and it is our turn.
  private mutating func mapUnknownClock() {
    guard let since = facts.clock.unmappedSince, let hub = facts.clock.hub, let model = facts.clock.hubModel,
      facts.mapping(of: hub) == nil
    else { return facts.clock.awaitMapping(since: nil) }
    if let told = toldTime.take(model, facts), facts.counts(told, by: model) { adopt(model, told) }
    guard facts.mayMapClock, facts.now >= facts.clockMappingTime(since: since) else { return }
    if partition.isApart, !facts.clock.isKnown || facts.clock.guesses != nil { facts.clock.recordGuess() }
    write(.clock(hub), .clock(facts.ownMapping(of: model)))
    forgetOldClocks()
    facts.clock.awaitMapping(since: nil)
    let wasKnown = facts.clock.isKnown || facts.clock.isInDoubt
    refreshClock()
    if !wasKnown, facts.clock.isKnown { pauseAbandoned() }
  }

  /// Group time was lost: what played on meanwhile, nobody watched (2.11).
  private mutating func pauseAbandoned() {
    for item in Set(facts.registers.statements.keys.compactMap({ $0.item })).sorted() {
      if let pause = facts.abandonedPause(of: item) { apply(pause) }
    }
  }

  /// Somebody comes back who may know group time: who would only guess it waits anew.
  private mutating func waitWithGuess() {
    if !isNamed, facts.clock.unmappedSince != nil, !facts.clock.isKnown || facts.clock.guesses != nil {
      facts.clock.awaitMapping(since: facts.now)
    }
  }

  /// Drops our guess: a returning peer may know group time, and it is mapped again if nobody does. Until then it is in doubt:
  /// a stamp by the guess could be before what the others commanded long ago.
  private mutating func dropGuesses() {
    guard !isNamed, let guesses = facts.clock.guesses else { return }
    for id in guesses { facts.registers.remove(.clock(id)) }
    facts.clock.doubtGuess()
    refreshClock()
  }

  private mutating func forgetOldClocks() {
    for key in facts.crowdedClocks { facts.registers.remove(key) }
  }

  private mutating func nameContradiction(by author: ParticipantID, distance: Nanoseconds) {
    let name = facts.value(of: author)?.displayName ?? ""
    if let line = contradictions.name(author, called: name, distance: distance, now: facts.now) { apply(line) }
  }

  private mutating func adopt(_ model: ClockModel, _ value: ClockValue) {
    var clock = facts.clock
    clock.adopt(model, value, at: facts.now, mayStep: !isPlaying && !isPlayingBeside)
    follow(clock)
  }

  /// Group time is known, or known better: by a hub's clock, or by the session's coordination.
  private mutating func follow(_ new: GroupClock) {
    let clock = facts.clock
    let before: GroupTime? = clock.isKnown ? facts.groupNow : nil
    let (settled, bound) = (clock.settled(at: facts.now), clock.settledError(at: facts.now))
    let isOutOfDoubt = clock.isInDoubt && !new.isInDoubt
    let lone = isOutOfDoubt ? loneLine : nil
    facts.clock = new
    antiEntropy.followClock(facts)
    if !isNamed { facts.clock.awaitMapping(since: nil) }
    guard new.isKnown else { return }
    if let before, before.subtracting(facts.groupNow).absolute > HybridClock.futureLimit { reviewStamps(after: before) }
    if let lone { continueAlone(lone) }
    if isOutOfDoubt { leaveDoubt() }
    let moved = facts.clock.settled(at: facts.now).subtracting(settled).absolute
    if before != nil, moved > bound.adding(Parameters.clockAgreement), facts.session.joined {
      antiEntropy.compareSoon(now: facts.now)
    }
    if let before, facts.groupNow.subtracting(before).absolute > Parameters.sameFrame, case .playing = player.lastCommand {
      player.repeatCommand(.clock)
      notifications.forgetLine()
    }
  }

  /// What the own item plays by commands that nobody else was told of, or while nobody else was in the session; the line as
  /// from now.
  private var loneLine: EffectiveState.Playing? {
    guard let item = facts.own.item,
      facts.clock.sleptAlone || partition.written.contains(.rate(item)) || partition.written.contains(.position(item)),
      case .playing(var playing) = EffectiveState(facts.registers.cells(of: item))
    else { return nil }
    let since = max(facts.groupNow, playing.line.since)
    let at = playing.line.position(at: since)
    playing.line = Line(at: at, rate: playing.line.rate, since: since.subtracting(facts.groupNow))
    return playing
  }

  /// After sleep group time goes on by as long as that was, and the own player, which stood or began since, does not: its
  /// line is continued from where it is, as nobody else plays by it.
  private mutating func continueAlone(_ lone: EffectiveState.Playing) {
    guard let item = facts.own.item, facts.mayMoveOwnPlayer else { return }
    write(
      .continuation(item),
      .continuation(
        ContinuationValue(
          base: lone.pair, sequence: lone.sequence &+ 1,
          kind: .line(coverage: 1, since: facts.groupNow.adding(lone.line.since), at: lone.line.at, prior: nil))))
  }

  /// Group time is known again after it was in doubt.
  private mutating func leaveDoubt() {
    reviewStamps()
    player.repeatCommand(.clock)
    notifications.forgetLine()
    if facts.own.item != nil, !suspensions.isSuspended, facts.own.availableSince == nil {
      facts.own.availableSince = facts.groupNow
    }
    resumeTransition()
    resumePostponed()
    resumeKeptRequests()
  }

  // MARK: Going on from another day (wire 8.25)

  /// Begins with what the group did then, apart from all others until somebody is met: whoever went on without this one, what they have
  /// counts, and of all who were away the newest.
  private mutating func resume(_ past: PastGroup) {
    guard facts.session.phase == .solo, !facts.session.linked, !facts.session.isResumed else { return }
    facts.session.resume()
    facts.clock.resume(at: max(past.time, past.presentTime), now: facts.now)
    adopt(past.levels, from: facts.local)
    guard !facts.session.isOver else { return }
    for statement in past.counting(under: facts.policies) { facts.registers.merge(statement) }
    forgetExcess()
    forgetOldClocks()
    facts.stamps = HybridClock()
    facts.stamps.observe(past.time)
    partition.resume(from: past.time, others: past.others.subtracting([facts.local]), facts)
    facts.own.apart = [ParticipantValue.Interval(from: partition.apartSince ?? past.time, to: .max)]
    pauseAsOf(past.time)
  }

  /// What ran then stands where it was then, by a pause with a time of then: of several who go on the one who was there last tells where.
  private mutating func pauseAsOf(_ time: GroupTime) {
    for item in Set(facts.registers.statements.keys.compactMap({ $0.item })).sorted() {
      guard let cells = facts.registers.cells(of: item), cells.rate.rate != 0,
        let at = EffectiveState(cells).position(at: time),
        case .write(let key, let value, _) = facts.rateWrite(0, at: at, cells, on: item, waiting: false)
      else { continue }
      facts.registers.merge(
        Statement(
          key: key, author: facts.local, policy: facts.policies.greatest.id, time: facts.stamps.next(now: nil), value: value))
      partition.recordWrite(of: key)
    }
  }

  // MARK: Acting alone while the others may go on (coordination 2.10)

  private mutating func becomeApart() {
    guard !partition.isApart else { return }
    partition.begin(facts)
    facts.own.apart = facts.own.apart.suffix(3) + [ParticipantValue.Interval(from: facts.groupNow, to: .max)]
  }

  private mutating func beginReconciliation() {
    guard partition.isApart, !partition.isReconciling else { return }
    partition.beginReconciliation(now: facts.now)
    ownRegister.publishAgain()
    dropGuesses()
    if !facts.session.isPulling { startPull() }
  }

  /// The link is back, but nobody else: still apart if others were there who did not leave, however long ago they were.
  private mutating func meetNobody() {
    if partition.wereAllGone(facts) { endApart(keepingAll: true) }
  }

  private mutating func reconcile() {
    if let until = partition.reconcileUntil, facts.now >= until { endApart(keepingAll: false) }
    if let from = partition.newcomersFrom, facts.now >= from {
      partition.forgetWhoNamedNone(now: facts.now)
      if facts.session.secured, facts.presence.isAlone { meetNobody() }
    }
  }

  /// Whoever was met is gone again before anything was decided.
  private mutating func interruptReconciliation() {
    guard partition.isReconciling else { return }
    partition.abandonReconciliation()
    facts.session.endPull()
  }

  /// Keeps, with its stamp, what is young or was written while everybody was apart; restores the rest.
  private mutating func endApart(keepingAll: Bool) {
    guard partition.isApart else { return }
    let finished = partition
    let present = facts.own.item.map { (item: $0, proposal: facts.statedProposal(of: $0)) }
    partition.end()
    if let last = facts.own.apart.indices.last { facts.own.apart[last].to = facts.groupNow }
    // Long away from those who went on: what they have now is all that counts.
    if !keepingAll, finished.isOutdated(facts) {
      for key in facts.registers.statements.keys where key.isReconciled { facts.registers.remove(key) }
    }
    // What one who may not command did alone was for its own player.
    let kept = finished.written.filter {
      facts.policies.allowsCommands(by: facts.local) && (keepingAll || finished.isKept($0, facts))
    }
    for key in finished.written where !kept.contains(key) && facts.registers[key] != nil {
      facts.registers.restore(key, to: finished.copy[key])
    }
    for key in kept where facts.registers[key].map(facts.registers.isStale) ?? false {
      facts.registers.restore(key, to: finished.copy[key])
    }
    for update in finished.deferredUpdates { receive(update.statements, from: update.sender) }
    refreshClock()
    // All that was commanded on the current item, or half of it, does not count, and nobody has another state of it: what is
    // missing is proposed as it is.
    if let present, present.proposal.isPending, facts.registers.cells(of: present.item) == nil {
      if suspensions.isSuspended {
        suspensions.keepTransition(present.proposal)
      } else {
        let (last, cause) = (player.lastCommand, player.pendingCause)
        arrive(on: present.item, proposal: present.proposal.proposal, mayBeAbandoned: false)
        // A host that is about to be told where to be is not there yet.
        if last == .nothing { player.keepUncommanded(for: cause) }
      }
    }
    // Half a pair is no state.
    for key in kept where key.item != nil && key.item != facts.own.item && key.item.flatMap(facts.registers.cells) == nil {
      facts.registers.remove(key)
    }
    offerOwn()
  }

  // MARK: The host's item (coordination 2.7 "no state", 2.9 Q4, 2.11)

  private mutating func transition(to item: ItemID?, proposal: Proposal?) {
    let isArrival = item != facts.own.item
    facts.arrived = facts.now
    // Without a proposal it stands at the beginning of its copy.
    let beginning = border.inward(0)
    player.beginItem(proposal, beginning: beginning)
    if border.isProposedWithin { player.rest(at: nil) }
    requests.beginItem()
    // They were said of the item that is left.
    if isArrival, facts.own.item != nil {
      facts.own.word = .notSaid
      (facts.own.rate, facts.own.position, facts.own.positionAt) = (0, nil, nil)
    }
    facts.own.item = item
    voidReadiness()
    facts.own.ended = nil
    facts.own.availableSince = item != nil && !suspensions.isSuspended ? facts.arrivalTime : nil
    suspensions.beginItem()
    guard let item else { return }
    if facts.session.phase == .joining || suspensions.isSuspended || facts.waitsForClock {
      let line = Line(
        at: proposal?.itemTime ?? beginning, rate: proposal?.rate ?? 0, since: proposal.map { $0.hostTime ?? facts.now } ?? facts.now)
      suspensions.keepTransition(PendingProposal(proposal, now: facts.now), line: line)
      return runOn()
    }
    arrive(on: item, proposal: proposal, mayBeAbandoned: isArrival)
  }

  /// What was brought to the item while it could not be proposed.
  private mutating func resumeTransition() {
    guard let item = facts.own.item, suspensions.pendingTransition.isPending, !suspensions.isSuspended else { return }
    let transition = suspensions.resumeTransition().proposal
    let stands = player.restingPosition
    // It is where it proposed to be only if its person did not move it meanwhile.
    let own = suspensions.ownLine
    let away = own.position(at: facts.now).subtracting(transition?.position(at: facts.now) ?? 0).absolute
    let wasMoved = own.rate != transition?.rate ?? 0 || away > Parameters.sameLine
    // Who may not command yet proposes what its player does by then, as nothing takes that back.
    if wasMoved, !facts.mayMoveOwnPlayer, facts.registers.cells(of: item) == nil {
      return propose(Proposal(rate: own.rate, itemTime: own.at, hostTime: own.since), for: item)
    }
    arrive(on: item, proposal: transition, mayBeAbandoned: true)
    guard wasMoved else { return }
    player.commandAnew(.rejoin)
    player.rest(at: stands)
  }

  /// The group's state for the item comes first; where it has none, the proposal becomes it.
  private mutating func arrive(on item: ItemID, proposal: Proposal?, mayBeAbandoned: Bool) {
    guard let cells = facts.registers.cells(of: item) else { return propose(proposal, for: item) }
    guard mayBeAbandoned, facts.mayMoveOwnPlayer, cells.rate.rate != 0,
      facts.participants(on: item).filter({ $0 != facts.local }).isEmpty
    else { return }
    let left = facts.occupancy.vacatedAt[item] ?? facts.groupNow
    guard let at = EffectiveState(cells).position(at: left) else { return }
    apply(facts.rateWrite(0, at: at, cells, on: item, waiting: false))
  }

  /// Writes what the item has no state without: both cells, or the one that is missing.
  private mutating func propose(_ proposal: Proposal?, for item: ItemID) {
    // Who may not command waits for somebody who may, and goes on by itself.
    guard facts.mayMoveOwnPlayer else {
      requests.keepUnproposed(PendingProposal(proposal, now: facts.now))
      return runOn()
    }
    let rate = proposal?.rate ?? 0
    let at = proposal?.position(at: facts.now) ?? 0
    let rank: CellKey.Rank = proposal == nil ? .nullProposal : .proposal
    if facts.registers[.position(item)] == nil {
      write(.position(item), .position(PositionValue(rank: rank, position: at)))
    }
    let base = facts.registers[.position(item)]?.cellKey
    if facts.registers[.rate(item)] == nil {
      write(.rate(item), .rate(RateValue(rank: rank, rate: rate, at: at, basePosition: base)))
    }
    if rate != 0 { apply(facts.startNow(on: item)) }
    // The host is where it proposes to be; it is only commanded if another state wins.
    guard let cells = facts.registers.cells(of: item) else { return }
    // The beginning of another cut is not that of the group.
    if proposal == nil, border.isAnotherCut { return }
    // Nor does it stay within a range of its copy, or go on beside the group by one that it came into before this could be proposed.
    if border.isProposedWithin { return }
    if let proposal, border.hasComeIntoRange(proposal, now: facts.now) { return }
    player.settle(on: EffectiveState(cells))
    runOn()
  }

  /// What waited for permission is proposed when that is given, unless the group has a state by then.
  private mutating func proposeUnproposed() {
    guard requests.unproposed.isPending, let item = facts.own.item else { return }
    guard facts.registers.cells(of: item) == nil else { return requests.endUnproposed() }
    let proposal = requests.unproposed
    if suspensions.isSuspended {
      requests.endUnproposed()
      suspensions.keepTransition(proposal)
    } else if facts.mayMoveOwnPlayer, facts.session.phase != .joining {
      requests.endUnproposed()
      propose(proposal.proposal, for: item)
    }
  }

  private mutating func rememberOccupation() {
    guard facts.clock.isKnown else { return }
    facts.occupancy.update(
      registers: facts.registers, presence: facts.presence, own: facts.own.item, at: facts.groupNow)
  }

  /// Forgets items that are nobody's, and old; and the oldest of too many.
  private mutating func expireItems() {
    let weight = facts.registers.itemWeight
    guard facts.expiry.isDue(items: facts.occupancy.vacatedAt.count, weight: weight, now: facts.now) else { return }
    if facts.clock.isKnown { for item in facts.expiredItems { forget(item) } }
    for crowded in facts.crowdedItems {
      if crowded.isTooMuchOfOne, let notice = crowding.name(crowded.author, .items, facts) { apply(notice) }
      forget(crowded.item)
    }
    facts.expiry.lookedThrough(weight: facts.registers.itemWeight)
  }

  private mutating func forget(_ item: ItemID) {
    facts.expiry.remember(item, newest: facts.newestStamp(of: item))
    facts.occupancy.forget(item)
    for key in [RegisterKey.rate(item), .position(item), .continuation(item)] { facts.registers.remove(key) }
  }

  // MARK: What the person asks of the group (coordination 2.7)

  private mutating func requestRate(_ rate: Double, immediately: Bool) {
    guard let item = facts.own.item, rate.isFinite, abs(rate) <= Law.greatestRate else {
      return refuse(
        .coordinateRateChange, .state, "there is no current item; make a transition to one first")
    }
    if suspensions.isOnlyByLibrary {
      endLibrarySuspensions()
      // The host would be told once more what it could not do, while the rate waits that it may be able to.
      requests.restartRates()
    }
    if suspensions.isSuspended {
      // On its way to a range it has seen nothing of that.
      if player.isOnItsWay { suspensions.setOwnLine(border.hold(suspensions.ownLine, now: facts.now)) }
      return suspensions.setOwnRate(rate, now: facts.now)
    }
    guard facts.session.phase != .joining, !facts.waitsForClock else {
      return requests.keep(Requests.RateChange(rate: rate, immediately: immediately))
    }
    guard facts.mayMoveOwnPlayer else { return deny(.coordinateRateChange) }
    guard let cells = facts.registers.cells(of: item) else { return }
    if rate != 0, case .playing(let playing) = EffectiveState(cells) {
      guard let rate = requests.admit(rate: rate, now: facts.now), playing.line.rate != rate else { return }
      return apply(facts.changeRate(to: rate, of: playing, cells, on: item))
    }
    // Play and pause are never delayed, and never overtake a seek that came before them.
    requests.dropRate()
    sendKeptSeek(early: true)
    guard let cells = facts.registers.cells(of: item) else { return }
    if rate == 0 { return apply(facts.pause(cells, on: item)) }
    let ownFrame = { [player, facts] (at: ItemTime) -> ItemTime in
      player.ownFrame(near: at, outputOffset: facts.settings.outputOffset)
    }
    if !immediately, !partition.isReconciling, let start = facts.startFromStandBy(rate, cells, on: item, ownFrame: ownFrame) {
      return apply(start)
    }
    apply(facts.play(rate, immediately: immediately, cells, on: item, ownFrame: ownFrame))
  }

  private mutating func requestSeek(to target: ItemTime, immediately: Bool) {
    request(Requests.Seek(target: target, immediately: immediately))
  }

  private mutating func undoJump() {
    guard let before = lastJump.before else {
      return refuse(.undoJump, .state, "nobody jumped on this item since this participant is on it")
    }
    request(Requests.Seek(target: before, immediately: false, operation: .undoJump))
  }

  /// The start that waits for persons goes on without some of them.
  private mutating func startWithout(_ ids: [ParticipantID]) {
    let isBack = suspensions.isOnlyByLibrary
    if isBack { endLibrarySuspensions() }
    guard facts.session.phase == .member, !facts.waitsForClock, !suspensions.isSuspended, let item = facts.own.item else {
      return refuse(.startWithout, .state, "this participant takes part in no item now")
    }
    guard facts.mayMoveOwnPlayer else { return refuseCommand(.startWithout) }
    guard let intents = facts.start(without: ids, on: item) else {
      return refuse(.startWithout, .state, "no start waits for anybody to say that it is ready")
    }
    apply(intents)
  }

  private mutating func request(_ seek: Requests.Seek) {
    guard let item = facts.own.item else {
      return refuse(seek.operation, .state, "there is no current item; make a transition to one first")
    }
    if suspensions.isOnlyByLibrary { endLibrarySuspensions() }
    if suspensions.isSuspended { return suspensions.setOwnPosition(seek.target, now: facts.now) }
    guard facts.session.phase != .joining, !facts.waitsForClock else { return requests.keep(seek) }
    guard facts.mayMoveOwnPlayer else { return deny(seek.operation) }
    guard facts.registers.cells(of: item) != nil, let seek = requests.admit(seek, now: facts.now) else { return }
    apply(facts.seek(to: seek.target, immediately: seek.immediately, on: item))
  }

  /// What was kept because it came too soon after the one before; the policy may have changed since.
  private mutating func sendKeptRequests() {
    sendKeptSeek(early: false)
    guard let rate = requests.nextRate(now: facts.now), let item = facts.own.item,
      let cells = facts.registers.cells(of: item), case .playing(let playing) = EffectiveState(cells),
      playing.line.rate != rate
    else { return }
    guard facts.mayMoveOwnPlayer else { return deny(.coordinateRateChange) }
    apply(facts.changeRate(to: rate, of: playing, cells, on: item))
  }

  private mutating func sendKeptSeek(early: Bool) {
    guard let seek = requests.nextSeek(now: facts.now, early: early), let item = facts.own.item else { return }
    guard facts.mayMoveOwnPlayer else { return deny(seek.operation) }
    apply(facts.seek(to: seek.target, immediately: seek.immediately, on: item))
  }

  /// What the host asked while it could not be stamped, newest only.
  private mutating func resumeKeptRequests() {
    if let seek = requests.pendingSeek { request(seek) }
    if let change = requests.pendingRate { requestRate(change.rate, immediately: change.immediately) }
    requests.endPending()
  }

  // MARK: The own player (coordination 2.8)

  /// Its copy may be another cut by now: the group called its places otherwise.
  private mutating func followCut() {
    let shift = border.follow(facts)
    player.shiftReach(by: shift)
    moveOwnPlaces(by: shift)
  }

  /// The place of its copy where the own player is is that much later in the group's item time from now on, as the copy is another cut or
  /// has other ranges: it is told anew where to be, and ready for nothing before it is there.
  private mutating func moveOwnPlaces(by shift: Nanoseconds) {
    guard shift != 0 else { return }
    player.move(by: shift)
    suspensions.shiftOwnPlaces(by: shift)
    requests.shiftUnproposed(by: shift)
    if facts.own.stalled != nil { facts.own.stalled = player.stall }
    // Its end is another place of the group's now.
    facts.own.ended = nil
    if let position = facts.own.position { facts.own.position = position.adding(shift) }
    voidReadiness()
    player.commandAnew(.reapply)
  }

  /// At most one command a turn, after everything was merged.
  private mutating func commandHost() {
    // The next entry of the playlist was chosen since.
    followCut()
    guard let item = facts.own.item, facts.session.phase != .joining else { return }
    guard suspensions.isSuspended else {
      apply(player.command(facts, cause: notifications.cause))
      if let ahead = standBy.due(facts, rests: player.rests) { apply(player.prepareAhead(ahead, on: item, facts)) }
      return
    }
    if let command = border.ownCommand(on: item) { return apply(player.commandOwn(command, facts)) }
    guard let command = suspensions.ownCommand(on: item) else { return }
    apply(player.commandOwn(command, facts))
    // What it was sent to, which may have been out of reach.
    if player.isOnItsWay { suspensions.setOwnLine(player.reached(suspensions.ownLine)) }
  }

  /// A completion; of anything but the newest command it is only counted.
  private mutating func complete(_ id: UInt64) {
    guard player.wasIssued(id) else {
      return refuse(.completeCommand, .notFound, "there was no command with this id")
    }
    switch player.complete(id, recovers: suspensions.isOnlyByLibrary) {
    case .nothing: break
    case .recovered: endLibrarySuspensions()
    case .ready(let readiness):
      guard !suspensions.isSuspended else { return }
      audienceWait.hold(readiness)
      releaseReadiness()
    }
  }

  private mutating func fail(_ id: UInt64, status: Int32) {
    guard player.wasIssued(id) else {
      return refuse(.failCommand, .notFound, "there was no command with this id")
    }
    guard player.fail(id) else { return }
    notices.append(.log(.warning, "the host could not carry out command \(id): status \(status)"))
    suspendByLibrary(Suspensions.notPossible, status: status)
  }

  private mutating func cannotPlay(status: Int32) {
    guard facts.own.item != nil else { return }
    notices.append(.log(.warning, "the host cannot play its item any more: status \(status)"))
    suspendByLibrary(Suspensions.notPossible, status: status)
  }

  /// The host begins that much later than the newest command says, at the same place. Alone nothing waits, and nothing is
  /// missed: the same start is written once more, and of two that count as many the later counts. Where somebody else came
  /// meanwhile the line stays, and the host follows it.
  private mutating func beginLater(_ id: UInt64, by delay: Nanoseconds) {
    guard delay > 0, let outstanding = player.outstanding, outstanding.id == id, let item = facts.own.item else { return }
    if outstanding.overdue, suspensions.isOnlyByLibrary { beginOverdue() }
    if suspensions.isSuspended { return suspensions.beginLater(by: delay) }
    guard case .playing = player.lastCommand, let cells = facts.registers.cells(of: item),
      var continuation = cells.continuation, let start = facts.ownStart(cells, on: item)
    else { return }
    let since = facts.clock.group(at: facts.clock.host(at: start.since).adding(delay))
    guard since.subtracting(facts.groupNow).absolute <= Law.greatestLead else { return }
    continuation.kind = .line(coverage: start.coverage, since: since, at: start.at, prior: nil)
    write(.continuation(item), .continuation(continuation))
    if case .playing(let playing) = EffectiveState(facts.registers.cells(of: item)) { player.follow(playing.line) }
  }

  /// It was given up, and begins now: it is back with nothing missed, on the line of this very command.
  private mutating func beginOverdue() {
    suspensions.endByLibrary()
    showSuspensions()
    facts.own.availableSince = facts.arrivalTime
    player.recover()
  }

  /// Where the host's player really is, as it says (F15, C7, D2).
  private mutating func receive(_ report: PlaybackReport) {
    facts.own.rate = report.rate.isFinite ? report.rate : 0
    facts.own.position = report.position?.itemTime
    facts.own.positionAt = report.position.map { facts.clock.group(at: $0.hostTime) }
    player.reportStall(report, facts)
    if !report.stalled, suspensions.endsWithStall { endLibrarySuspensions() }
    player.reportObedience(report)
    let isSuspended = suspensions.isSuspended
    if let end = player.reportedEnd(report, facts, isSuspended: isSuspended) { apply(end) }
    if let range = report.range { player.reportReach(range, facts, isSuspended: isSuspended) }
    player.reportPosition(report, facts)
    if player.reportMotion(report, facts, isSuspended: isSuspended) { endLibrarySuspensions() }
    if let position = report.position { requests.moveUnproposed(to: position) }
  }

  private mutating func reapply() {
    guard facts.own.item != nil else {
      return refuse(
        .reapplyItemState, .state, "there is no current item; make a transition to one first")
    }
    guard !suspensions.isSuspended else { return }
    player.commandAnew(.reapply)
  }

  private mutating func setOutputOffset(_ offset: Nanoseconds) {
    guard offset != facts.settings.outputOffset else { return }
    facts.settings.setOutputOffset(offset)
    facts.own.outputOffset = offset
    // A running host is told its line anew.
    guard case .playing = player.lastCommand, !suspensions.isSuspended else { return }
    player.repeatCommand(.reapply)
  }

  private mutating func setCutOffset(_ offset: Nanoseconds, of entry: EntryID?) {
    guard let entry = entry ?? currentEntry, registers(have: entry) else {
      return refuse(.setCutOffset, .notFound, "the playlist has no such entry, or the group is at none")
    }
    facts.own.state(CutOffset(entry: entry, offset: offset))
  }

  private func registers(have entry: EntryID) -> Bool {
    if case .playlistEntry(let value)? = facts.registers[.playlistEntry(entry)]?.value { !value.isRemoved } else { false }
  }

  // MARK: Starts, holds and ends (coordination 2.6, 2.7)

  private mutating func decideContinuation() {
    let isReconciling = partition.isReconciling
    let start = barrier.decideStart(facts, isReconciling: isReconciling)
    apply(start)
    apply(barrier.decideEndOrHold(facts, isNew: !start.isEmpty, isReconciling: isReconciling))
    barrier.endTurn()
  }

  /// Readiness is for one start: another pair or step makes it void.
  private mutating func invalidateStaleReadiness() {
    guard let ready = facts.own.ready ?? audienceWait.held, ready != start else { return }
    voidReadiness()
    standBy.restart()
  }

  private mutating func voidReadiness() {
    facts.own.ready = nil
    audienceWait.drop()
  }

  /// What the own player is ready for counts as soon as enough of those who listen are, too.
  private mutating func releaseReadiness() {
    guard let readiness = audienceWait.release(facts) else { return }
    facts.own.ready = readiness
    barrier.complete()
  }

  /// What the own host may be ready for now.
  private var start: ParticipantValue.Readiness? {
    guard let item = facts.own.item, let cells = facts.registers.cells(of: item) else { return nil }
    if case .preparing(let preparation) = EffectiveState(cells) { return preparation.readiness }
    guard let paused = facts.standBy, player.standsReady(at: paused.at) else { return nil }
    return paused.readiness
  }

  private mutating func reviewOwnStall() {
    guard !suspensions.isSuspended, barrier.leavesOwnBehind(facts) else { return }
    suspendByLibrary(Suspensions.stallRecovery)
    suspensions.endWithStall()
  }

  private mutating func setStallPolicy(_ policy: StallPolicy, asProposal: Bool) {
    facts.settings.setStallPolicy(policy)
    set(.stallPolicy, .stallPolicy(policy), from: .stallPolicy(facts.stallPolicy), .setStallPolicy, asProposal)
  }

  private mutating func setActionAtEnd(_ action: ActionAtEnd, asProposal: Bool) {
    facts.settings.setActionAtEnd(action)
    set(.actionAtEnd, .actionAtEnd(action), from: .actionAtEnd(facts.actionAtEnd), .setActionAtEnd, asProposal)
  }

  private mutating func setStartPolicy(_ policy: StartPolicy, asProposal: Bool) {
    facts.settings.setStartPolicy(policy)
    set(.startPolicy, .startPolicy(policy), from: .startPolicy(facts.startPolicy), .setStartPolicy, asProposal)
  }

  private mutating func setSkipPolicy(_ policy: SkipPolicy, asProposal: Bool) {
    if isNamed {
      guard !asProposal else { return }
      return refuse(.setSkipPolicy, .state, "ranges are those of the playlist, which only the session's first coordinator follows")
    }
    facts.settings.setSkipPolicy(policy)
    set(.skipPolicy, .skipPolicy(policy), from: .skipPolicy(facts.skipPolicy), .setSkipPolicy, asProposal)
  }

  /// A setting of the session; what was set before it was entered only fills a gap. `present`: what counts now, set or not.
  private mutating func set(
    _ key: RegisterKey, _ value: RegisterValue, from present: RegisterValue, _ operation: Operation, _ asProposal: Bool
  ) {
    guard maySet(operation, asProposal: asProposal), asProposal ? facts.registers[key] == nil : present != value else { return }
    write(key, value)
  }

  private mutating func scheduleStart(of item: ItemID, at time: HostTime, calendarTime: Int64?) {
    guard maySchedule(.scheduleStart) else { return }
    let instant = facts.clock.group(at: time)
    guard instant.subtracting(facts.groupNow) <= Law.scheduleLimit else {
      return refuse(.scheduleStart, .state, "a start is scheduled at most seven days ahead")
    }
    write(
      .scheduledStart, .scheduledStart(ScheduledStart(item: item, instant: instant, calendarTime: calendarTime)))
  }

  private mutating func cancelStart() {
    guard maySchedule(.cancelStart), facts.scheduledStart != nil else { return }
    write(.scheduledStart, .scheduledStart(nil))
  }

  private mutating func setAudience(_ value: AudienceValue?) {
    let policies = facts.policies
    guard isInStep, policies.allowsCommands(by: facts.local), value == nil || policies.allowsAudience(under: policies.greatest.id)
    else { return }
    write(.audience, .audience(value))
  }

  private mutating func maySchedule(_ operation: Operation) -> Bool {
    guard facts.knowsInstants else {
      refuse(operation, .state, "the session is not joined yet, or does not know group time yet; wait until it does")
      return false
    }
    return maySet(operation, asProposal: false)
  }

  // MARK: The playlist (coordination 2.17)

  private mutating func editPlaylist(_ edit: PlaylistEdit) {
    guard facts.session.phase == .member else { return postpone(.editPlaylist(edit), edit.operation) }
    guard maySet(edit.operation, asProposal: false) else { return }
    apply(PlaylistWriting(facts).intents(for: edit))
  }

  /// Entries that are more than the playlist can have, as several added some at once. Who said so of one hears of it.
  private mutating func forgetExcess() {
    for id in facts.registers.playlist.excess {
      guard let statement = facts.registers[.playlistEntry(id)] else { continue }
      facts.registers.remove(.playlistEntry(id))
      guard statement.said.author == facts.local, case .playlistEntry(let entry) = statement.value, !entry.isRemoved else { continue }
      refuse(.addEntry, .full, PlaylistWriting.tooMuch)
    }
  }

  private mutating func offerAttachment(_ value: AttachmentValue, in slot: AttachmentSlot) {
    guard facts.session.phase == .member else { return postpone(.offerAttachment(slot, value), .attach) }
    guard slot.author == facts.local else { return }
    write(.attachment(slot), .attachment(value))
  }

  /// The own one or, for who may command, another's. Its stamp is the least above the offer's: what its author has offered in the same
  /// place since, unseen here, is the later.
  private mutating func takeBackAttachment(in slot: AttachmentSlot, offered: GroupTime) {
    guard facts.session.phase == .member else {
      return postpone(.takeBackAttachment(slot, offered: offered), .removeAttachment)
    }
    guard slot.author == facts.local || facts.policies.allowsCommands(by: facts.local) else {
      return refuse(.removeAttachment, .denied, "only its author, and who may command, can take an attachment back")
    }
    if let present = facts.registers[.attachment(slot)], present.time <= offered {
      write(.attachment(slot), .attachment(nil), time: offered.adding(1))
    }
  }

  /// Whether a setting of the session can be made now: before it is entered it waits, and who may not command makes none.
  private mutating func maySet(_ operation: Operation, asProposal: Bool) -> Bool {
    guard facts.session.phase == .member else { return false }
    if facts.policies.allowsCommands(by: facts.local) { return true }
    if !asProposal { refuseCommand(operation) }
    return false
  }

  // MARK: Suspensions (coordination 2.9)

  private mutating func beginSuspension(id: UInt64, reason: String) {
    requests.dropRate()
    sendKeptSeek(early: true)
    suspensions.begin(reason, id: id, line: presentLine, now: facts.now)
    showSuspensions()
    voidReadiness()
    player.excuse()
  }

  /// Where the own player is and goes: by what it was told, or by what it brought to an item that has no state yet, or none that is known.
  private var presentLine: Line {
    guard let brought = requests.unproposed.proposal ?? suspensions.pendingTransition.proposal else { return player.presentLine(facts) }
    return Line(at: brought.position(at: facts.now), rate: brought.rate, since: facts.now)
  }

  private mutating func showSuspensions() {
    facts.own.suspensions = suspensions.shown(before: facts.own.suspensions, clock: facts.clock)
  }

  /// Both cells of the current item.
  private var presentPair: Pair? { facts.own.item.flatMap { facts.registers.cells(of: $0)?.pair } }

  /// `status`: of what the host could not do; 0: it could not be told, or is none.
  private mutating func suspendByLibrary(_ reason: String, status: Int32 = 0) {
    suspensions.beginByLibrary(reason, status: status, line: presentLine, pair: presentPair, now: facts.now)
    showSuspensions()
    voidReadiness()
  }

  private mutating func endSuspension(id: UInt64, proposing: ItemTime?) {
    guard suspensions.end(id: id) else {
      return refuse(.endSuspension, .state, "this suspension ended before; each ends once")
    }
    if let proposing { suspensions.propose(proposing, pair: presentPair) }
    // What the library began by itself ends by its own rules.
    guard !suspensions.isSuspended else { return }
    rejoin()
  }

  private mutating func endLibrarySuspensions() {
    suspensions.endByLibrary()
    if !suspensions.isSuspended { rejoin() }
  }

  /// What the group did since may end the library's suspension, and drops a held proposal.
  private mutating func reviewSuspensions() {
    guard suspensions.isSuspended, let pair = presentPair else { return }
    if suspensions.review(pair) { endLibrarySuspensions() }
  }

  /// Takes part again: in place, or moving the group by a proposal.
  private mutating func rejoin() {
    let cells = facts.own.item.flatMap { facts.registers.cells(of: $0) }
    let wasWaitedFor = cells.map { facts.isWaitedFor(facts.own, waits: $0.waits) } ?? false
    facts.own.suspensions = []
    let proposal = suspensions.rejoin()
    let isJoining = facts.session.phase == .joining
    if facts.own.item != nil, !isJoining { player.rest(at: suspensions.ownLine.rate == 0 ? suspensions.ownLine.at : nil) }
    player.rejoin(now: facts.now)
    guard let item = facts.own.item else { return }
    if !isJoining {
      // Whoever was waited for stays waited for until it is ready.
      if !wasWaitedFor || facts.own.availableSince == nil { facts.own.availableSince = facts.arrivalTime }
      if !facts.waitsForClock { resumeTransition() }
      if proposal != nil, !facts.mayMoveOwnPlayer { return deny(.endSuspension) }
    }
    guard let proposal else { return }
    // Who is joining, or whose machine has just woken, has no time to stamp it with yet.
    if isJoining || facts.waitsForClock {
      return requests.keep(Requests.Seek(target: proposal, immediately: false, operation: .endSuspension))
    }
    apply(facts.seek(to: proposal, immediately: false, on: item))
  }

  // MARK: Ranges of the own copy that are not the group's (coordination 2.21)

  private mutating func setInterstitials(_ ranges: [InterstitialRange], of item: ItemID) {
    guard item == facts.own.item else { return border.give(ranges, of: item) }
    // Whose player has come into a range by now is in it, whatever else comes in the same turn.
    if !facts.waitsForClock { reviewInterstitials() }
    endInterstitial()
    let line = suspensions.isSuspended ? suspensions.ownLine : presentLine
    let shift = border.change(to: ranges, of: item, line: line, now: facts.now)
    if let reach = border.reach { player.reportReach(reach, facts, isSuspended: suspensions.isSuspended) }
    moveOwnPlaces(by: shift)
  }

  /// The line that the own player runs on, in host time; nil: it does not, or is not known to be there yet.
  private var runningLine: Line? {
    guard facts.own.item != nil, player.stall == nil, !player.mayBeElsewhere else { return nil }
    if suspensions.isSuspended { return suspensions.hasOwnRequest ? nil : suspensions.ownLine }
    if let brought = requests.unproposed.proposal {
      return Line(at: brought.itemTime, rate: brought.rate, since: brought.hostTime ?? facts.now)
    }
    guard case .playing = player.lastCommand else { return nil }
    return player.line(facts)
  }

  /// The own player runs on by itself, without being told to.
  private mutating func runOn() { if let line = runningLine { border.run(on: line, now: facts.now) } }

  /// The own player comes into a range, and is apart until it is through it.
  private mutating func reviewInterstitials() {
    switch border.review(runningLine, facts) {
    case .nothing: break
    case .passOver: suspensions.isSuspended ? suspensions.repeatOwn() : player.commandAnew(.reapply)
    case .begin(let running):
      beginSuspension(id: running.id, reason: Suspensions.playingInterstitial)
      suspensions.setOwnLine(Line(at: border.place(of: running), rate: 0, since: facts.now))
      // What it brought to the item waits until it is through.
      proposeUnproposed()
    case .end(let running):
      continueAlone(from: border.place(of: running))
      endInterstitial()
    }
  }

  /// Where nobody else is on the item, or about to be back on it, nothing went on meanwhile that a person would want: it goes on from here.
  private mutating func continueAlone(from place: ItemTime) {
    guard let item = facts.own.item, !facts.participants(on: item).contains(where: { $0 != facts.local }),
      !facts.isApart || partition.wereAllGone(facts),
      case .playing(var playing) = EffectiveState(facts.registers.cells(of: item))
    else { return }
    playing.line = Line(at: place, rate: playing.line.rate, since: 0)
    continueAlone(playing)
  }

  private mutating func endInterstitial() {
    guard let running = border.running else { return }
    border.endRange()
    suspensions.setOwnLine(Line(at: border.place(of: running), rate: running.line.rate, since: facts.now))
    endSuspension(id: running.id, proposing: nil)
  }

  private var interstitialWake: HostTime? {
    guard !border.hasNoRanges else { return nil }
    return border.wake(runningLine, group: facts.publishedTiming(reach: nil).line, now: facts.now)
  }

  /// What the own host asks while its player is in a range is about that, unless it leads out of it: then the range is over.
  private mutating func keepInRange(_ event: CoordinationEvent) -> Bool {
    guard !border.hasNoRanges else { return false }
    if border.running != nil {
      if border.keepInRange(event, facts) { return true }
      switch event {
      case .seek, .transition, .undoJump: endInterstitial()
      default: break
      }
    }
    if case .seek(let target, _) = event { aim(at: target) }
    return false
  }

  /// The beginning and the end of a range are one place of the group's: where that stands there already its player is sent to the other one.
  private mutating func aim(at target: ItemTime) {
    guard border.aim(at: target), let item = facts.own.item,
      case .paused(let at) = EffectiveState(facts.registers.cells(of: item)), at == border.inward(target)
    else { return }
    player.repeatCommand(.seek)
  }

  // MARK: What the session's owner asks

  private mutating func setActivity(_ activity: Activity) {
    guard facts.mayCommand else { return deny(.activate) }
    // Without group time it would have a stamp of another timeline.
    guard facts.session.phase == .member else { return requests.keep(activity) }
    write(.activity, .activity(activity))
  }

  /// Ends the session for everybody. Goes out at once: there is no later turn.
  private mutating func end() {
    guard facts.mayCommand else { return deny(.endSession) }
    // Who cannot be told goes on, and would not be ended for.
    guard facts.session.secured || partition.wereAllGone(facts) else {
      return refuse(
        .endSession, .state, "the others cannot be told now; end the session when it is connected again, or leave it")
    }
    write(.end, .end)
    flushOutbox(isLast: true)
    notifySession()
  }

  private mutating func participate() {
    guard !facts.session.participates else { return }
    facts.session.participate()
    if facts.session.joined { notices.append(.session(.joined)) }
    guard facts.session.phase == .solo, !facts.session.linked else { return }
    // The group is about to be there: what the person asks from now on is meant for it.
    leaveSolo()
    awaitGroup()
  }

  /// Says goodbye in the own register.
  private mutating func leave() {
    guard facts.session.secured else { return }
    // The last owner who is there does not leave the session without one.
    if !isNamed, let successor = facts.successor { makeChange(.role(successor, .owner), isRepetition: true) }
    facts.own.left = true
    ownRegister.publishAgain()
    publishOwn()
    flushOutbox(isLast: true)
  }

  private mutating func notifySession() {
    listing.update(facts)
    notices += notifications.notifySession(
      facts, listing, as: participants(across: nil), suspensions: suspensions.reasons)
    if facts.registers.changes.beyondParticipants, let end = facts.registers[.end], !facts.session.isOver {
      facts.session.end()
      notices.append(.session(.invalidated(.ended(by: end.author))))
    }
  }

  // MARK: What a named coordinator has from the session (coordination 2.22)

  private var isNamed: Bool { facts.configuration.isNamed }

  /// An owner who was away hears first what deputies did meanwhile.
  private var isCatchingUp: Bool { isNamed ? isSessionCatchingUp : succession.isCatchingUp(facts) }

  package mutating func setPlayingBeside(_ isPlaying: Bool) { isPlayingBeside = isPlaying }

  /// Brings the session's group time, policies, readers and persons to a named coordinator: before any other event, and in every turn.
  package mutating func follow(_ session: borrowing Coordination, now: HostTime) -> [CoordinationEffect] {
    guard begin(at: now) else { return [] }
    facts.readers = session.facts.readers
    facts.persons = session.facts.persons
    isSessionCatchingUp = session.isCatchingUp
    if facts.session.phase != .solo {
      let wasDoubted = facts.clockDoubt.isOwn(facts.local)
      facts.clockDoubt = session.facts.clockDoubt
      follow(session.facts.clock)
      if wasDoubted, !facts.clockDoubt.isOwn(facts.local) { reviewStamps() }
    }
    follow(session.facts.policies)
    follow(lossesOf: session)
    return finish()
  }

  /// Others of the session who cannot be reached, and may be with each other.
  private var lost: Set<ParticipantID> {
    (partition.isApart ? partition.others : facts.presence.lost).filter { !facts.policies.isRemoved($0) }
  }

  /// Whom the session has lost can open one of this name and be met by others there: who is alone here does alone what it does.
  private mutating func follow(lossesOf session: borrowing Coordination) {
    guard facts.session.phase == .member, facts.session.joined, facts.presence.isAlone, !session.partition.isReconciling
    else { return }
    let lost = session.lost
    if !lost.isEmpty { becomeApart() }
    partition.follow(lost: lost, now: facts.now)
  }

  private mutating func follow(_ policies: PolicyOrder) {
    guard policies.ids != facts.policies.ids else { return }
    let before = facts.policies.greatest.id
    facts.registers.policies = policies
    if policies.greatest.id != before {
      reconfirmation.reset()
      for id in policies.terms.removed where id != facts.local { forget(id) }
    }
    for entry in intake.judgeable(facts) { receive([entry.statement], from: entry.sender) }
  }

  // MARK: Policy (wire 8)

  /// Levels whose signatures were checked.
  private mutating func receive(_ levels: [PolicyLevel], from sender: ParticipantID) {
    if !adopt(levels, from: sender).isEmpty { apply(intake.ask(sender, facts)) }
  }

  /// Returns those that stand on what is not known. `sender`: who passed them on; the own id: what is said here is true.
  @discardableResult
  private mutating func adopt(_ levels: [PolicyLevel], from sender: ParticipantID) -> [PolicyLevel] {
    let before = facts.policies.greatest
    let judge = succession.judge(from: sender, facts)
    var policies = facts.policies
    let rest = policies.add(levels) { judge.verdict(on: $0) == .believed }
    facts.registers.policies = policies
    // Levels count whatever they say of time; stamps are not to be led by one.
    if facts.clock.isKnown {
      for level in levels where !facts.isFuture(level.time) { facts.stamps.observe(level.time) }
    }
    if facts.policies.greatest != before { policyChanged() }
    for stack in rest.doubted { apply(succession.doubt(stack, from: sender, facts)) }
    for stack in rest.overruled { apply(succession.hearOverruled(stack, facts)) }
    for entry in intake.judgeable(facts) { receive([entry.statement], from: entry.sender) }
    return rest.unplaced
  }

  /// Another policy is in force.
  private mutating func policyChanged() {
    reconfirmation.reset()
    ownerTasks.policyChanged(facts)
    notices.append(.session(.policyChanged(facts.policies.greatest)))
    apply(succession.policyChanged(facts))
    for id in facts.policies.terms.removed where id != facts.local { forget(id) }
    if facts.policies.isRemoved(facts.local), !facts.session.isOver {
      facts.session.end()
      notices.append(.session(.invalidated(.removed(by: facts.policies.greatest.levels.last?.author ?? .none))))
      return
    }
    apply(proposal.review(facts))
  }

  /// To everybody, or to one: all that statements in force may cite.
  private mutating func sendPolicies(to receiver: ParticipantID? = nil) {
    let levels = facts.policies.levels
    if !levels.isEmpty { send(.levels(levels), to: receiver) }
  }

  private mutating func changePolicy(_ change: PolicyChange) {
    guard facts.session.phase == .member else {
      guard let operation = change.operation else { return }
      // Another door is made by who wants it, for a policy that names it at once.
      if case .removal = change { return refuse(operation, .state, "group time is not known yet; wait until it is") }
      return postpone(.changePolicy(change), operation)
    }
    makeChange(change, isRepetition: false)
  }

  private mutating func makeChange(_ change: PolicyChange, isRepetition: Bool) {
    let joinerRole = facts.policies.origin.joinerRole
    var terms = facts.ownTerms
    terms.makeRoom(joinerRole: joinerRole) { $0 == facts.local || facts.presence.entries[$0] != nil }
    do {
      try change.apply(to: &terms, by: facts.local, joinerRole: joinerRole)
    } catch {
      if let operation = change.operation { refuse(operation, .denied, error.message) }
      return
    }
    guard terms != facts.ownTerms, let level = ownLevel(saying: terms) else { return }
    proposal.record(change, as: level, isRepetition: isRepetition, now: facts.now)
    adopt([level], from: facts.local)
    // The way to another door, or to the room's new beginning, goes out in this step, and this with it.
    switch change {
    case .removal, .refresh: send(.levels(facts.policies.greatest.levels), to: nil)
    case .role, .control, .closing, .succession: outbox.putPolicy()
    }
  }

  private mutating func ownLevel(saying terms: PolicyTerms) -> PolicyLevel? {
    facts.policies.level(
      by: facts.local, time: facts.stamps.next(now: facts.stampTime), terms: terms, sign: facts.configuration.sign)
  }

  /// Says what is in force once more, by a level of this owner's, which outranks what deputies said.
  private mutating func restatePolicy() {
    guard let level = ownLevel(saying: facts.policies.terms) else { return }
    adopt([level], from: facts.local)
    sendPolicies()
  }

  /// The list of deputies that the library keeps by itself; nobody is told if another owner's change beats it.
  private mutating func listDeputies(_ deputies: [ParticipantID]) {
    var terms = facts.ownTerms
    terms.succession.deputies = deputies
    guard let level = ownLevel(saying: terms) else { return }
    adopt([level], from: facts.local)
    outbox.putPolicy()
  }

  private mutating func performOwnerTasks() {
    guard let delay = ownerTasks.delay(facts) else { return }
    apply(ownerTasks.repeatLostRemovals(after: delay, facts))
    apply(ownerTasks.grantWishes(after: delay, facts))
    apply(ownerTasks.keepLine(after: delay, facts))
  }

  private mutating func reviewSuccession() {
    succession.watchOwners(facts)
    guard facts.session.secured, facts.session.joined else { return }
    if succession.expireOverruled(facts) { facts.registers.policies.forgetOverruled() }
    for doubt in succession.doubts(facts) { apply(succession.review(doubt.entry, of: doubt.author, facts)) }
    guard facts.session.phase == .member, facts.clock.isKnown else { return }
    apply(succession.answerDeputies(facts))
    takeOver()
  }

  private mutating func takeOver() {
    guard let time = succession.takeoverTime(facts), facts.now >= time else { return }
    let level = facts.policies.takeover(
      by: facts.local, time: facts.stamps.next(now: facts.stampTime), sign: facts.configuration.sign)
    adopt([level], from: facts.local)
    send(.levels(facts.policies.greatest.levels), to: nil)
  }

  private mutating func acceptTakeovers(_ stack: PolicyStack) {
    guard
      let level = facts.policies.acceptance(
        of: stack, by: facts.local, time: facts.stamps.next(now: facts.stampTime), sign: facts.configuration.sign)
    else { return }
    adopt(stack.levels + [level], from: facts.local)
    if facts.policies.isByDeputies { restatePolicy() } else { sendPolicies() }
  }
}

// MARK: What may be read

extension Coordination {
  /// As of the last `settle`, in the item time of the own copy.
  package var view: CoordinationView {
    var view = border.outward(groupView, now: facts.now)
    if !border.isNone { view.participants = participants(across: border) }
    return view
  }

  /// The own copy's item time of a place of the group's, and the other way round; the same for another item than the own one.
  package func ownTime(of shared: ItemTime, in item: ItemID?) -> ItemTime {
    item == facts.own.item ? border.outward(shared) : shared
  }
  package func sharedTime(of own: ItemTime, in item: ItemID?) -> ItemTime {
    item == facts.own.item ? border.inward(own) : own
  }

  /// As of the last `settle`, in the group's item time.
  package var groupView: CoordinationView {
    var activity = requests.pendingActivity
    if activity == nil, case .activity(let value)? = facts.registers[.activity]?.value { activity = value }
    return CoordinationView(
      item: facts.own.item, timing: facts.publishedTiming(reach: player.range), waitingFor: facts.waitingFor,
      suspensionReasons: suspensions.reasons, participants: participants(across: nil), activity: activity,
      joined: facts.session.joined && facts.session.participates, control: facts.policies.terms.control,
      role: facts.policies.role(of: facts.local), mayCommand: facts.mayCommand, succession: facts.ownTerms.succession,
      acting: succession.acting, waitsForStalls: facts.stallPolicy.waits,
      actionAtEnd: facts.actionAtEnd, startPolicy: facts.startPolicy, skipPolicy: facts.skipPolicy,
      schedule: schedule, statistics: player.statistics)
  }

  /// As they are now, also where the listing was made before; positions are shown across the border to the own copy's item time.
  private func participants(across border: CutBorder?) -> ParticipantList {
    var listing = self.listing
    listing.update(facts)
    return ParticipantList(
      listing.rows, clock: facts.clock.base, border: border.flatMap { $0.isNone ? nil : $0 },
      own: ParticipantList.OwnMeasurement(roundTrip: facts.clock.roundTrip, clockError: facts.clock.error(at: facts.now)))
  }

  /// Rows of the list of participants that were made up to now.
  package var participantRowsMade: UInt64 { listing.made }

  private var schedule: ShownSchedule? {
    guard facts.knowsInstants, let start = facts.scheduledStart,
      start.value.instant > facts.groupNow
    else { return nil }
    return facts.shown(start.value, by: start.said.author)
  }

  /// Where the own player is and goes, as far as it was told; nil: it has no item, or is not of the group yet.
  package var playback: OwnPlayback? {
    guard let item = facts.own.item, facts.session.phase != .joining else { return nil }
    if let running = border.running {
      return OwnPlayback(item: item, line: Line(at: border.place(of: running), rate: 0, since: facts.now))
    }
    return OwnPlayback(item: item, line: suspensions.isSuspended ? suspensions.ownLine : player.line(facts))
  }

  /// What is offered to the group; counted by `attachmentRevision`.
  package var attachments: AttachmentShelf { AttachmentShelf(facts.registers.statements.values) }

  /// A member of the group by now: what is written goes to all.
  package var isMember: Bool { facts.session.phase == .member }

  /// Another number once something else is offered.
  package var attachmentRevision: UInt64 { facts.registers.attachmentRevision }

  /// The player was told to play.
  package var isPlaying: Bool { if case .playing = player.lastCommand { true } else { false } }

  /// This participant takes part, the group's state is here, and messages can be sent and read.
  package var isConnected: Bool {
    facts.session.secured && facts.session.phase == .member && facts.session.joined && facts.session.participates
  }

  /// The same, and what it has is what those have who are here: also where all others are gone.
  package var isInStep: Bool { isConnected && !facts.waitsForClock && !partition.isReconciling }

  /// The session's audience, and who speaks to it since when; nil: there is none.
  package var audience: (value: AudienceValue, said: Stamp)? { facts.registers.audience }

  /// What the own player is to be ready for now; nil: nothing.
  package var awaitedReadiness: ParticipantValue.Readiness? { start }

  /// How far the audience is that it speaks to, as it was told last.
  package var audienceReadiness: AudienceReadiness? { audienceWait.audience }

  /// What it is ready for.
  package var readiness: ParticipantValue.Readiness? { facts.own.ready }

  /// Owners and hosts who take part and are here, this participant if it is one, the most senior first.
  package var presentHosts: [ParticipantID] {
    let terms = facts.policies.terms
    let all = terms.owners + terms.roles.compactMap { $0.value == .host ? $0.key : nil }
    let hosts = all.filter { id in
      guard !terms.removed.contains(id) else { return false }
      guard id != facts.local else { return isConnected && !facts.own.left }
      return facts.isHeard(id) && facts.presence.entries[id].map { $0.connected && !$0.left } ?? false
        && facts.registers.hasParticipant(id) && !facts.registers.hasLeft(id)
    }
    guard hosts.count > 1 else { return hosts }
    let seniority = facts.seniority
    return hosts.sorted { seniority.isSenior($0, $1) }
  }

  /// Whether another participant says to have a coordinator of this name in the session; nil: it says nothing, or has left.
  package func has(_ name: CoordinatorName, _ id: ParticipantID) -> Bool? {
    facts.registers.participant(id).flatMap { $0.left ? nil : $0.coordinators.contains(name) }
  }

  /// Another participant said goodbye here, or is not known here any more.
  func isGone(_ id: ParticipantID) -> Bool { facts.presence.entries[id]?.left ?? true }

  /// Counts changes of what was said.
  package var registerRevision: UInt64 { facts.registers.revision }

  /// What the participants of the session, the own one aside, say of the hubs that they keep.
  package var hubAddresses: [(id: ParticipantID, hubs: [HubAddress])] {
    facts.registers.statements.values.compactMap { statement in
      guard case .participant(let id) = statement.key, id != facts.local, case .participant(let value) = statement.value,
        !value.left
      else { return nil }
      return (id, value.hubAddresses)
    }
  }

  /// Authors of all that counts, or that is still to be judged: who passes it on shows their introductions.
  package var authors: Set<ParticipantID> {
    var authors = Set(facts.registers.statements.values.lazy.map { $0.author })
    authors.formUnion(facts.held.authors)
    authors.formUnion(intake.authors)
    authors.formUnion(partition.deferredUpdates.lazy.flatMap({ $0.statements }).map({ $0.author }))
    authors.formUnion(partition.copy.values.lazy.map({ $0.author }))
    authors.formUnion(facts.policies.levels.lazy.map({ $0.author }))
    authors.formUnion(succession.authors)
    return authors
  }

  package var playlist: Playlist { facts.registers.playlist }

  /// The entry of the playlist that the group is at; nil: none.
  package var currentEntry: EntryID? { facts.registers.playlistCurrent?.value.entry }

  /// The statement that ended the session; nil: it goes on.
  package var endStatement: Statement? { facts.registers[.end] }

  /// The group's complete state is here: it came from a member, or this participant made the session.
  package var hasState: Bool { facts.session.joined || facts.session.isResumed }

  /// What another day may go on from; nil: the group's state or its time is not known.
  package func past(now: HostTime) -> PastGroup? {
    PastGroup(facts, at: now)
  }

  /// What an audience is shown.
  package var staged: StagedState { StagedState(facts) }

  /// Another participant of the group is here, and can be spoken with.
  package var isInTouch: Bool {
    facts.session.secured
      && facts.presence.entries.contains { $0.value.connected && !$0.value.left && facts.registers.hasParticipant($0.key) }
  }

  /// Others are here, or may be back at any moment: they are on the list.
  package var isAwaitingOthers: Bool { facts.presence.entries.values.contains { !$0.left } }

  /// The policy in force.
  package var policy: PolicyStack { facts.policies.greatest }

  /// Group time against host time, right until the next wake; nil while it is not known.
  package var groupClock: ClockModel? { facts.clock.model(at: facts.now) }

  /// Group time is in doubt, as after sleep, and about to be known: until then nothing is dated by it, or judged.
  package var waitsForClock: Bool { facts.waitsForClock }

  /// How far group time here may be from that of any other one who is there, whatever hubs say, ns; nil: that was not measured.
  package var checkedBound: Nanoseconds? { antiEntropy.clocks.checkedBound(facts) }

  var groupNow: GroupTime { facts.groupNow }
}

#if DEBUG
  extension Coordination {
    /// For tests: a register is what it would be had others' statements never come.
    mutating func replace(_ key: RegisterKey, with statement: Statement?) {
      facts.registers.restore(key, to: statement)
    }
  }
#endif

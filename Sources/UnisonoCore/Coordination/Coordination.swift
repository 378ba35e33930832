/// One participant's whole view of a session's playback: registers, presence, the own host's state.
///
/// Pure: it reads no clock, no socket and no random source. Feed events with `handle`, then call `settle` once per loop
/// turn; both return effects to carry out in order. `nextWake` says when a `.tick` is due.
public struct Coordination: Sendable {
  /// What a coordination is told when it is made.
  public struct Configuration: Sendable {
    public var local: ParticipantID
    public var incarnation: UInt64
    public var displayName: String
    public var deviceName: String
    /// Seed of jitter (heartbeats, anti-entropy); never of keys.
    public var seed: UInt64
    /// First command id; later ones count up. Lets several coordinations of one context share no id.
    public var firstCommand: UInt64
    /// Creator of the session: its registers are there from the start, it need not ask anybody.
    public var isCreator: Bool
    /// The id of the empty policy stack, and what that says: the session's origin.
    public var policy: PolicyID
    public var origin: PolicyOrigin
    /// false: reads along, so that the activity is known, until `.participate` comes.
    public var participates: Bool
    /// What the participant would like to be, told to the owners; nil: what joiners are.
    public var roleWish: Role?
    /// Who stands in for the creator when it is gone, for its policies; nil: nobody does until it says so.
    public var succession: SuccessionTerms?
    /// Hash of digests (SHA-256 in the library): the core brings no cryptography of its own.
    public var hash: @Sendable ([UInt8]) -> [UInt8]
    /// The local participant's 64-byte signature of a policy level's body.
    public var sign: @Sendable ([UInt8]) -> [UInt8]

    public init(
      local: ParticipantID, incarnation: UInt64, displayName: String, deviceName: String, seed: UInt64,
      firstCommand: UInt64 = 1,
      isCreator: Bool, policy: PolicyID, origin: PolicyOrigin = PolicyOrigin(), participates: Bool = true,
      roleWish: Role? = nil, succession: SuccessionTerms? = nil, hash: @escaping @Sendable ([UInt8]) -> [UInt8],
      sign: @escaping @Sendable ([UInt8]) -> [UInt8] = { _ in [UInt8](repeating: 0, count: 64) }
    ) {
      self.local = local
      self.incarnation = incarnation
      self.displayName = displayName
      self.deviceName = deviceName
      self.seed = seed
      self.firstCommand = firstCommand
      self.isCreator = isCreator
      self.policy = policy
      self.origin = origin
      self.participates = participates
      self.roleWish = roleWish
      self.succession = succession
      self.hash = hash
      self.sign = sign
    }
  }

  let configuration: Configuration
  var policies: PolicyOrder
  var policyState = PolicyState()
  var registers: RegisterStore
  var held = HeldStatements()
  var stamps = HybridClock()
  var clock = GroupClock()
  var presence = Presence()
  var membership = Membership()
  var apart = Apart()
  var heartbeat = Heartbeat()
  var barrier = Barrier()
  var holds = StallHolds()
  var suspensions = Suspensions()
  var settings = Settings()
  var host: HostState
  var random: SeededGenerator

  /// What the own Participant register says now, what was last published of it, and when (group and host time).
  var me: ParticipantValue
  var published: ParticipantValue?
  var publishedTime: GroupTime?
  var lastPublication: HostTime?
  /// When a register of ours that we did not write was last seen, and its time.
  var lastOwnCopy: (seen: HostTime, time: GroupTime)?
  /// Group time at which we learned that the last one left an item.
  var lastOn: [ItemID: GroupTime] = [:]
  /// What `lastOn` was last derived from.
  var occupation: OccupationSources?
  var forgetting = Forgetting()
  var origin = Origin()
  var told = Told()
  var people = PeopleNotices()

  /// Host time of the step in progress, or of the last one.
  var now: HostTime = 0
  var outbox = Outbox()
  var sends: [CoordinationEffect] = []
  var commands: [PlaybackCommand] = []
  var notices: [CoordinationEffect] = []

  public init(_ configuration: Configuration) {
    self.configuration = configuration
    policies = PolicyOrder(origin: configuration.policy, terms: configuration.origin, hash: configuration.hash)
    registers = RegisterStore(policies: policies)
    host = HostState(firstCommand: configuration.firstCommand)
    random = SeededGenerator(seed: configuration.seed)
    membership.participates = configuration.participates
    me = ParticipantValue(
      incarnation: configuration.incarnation, displayName: configuration.displayName,
      deviceName: configuration.deviceName)
    me.roleWish = configuration.roleWish?.rawValue ?? 0
  }

  var local: ParticipantID { configuration.local }
  var groupNow: GroupTime { clock.group(at: now) }

  /// Takes one event in. Host commands are not computed here but in `settle`.
  public mutating func handle(_ event: CoordinationEvent, now: HostTime) -> [CoordinationEffect] {
    self.now = now
    presence.advance(to: now)
    guard !membership.isOver else { return [] }
    take(event)
    return takeEffects()
  }

  /// Ends a loop turn: decides starts, commands the host at most once, tells changes.
  public mutating func settle(now: HostTime) -> [CoordinationEffect] {
    self.now = now
    presence.advance(to: now)
    guard !membership.isOver else { return [] }
    // Judged once, by the first step that needs it.
    var lacksGroupTime: Bool?
    for step in TurnStep.turn {
      if step.needsGroupTime {
        let lacks = lacksGroupTime ?? waitsForClock
        lacksGroupTime = lacks
        if lacks { continue }
      }
      perform(step.name)
    }
    return takeEffects()
  }

  /// Host time at which `.tick` is due; nil: nothing is pending.
  public var nextWake: HostTime? {
    guard !membership.isOver else { return nil }
    let lacksGroupTime = waitsForClock
    var next: HostTime?
    for step in TurnStep.turn where !step.needsGroupTime || !lacksGroupTime {
      if let wake = wake(of: step.name) { next = min(next ?? wake, wake) }
    }
    return next.map { max($0, now) }
  }

  private mutating func perform(_ step: TurnStep.Name) {
    switch step {
    case .adoptDueLevels: acceptFutureLevels()
    case .mergeDueStatements: acceptHeld()
    case .returnToSolo: checkAlone()
    case .pull: checkPull()
    case .reconcile: checkMeeting()
    case .mapClock: mapUnknownClock()
    case .enter: enterIfPossible()
    case .expireParticipants: expireParticipants()
    case .reviewSuccession: reviewSuccession()
    case .confirmCells: confirmCells()
    case .ownerTasks: doOwnerDuties()
    case .proposeUnproposed: proposeUnproposed()
    case .reviewSuspensions: reviewSuspensions()
    case .checkOverdue: checkOverdue()
    case .sendKeptRequests: sendKeptRequests()
    case .showSuspensions: publishSuspensions()
    case .voidReadiness, .voidReadinessAgain: voidOldReadiness()
    case .showStall: publishStall()
    case .rememberHold: noteHold()
    case .reviewOwnStall: reviewOwnStall()
    case .decideContinuation: decideContinuation()
    case .attribute: noteOrigin()
    case .noticeActions: noticeActions()
    case .commandHost: commandHost()
    case .rememberOccupation: noteOccupation()
    case .collectItems: collect()
    case .exchange: exchangeIfDue()
    case .publishOwnRegister: publishOwn()
    case .flushOutbox: flushOutbox()
    case .beat: beat()
    case .notifyTiming: tellTiming()
    case .notifySession: tellSession()
    }
  }

  /// Host time at which a step has something to do by itself; nil: only what happens gives it something.
  private func wake(of step: TurnStep.Name) -> HostTime? {
    switch step {
    case .mergeDueStatements: heldWake
    case .returnToSolo: membership.aloneFrom
    case .pull: pullWake
    case .reconcile: apart.meetingUntil
    case .mapClock: mayMapClock ? clock.unmappedSince.map { clockMappingTime(since: $0) } : nil
    case .expireParticipants: expiryWake
    case .reviewSuccession: successionWake
    case .confirmCells: confirmationWake
    case .ownerTasks: ownerWake
    case .checkOverdue: overdueWake
    case .sendKeptRequests: earliest(host.seeks.wake, host.rates.wake)
    case .showStall: stallWake
    case .decideContinuation: earliest(barrierWake, earliest(holdWake, keeperWake))
    case .noticeActions: noticeWake
    case .exchange: heartbeat.exchange?.at
    case .publishOwnRegister: publicationWake
    case .flushOutbox: membership.secured ? outbox.wake : nil
    case .beat: membership.secured && membership.joined ? heartbeat.next : nil
    case .notifyTiming: clock.nextBend(after: now)
    case .adoptDueLevels, .enter, .proposeUnproposed, .reviewSuspensions, .showSuspensions, .voidReadiness,
      .rememberHold,
      .reviewOwnStall, .attribute, .commandHost, .voidReadinessAgain, .rememberOccupation, .collectItems,
      .notifySession:
      nil
    }
  }

  private func earliest(_ one: HostTime?, _ other: HostTime?) -> HostTime? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
  }

  /// What may be read, as of the last `settle`.
  public var view: CoordinationView {
    var activity = membership.pendingActivity
    if activity == nil, case .activity(let value)? = registers[.activity]?.value { activity = value }
    return CoordinationView(
      item: host.item, timing: publishedTiming, waitingFor: waitingFor, suspensionReasons: suspensions.reasons,
      participants: participantViews, activity: activity, joined: membership.joined && membership.participates,
      control: policies.terms.control, role: policies.role(of: local), mayCommand: mayCommand,
      succession: ownTerms.succession, acting: policyState.acting,
      waitsForStalls: stallPolicy.waits, statistics: host.statistics)
  }

  /// What the participants of the session, the own one aside, say of the hubs that they keep.
  public var hubAddresses: [(id: ParticipantID, hubs: [HubAddress])] {
    registers.statements.values.compactMap { statement in
      guard case .participant(let id) = statement.key, id != local, case .participant(let value) = statement.value,
        !value.left
      else { return nil }
      return (id, value.hubAddresses)
    }
  }

  /// The statement that ended the session; nil: it goes on.
  public var endStatement: Statement? { registers[.end] }

  /// The group's complete state is here: it came from a member, or this participant made the session.
  public var hasState: Bool { membership.joined }

  /// Another participant of the group is here, and can be spoken with.
  public var isInTouch: Bool {
    membership.secured && presence.byAge().contains { registers.participant($0) != nil }
  }

  /// Others are here, or may be back at any moment: they are on the list.
  public var isAwaitingOthers: Bool { presence.entries.values.contains { !$0.left } }

  /// The policy in force.
  public var policy: PolicyStack { policies.greatest }

  /// Group time against host time, right until the next wake; nil while it is not known.
  public var groupClock: ClockModel? { clock.model(at: now) }

  private mutating func take(_ event: CoordinationEvent) {
    switch event {
    case .transition(let item, let proposal): transition(to: item, proposal: proposal)
    case .rateChange(let rate, let immediately, let from):
      requestRate(rate, immediately: immediately)
      if let from, suspensions.isSuspended || mayCommand { requestSeek(to: from, immediately: false) }
    case .seek(let target, let immediately): requestSeek(to: target, immediately: immediately)
    case .completed(let id): complete(id)
    case .beginsLater(let id, let delay): beginLater(id, by: delay)
    case .failed(let id, let status): fail(id, status: status)
    case .cannotPlay(let status): cannotPlay(status: status)
    case .reapply: reapply()
    case .beginSuspension(let id, let reason): beginSuspension(id: id, reason: reason)
    case .endSuspension(let id, let proposing): endSuspension(id: id, proposing: proposing)
    case .setWaitingReasons(let reasons): settings.waitingReasons = reasons
    case .setParticipantLimit(let reason, let limit): settings.limits[reason] = limit
    case .setPauseSnaps(let snaps): settings.pauseSnaps = snaps
    case .setWaitLimit(let limit): settings.waitLimit = max(0, limit)
    case .setStallPolicy(let policy, let asProposal): setStallPolicy(policy, asProposal: asProposal)
    case .setOutputOffset(let offset): setOutputOffset(offset)
    case .setStartLatency(let latency): me.startLatency = min(max(0, latency), Parameters.greatestLead)
    case .report(let report): takeReport(report)
    case .setActivity(let activity): setActivity(activity)
    case .changePolicy(let change): changePolicy(change)
    case .end: end()
    case .leave: leave()
    case .setHubAddresses(let addresses): me.hubAddresses = addresses
    case .participate: participate()
    case .linkUp(let members, let clock): linkUp(members: members, hub: clock)
    case .linkDown: linkDown()
    case .presence(let joined, let gone): takePresence(joined: joined, gone: gone)
    case .secured: secure()
    case .message(let message, let sender): take(message, from: sender)
    case .clock(let model, let roundTrip): takeClock(model, roundTrip: roundTrip)
    case .slept:
      clock.doubt()
      policyState.watch.forget()
    case .tick: break
    }
  }

  private mutating func take(_ message: CoordinationMessage, from sender: ParticipantID) {
    guard sender != local, membership.linked, !policies.isRemoved(sender) else { return }
    guard presence.hear(sender, now: now) else { return }
    noteCompany()
    if membership.phase == .solo { awaitGroup() }
    switch message {
    case .update(let statements): receive(statements, from: sender)
    case .beat(let beat): takeBeat(beat, from: sender)
    case .have(let entries): takeHave(entries, from: sender)
    case .want(let keys): answer(keys, to: sender)
    case .snapshot(let statements): takeSnapshot(statements, from: sender)
    case .levels(let levels): takeLevels(levels, from: sender)
    }
  }

  private mutating func takeEffects() -> [CoordinationEffect] {
    defer {
      sends = []
      commands = []
      notices = []
    }
    return sends + commands.map(CoordinationEffect.command) + notices
  }
}

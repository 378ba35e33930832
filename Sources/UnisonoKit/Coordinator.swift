import CUnisono
import Synchronization

/// The group's voice to one player: an `AVDelegatingPlaybackCoordinator`. It works alone until `coordinate(with:)`.
public final class Coordinator: Sendable {
  public struct RateChangeOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Start without waiting; the others follow as fast as they can.
    public static let playImmediately = RateChangeOptions(rawValue: UNISONO_RATE_PLAY_IMMEDIATELY)
  }

  public struct SeekOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Go on there without waiting.
    public static let resumeImmediately = SeekOptions(rawValue: UNISONO_SEEK_RESUME_IMMEDIATELY)
  }

  /// What a player with controls of its own says of itself: `isWish`.
  public enum Motion: Hashable, Sendable {
    case running(Bool)
    case rate(Double)
    /// true: a seek began; false: it is over.
    case seeking(Bool)

    fileprivate var c: (unisono_motion, Double) {
      switch self {
      case .running(let value): (.UNISONO_MOTION_RUNNING, value ? 1 : 0)
      case .rate(let value): (.UNISONO_MOTION_RATE, value)
      case .seeking(let value): (.UNISONO_MOTION_SEEKING, value ? 1 : 0)
      }
    }
  }

  public let context: Context
  let handle: Handle
  private let target: CoordinatorTarget
  private let isPlayers: Bool

  /// delegate: is held until the coordinator goes.
  public convenience init(on context: Context, delegate: any PlaybackCoordinatorDelegate) throws(UnisonoError) {
    let target = CoordinatorTarget(delegate)
    let handle = try context.loop.made(target) { user, out in
      unisono_coordinator_create(context.loop.context.token, nil, user, &out)
    }
    self.init(context, handle, target, isPlayers: false)
  }

  /// A player's, which commands the player itself.
  init(_ context: Context, _ handle: Handle, _ target: CoordinatorTarget, isPlayers: Bool) {
    (self.context, self.handle, self.target, self.isPlayers) = (context, handle, target, isPlayers)
  }

  deinit {
    guard !isPlayers else { return }
    unisono_coordinator_destroy(handle.token)
  }

  /// What happens from now on. Commands are not among it: the delegate gets them.
  public var events: Events<CoordinatorEvent> { target.broadcast.events() }

  /// Puts it into a session, with its item, state and suspensions. nil: goes on alone.
  /// Errors: `.invalidArgument` (another context's session), `.wrongState` (invalidated), `.busy` (it has another coordinator).
  public func coordinate(with session: Session?) throws(UnisonoError) {
    try check(unisono_coordinator_coordinate_with_session(handle.token, session?.handle.token))
  }

  /// Puts it into a session beside its first coordinator, with those of the others that are called the same: a second screen, or the sound
  /// of another room. They have items of their own, and the session's members, roles and time. `name`: 1...32 bytes.
  /// Errors: as above, also `.full` (eight named ones here).
  public func coordinate(with session: Session, as name: String) throws(UnisonoError) {
    try check(unisono_coordinator_coordinate_with_session_as(handle.token, session.handle.token, name))
  }

  // MARK: The item

  /// The player has gone to another item; moves nobody else. The group's state for it counts, where there is one.
  /// identifier: 1...1,023 bytes, compared byte by byte; nil: nothing plays. timing: nil: paused at the beginning.
  public func transition(
    toItem identifier: String?, proposing timing: Timing? = nil
  ) throws(UnisonoError) {
    let lent = Lent()
    let text = try lent.text(identifier, "identifier")
    let proposal = timing.map { timing in
      var c = unisono_timing()
      c.size = UInt32(MemoryLayout<unisono_timing>.size)
      (c.rate, c.item_time) = (timing.rate, timing.itemTime.nanoseconds)
      if let hostTime = timing.hostTime { (c.host_time, c.flags) = (hostTime.nanoseconds, UNISONO_HAS_HOST_TIME) }
      return lent.one(c)
    }
    try check(
      withExtendedLifetime(lent) { unisono_coordinator_transition_to_item(handle.token, text, proposal) })
  }

  /// nil: none.
  public var currentItem: String? {
    get throws(UnisonoError) {
      let item = try readText { unisono_coordinator_current_item(handle.token, $0, $1) }
      return item.isEmpty ? nil : item
    }
  }

  // MARK: What the person wants

  /// Plays, pauses (0) or changes the speed. Play first lets everybody prepare; pause is at once.
  /// rate: 0, or -16...16.
  /// Errors: `.invalidArgument`, `.wrongState` (no item), `.denied` (late, too).
  public func coordinateRateChange(to rate: Double, options: RateChangeOptions = []) throws(UnisonoError) {
    try check(unisono_coordinator_coordinate_rate_change(handle.token, rate, options.rawValue))
  }

  /// Goes to another position. While it plays everybody prepares there first.
  /// Errors: `.invalidArgument`, `.wrongState` (no item), `.denied` (late, too).
  public func coordinateSeek(to time: ItemTime, options: SeekOptions = []) throws(UnisonoError) {
    try check(unisono_coordinator_coordinate_seek(handle.token, time.nanoseconds, options.rawValue))
  }

  /// Takes the last jump back, whoever made it: everybody goes to where the group was before; once more, and they are where it led.
  /// Errors: `.wrongState` (no item; late: nobody jumped on it), `.denied` (late, too).
  public func undoJump() throws(UnisonoError) { try check(unisono_coordinator_undo_jump(handle.token)) }

  /// Commands the present state once more.
  public func reapplyCurrentItemState() throws(UnisonoError) {
    try check(unisono_coordinator_reapply_current_item_state(handle.token))
  }

  /// Whether a person did what the player says of itself; false: the echo of a command, or nothing new.
  public func isWish(_ motion: Motion) throws(UnisonoError) -> Bool {
    let (kind, value) = motion.c
    return try check(unisono_coordinator_is_wish(handle.token, kind, value)) == 1
  }

  /// This host commands its player, which will say so: no wish.
  public func expectMotion(_ motion: Motion) throws(UnisonoError) {
    let (kind, value) = motion.c
    try check(unisono_coordinator_expect_motion(handle.token, kind, value))
  }

  // MARK: Where the group is

  /// Where this player should be at an instant; nil: the group has no timing yet. Any thread may ask, an audio thread too.
  public func expectedItemTime(at instant: HostTime) -> ItemTime? {
    var out = Int64.min
    guard unisono_coordinator_expected_item_time(handle.token, instant.nanoseconds, &out) == 0 else { return nil }
    return ItemTime(known: out)
  }

  /// The newest line; nil: there is none.
  public var timing: Timing? {
    var c = unisono_timing()
    c.size = UInt32(MemoryLayout<unisono_timing>.size)
    guard unisono_coordinator_timing(handle.token, &c) == 0 else { return nil }
    return Timing(
      itemTime: ItemTime(nanoseconds: c.item_time), rate: c.rate, hostTime: HostTime(known: c.host_time),
      state: Timing.State(c.state), errorBound: .nanoseconds(c.error_bound))
  }

  public var otherParticipants: [Participant] {
    get throws(UnisonoError) { try Participant.list { unisono_coordinator_other_participants(handle.token, $0) } }
  }

  /// Whom a start is waiting for, and why.
  public var waitingFor: [WaitingFor] {
    get throws(UnisonoError) {
      var owned: UnsafePointer<unisono_waiting_for>?
      var count = 0
      try check(unisono_coordinator_waiting_for(handle.token, &owned, &count))
      defer { unisono_free(owned) }
      return WaitingFor.list(owned, count)
    }
  }

  public var statistics: CoordinatorStatistics {
    get throws(UnisonoError) {
      var c = unisono_coordinator_statistics()
      c.size = UInt32(MemoryLayout<unisono_coordinator_statistics>.size)
      try check(unisono_coordinator_get_statistics(handle.token, &c))
      return CoordinatorStatistics(c)
    }
  }

  // MARK: Taking no part for a while

  /// This player takes no part until the suspension ends: with `end`, or when nobody holds it.
  /// reason: 1...127 bytes; the others see it.
  public func beginSuspension(for reason: SuspensionReason) throws(UnisonoError) -> Suspension {
    let lent = Lent()
    let text = try lent.text(reason.rawValue, "reason")
    var out: OpaquePointer?
    try check(withExtendedLifetime(lent) { unisono_coordinator_begin_suspension(handle.token, text, &out) })
    guard let out else { throw UnisonoError(.internal) }
    return Suspension(self, Handle(token: out))
  }

  /// Of the open suspensions, the library's own included, oldest first.
  public var suspensionReasons: [SuspensionReason] {
    get throws(UnisonoError) {
      var owned: UnsafePointer<UnsafePointer<CChar>?>?
      var count = 0
      try check(unisono_coordinator_suspension_reasons(handle.token, &owned, &count))
      defer { unisono_free(owned) }
      return strings(owned, count).map { SuspensionReason($0) }
    }
  }

  /// Starts wait for who is suspended for one of these. Replaces; none at first.
  public func setSuspensionReasonsThatTriggerWaiting(_ reasons: [SuspensionReason]) throws(UnisonoError) {
    let lent = Lent()
    let texts = try lent.texts(reasons.map(\.rawValue), "reasons")
    try check(
      withExtendedLifetime(lent) { unisono_coordinator_set_waiting_reasons(handle.token, texts, reasons.count) })
  }

  /// How large a session may be for a start to wait for this reason; 0: never.
  public func setParticipantLimit(
    _ limit: UInt32, forWaitingOutSuspensionsWithReason reason: SuspensionReason
  ) throws(UnisonoError) {
    let lent = Lent()
    let text = try lent.text(reason.rawValue, "reason")
    try check(withExtendedLifetime(lent) { unisono_coordinator_set_participant_limit(handle.token, text, limit) })
  }

  // MARK: Settings and reports

  /// A pause made here takes everybody to the exact position of this player.
  public func setPauseSnapsToMediaTimeOfOriginator(_ snaps: Bool) throws(UnisonoError) {
    try check(unisono_coordinator_set_pause_snaps_to_originator(handle.token, snaps ? 1 : 0))
  }

  /// This player gets ready while the group pauses, so that the next play need not wait for it: a buffering command without a due
  /// time, once a pause has lasted for half a second.
  public func setPreparesAhead(_ prepares: Bool) throws(UnisonoError) {
    try check(unisono_coordinator_set_prepares_ahead(handle.token, prepares ? 1 : 0))
  }

  /// How long a start that is asked for here waits, at most 600 s; 0: not at all.
  public func setWaitLimit(_ limit: Duration) throws(UnisonoError) {
    try check(unisono_coordinator_set_wait_limit(handle.token, try limit.nanoseconds("limit")))
  }

  /// Whether the running group waits for one that stalls: one setting of the whole session.
  public func setWaitsForStalls(
    _ waits: Bool, debounce: Duration = .zero, limit: Duration = .zero
  ) throws(UnisonoError) {
    var c = unisono_stall_policy()
    c.size = UInt32(MemoryLayout<unisono_stall_policy>.size)
    c.wait = waits ? 1 : 0
    c.debounce = try debounce.nanoseconds("debounce")
    c.limit = try limit.nanoseconds("limit")
    try check(unisono_coordinator_set_stall_policy(handle.token, &c))
  }

  /// What happens when an item is played to its end.
  public struct ActionAtEnd: Hashable, Sendable {
    public let rawValue: Int32
    /// Each player goes on to its next item; without one all stand.
    public static let advance = ActionAtEnd(.UNISONO_AT_END_ADVANCE)
    /// All stay on the item, and the group is paused at its end.
    public static let pause = ActionAtEnd(.UNISONO_AT_END_PAUSE)
    /// All stay on the item, and the group's rate stays as it is.
    public static let none = ActionAtEnd(.UNISONO_AT_END_NONE)

    init(_ c: unisono_action_at_end) { rawValue = c.rawValue }
    init(rawValue: Int32) { self.rawValue = rawValue }
  }

  /// One setting of the whole session: the newest counts.
  public func setActionAtItemEnd(_ action: ActionAtEnd) throws(UnisonoError) {
    try check(unisono_coordinator_set_action_at_end(handle.token, unisono_action_at_end(rawValue: action.rawValue)!))
  }

  /// The session's.
  public var actionAtItemEnd: ActionAtEnd {
    get throws(UnisonoError) { ActionAtEnd(rawValue: try check(unisono_coordinator_action_at_end(handle.token))) }
  }

  /// Which ranges of entries the group leaves out; one setting of the whole session: the newest counts.
  public func setSkippedRanges(_ kinds: SkipRange.Kind) throws(UnisonoError) {
    try check(unisono_coordinator_set_skipped_ranges(handle.token, kinds.rawValue))
  }

  /// Ranges of the own copy of an item that are not the group's, in the own copy's item time: the group's time line leaves them out.
  public func setInterstitials(_ ranges: [Range<ItemTime>], of identifier: String) throws(UnisonoError) {
    let raw = ranges.map { unisono_interstitial(begin: $0.lowerBound.nanoseconds, end: $0.upperBound.nanoseconds) }
    let lent = Lent()
    let text = try lent.text(identifier, "identifier")
    try check(withExtendedLifetime(lent) { unisono_coordinator_set_interstitials(handle.token, text, raw, raw.count) })
  }

  /// The session's.
  public var skippedRanges: SkipRange.Kind {
    get throws(UnisonoError) {
      SkipRange.Kind(rawValue: UInt32(try check(unisono_coordinator_skipped_ranges(handle.token))))
    }
  }

  /// What starts wait for beside players, and what happens when a person leaves: one setting of the whole session.
  public struct StartPolicy: Hashable, Sendable {
    public struct Rule: RawRepresentable, Hashable, Sendable {
      public let rawValue: Int32
      public init(rawValue: Int32) { self.rawValue = rawValue }
      init(_ c: unisono_start_rule) { rawValue = c.rawValue }

      /// Starts wait for players only.
      public static let atOnce = Rule(.UNISONO_START_AT_ONCE)
      /// The first start of an item waits until all persons have said that they are ready.
      public static let firstWhenReady = Rule(.UNISONO_START_FIRST_WHEN_READY)
      /// Every start from a pause does.
      public static let whenReady = Rule(.UNISONO_START_WHEN_READY)
    }

    public var start: Rule
    /// How long a start waits for who does not get ready, 0...600 s; zero: 60 s.
    public var limit: Duration
    public var pausesWhenSomebodyLeaves: Bool

    public init(start: Rule = .atOnce, limit: Duration = .zero, pausesWhenSomebodyLeaves: Bool = false) {
      self.start = start
      self.limit = limit
      self.pausesWhenSomebodyLeaves = pausesWhenSomebodyLeaves
    }
  }

  /// The newest counts.
  public func setStartPolicy(_ policy: StartPolicy) throws(UnisonoError) {
    var c = unisono_start_policy()
    c.size = UInt32(MemoryLayout<unisono_start_policy>.size)
    c.start = unisono_start_rule(rawValue: policy.start.rawValue)!  // the C enumeration is open
    c.limit = try policy.limit.nanoseconds("limit")
    c.leaving = policy.pausesWhenSomebodyLeaves ? .UNISONO_LEAVING_PAUSE : .UNISONO_LEAVING_GO_ON
    try check(unisono_coordinator_set_start_policy(handle.token, &c))
  }

  /// The session's.
  public var startPolicy: StartPolicy {
    get throws(UnisonoError) {
      var c = unisono_start_policy()
      c.size = UInt32(MemoryLayout<unisono_start_policy>.size)
      try check(unisono_coordinator_get_start_policy(handle.token, &c))
      return StartPolicy(
        start: StartPolicy.Rule(c.start), limit: .nanoseconds(c.limit),
        pausesWhenSomebodyLeaves: c.leaving == .UNISONO_LEAVING_PAUSE)
    }
  }

  /// This device's person says that it is ready, or not; it stands until it says otherwise, or leaves the item.
  public func setReady(_ readiness: Readiness) throws(UnisonoError) {
    try check(unisono_coordinator_set_ready(handle.token, readiness.c))
  }

  /// The start that waits for persons goes on without those of these participants; none: without waiting for any.
  public func start(without participants: [ParticipantID] = []) throws(UnisonoError) {
    let ids = participants.map { $0.c }
    try check(unisono_coordinator_start_without(handle.token, ids, ids.count))
  }

  /// How late this device's output is heard or seen, -5...5 s: it is commanded that far ahead.
  public func setOutputOffset(_ offset: Duration) throws(UnisonoError) {
    try check(unisono_coordinator_set_output_offset(handle.token, try offset.nanoseconds("offset")))
  }

  /// Where the player really is, at any pace. reachable: what it can reach at the moment.
  public func report(
    rate: Double, itemTime: ItemTime? = nil, at hostTime: HostTime = .now, isStalled: Bool = false,
    reachable: ClosedRange<ItemTime>? = nil
  ) throws(UnisonoError) {
    var c = unisono_playback_report()
    c.size = UInt32(MemoryLayout<unisono_playback_report>.size)
    (c.rate, c.stalled) = (rate, isStalled ? 1 : 0)
    if let itemTime {
      (c.item_time, c.host_time) = (itemTime.nanoseconds, hostTime.nanoseconds)
      c.flags |= UNISONO_HAS_POSITION
    }
    if let reachable {
      (c.earliest, c.latest) = (reachable.lowerBound.nanoseconds, reachable.upperBound.nanoseconds)
      c.flags |= UNISONO_HAS_RANGE
    }
    try check(unisono_coordinator_report(handle.token, &c))
  }
}

public struct CoordinatorStatistics: Hashable, Sendable {
  public let state: Timing.State
  public let commandsIssued: UInt64
  public let commandsCompleted: UInt64
  public let commandsFailed: UInt64
  public let commandsSuperseded: UInt64
  public let commandsOverdue: UInt64
  public let starts: UInt64
  public let startsLate: UInt64
  /// From a request to its start.
  public let lastStartWait: Duration
  /// Reported position against expected, at the last report; nil: not known.
  public let lastStartError: Duration?

  init(_ c: unisono_coordinator_statistics) {
    state = Timing.State(c.state)
    (commandsIssued, commandsCompleted, commandsFailed) = (c.commands_issued, c.commands_completed, c.commands_failed)
    (commandsSuperseded, commandsOverdue) = (c.commands_superseded, c.commands_overdue)
    (starts, startsLate) = (c.starts, c.starts_late)
    (lastStartWait, lastStartError) = (.nanoseconds(c.last_start_wait), Duration(known: c.last_start_error))
  }
}

/// A time of taking no part: an `AVCoordinatedPlaybackSuspension`. Letting go of it ends it, without a proposal.
public final class Suspension: Sendable {
  private let coordinator: Coordinator
  private let handle: Handle

  init(_ coordinator: Coordinator, _ handle: Handle) { (self.coordinator, self.handle) = (coordinator, handle) }
  deinit { unisono_suspension_destroy(handle.token) }

  /// Back to where the group is. Errors: `.wrongState` (ended before).
  public func end() throws(UnisonoError) { try check(unisono_suspension_end(handle.token)) }

  /// Back to the group, which is asked to come here. Errors: `.wrongState` (ended before), `.denied` (late).
  public func end(proposingNewTime time: ItemTime) throws(UnisonoError) {
    try check(unisono_suspension_end_proposing(handle.token, time.nanoseconds))
  }

  public var reason: SuspensionReason {
    get throws(UnisonoError) {
      SuspensionReason(try readText { unisono_suspension_reason(handle.token, $0, $1) })
    }
  }

  public var beginTime: HostTime {
    get throws(UnisonoError) {
      var out = Int64.min
      try check(unisono_suspension_begin_time(handle.token, &out))
      return HostTime(nanoseconds: out)
    }
  }
}

/// What happens to a coordinator.
public enum CoordinatorEvent: LossyEvent {
  case participants(ParticipantsChange)
  case suspensions([SuspensionReason])
  case timing(TimingChange)
  /// How it is with the audience that it listens to.
  case listening(ListeningChange)
  /// After `askToSpeak`: an invite into the session. A secret.
  case invited(String)
  /// A call that was accepted and refused later.
  case error(LateError)
  /// So many events are missing here: this reader did not keep up.
  case overflow(Int)

  init?(_ event: UnsafePointer<unisono_context_event>) {
    switch event.pointee.type {
    case .UNISONO_EVENT_COORDINATOR_PARTICIPANTS:
      guard let c = unisono_event_participants(event)?.pointee else { return nil }
      self = .participants(ParticipantsChange(c))
    case .UNISONO_EVENT_COORDINATOR_SUSPENSIONS:
      guard let c = unisono_event_suspensions(event)?.pointee else { return nil }
      self = .suspensions(strings(c.reasons, c.reason_count).map { SuspensionReason($0) })
    case .UNISONO_EVENT_COORDINATOR_TIMING:
      guard let c = unisono_event_timing(event)?.pointee else { return nil }
      self = .timing(TimingChange(c))
    case .UNISONO_EVENT_COORDINATOR_LISTENING:
      guard let c = unisono_event_listening(event)?.pointee else { return nil }
      self = .listening(ListeningChange(c))
    case .UNISONO_EVENT_COORDINATOR_INVITED:
      guard let c = unisono_event_invite(event)?.pointee else { return nil }
      self = .invited(String(cString: c.invite))
    case .UNISONO_EVENT_ERROR:
      guard let error = LateError(event) else { return nil }
      self = .error(error)
    default:
      return nil
    }
  }
}

/// Where the group is now, who moved it, and whom it waits for.
public struct TimingChange: Hashable, Sendable {
  public let state: Timing.State
  public let cause: Cause
  /// nil: nobody in particular.
  public let originator: ParticipantID?
  public let item: String?
  /// While waiting: what it will start with.
  public let rate: Double
  public let itemTime: ItemTime
  /// While playing: when it is at `itemTime`.
  public let hostTime: HostTime?
  /// While waiting: when that ends at the latest.
  public let deadline: HostTime?
  public let waitingFor: [WaitingFor]

  init(_ c: unisono_timing_change) {
    (state, cause) = (Timing.State(c.state), Cause(c.cause))
    (originator, item) = (ParticipantID(somebody: c.originator), string(c.item))
    (rate, itemTime) = (c.rate, ItemTime(nanoseconds: c.item_time))
    (hostTime, deadline) = (HostTime(known: c.host_time), HostTime(known: c.deadline))
    waitingFor = WaitingFor.list(c.waiting_for, c.waiting_for_count)
  }
}

/// Has commands carried out, one at a time, and answers them.
final class CoordinatorTarget: EventTarget {
  let broadcast = Broadcast<CoordinatorEvent>()
  private let delegate: (any PlaybackCoordinatorDelegate)?
  private let work = Mutex<Task<Void, Never>?>(nil)

  init(_ delegate: (any PlaybackCoordinatorDelegate)?) { self.delegate = delegate }

  func deliver(_ event: UnsafePointer<unisono_context_event>) {
    if let event = CoordinatorEvent(event) {
      broadcast.put(event)
    } else if let delegate, let command = PlaybackCommand(event), let source = event.pointee.source {
      begin(command, with: delegate, Handle(token: OpaquePointer(source)))
    }
  }

  func finish() {
    broadcast.finish()
    work.withLock { $0?.cancel() }
  }

  /// The one before is cancelled, and waited for: two commands never work on the player at once, nor in the wrong order.
  private func begin(
    _ command: PlaybackCommand, with delegate: any PlaybackCoordinatorDelegate, _ handle: Handle
  ) {
    work.withLock { [broadcast] work in
      let older = work
      older?.cancel()
      work = Task(executorPreference: SimulatedTasks.current) {
        await older?.value
        guard !Task.isCancelled else { return }  // a newer one is there already
        var answer: Int32
        let operation: String
        do {
          try await command.perform(with: delegate)
          guard !Task.isCancelled else { return }
          answer = unisono_coordinator_complete(handle.token, command.id)
          operation = "unisono_coordinator_complete"
        } catch {
          guard !Task.isCancelled else { return }
          answer = unisono_coordinator_fail(handle.token, command.id, failureStatus(of: error))
          operation = "unisono_coordinator_fail"
        }
        if answer < 0 && answer != unisono_status.UNISONO_ECLOSED.rawValue {
          broadcast.put(.error(LateError(error: UnisonoError(.init(rawValue: answer)), operation: operation)))
        }
      }
    }
  }
}

/// The status that a failure is reported with: always negative, as the C API wants it.
func failureStatus(of error: any Error) -> Int32 {
  if let error = error as? UnisonoError, error.status.rawValue < 0 { return error.status.rawValue }
  return error is CancellationError ? UnisonoError.Status.canceled.rawValue : UnisonoError.Status.internal.rawValue
}

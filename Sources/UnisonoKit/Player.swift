import CUnisono

/// A queue of items over a renderer: it asks the group before it plays, follows the group, and keeps in step.
public final class Player: Sendable {
  public struct Item: Hashable, Sendable {
    /// 1...1,023 bytes; what the group compares.
    public var identifier: String
    /// For the renderer alone, never sent. nil: the identifier.
    public var uri: String?
    /// Where it is to begin.
    public var startTime = ItemTime.zero
    /// nil: unknown.
    public var duration: Duration?
    /// Item time is the date of the content.
    public var isLive = false

    public init(_ identifier: String, uri: String? = nil) { (self.identifier, self.uri) = (identifier, uri) }

    fileprivate func c(_ lent: Lent) throws(UnisonoError) -> unisono_player_item {
      var c = unisono_player_item()
      c.size = UInt32(MemoryLayout<unisono_player_item>.size)
      c.identifier = try lent.text(identifier, "identifier")
      c.uri = try lent.text(uri, "uri")
      c.start_time = startTime.nanoseconds
      c.duration = try duration?.nanoseconds("duration") ?? .min
      c.is_live = isLive ? 1 : 0
      return c
    }
  }

  public struct TimeControl: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
    init(_ control: unisono_time_control) { rawValue = control.rawValue }

    public static let paused = TimeControl(.UNISONO_TIME_CONTROL_PAUSED)
    public static let waitingToPlay = TimeControl(.UNISONO_TIME_CONTROL_WAITING)
    public static let playing = TimeControl(.UNISONO_TIME_CONTROL_PLAYING)
  }

  public struct WaitingReason: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
    init(_ reason: unisono_waiting_reason) { rawValue = reason.rawValue }

    public static let none = WaitingReason(.UNISONO_WAITING_NONE)
    public static let toMinimizeStalls = WaitingReason(.UNISONO_WAITING_TO_MINIMIZE_STALLS)
    public static let evaluatingBufferingRate = WaitingReason(.UNISONO_WAITING_EVALUATING_BUFFERING_RATE)
    public static let noItemToPlay = WaitingReason(.UNISONO_WAITING_NO_ITEM)
    public static let waitingForCoordinatedPlayback = WaitingReason(.UNISONO_WAITING_COORDINATED_PLAYBACK)
    public static let interstitialEvent = WaitingReason(.UNISONO_WAITING_INTERSTITIAL)
  }

  public struct ItemState: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }
    init(_ state: unisono_item_state) { rawValue = state.rawValue }

    public static let unknown = ItemState(.UNISONO_ITEM_UNKNOWN)
    public static let readyToPlay = ItemState(.UNISONO_ITEM_READY)
    public static let failed = ItemState(.UNISONO_ITEM_FAILED)
  }

  public let context: Context
  /// For its session, settings and suspensions; transport goes through the player.
  public let playbackCoordinator: Coordinator
  let handle: Handle
  private let target: PlayerTarget

  /// renderer: is held until the player goes.
  /// Errors: `.invalidArgument` (a capability out of its limits).
  public init(on context: Context, renderer: any Renderer) throws(UnisonoError) {
    var c = try renderer.capabilities.c()
    let target = PlayerTarget(renderer) { [weak loop = context.loop] in try await loop?.sleep(for: $0) }
    let coordinators = CoordinatorTarget(nil)
    let user = context.loop.add(target)
    do {
      // The coordinator's events carry no `user`.
      let (player, coordinator) = try context.loop.add(coordinators) { () throws(UnisonoError) in
        var out: OpaquePointer?
        try check(unisono_player_create(context.loop.context.token, &c, user, nil, user, &out))
        guard let out else { throw UnisonoError(.internal) }
        var borrowed: OpaquePointer?
        try check(unisono_player_coordinator(out, &borrowed))
        guard let borrowed else { throw UnisonoError(.internal) }
        let handles = (Handle(token: out), Handle(token: borrowed))
        return (handles, handles.1)
      }
      (self.context, self.target, handle) = (context, target, player)
      playbackCoordinator = Coordinator(context, coordinator, coordinators, isPlayers: true)
    } catch {
      context.loop.remove(user)
      throw error
    }
  }

  deinit {
    unisono_player_destroy(handle.token)
    context.loop.remove(playbackCoordinator.handle)
  }

  /// What happens from now on.
  public var events: Events<PlayerEvent> { target.broadcast.events() }

  // MARK: The queue

  /// The first one becomes current and is loaded. after: identifier of an item in the queue; nil: at the end.
  /// Errors: `.invalidArgument`, `.notFound` (after), `.full` (1,024 items).
  public func insert(_ item: Item, after: String? = nil) throws(UnisonoError) {
    let lent = Lent()
    var c = try item.c(lent)
    let text = try lent.text(after, "after")
    try check(withExtendedLifetime(lent) { unisono_player_insert_item(handle.token, &c, text) })
  }

  /// Of the current item it goes on to the next. Errors: `.notFound`.
  public func remove(_ identifier: String) throws(UnisonoError) {
    let lent = Lent()
    let text = try lent.text(identifier, "identifier")
    try check(withExtendedLifetime(lent) { unisono_player_remove_item(handle.token, text) })
  }

  public func advanceToNextItem() throws(UnisonoError) { try check(unisono_player_advance(handle.token)) }

  /// nil: nothing plays. The queue behind it stays.
  public func replaceCurrentItem(with item: Item?) throws(UnisonoError) {
    let lent = Lent()
    var pointer: UnsafePointer<unisono_player_item>?
    if let item { pointer = lent.one(try item.c(lent)) }
    try check(withExtendedLifetime(lent) { unisono_player_replace_current_item(handle.token, pointer) })
  }

  // MARK: What the person wants

  /// Asks the group to play at the default rate. Everybody prepares, then all start together.
  /// Errors: `.wrongState` (no current item), `.denied` (late).
  public func play(immediately: Bool = false) throws(UnisonoError) {
    try check(unisono_player_play(handle.token, immediately ? UNISONO_RATE_PLAY_IMMEDIATELY : 0))
  }

  /// Asks the group to pause, at once.
  public func pause() throws(UnisonoError) { try check(unisono_player_pause(handle.token)) }

  /// Asks the group for a rate, -16...16.
  public func setRate(_ rate: Double, immediately: Bool = false) throws(UnisonoError) {
    try check(unisono_player_set_rate(handle.token, rate, immediately ? UNISONO_RATE_PLAY_IMMEDIATELY : 0))
  }

  /// The rate of `play` from now on; asks nobody. Not 0.
  public func setDefaultRate(_ rate: Double) throws(UnisonoError) {
    try check(unisono_player_set_rate(handle.token, rate, UNISONO_RATE_AS_DEFAULT))
  }

  /// Asks the group to seek; returns when this player stands or plays there. A tolerance of nil: anywhere.
  /// Returns: false: a newer seek, another item or the end of the player came first.
  /// Errors: `.invalidArgument`, `.wrongState`, `.denied`.
  @discardableResult
  public func seek(
    to time: ItemTime, toleranceBefore: Duration? = .zero, toleranceAfter: Duration? = .zero
  ) async throws(UnisonoError) -> Bool {
    let before = try toleranceBefore?.nanoseconds("toleranceBefore") ?? .max
    let after = try toleranceAfter?.nanoseconds("toleranceAfter") ?? .max
    let events = events
    var request: UInt64 = 0
    try check(unisono_player_seek(handle.token, time.nanoseconds, before, after, &request))
    for await event in events {
      guard case .seekDone(request, let status) = event else { continue }
      if status == .ok { return true }
      if status == .canceled { return false }
      throw UnisonoError(status)
    }
    return false
  }

  /// A person takes hold of the slider: this player stands, apart from the group.
  public func beginScrub() throws(UnisonoError) { try check(unisono_player_begin_scrub(handle.token)) }

  /// The slider moves: this player alone shows that position.
  public func scrub(to time: ItemTime) throws(UnisonoError) {
    try check(unisono_player_scrub_to(handle.token, time.nanoseconds))
  }

  /// The slider is released. commit: the group goes there; else back to where it is.
  public func endScrub(commit: Bool) throws(UnisonoError) {
    try check(unisono_player_end_scrub(handle.token, commit ? 1 : 0))
  }

  /// "What did they say": this player alone goes back, plays faster, and falls in again. rate: 0: 2.
  public func replay(_ back: Duration, rate: Double = 0) throws(UnisonoError) {
    try check(unisono_player_replay(handle.token, try back.nanoseconds("back"), rate))
  }

  /// Another sound has taken over: this player stands, apart from the group.
  public func beginInterruption() throws(UnisonoError) { try check(unisono_player_begin_interruption(handle.token)) }

  public func endInterruption(shouldResume: Bool) throws(UnisonoError) {
    try check(unisono_player_end_interruption(handle.token, shouldResume ? 1 : 0))
  }

  /// Something else plays on another renderer: the main item stands.
  public func beginInterstitial() throws(UnisonoError) { try check(unisono_player_begin_interstitial(handle.token)) }

  public func endInterstitial() throws(UnisonoError) { try check(unisono_player_end_interstitial(handle.token)) }

  /// The person's own volume, 0...1.
  public func setVolume(_ volume: Double) throws(UnisonoError) {
    try check(unisono_player_set_volume(handle.token, volume))
  }

  // MARK: How it is

  public var timeControl: TimeControl {
    get throws(UnisonoError) { TimeControl(rawValue: try check(unisono_player_time_control(handle.token))) }
  }

  public var waitingReason: WaitingReason {
    get throws(UnisonoError) { WaitingReason(rawValue: try check(unisono_player_waiting_reason(handle.token))) }
  }

  public var itemState: ItemState {
    get throws(UnisonoError) { ItemState(rawValue: try check(unisono_player_item_state(handle.token))) }
  }

  /// Where it was last known to be, and when that held; nil: nothing is loaded.
  public var currentTime: (itemTime: ItemTime, hostTime: HostTime)? {
    var (item, host) = (Int64.min, Int64.min)
    guard unisono_player_current_time(handle.token, &item, &host) == 0 else { return nil }
    return (ItemTime(nanoseconds: item), HostTime(nanoseconds: host))
  }

  /// How far it was from the group, and what was done about it.
  public var statistics: PlayerStatistics {
    get throws(UnisonoError) {
      var c = unisono_player_statistics()
      c.size = UInt32(MemoryLayout<unisono_player_statistics>.size)
      try check(unisono_player_get_statistics(handle.token, &c))
      return PlayerStatistics(c)
    }
  }

  /// What the renderer does by itself. Answers to commands are given by returning from its functions.
  public func report(_ report: RendererReport) throws(UnisonoError) {
    let lent = Lent()
    var c = unisono_renderer_report()
    c.size = UInt32(MemoryLayout<unisono_renderer_report>.size)
    c.duration = .min
    switch report {
    case .playing: c.state = .UNISONO_RENDERER_PLAYING
    case .paused: c.state = .UNISONO_RENDERER_PAUSED
    case .stalled: c.state = .UNISONO_RENDERER_STALLED
    case .recovered: c.state = .UNISONO_RENDERER_RECOVERED
    case .ended: c.state = .UNISONO_RENDERER_ENDED
    case .failed(let error):
      (c.state, c.status) = (.UNISONO_RENDERER_FAILED, error.status.rawValue)
      c.message = try lent.text(error.message, "message")
    case .seekable(let range, let duration):
      (c.seekable_start, c.seekable_end) = (range.lowerBound.nanoseconds, range.upperBound.nanoseconds)
      (c.flags, c.duration) = (UNISONO_HAS_RANGE, duration?.nanoseconds ?? .min)
    }
    try check(withExtendedLifetime(lent) { unisono_player_report(handle.token, &c) })
  }
}

/// How far a player was from the group; positive: ahead. nil: not measured yet.
public struct PlayerStatistics: Hashable, Sendable {
  public let lastSkew: Duration?
  public let medianSkew: Duration?
  /// What 95 of 100 stay under.
  public let p95Skew: Duration?
  public let maximumSkew: Duration?
  public let nudges: UInt64
  public let seeks: UInt64
  public let stalls: UInt64
  /// From a play to the first sound or picture, as learnt.
  public let startLatency: Duration
  /// What a seek takes, as learnt.
  public let seekCost: Duration

  init(_ c: unisono_player_statistics) {
    (lastSkew, medianSkew) = (Duration(known: c.skew_last), Duration(known: c.skew_median))
    (p95Skew, maximumSkew) = (Duration(known: c.skew_p95), Duration(known: c.skew_maximum))
    (nudges, seeks, stalls) = (c.nudges, c.seeks, c.stalls)
    (startLatency, seekCost) = (.nanoseconds(c.learnt_start_latency), .nanoseconds(c.learnt_seek_cost))
  }
}

/// What happens to a player.
public enum PlayerEvent: LossyEvent {
  case timeControl(Player.TimeControl, Player.WaitingReason)
  case rate(RateChange)
  case timeJumped(ItemTime, at: HostTime, originator: ParticipantID?)
  /// error: why it failed.
  case itemState(Player.ItemState, item: String?, error: UnisonoError?)
  case itemEnded(String?)
  /// The answer to a seek: `.ok`, or `.canceled` by a newer one.
  case seekDone(UInt64, UnisonoError.Status)
  /// A call that was accepted and refused later.
  case error(LateError)
  /// So many events are missing here: this reader did not keep up.
  case overflow(Int)

  public struct RateChange: Hashable, Sendable {
    public struct Reason: RawRepresentable, Hashable, Sendable {
      public let rawValue: Int32
      public init(rawValue: Int32) { self.rawValue = rawValue }
      init(_ reason: unisono_rate_reason) { rawValue = reason.rawValue }

      public static let setRateCalled = Reason(.UNISONO_RATE_REASON_SET_RATE_CALLED)
      public static let setRateFailed = Reason(.UNISONO_RATE_REASON_SET_RATE_FAILED)
      public static let audioSessionInterrupted = Reason(.UNISONO_RATE_REASON_INTERRUPTED)
      public static let appBackgrounded = Reason(.UNISONO_RATE_REASON_BACKGROUNDED)
      public static let participant = Reason(.UNISONO_RATE_REASON_PARTICIPANT)
      public static let liveEdge = Reason(.UNISONO_RATE_REASON_LIVE_EDGE)
      public static let itemEnded = Reason(.UNISONO_RATE_REASON_ITEM_ENDED)
    }

    public let rate: Double
    public let reason: Reason
    /// nil: this participant.
    public let originator: ParticipantID?
  }

  init?(_ event: UnsafePointer<unisono_context_event>) {
    if let error = LateError(event) {
      self = .error(error)
      return
    }
    guard let c = unisono_event_player(event)?.pointee else { return nil }
    let originator = ParticipantID(somebody: c.originator)
    switch c.base.type {
    case .UNISONO_EVENT_PLAYER_TIME_CONTROL:
      self = .timeControl(Player.TimeControl(c.time_control), Player.WaitingReason(c.waiting_reason))
    case .UNISONO_EVENT_PLAYER_RATE:
      self = .rate(RateChange(rate: c.rate, reason: RateChange.Reason(c.rate_reason), originator: originator))
    case .UNISONO_EVENT_PLAYER_TIME_JUMPED:
      self = .timeJumped(
        ItemTime(nanoseconds: c.item_time), at: HostTime(nanoseconds: c.host_time), originator: originator)
    case .UNISONO_EVENT_PLAYER_ITEM_STATE:
      let error = c.status < 0 ? UnisonoError(.init(rawValue: c.status)) : nil
      self = .itemState(Player.ItemState(c.item_state), item: string(c.item), error: error)
    case .UNISONO_EVENT_PLAYER_ITEM_ENDED:
      self = .itemEnded(string(c.item))
    case .UNISONO_EVENT_PLAYER_SEEK_DONE:
      self = .seekDone(c.request, UnisonoError.Status(rawValue: c.status))
    default:
      return nil
    }
  }
}

/// Broadcasts a player's events and has its renderer do what is commanded.
private final class PlayerTarget: EventTarget {
  let broadcast = Broadcast<PlayerEvent>()
  private let work: RendererWork

  init(_ renderer: any Renderer, sleep: @escaping @Sendable (Duration) async throws -> Void) {
    work = RendererWork(renderer, sleep: sleep)
  }

  func deliver(_ event: UnsafePointer<unisono_context_event>) {
    if let event = PlayerEvent(event) {
      broadcast.put(event)
    } else if let command = RendererCommand(event), let source = event.pointee.source {
      work.begin(command, Handle(token: OpaquePointer(source)))
    }
  }

  func finish() {
    broadcast.finish()
    work.finish()
  }
}

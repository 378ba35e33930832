import CUnisono
import UnisonoBase
import UnisonoPlayer

/// The player behind a handle that its host has not given up.
func livePlayer(_ pointer: OpaquePointer?) throws(Failure) -> PlayerObject {
  let found = try object(pointer, PlayerObject.self)
  guard !found.calls.withLock({ $0.isGivenUp }) else { throw Failure(.UNISONO_ECLOSED, "the player was destroyed") }
  return found
}

/// Argument checks and queueing behind `unisono_player_*`.
extension PlayerObject {
  static func create(
    in context: ContextObject, _ pointer: UnsafePointer<unisono_renderer>?, rendererUser: UnsafeMutableRawPointer?,
    _ callbacks: UnsafePointer<unisono_player_callbacks>?, user: UnsafeMutableRawPointer?
  ) throws(Failure) -> PlayerObject {
    let renderer = try RendererTable(pointer, hasQueue: context.queue != nil)
    let listener = PlayerListener(
      try copied(callbacks, into: unisono_player_callbacks(), atLeast: 72, "callbacks"), user: user)
    let coordinator = try context.publish(.coordinator) {
      CoordinatorObject(token: $0, context: context, delegate: nil, user: nil, isPlayers: true)
    }
    let player: PlayerObject
    do throws(Failure) {
      player = try context.publish(.player) {
        PlayerObject(
          token: $0, context: context, renderer: renderer, rendererUser: rendererUser, coordinator: coordinator,
          listener: listener)
      }
    } catch {
      coordinator.destroy()
      throw error
    }
    try context.submit { player.begin() }
    return player
  }

  func submit(_ event: PlayerEvent) throws(Failure) {
    try context.submit { [self] in handle(event) }
  }

  /// A change of the queue: until the loop has seen it, calls cannot know what is current.
  private func submitChange(_ event: PlayerEvent) throws(Failure) {
    calls.withLock { $0.pendingChanges += 1 }
    try context.submit { [self] in
      handle(event)
      calls.withLock { $0.pendingChanges -= 1 }
    }
  }

  private var isQueueKnown: Bool { calls.withLock { $0.pendingChanges == 0 } }

  func requireItem() throws(Failure) {
    guard isQueueKnown, queuedItems.isEmpty else { return }
    throw Failure(.UNISONO_ESTATE, "there is no current item; insert one first")
  }

  private func requireQueued(_ id: ItemID, _ name: String) throws(Failure) {
    guard isQueueKnown, !queuedItems.contains(id) else { return }
    throw Failure(.UNISONO_ENOTFOUND, "\(name) is not in the queue")
  }

  private static func identifier(_ pointer: UnsafePointer<CChar>?, _ name: String) throws(Failure) -> ItemID {
    ItemID(try InputText.required(pointer, atMost: ItemID.maximumLength, name))
  }

  private static func item(_ pointer: UnsafePointer<unisono_player_item>?) throws(Failure) -> PlayerItem? {
    guard let pointer else { return nil }
    let given = try copied(pointer, into: unisono_player_item(), atLeast: 40, "item")
    guard given.start_time != .min, given.start_time != .max, given.is_live != 0 || given.start_time >= 0 else {
      throw Failure(.UNISONO_EINVAL, "item.start_time is \(given.start_time); give a position in ns")
    }
    guard given.duration >= 0 || given.duration == .min else {
      throw Failure(.UNISONO_EINVAL, "item.duration is negative; give ns, 0: unknown")
    }
    let uri = try InputText.optional(given.uri, atMost: 8_191, "item.uri")
    return PlayerItem(
      id: try identifier(given.identifier, "item.identifier"), uri: Array((uri ?? "").utf8), isLive: given.is_live != 0,
      startTime: given.start_time, duration: given.duration <= 0 || given.duration == .max ? nil : given.duration)
  }

  func insert(
    _ pointer: UnsafePointer<unisono_player_item>?, after: UnsafePointer<CChar>?
  ) throws(Failure) {
    guard let item = try Self.item(pointer) else { throw Failure(.UNISONO_EINVAL, "item is NULL") }
    var other: ItemID?
    if after != nil {
      let id = try Self.identifier(after, "after")
      try requireQueued(id, "after")
      other = id
    }
    let pending = calls.withLock { $0.pendingChanges }
    guard queuedItems.count + pending < MediaPlayer.queueLimit else {
      throw Failure(.UNISONO_EFULL, "the queue holds \(MediaPlayer.queueLimit) items; remove some")
    }
    try submitChange(.insert(item, after: other))
  }

  func remove(_ identifier: UnsafePointer<CChar>?) throws(Failure) {
    let id = try Self.identifier(identifier, "identifier")
    try requireQueued(id, "identifier")
    try submitChange(.remove(id))
  }

  func advance() throws(Failure) {
    try requireItem()
    try submitChange(.advance)
  }

  func replaceCurrent(_ pointer: UnsafePointer<unisono_player_item>?) throws(Failure) {
    try submitChange(.replaceCurrent(try Self.item(pointer)))
  }

  /// Something about the current item.
  func request(_ event: PlayerEvent) throws(Failure) {
    try requireItem()
    try submit(event)
  }

  func play(options: UInt32) throws(Failure) {
    guard options & ~UInt32(UNISONO_RATE_PLAY_IMMEDIATELY) == 0 else {
      throw Failure(.UNISONO_EINVAL, "options has bits that are none; give 0 or UNISONO_RATE_PLAY_IMMEDIATELY")
    }
    try request(options == 0 ? .play : .playImmediately(rate: nil))
  }

  func setRate(_ rate: Double, options: UInt32) throws(Failure) {
    switch options {
    case 0:
      try Self.checkRate(rate, mayPause: true)
      try request(.setRate(rate))
    case UInt32(UNISONO_RATE_PLAY_IMMEDIATELY):
      try Self.checkRate(rate, mayPause: true)
      try request(.playImmediately(rate: rate))
    case UInt32(UNISONO_RATE_AS_DEFAULT):
      try Self.checkRate(rate, mayPause: false)
      try submit(.setDefaultRate(rate))
    default:
      throw Failure(
        .UNISONO_EINVAL,
        "options is \(options); give 0, UNISONO_RATE_PLAY_IMMEDIATELY or UNISONO_RATE_AS_DEFAULT, not both")
    }
  }

  static func checkRate(_ rate: Double, mayPause: Bool) throws(Failure) {
    guard rate.isFinite, (-16...16).contains(rate), mayPause || rate != 0 else {
      throw Failure(
        .UNISONO_EINVAL, "rate is \(rate); give \(mayPause ? "0 or " : "")-16...16\(mayPause ? "" : ", not 0")")
    }
  }

  static func checkPosition(_ itemTime: ItemTime) throws(Failure) {
    guard itemTime != .min, itemTime != .max else {
      throw Failure(.UNISONO_EINVAL, "item_time is INVALID or INDEFINITE; give a position in ns")
    }
  }

  private func newRequest() -> UInt64 {
    calls.withLock { calls in
      calls.lastRequest += 1
      return calls.lastRequest
    }
  }

  func seek(
    to itemTime: ItemTime, before: Nanoseconds, after: Nanoseconds, _ request: UnsafeMutablePointer<UInt64>?
  ) throws(Failure) {
    try Self.checkPosition(itemTime)
    guard before >= 0, after >= 0 else { throw Failure(.UNISONO_EINVAL, "a tolerance is negative; give ns >= 0") }
    try requireItem()
    let id = newRequest()
    request?.pointee = id
    try submit(.seek(id: id, to: itemTime, before: before, after: after))
  }

  /// By so much from where the group is, or this player. The number is in the answer.
  func skip(by interval: Nanoseconds, _ request: UnsafeMutablePointer<UInt64>?) throws(Failure) -> UInt64 {
    guard interval != .min, interval != .max else {
      throw Failure(.UNISONO_EINVAL, "interval is INVALID or INDEFINITE; give ns")
    }
    try requireItem()
    let id = newRequest()
    request?.pointee = id
    return id
  }

  func replay(back: Nanoseconds, rate: Double) throws(Failure) {
    guard back > 0, back != .max else { throw Failure(.UNISONO_EINVAL, "back is \(back); give ns > 0") }
    guard rate.isFinite, (0...16).contains(rate) else {
      throw Failure(.UNISONO_EINVAL, "rate is \(rate); give 0...16, 0: 2")
    }
    try request(.replay(back: back, rate: rate))
  }

  func setVolume(_ volume: Double) throws(Failure) {
    guard volume.isFinite, (0...1).contains(volume) else {
      throw Failure(.UNISONO_EINVAL, "volume is \(volume); give 0...1")
    }
    try submit(.setVolume(volume))
  }

  func report(_ pointer: UnsafePointer<unisono_renderer_report>?) throws(Failure) {
    guard let pointer else { throw Failure(.UNISONO_EINVAL, "report is NULL") }
    let given = try copied(pointer, into: unisono_renderer_report(), atLeast: 72, "report")
    guard let state = RendererReport.State(rawValue: given.state.rawValue) else {
      throw Failure(.UNISONO_EINVAL, "report.state is \(given.state.rawValue); give a unisono_renderer_state")
    }
    let times = try GivenTimes(given.flags, known: [.position, .range], "report")
    let position = try times.position(given.item_time, given.host_time)
    let seekable = try times.range(given.seekable_start, given.seekable_end)
    coordinator.motion.withLock { $0.answered(given.request, now: context.now) }
    try submit(
      .report(
        RendererReport(
          state, request: given.request,
          position: position, duration: given.duration > 0 ? given.duration : nil, seekable: seekable,
          status: given.status)))
  }
}

import CUnisono
import DequeModule
import Synchronization
import UnisonoBase
import UnisonoCoordination
import UnisonoPlayer
import UnisonoRuntime

/// A player: the host of a coordinator of its own, over the host's renderer.
///
/// It lives while the host holds it or any surface of it does.
final class PlayerObject: ContextChild, @unchecked Sendable {
  override class var kind: HandleKind { .player }

  /// What calls know without the loop.
  struct Calls {
    /// Items were changed, and the loop has not seen all of it.
    var pendingChanges = 0
    var lastRequest: UInt64 = 0
    /// The host has destroyed it; surfaces may hold it still.
    var isGivenUp = false
    var surfaces = 0
  }

  let coordinator: CoordinatorObject
  let renderer: RendererTable
  /// Who hears of it.
  private let listener: PlayerListener
  let calls = Mutex(Calls())
  private let published: Mutex<Published>

  /// What may be read, as of the last step.
  struct Published {
    var view: MediaPlayerView
    var queue: [ItemID]
  }

  // On the loop.
  private var machine: MediaPlayer
  private var timer: (any LoopTimer)?
  private var effects: Deque<PlayerEffect> = []
  private var isCarryingOut = false
  private var surfaces: [SurfaceObject] = []
  /// The picture was seen where it belongs: from then on it can be out of sight.
  private var wasShownInline = false

  init(
    token: HandleToken, context: ContextObject, renderer: RendererTable, rendererUser: UnsafeMutableRawPointer?,
    coordinator: CoordinatorObject, listener: PlayerListener
  ) {
    self.renderer = renderer
    self.coordinator = coordinator
    self.listener = listener
    machine = MediaPlayer(renderer: renderer.abilities)
    published = Mutex(Published(view: machine.view, queue: []))
    super.init(token: token, context: context, user: rendererUser, released: renderer.functions.released)
  }

  var view: MediaPlayerView { published.withLock { $0.view } }
  var queuedItems: [ItemID] { published.withLock { $0.queue } }

  // MARK: On the loop

  func begin() {
    timer = context.loop.makeTimer { [weak self] in self?.handle(.tick) }
    coordinator.serve(self)
    coordinator.begin()
    coordinator.handle(.setPreparesAhead(true))
    for notice in machine.presentState { effects.append(.notify(notice)) }
    carryOutAll()
  }

  func handle(_ event: PlayerEvent) {
    guard timer != nil else { return }
    effects.append(contentsOf: machine.handle(event, now: context.now))
    carryOutAll()
    publish()
    timer?.arm(at: machine.nextWake)
  }

  /// Looks at the coordination after a turn of it.
  func follow(_ view: CoordinationView, othersSpeak: Bool) {
    for event in PlayerEvent.following(view, othersSpeak: othersSpeak) { handle(event) }
  }

  /// Follows what the coordination says beside its timing.
  func receive(_ effect: PlaybackEffect) {
    if case .refused(let operation, let status, let message) = effect {
      deliverRefusal(operation == .coordinateSeek ? .seek : .setRate, status.number, message)
    }
    if let event = PlayerEvent(effect, status: { $0.number.rawValue }) { handle(event) }
  }

  /// Carries effects out in the order in which they came: what one brings about waits for the rest.
  private func carryOutAll() {
    guard !isCarryingOut else { return }
    isCarryingOut = true
    while let effect = effects.popFirst() { carryOut(effect) }
    isCarryingOut = false
  }

  private func publish() {
    let now = Published(view: machine.view, queue: machine.queuedItems)
    published.withLock { $0 = now }
  }

  private func carryOut(_ effect: PlayerEffect) {
    switch effect {
    case .coordinate(.completed(let id)): coordinator.finish(command: id, with: .completed(command: id))
    case .coordinate(.failed(let id, let status)):
      coordinator.finish(command: id, with: .failed(command: id, status: status))
    case .coordinate(let event):
      if case .transition(let item, _) = event { context.queue?.dropCommands(of: token, exceptFor: item) }
      coordinator.handle(event)
    case .render(let command): deliver(command)
    case .askPosition: askPosition()
    case .notify(let notice): deliver(notice)
    case .refuse(let operation, let message): deliverRefusal(operation, .UNISONO_ESTATE, message)
    }
  }

  /// Where the player is by now, as far as is known.
  var positionNow: ItemTime? { machine.position(at: context.now) }

  // MARK: The renderer

  private func deliver(_ command: RendererCommand) {
    coordinator.motion.withLock { $0.expect(command, now: context.now) }
    let kind: QueueClass =
      switch command.kind {
      case .load, .stop: .kept
      case .nudge, .volume, .size: .state
      case .cue, .play, .pause, .seek: command.item.map { .command(item: $0) } ?? .kept
      }
    context.deliver(
      Delivery(
        target: self, payload: .renderer(origin, command), kind: kind,
        callback: bound(renderer.function(for: command.kind)),
        replaceCommands: { [weak self] in self?.coordinator.handle(.reapply) }))
  }

  /// The renderer is asked where hosts are called, and the answer goes back in.
  private func askPosition() {
    guard let now = renderer.functions.now else { return }
    let user = user
    context.deliver(
      Delivery(
        target: self, payload: .plain(origin, .UNISONO_EVENT_NONE), kind: .other,
        callback: { [weak self] _ in
          var itemTime = Int64.min
          var hostTime = Int64.min
          guard now(user, &itemTime, &hostTime) == 0, itemTime != .min, hostTime != .min else { return }
          self?.handle(.report(RendererReport(.position, position: .init(itemTime: itemTime, hostTime: hostTime))))
        }))
  }

  // MARK: The host

  private func deliver(_ notice: PlayerNotice) {
    context.deliver(
      Delivery(
        target: self, payload: .player(listenersOrigin, notice), kind: notice.kind.queueClass,
        callback: listener.function(for: notice.kind).map { [listener] function in
          { function(listener.user, $0.body()) }
        }))
    for surface in surfaces { surface.follow(notice) }
  }

  /// Where its host hears of the audience that the coordinator follows; nil: the queue.
  var hearing: ((Payload) -> Void)? {
    listener.callbacks.listening_changed.map { [listener] function in { function(listener.user, $0.body()) } }
  }

  /// Where its host hears that the coordinator is invited; nil: the queue.
  var invited: ((Payload) -> Void)? {
    listener.callbacks.invited.map { [listener] function in { function(listener.user, $0.body()) } }
  }

  private func deliverRefusal(_ operation: Operation, _ status: unisono_status, _ message: String) {
    context.deliver(
      Delivery(
        target: self, payload: .error(listenersOrigin, status, operation: operation.functionName, message: message),
        kind: .other,
        callback: listener.callbacks.error.map { [listener] function in
          { function(listener.user, $0.body(as: unisono_error_event.self)) }
        }))
  }

  /// The head of an event for who hears of the player, issued now.
  private var listenersOrigin: EventOrigin {
    var origin = origin
    origin.user = listener.user
    return origin
  }

  // MARK: Who holds it

  /// Counts a surface that is being made, or refuses.
  func hold() throws(Failure) {
    let isHeld = calls.withLock { calls in
      if !calls.isGivenUp { calls.surfaces += 1 }
      return !calls.isGivenUp
    }
    guard isHeld else { throw Failure(.UNISONO_ECLOSED, "the player was destroyed") }
  }

  func adopt(_ surface: SurfaceObject) { surfaces.append(surface) }

  /// A surface came or went.
  func reviewShown() {
    if surfaces.contains(where: { $0.isInline && $0.isShown }) { wasShownInline = true }
    handle(.shown(!wasShownInline || surfaces.contains(where: \.isShown)))
  }

  /// On the loop.
  func letGo(of surface: SurfaceObject) {
    surfaces.removeAll { $0 === surface }
    reviewShown()
    let isLast = calls.withLock { calls in
      calls.surfaces -= 1
      return calls.isGivenUp && calls.surfaces == 0
    }
    if isLast { endLate() }
  }

  /// The host's own hold on it ends: from now on the handle takes the renderer's reports alone.
  func giveUp() {
    let isLast = calls.withLock { calls in
      guard !calls.isGivenUp else { return false }
      calls.isGivenUp = true
      return calls.surfaces == 0
    }
    if isLast { destroy() }
  }

  override func tearDown() {
    guard timer != nil else { return }
    timer?.close()
    timer = nil
    for effect in machine.handle(.close, now: context.now) {
      switch effect {
      case .render(let command):
        guard let function = renderer.function(for: command.kind) else { continue }
        let user = user
        callOut(.renderer(origin, command)) { function(user, $0.body()) }
      case .notify(let notice) where notice.kind == .seekDone:
        guard let function = listener.function(for: notice.kind) else { continue }
        callOut(.player(listenersOrigin, notice)) { [listener] in function(listener.user, $0.body()) }
      default: break
      }
    }
    effects = []
    if let released = listener.callbacks.released {
      let user = listener.user
      callOut(.plain(origin, .UNISONO_EVENT_RELEASED)) { _ in released(user) }
    }
    coordinator.endWithContext()
  }

  /// Owed although this object ends: at once where the host waits in a call, else after the callback this is in.
  private func callOut(_ payload: Payload, _ callback: @escaping (Payload) -> Void) {
    if context.isInsideCallback {
      context.deliver(Delivery(target: self, payload: payload, kind: .kept, callback: callback, isOwed: true))
    } else {
      context.callingOut { callback(payload) }
    }
  }
}

import CUnisono
import Synchronization
import UnisonoBase
import UnisonoPlayer
import UnisonoRuntime

/// A place where a player is shown and controlled; the player lives as long as any of them.
final class SurfaceObject: ContextChild, @unchecked Sendable {
  override class var kind: HandleKind { .surface }

  typealias Function = @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<unisono_surface_event>?) -> Void

  let player: PlayerObject
  private let callbacks: unisono_surface_callbacks?
  private let state: Mutex<SurfaceState>
  /// Skips that were not answered yet.
  private let skips = Mutex<Set<UInt64>>([])
  // On the loop.
  private var timer: (any LoopTimer)?

  init(
    token: HandleToken, player: PlayerObject, kind: SurfaceState.Kind, callbacks: unisono_surface_callbacks?,
    user: UnsafeMutableRawPointer?
  ) {
    self.player = player
    self.callbacks = callbacks
    state = Mutex(SurfaceState(kind: kind))
    super.init(token: token, context: player.context, user: user, released: callbacks?.released)
  }

  static func create(
    _ player: PlayerObject, _ kind: unisono_surface_kind, _ pointer: UnsafePointer<unisono_surface_callbacks>?,
    user: UnsafeMutableRawPointer?
  ) throws(Failure) -> SurfaceObject {
    guard let kind = SurfaceState.Kind(rawValue: kind.rawValue) else {
      throw Failure(.UNISONO_EINVAL, "kind is \(kind.rawValue); give a unisono_surface_kind")
    }
    var callbacks: unisono_surface_callbacks?
    if let pointer { callbacks = try copied(pointer, into: unisono_surface_callbacks(), atLeast: 56, "callbacks") }
    try player.hold()
    let surface: SurfaceObject
    do throws(Failure) {
      surface = try player.context.publish(.surface) {
        SurfaceObject(token: $0, player: player, kind: kind, callbacks: callbacks, user: user)
      }
    } catch {
      player.calls.withLock { $0.surfaces -= 1 }
      throw error
    }
    try player.context.submit { surface.attach() }
    return surface
  }

  // MARK: On the loop

  private func attach() {
    guard !isDead else { return }
    timer = context.loop.makeTimer { [weak self] in self?.expire() }
    player.adopt(self)
    deliver(.UNISONO_EVENT_SURFACE_CHANGED, callbacks?.changed)
  }

  /// What the player tells its host is of concern here, too.
  func follow(_ notice: PlayerNotice) {
    if notice.kind == .seekDone, skips.withLock({ $0.remove(notice.request) }) != nil {
      deliver(
        .UNISONO_EVENT_SURFACE_SKIPPED, callbacks?.skipped, request: notice.request,
        status: unisono_status(rawValue: notice.number) ?? .UNISONO_EINTERNAL, at: player.positionNow)
    } else {
      deliver(.UNISONO_EVENT_SURFACE_CHANGED, callbacks?.changed)
    }
  }

  private func carryOut(_ effects: [SurfaceState.Effect]) {
    for effect in effects {
      switch effect {
      case .willBegin: deliver(.UNISONO_EVENT_SURFACE_WILL_BEGIN, callbacks?.will_begin)
      case .restore(let request):
        deliver(.UNISONO_EVENT_SURFACE_RESTORE, callbacks?.restore_user_interface, request: request)
      case .willEnd(let ending):
        deliver(.UNISONO_EVENT_SURFACE_WILL_END, callbacks?.will_end, status: ending.status)
      }
    }
    timer?.arm(at: state.withLock { $0.deadline })
    player.reviewShown()
  }

  /// Where the picture belongs; other surfaces come and go over it.
  var isInline: Bool { state.withLock { $0.kind == .inline } }
  var isShown: Bool { state.withLock { $0.isShown } }

  private func expire() {
    let now = context.now
    carryOut(state.withLock { $0.expire(at: now) })
  }

  private func deliver(
    _ type: unisono_event_type, _ function: Function?, request: UInt64 = 0, status: unisono_status = .UNISONO_OK,
    at position: ItemTime? = nil
  ) {
    guard !isDead else { return }
    deliver(
      .surface(
        origin, type, player.view, request: request, status: status,
        at: position.map { (itemTime: $0, hostTime: context.now) }),
      type == .UNISONO_EVENT_SURFACE_CHANGED ? .state : .kept, to: bound(function))
  }

  override func tearDown() {
    timer?.close()
    timer = nil
    player.letGo(of: self)
  }

  // MARK: Calls

  private func submit(_ effects: [SurfaceState.Effect]?, orElse message: String) throws(Failure) {
    guard let effects else { throw Failure(.UNISONO_ESTATE, message) }
    try context.submit { [self] in carryOut(effects) }
  }

  func begin() throws(Failure) {
    try submit(state.withLock { $0.begin() }, orElse: "the surface is shown already")
  }

  func end() throws(Failure) {
    let canRestore = callbacks?.restore_user_interface != nil || context.queue != nil
    let now = context.now
    try submit(state.withLock { $0.end(canRestore: canRestore, at: now) }, orElse: "the surface is not shown")
  }

  func restoreDone(_ request: UInt64, restored: Bool) throws(Failure) {
    try submit(
      state.withLock { $0.restoreDone(request, restored: restored) },
      orElse: "no restoration \(request) is open; it may have timed out")
  }

  func skip(by interval: Nanoseconds, _ request: UnsafeMutablePointer<UInt64>?) throws(Failure) {
    let id = try player.skip(by: interval, request)
    _ = skips.withLock { $0.insert(id) }
    try context.submit { [self] in
      let here = player.positionNow ?? 0
      player.handle(.seek(id: id, to: here.adding(interval), before: 0, after: 0))
    }
  }
}

extension SurfaceState.Ending {
  var status: unisono_status {
    switch self {
    case .done: .UNISONO_OK
    case .notRestored: .UNISONO_ECANCELED
    case .timedOut: .UNISONO_ETIMEDOUT
    }
  }
}

import CUnisono
import Synchronization

/// Session, coordinator, suspension, hub: what is made from a context and ends with it.
class ContextChild: APIObject, @unchecked Sendable {
  let context: ContextObject
  let user: UnsafeMutableRawPointer?
  private let released: unisono_released_fn?

  init(token: HandleToken, context: ContextObject, user: UnsafeMutableRawPointer?, released: unisono_released_fn?) {
    self.context = context
    self.user = user
    self.released = released
    super.init(token: token)
  }

  /// Whether the end of this object is told to the host.
  var tellsRelease: Bool { true }

  /// A callback of the host's with its `user`, for a `Delivery`; nil: none is set.
  final func bound<Body>(
    _ function: ((UnsafeMutableRawPointer?, UnsafePointer<Body>?) -> Void)?
  ) -> ((Payload) -> Void)? {
    function.map { function in { [user] in function(user, $0.body()) } }
  }

  /// Delivers an event of this object to `callback` (see `bound`), or to the queue. `complete` makes the event that replaces
  /// unread deltas. On the loop.
  final func deliver(
    _ payload: Payload, _ kind: QueueClass = .state, to callback: ((Payload) -> Void)?,
    complete: (() -> Payload)? = nil
  ) {
    context.deliver(Delivery(target: self, payload: payload, kind: kind, callback: callback, complete: complete))
  }

  /// Lets go of everything. On the loop, once.
  func tearDown() {}

  /// The head of an event of this object, issued now.
  final var origin: EventOrigin { EventOrigin(source: token, user: user, hostTime: context.now) }

  /// Destroys it: afterwards no callback of it starts, and `released` has come, or comes after the callback this is in.
  final func destroy() {
    guard HandleTable.shared.retire(token) else { return }
    markDead()
    let isInside = context.isInsideCallback
    // Refused only when the context ends meanwhile, which ends its children itself.
    try? context.perform { [self] in
      finish(afterwards: isInside)
    }
  }

  /// Ends an object that the host has given up before, and something else held. On the loop.
  final func endLate() {
    guard HandleTable.shared.retire(token) else { return }
    markDead()
    finish(afterwards: true)
  }

  /// The context is destroyed: so is this.
  final func retireWithContext() {
    _ = HandleTable.shared.retire(token)
    markDead()
  }

  /// The context ends. On the loop.
  final func endWithContext() {
    retireWithContext()
    finish(afterwards: false)
  }

  private let finished = Atomic<Bool>(false)

  private func finish(afterwards: Bool) {
    guard !finished.exchange(true, ordering: .acquiringAndReleasing) else { return }
    tearDown()
    context.disown(self)
    context.queue?.dropAll(of: token)
    guard tellsRelease else { return }
    let released = released
    let user = user
    if released != nil && !afterwards {
      context.callingOut { released?(user) }
    } else {
      context.deliver(
        Delivery(
          target: self, payload: .plain(origin, .UNISONO_EVENT_RELEASED), kind: .kept,
          callback: released.map { released in { _ in released(user) } }, isOwed: true))
    }
  }

  /// An ERROR event: a call that returned OK was refused later. On the loop.
  final func refuse(_ callback: unisono_error_fn?, _ operation: String, _ status: unisono_status, _ message: String) {
    deliver(.error(origin, status, operation: operation, message: message), .other, to: bound(callback))
  }
}

extension ContextObject {
  /// Gives a new object its handle and a place among the children.
  func publish<Child: ContextChild>(
    _ kind: HandleKind, _ make: (HandleToken) throws(Failure) -> Child
  ) throws(Failure) -> Child {
    guard let token = HandleTable.shared.make(kind) else {
      throw Failure(.UNISONO_ENOMEM, "\(HandleToken.slotCount) handles are in use; destroy some")
    }
    let child: Child
    do throws(Failure) {
      child = try make(token)
    } catch {
      HandleTable.shared.abandon(token)
      throw error
    }
    HandleTable.shared.publish(child)
    do throws(Failure) {
      try adopt(child)
    } catch {
      _ = HandleTable.shared.retire(token)
      throw error
    }
    return child
  }
}

import Synchronization

/// Object behind a handle.
class APIObject: @unchecked Sendable {
  class var kind: HandleKind { preconditionFailure("every object has a kind") }

  let token: HandleToken
  /// Set once, when destroy begins; afterwards no callback of this object starts.
  private let dead = Atomic<Bool>(false)

  init(token: HandleToken) { self.token = token }

  final var isDead: Bool { dead.load(ordering: .acquiring) }
  final func markDead() { dead.store(true, ordering: .releasing) }
}

import Synchronization

/// Whether a hub's drain is over: set by its loop, read by the main thread.
final class DrainFlag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() { value.store(true, ordering: .releasing) }
}

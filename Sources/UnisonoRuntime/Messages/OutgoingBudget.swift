import Synchronization

/// Limit on messages of the application that wait to be sent: asked by any thread, so that a call can say at once that it
/// is too much.
package final class OutgoingBudget: Sendable {
  /// Bytes.
  package static let limit = 1 << 20
  /// Cost of a message beside its bytes.
  static let overhead = 256

  private let used = Atomic<Int>(0)
  private let wasRefused = Atomic<Bool>(false)

  package init() {}

  package var bytes: Int { used.load(ordering: .relaxed) }

  /// Reserves room for a message of `length` bytes; false: too much waits. An empty queue takes any one message.
  package func reserve(_ length: Int) -> Bool {
    let cost = length + Self.overhead
    let (_, after) = used.wrappingAdd(cost, ordering: .sequentiallyConsistent)
    if after <= Self.limit || after == cost { return true }
    // Marked first: who makes room meanwhile sees it.
    wasRefused.store(true, ordering: .sequentiallyConsistent)
    used.wrappingSubtract(cost, ordering: .sequentiallyConsistent)
    return false
  }

  /// A message for which there was room was not sent after all.
  package func giveBack(_ length: Int) {
    used.wrappingSubtract(length + Self.overhead, ordering: .sequentiallyConsistent)
  }

  /// A message is on its way, or given up. True: somebody was refused, and half of the room is free now.
  func release(_ length: Int) -> Bool {
    let (_, after) = used.wrappingSubtract(length + Self.overhead, ordering: .sequentiallyConsistent)
    guard after <= Self.limit / 2, wasRefused.load(ordering: .sequentiallyConsistent) else { return false }
    return wasRefused.exchange(false, ordering: .sequentiallyConsistent)
  }
}

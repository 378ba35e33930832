import HeapModule
import UnisonoBase

/// What is still to happen, in the order of virtual time; what is due at the same instant happens as it was put in.
struct Schedule {
  private struct Entry: Comparable {
    var time: Nanoseconds
    var order: UInt64
    var action: (SimulatedSession) -> Void

    static func < (left: Self, right: Self) -> Bool { (left.time, left.order) < (right.time, right.order) }
    static func == (left: Self, right: Self) -> Bool { left.order == right.order }
  }

  private var heap = Heap<Entry>()
  private var count: UInt64 = 0

  mutating func add(at time: Nanoseconds, _ action: @escaping (SimulatedSession) -> Void) {
    heap.insert(Entry(time: time, order: count, action: action))
    count += 1
  }

  /// The next action due at `limit` or before; nil: nothing is.
  mutating func next(until limit: Nanoseconds) -> (time: Nanoseconds, action: (SimulatedSession) -> Void)? {
    guard let first = heap.min, first.time <= limit else { return nil }
    _ = heap.popMin()
    return (first.time, first.action)
  }
}

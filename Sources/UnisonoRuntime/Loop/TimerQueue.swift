import HeapModule
import UnisonoBase

/// All timers of one loop, ordered by deadline; equal deadlines fire in the order in which they were armed.
///
/// Moving and cancelling leave a dead entry behind, which is dropped when it comes to the top, or when the dead outnumber
/// the living.
struct TimerQueue {
  /// Arming of a timer. `sequence` names the present arming; 0: none.
  final class Timer {
    fileprivate(set) var sequence: UInt64 = 0
    fileprivate(set) var fire: (() -> Void)?
    /// Belongs into the queue of those that somebody hears or sees.
    let isPunctual: Bool

    init(isPunctual: Bool = false, _ fire: @escaping () -> Void) {
      self.isPunctual = isPunctual
      self.fire = fire
    }
  }

  private struct Entry: Comparable {
    var deadline: HostTime
    var sequence: UInt64
    var timer: Timer

    static func < (a: Entry, b: Entry) -> Bool { (a.deadline, a.sequence) < (b.deadline, b.sequence) }
    static func == (a: Entry, b: Entry) -> Bool { a.sequence == b.sequence }
    var isLive: Bool { timer.sequence == sequence }
  }

  private var heap = Heap<Entry>()
  private var lastSequence: UInt64 = 0
  /// Armed timers.
  private(set) var count = 0

  mutating func arm(_ timer: Timer, at deadline: HostTime) {
    disarm(timer)
    guard timer.fire != nil else { return }
    lastSequence += 1
    timer.sequence = lastSequence
    heap.insert(Entry(deadline: deadline, sequence: lastSequence, timer: timer))
    count += 1
    if heap.count > 64, heap.count > 2 * count { heap = Heap(heap.unordered.filter(\.isLive)) }
  }

  mutating func disarm(_ timer: Timer) {
    guard timer.sequence != 0 else { return }
    timer.sequence = 0
    count -= 1
  }

  /// Disarms for good and lets go of the callback.
  mutating func close(_ timer: Timer) {
    disarm(timer)
    timer.fire = nil
  }

  /// The earliest deadline, if anything is armed.
  mutating func nextDeadline() -> HostTime? {
    while let top = heap.min {
      if top.isLive { return top.deadline }
      heap.removeMin()
    }
    return nil
  }

  /// Takes the first timer whose deadline is `now` or earlier, and which was armed no later than `sequence`.
  mutating func popDue(at now: HostTime, armedUpTo sequence: UInt64) -> (() -> Void)? {
    guard let deadline = nextDeadline(), deadline <= now, let top = heap.min, top.sequence <= sequence else {
      return nil
    }
    heap.removeMin()
    disarm(top.timer)
    return top.timer.fire
  }

  /// The newest arming: what is armed later belongs to the next round.
  var newestArming: UInt64 { lastSequence }

  /// Disarms everything and lets go of all callbacks.
  mutating func removeAll() {
    for entry in heap.unordered where entry.isLive {
      entry.timer.sequence = 0
      entry.timer.fire = nil
    }
    heap = Heap()
    count = 0
  }
}

import Glibc
import Synchronization

/// Monitor of a loop: which thread runs it, and whether it is over; waits for a change of either.
final class RunnerMonitor: @unchecked Sendable {
  /// pthread's own, in memory that does not move.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private let runner = Atomic<UInt>(0)
  private let over = Atomic(false)

  init() {
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  var isThisThread: Bool { runner.load(ordering: .acquiring) == LoopThread.current }
  var isOver: Bool { over.load(ordering: .acquiring) }

  /// This thread runs the loop from now on; false: another one does.
  func claim() -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return runner.compareExchange(expected: 0, desired: LoopThread.current, ordering: .acquiringAndReleasing).exchanged
  }

  /// This thread runs the loop, whoever did before (a foreign loop may move between threads).
  func transfer() { runner.store(LoopThread.current, ordering: .releasing) }

  func release() { change { runner.store(0, ordering: .releasing) } }

  func finish() { change { over.store(true, ordering: .releasing) } }

  /// Waits until the loop is over (false) or this thread has it (true).
  func claimUnlessOver() -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isOver {
      let (exchanged, _) = runner.compareExchange(
        expected: 0, desired: LoopThread.current, ordering: .acquiringAndReleasing)
      if exchanged { return true }
      pthread_cond_wait(changed, mutex)
    }
    return false
  }

  /// Waits until `isDone` or the loop is over (false), or this thread has it (true).
  func claim(unless isDone: () -> Bool) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isOver && !isDone() {
      let (exchanged, _) = runner.compareExchange(
        expected: 0, desired: LoopThread.current, ordering: .acquiringAndReleasing)
      if exchanged { return true }
      pthread_cond_wait(changed, mutex)
    }
    return false
  }

  /// Waits until `isDone`, which `announce` follows, or the loop is over.
  func wait(until isDone: () -> Bool) {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while !isOver && !isDone() { pthread_cond_wait(changed, mutex) }
  }

  /// Something that somebody waits for has happened.
  func announce() { change {} }

  private func change(_ body: () -> Void) {
    pthread_mutex_lock(mutex)
    body()
    pthread_cond_broadcast(changed)
    pthread_mutex_unlock(mutex)
  }
}

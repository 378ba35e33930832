import Glibc
import Synchronization

/// Notices fork: the child has none of the threads and may hold any of the locks, so every call must refuse there.
enum ChildProcess {
  private static let forked = Atomic<Bool>(false)
  private static let watching: Void = {
    pthread_atfork(nil, nil, { ChildProcess.forked.store(true, ordering: .relaxed) })
  }()

  /// Called before the first handle exists.
  static func watch() { _ = watching }

  static var isForked: Bool { forked.load(ordering: .relaxed) }
}

/// Lets other threads run for a moment.
func sched_yield_now() { sched_yield() }

import Glibc
import Synchronization

/// Tells a forked child from the process that made a loop, without a system call.
enum ForkGeneration {
  private static let count = Atomic<Int>(0)
  private static let installed: Bool = {
    pthread_atfork(nil, nil) { ForkGeneration.count.wrappingAdd(1, ordering: .sequentiallyConsistent) }
    return true
  }()

  /// Changes in the child of a fork.
  static var current: Int {
    _ = installed
    return count.load(ordering: .relaxed)
  }
}

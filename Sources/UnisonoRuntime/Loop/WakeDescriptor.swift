import CUV
import Glibc
import Synchronization

/// A descriptor that any thread can make readable, at any time and in any number, and that one reader clears.
///
/// An eventfd of our own rather than a uv_async: its descriptor stays valid as long as this object lives, so that a wake-up
/// may race the closing of the loop.
package final class WakeDescriptor: Sendable {
  package let descriptor: Int32
  private let isSignalled = Atomic(false)

  package init() throws(NetworkError) {
    descriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
    if descriptor < 0 { throw NetworkError("no descriptor for wake-ups: \(String(cString: strerror(errno)))") }
  }

  deinit { _ = Glibc.close(descriptor) }

  /// Makes the descriptor readable. Realtime-safe: no lock, no allocation, at most one write.
  package func signal() {
    if isSignalled.exchange(true, ordering: .acquiringAndReleasing) { return }
    var one: UInt64 = 1
    _ = Glibc.write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// Makes it silent. What was queued before the last `signal` is visible afterwards.
  package func clear() {
    var count: UInt64 = 0
    _ = Glibc.read(descriptor, &count, MemoryLayout<UInt64>.size)
    // After the read: a signal in between writes again and costs one empty turn; the other order could lose one.
    isSignalled.store(false, ordering: .sequentiallyConsistent)
  }

  /// Whether a signal is waiting to be cleared.
  package var isReadable: Bool { isSignalled.load(ordering: .acquiring) }
}

import Glibc
import Synchronization

/// Work that may wait for a disk, one after the other, on a thread that is there while there is any.
///
/// Not in libuv's pool: closing a loop would wait for it, and its threads take the host's signals.
final class DiskQueue: Sendable {
  private struct State {
    var work: [@Sendable () -> Void] = []
    var isRunning = false
  }

  private let state = Mutex(State())

  func run(_ work: @escaping @Sendable () -> Void) {
    let mustStart = state.withLock { state in
      state.work.append(work)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard mustStart else { return }
    do throws(NetworkError) {
      pthread_detach(try LoopThread.start(name: "unisono-disk") { self.drain() })
    } catch {
      // No thread is to be had: better late than never.
      drain()
    }
  }

  private func drain() {
    while true {
      let next: [@Sendable () -> Void] = state.withLock { state in
        if state.work.isEmpty { state.isRunning = false }
        defer { state.work = [] }
        return state.work
      }
      if next.isEmpty { return }
      for work in next { work() }
    }
  }
}

import CUV
import Synchronization

extension UVLoop {
  /// Size of a `uv_loop_t` in the libuv that this library runs on, bytes.
  package static var foreignLoopSize: Int { uv_loop_size() }

  /// Runs `work` on the loop and returns when it is done; false: the loop is closed and nothing was done.
  ///
  /// On the loop's thread, also inside a callback: at once. A polled loop that nobody polls is run by this thread for as
  /// long as it takes. Otherwise this waits for the thread that runs the loop.
  package func perform(_ work: @escaping @Sendable () -> Void) -> Bool {
    if isForkedChild || monitor.isOver { return false }
    if monitor.isThisThread {
      work()
      return true
    }
    let isDone = Flag()
    let isTaken = submit { [monitor] in
      work()
      isDone.set()
      monitor.announce()
    }
    guard isTaken else { return false }
    if drive == .polled {
      while monitor.claim(unless: { isDone.isSet }) {
        PipeSignal.blocked {
          runUntilQuiet()
          // The work itself may have closed the loop: nobody else will run it to its end.
          if mustEnd { runToTheEnd() }
        }
        monitor.release()
      }
    } else {
      monitor.wait(until: { isDone.isSet })
    }
    return isDone.isSet
  }

  private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .acquiring) }
    func set() { value.store(true, ordering: .releasing) }
  }
}

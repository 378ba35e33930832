import CUV
import Glibc
import UnisonoBase

/// A timerfd on CLOCK_MONOTONIC: readable from an instant on, to the nanosecond (libuv's own timers know milliseconds).
final class DeadlineDescriptor {
  let descriptor: Int32
  private var armed: HostTime?

  init() throws(NetworkError) {
    descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK) | Int32(TFD_CLOEXEC))
    if descriptor < 0 { throw NetworkError("no descriptor for timers: \(String(cString: strerror(errno)))") }
  }

  deinit { _ = Glibc.close(descriptor) }

  /// Readable from `deadline` on; nil: silent. Asking for what is set already costs nothing.
  func set(_ deadline: HostTime?) {
    if armed == deadline { return }
    armed = deadline
    var spec = itimerspec()
    if let deadline {
      // All zero would disarm: what is due long since is due at the first nanosecond.
      let due = max(1, deadline)
      spec.it_value.tv_sec = Int(due / 1_000_000_000)
      spec.it_value.tv_nsec = Int(due % 1_000_000_000)
    }
    _ = timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &spec, nil)
  }

  /// After it was readable: the instant has passed.
  func clear() {
    var expirations: UInt64 = 0
    _ = Glibc.read(descriptor, &expirations, MemoryLayout<UInt64>.size)
    armed = nil
  }
}

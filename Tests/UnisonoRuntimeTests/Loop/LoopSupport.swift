import Dispatch
import Glibc
import Synchronization

@testable import UnisonoRuntime

extension UVLoop {
  /// Polls until `condition` holds; false when it did not within a generous limit.
  func poll(until condition: () -> Bool) -> Bool {
    let limit = now + .seconds(20)
    while !condition() {
      if now > limit || poll(maxWait: .milliseconds(100)) != .ran { return condition() }
    }
    return true
  }
}

/// Whether a descriptor is readable now, or becomes so within `milliseconds`.
func isReadable(_ descriptor: Int32?, within milliseconds: Int32 = 0) -> Bool {
  guard let descriptor else { return false }
  var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  return Glibc.poll(&entry, 1, milliseconds) == 1
}

/// Threads may add to it.
final class Record<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  private let added = DispatchSemaphore(value: 0)
  var all: [Value] { values.withLock { $0 } }
  func add(_ value: Value) {
    values.withLock { $0.append(value) }
    added.signal()
  }

  /// Waits until there are `count`; false when a generous limit passed.
  func wait(for count: Int) -> Bool {
    while all.count < count {
      guard added.wait(timeout: .now() + .seconds(20)) == .success else { return false }
    }
    return true
  }
}

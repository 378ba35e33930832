import Glibc
import Synchronization
import UnisonoRuntime

/// Whether a signal has asked this run to end.
final class StopRequest: Sendable {
  private let isMade = Atomic(false)

  var isWanted: Bool { isMade.load(ordering: .relaxed) }

  /// Waits for the signals on a thread of its own.
  /// - Parameters:
  ///   - signals: taken before any thread was made, so that none takes them.
  ///   - wake: called on that thread.
  init(_ signals: SignalWait, wake: @escaping @Sendable () -> Void) {
    Background.run { [self] in
      _ = signals.next()
      isMade.store(true, ordering: .relaxed)
      wake()
    }
  }
}

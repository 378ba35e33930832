import Glibc
import Synchronization
import UnisonoRuntime

/// A line that a person types, waited for together with signals.
final class TypedLine: Sendable {
  private enum State { case open, typed(String?) }
  private let state = Mutex(State.open)

  /// The answer to a question; what was typed before it is none. nil: the input is over, or a signal came.
  static func read(_ question: String, _ signals: SignalWait) -> String? {
    let line = TypedLine()
    tcflush(0, TCIFLUSH)
    Terminal.print([question])
    guard Background.run({ line.take() }) else { return nil }
    while true {
      guard signals.next() == SIGCHLD else { return nil }
      if case .typed(let text) = line.state.withLock({ $0 }) { return text }
    }
  }

  /// On a thread of its own. Whoever waits for children looks here as well.
  private func take() {
    let text = readLine()
    state.withLock { $0 = .typed(text) }
    kill(getpid(), SIGCHLD)
  }
}

import Glibc

/// Signals as values, for executables: blocked in every thread made from now on, and taken one by one.
package struct SignalWait {
  private var set = sigset_t()

  package init(_ signals: [Int32]) {
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Waits for the next.
  package func next() -> Int32 {
    var signal: Int32 = 0
    var set = set
    while sigwait(&set, &signal) != 0 {}
    return signal
  }
}

import Glibc

/// Keeps SIGPIPE away from the host: libuv's writes to a closed peer raise it.
enum PipeSignal {
  /// Runs `body` with SIGPIPE blocked on this thread and takes away the one that `body` raised.
  static func blocked<Result>(_ body: () -> Result) -> Result {
    var pipe = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    var pendingBefore = sigset_t()
    sigemptyset(&pendingBefore)
    sigpending(&pendingBefore)
    var maskBefore = sigset_t()
    pthread_sigmask(SIG_BLOCK, &pipe, &maskBefore)
    defer {
      // One that was pending before is the host's.
      if sigismember(&pendingBefore, SIGPIPE) != 1 {
        var pendingNow = sigset_t()
        sigemptyset(&pendingNow)
        sigpending(&pendingNow)
        if sigismember(&pendingNow, SIGPIPE) == 1 {
          var zero = timespec()
          _ = sigtimedwait(&pipe, nil, &zero)
        }
      }
      pthread_sigmask(SIG_SETMASK, &maskBefore, nil)
    }
    return body()
  }

  /// Runs `body` with every signal blocked: a thread made in it inherits that and leaves the host's signals to the host.
  static func allBlocked<Result>(_ body: () -> Result) -> Result {
    var all = sigset_t()
    sigfillset(&all)
    var maskBefore = sigset_t()
    pthread_sigmask(SIG_SETMASK, &all, &maskBefore)
    defer { pthread_sigmask(SIG_SETMASK, &maskBefore, nil) }
    return body()
  }
}

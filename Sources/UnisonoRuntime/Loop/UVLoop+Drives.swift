import CUV
import Glibc
import UnisonoBase

extension UVLoop {
  /// Outcome of a poll.
  package enum PollOutcome: Equatable, Sendable {
    /// All that was due has run, possibly nothing.
    case ran
    /// Another thread polls or runs the loop.
    case busy
    /// Called inside a callback of this loop.
    case insideCallback
    /// The loop closed, before or during this poll.
    case closed
    /// Only polled loops are polled.
    case notPolled
  }

  // MARK: Making one

  /// A loop that runs when `poll` is called.
  package static func polled() throws(NetworkError) -> UVLoop {
    let loop = try owned(.polled)
    // libuv tells the kernel what to watch only while it runs: now the descriptor is true before the first poll, too.
    if loop.monitor.claim() {
      loop.runUntilQuiet()
      loop.monitor.release()
    }
    return loop
  }

  /// A loop that runs in a thread of its own. `name`: at most 15 bytes.
  package static func ownThread(name: String = "unisono") throws(NetworkError) -> UVLoop {
    let loop = try owned(.ownThread)
    do throws(NetworkError) {
      loop.thread = try LoopThread.start(name: name) { loop.runAsThread() }
    } catch {
      if loop.monitor.claim(), loop.requestClose(teardown: {}, completion: {}) { loop.runToTheEnd() }
      throw error
    }
    return loop
  }

  /// Works on a `uv_loop_t` that the host runs; called, like `close`, on the thread of that loop. The host ignores SIGPIPE.
  package static func foreign(_ raw: UnsafeMutableRawPointer) throws(NetworkError) -> UVLoop {
    let loop = try UVLoop(drive: .foreign, raw: raw.assumingMemoryBound(to: uv_loop_t.self))
    loop.monitor.transfer()
    return loop
  }

  private static func owned(_ drive: Drive) throws(NetworkError) -> UVLoop {
    let raw = UnsafeMutablePointer<uv_loop_t>.allocate(capacity: 1)
    let status = uv_loop_init(raw)
    guard status == 0 else {
      raw.deallocate()
      throw NetworkError("libuv cannot make a loop: \(sentence(status))")
    }
    return try UVLoop(drive: drive, raw: raw)
  }

  // MARK: Polled

  /// Readable when anything is due: sockets, calls from other threads, timers. nil unless polled.
  package var descriptor: Int32? {
    guard drive == .polled, !monitor.isOver, !isForkedChild else { return nil }
    let descriptor = uv_backend_fd(raw)
    return descriptor >= 0 ? descriptor : nil
  }

  /// Runs what is due. When nothing was, waits for something up to `maxWait` ns (0: not at all, negative: without limit).
  package func poll(maxWait: Nanoseconds) -> PollOutcome {
    guard drive == .polled else { return .notPolled }
    if isForkedChild || monitor.isOver { return .closed }
    if monitor.isThisThread { return .insideCallback }
    guard monitor.claim() else { return .busy }
    defer { monitor.release() }
    // Another thread may have ended it between the question and the claim.
    if monitor.isOver { return .closed }
    return PipeSignal.blocked {
      let turnsBefore = turns
      runUntilQuiet()
      if maxWait != 0, turns == turnsBefore { wait(atMost: maxWait) }
      if mustEnd { runToTheEnd() }
      return monitor.isOver ? .closed : .ran
    }
  }

  private func wait(atMost maxWait: Nanoseconds) {
    // A timer of ours ends the wait to the nanosecond; libuv's own would round it to milliseconds.
    let limit = makeTimer {}
    isWaiting = true
    if maxWait > 0 { limit.arm(at: now.adding(maxWait)) } else { settleDeadline() }
    // Waking early for something punctual is no reason to end the wait.
    let turnsBefore = turns
    repeat { uv_run(raw, UV_RUN_ONCE) } while turns == turnsBefore && aim != nil
    isWaiting = false
    limit.close()
    settleDeadline()
    runUntilQuiet()
  }

  /// Runs passes until one found nothing: only then does the kernel watch everything that the passes began to watch, and
  /// nothing is pending inside libuv that the descriptor would not tell of.
  func runUntilQuiet() {
    var passes = 0
    var turnsBefore: Int
    repeat {
      turnsBefore = turns
      uv_run(raw, UV_RUN_NOWAIT)
      passes += 1
    } while (turns != turnsBefore || uv_backend_timeout(raw) == 0) && passes < 64 && !isReadyToFinish
    // Endless work: the host gets a turn, and the descriptor stays readable.
    if passes == 64 { wakeDescriptor.signal() }
  }

  // MARK: Own thread

  private func runAsThread() {
    monitor.transfer()
    while !isReadyToFinish { uv_run(raw, UV_RUN_ONCE) }
    finish()
  }

  // MARK: Closing

  /// Closes once and for all: `teardown` runs on the loop as its last work, then everything is closed in order, then
  /// `completion` comes.
  ///
  /// Polled and own thread: done when this returns, but for a call inside a callback of the loop, where it is done when
  /// that poll, or the thread, ends. Foreign: on the loop's thread; done when the host's loop has run on for a while.
  package func close(
    teardown: @escaping @Sendable () -> Void = {}, completion: @escaping @Sendable () -> Void = {}
  ) {
    if isForkedChild { return }
    let isFirst = requestClose(teardown: teardown, completion: completion)
    let isInside = monitor.isThisThread
    switch drive {
    case .foreign: break
    case .polled:
      if isInside { return }
      if monitor.claimUnlessOver() {
        // The host's thread, outside a poll: writes of the teardown must not raise the signal here either.
        if !monitor.isOver { PipeSignal.blocked { runToTheEnd() } }
        monitor.release()
      }
    case .ownThread:
      if isInside {
        if isFirst { pthread_detach(pthread_self()) }
      } else if isFirst, let thread {
        pthread_join(thread, nil)
      } else {
        _ = monitor.claimUnlessOver()
      }
    }
  }

  func runToTheEnd() {
    while !isReadyToFinish { uv_run(raw, UV_RUN_NOWAIT) }
    finish()
  }

  /// libuv's number in words.
  static func sentence(_ status: Int32) -> String { String(cString: uv_strerror(status)) }
}

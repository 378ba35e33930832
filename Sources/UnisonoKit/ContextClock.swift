import CUnisono
import Synchronization

/// The clock that a context lives by: `try await context.clock.sleep(until: command.hostTime)` is a timer of its loop.
public struct ContextClock: Clock {
  let context: Context

  /// Of a closed context: this machine's.
  public var now: HostTime { (try? context.hostTime) ?? .now }

  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Returns on time or later; at once when it is past. tolerance: is not needed, the loop is as exact as it can be.
  /// Errors: `CancellationError`; `UnisonoError`: `.closed`, `.full` (65,536 timers).
  public func sleep(until deadline: HostTime, tolerance: Duration? = nil) async throws {
    try await context.loop.sleep(until: deadline)
  }
}

extension ContextLoop {
  /// A timer of the loop. Errors: as `ContextClock.sleep`.
  func sleep(until deadline: HostTime) async throws { try await Timer().wait(until: deadline, on: self) }

  func sleep(for duration: Duration) async throws {
    try await sleep(until: HostTime(nanoseconds: unisono_context_host_time(context.token)) + duration)
  }
}

/// One timer of a context's loop: the one event of it resumes whoever waits.
private final class Timer: EventTarget {
  private struct State {
    var token: UInt64 = 0
    var waiter: CheckedContinuation<Void, any Error>?
    var isCancelled = false
  }

  private let state = Mutex(State())

  func wait(until deadline: HostTime, on loop: ContextLoop) async throws {
    let user = loop.add(self)
    defer { loop.remove(user) }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        state.withLock { $0.waiter = continuation }
        var token: UInt64 = 0
        let returned = unisono_context_call_at(loop.context.token, deadline.nanoseconds, nil, user, &token)
        guard returned >= 0 else {
          let error = UnisonoError(.init(rawValue: returned), String(cString: unisono_last_error()))
          return resume(throwing: error)
        }
        let isCancelled = state.withLock { state in
          state.token = token
          return state.isCancelled
        }
        if isCancelled { unisono_context_cancel(loop.context.token, token) }
      }
    } onCancel: {
      let token = state.withLock { state in
        state.isCancelled = true
        return state.token
      }
      if token != 0 { unisono_context_cancel(loop.context.token, token) }
    }
  }

  func deliver(_ event: UnsafePointer<unisono_context_event>) {
    guard let c = unisono_event_timer(event)?.pointee else { return }
    resume(throwing: c.status < 0 ? CancellationError() : nil)
  }

  func finish() { resume(throwing: UnisonoError(.closed, "ContextClock.sleep: the context was closed")) }

  /// Once: by its event, by a refusal, or because the context is closed.
  private func resume(throwing error: (any Error)?) {
    let waiter = state.withLock { state in
      defer { state.waiter = nil }
      return state.waiter
    }
    if let error { waiter?.resume(throwing: error) } else { waiter?.resume() }
  }
}

import CUnisono
import Synchronization
import UnisonoBase
import UnisonoRuntime

/// The pending `unisono_context_call_at`s of a context; each answers exactly once.
final class DelayedCalls: Sendable {
  static let limit = 65_536

  /// One of them.
  final class Entry: @unchecked Sendable {
    let token: UInt64
    let due: HostTime
    let fn: unisono_timer_fn?
    let user: UnsafeMutableRawPointer?
    /// On the loop.
    var timer: (any LoopTimer)?

    init(token: UInt64, due: HostTime, fn: unisono_timer_fn?, user: UnsafeMutableRawPointer?) {
      self.token = token
      self.due = due
      self.fn = fn
      self.user = user
    }

    func payload(_ status: unisono_status, now: HostTime) -> Payload {
      .timer(EventOrigin(source: nil, user: user, hostTime: now), token: token, due: due, status: status)
    }

    /// The callback as deliveries want it; nil: the queue.
    var callback: ((Payload) -> Void)? {
      fn.map { [user] fn in { fn(user, $0.body(as: unisono_timer_event.self)) } }
    }
  }

  private struct State {
    var entries: [UInt64: Entry] = [:]
    var lastToken: UInt64 = 0
  }

  private let state = Mutex(State())

  func add(due: HostTime, fn: unisono_timer_fn?, user: UnsafeMutableRawPointer?) throws(Failure) -> Entry {
    let entry = state.withLock { state -> Entry? in
      guard state.entries.count < Self.limit else { return nil }
      state.lastToken += 1
      let entry = Entry(token: state.lastToken, due: due, fn: fn, user: user)
      state.entries[entry.token] = entry
      return entry
    }
    guard let entry else {
      throw Failure(.UNISONO_EFULL, "\(Self.limit) calls are pending; let some come or cancel them")
    }
    return entry
  }

  /// Whoever takes an entry answers it; nil: somebody did.
  func remove(_ token: UInt64) -> Entry? { state.withLock { $0.entries.removeValue(forKey: token) } }

  /// On the loop: the context ends.
  func cancelAll(now: HostTime) {
    let entries = state.withLock { state in
      defer { state.entries = [:] }
      return state.entries.values.sorted { $0.token < $1.token }
    }
    for entry in entries {
      entry.timer?.close()
      entry.callback?(entry.payload(.UNISONO_ECANCELED, now: now))
    }
  }
}

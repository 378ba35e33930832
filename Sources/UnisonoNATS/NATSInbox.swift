#if NATS
  import Synchronization
  import UnisonoBase
  import UnisonoRuntime

  /// What waits on its way from the NATS thread, and from libnats's own, to the loop, bounded in bytes.
  final class NATSInbox: Sendable {
    enum Event: Sendable {
      /// `at`: host time when it was read.
      case message([UInt8], subject: String, at: HostTime)
      case connected
      case disconnected
      /// Less waits towards NATS again than should.
      case relieved
      case line(HubLog)
      /// Was here, and is done with.
      case done

      var cost: Int {
        switch self {
        case .message(let bytes, let subject, _): bytes.count + subject.utf8.count + NATSLimits.overhead
        case .line(let line): line.text.utf8.count + NATSLimits.overhead
        // Few, and never left out.
        case .connected, .disconnected, .relieved, .done: 0
        }
      }
    }

    private struct State {
      var events: [Event] = []
      /// Of `events`, and of what the loop has taken and not worked off.
      var bytes = 0
      var leftOut = 0
    }

    private let state = Mutex(State())
    private let notify: @Sendable () -> Void

    /// `notify`: something is here, where nothing was; on any thread.
    init(notify: @escaping @Sendable () -> Void) { self.notify = notify }

    /// Left out where there is no room.
    func add(_ event: Event) {
      let cost = event.cost
      let isFirst = state.withLock { state in
        guard cost == 0 || state.bytes + cost <= NATSLimits.inbound else {
          state.leftOut += 1
          return false
        }
        state.bytes += cost
        state.events.append(event)
        return state.events.count == 1
      }
      if isFirst { notify() }
    }

    /// All that is here, and how much was left out since this was called last.
    func take() -> (events: [Event], leftOut: Int) {
      state.withLock { state in
        var events: [Event] = []
        swap(&events, &state.events)
        defer { state.leftOut = 0 }
        return (events, state.leftOut)
      }
    }

    /// The loop is done with so much of what it took.
    func release(_ bytes: Int) { state.withLock { $0.bytes -= bytes } }
  }
#endif

#if NATS
  import Glibc
  import Synchronization
  import UnisonoBase
  import UnisonoRuntime

  /// What waits on its way from the loop to the NATS thread, bounded in bytes and in time; and what that thread waits for.
  ///
  /// The lock is held for a few steps each time, never while anything is sent or freed: the loop does not wait for NATS.
  final class NATSOutbox: Sendable {
    enum Order: Sendable {
      /// `at`: host time when it was put here.
      case publish([UInt8], subject: String, at: HostTime)
      case subscribe(String)
      case unsubscribe(String)

      var cost: Int {
        switch self {
        case .publish(let bytes, let subject, _): bytes.count + subject.utf8.count + NATSLimits.overhead
        case .subscribe(let subject), .unsubscribe(let subject): subject.utf8.count + NATSLimits.overhead
        }
      }
    }

    /// Why a connection is given up.
    enum Cut: Sendable, Equatable {
      /// The hub wants another.
      case asked
      /// Too much waits, or for too long.
      case full
      case late
      /// libnats has lost it.
      case lost
    }

    /// What the thread is to do next.
    enum Next: Sendable {
      case carryOut([Order])
      case giveUp(Cut)
      case end
    }

    struct Waiting: Equatable, Sendable {
      var bytes: Int
      /// Host time since which the thread is held up by one order; nil: it is not.
      var since: HostTime?
    }

    private struct State {
      var orders: [Order] = []
      /// Taken off after a cut, for the thread to free: that may take longer than a turn has.
      var discarded: [Order] = []
      /// Of `orders`, and of what the thread has taken and not sent.
      var bytes = 0
      /// Host time at which the oldest of `orders` was put here.
      var oldest: HostTime?
      var busySince: HostTime?
      var isPressed = false
      /// What is subscribed to, over all connections.
      var subjects: Set<String> = []
      /// nil: there is no connection.
      var connection: Int?
      var cut: Cut?
      var isClosing = false

      mutating func give(up reason: Cut) {
        guard connection != nil, cut == nil else { return }
        cut = reason
        swap(&orders, &discarded)
        bytes = 0
        oldest = nil
        isPressed = false
      }
    }

    private let state = Mutex(State())
    private let news: WakeDescriptor

    init() throws(NetworkError) { news = try WakeDescriptor() }

    // MARK: The loop

    var waiting: Waiting { state.withLock { Waiting(bytes: $0.bytes, since: $0.busySince) } }

    /// Dropped where there is no connection. True: from now on more waits than should.
    func publish(_ bytes: [UInt8], on subject: String, at now: HostTime) -> Bool {
      let isNewlyPressed = state.withLock { state in
        guard state.connection != nil, state.cut == nil else { return false }
        if now.subtracting(min(state.busySince ?? now, state.oldest ?? now)) > NATSLimits.patience {
          state.give(up: .late)
          return false
        }
        add(.publish(bytes, subject: subject, at: now), to: &state)
        if state.oldest == nil { state.oldest = now }
        if state.bytes > NATSLimits.outbound {
          state.give(up: .full)
          return false
        }
        guard !state.isPressed, state.bytes > NATSLimits.pressed else { return false }
        state.isPressed = true
        return true
      }
      news.signal()
      return isNewlyPressed
    }

    func subscribe(_ subject: String) {
      state.withLock { state in
        guard state.subjects.insert(subject).inserted, state.connection != nil, state.cut == nil else { return }
        add(.subscribe(subject), to: &state)
      }
      news.signal()
    }

    func unsubscribe(_ subject: String) {
      state.withLock { state in
        guard state.subjects.remove(subject) != nil, state.connection != nil, state.cut == nil else { return }
        add(.unsubscribe(subject), to: &state)
      }
      news.signal()
    }

    func reconnect() {
      state.withLock { $0.give(up: .asked) }
      news.signal()
    }

    func close() {
      state.withLock { $0.isClosing = true }
      news.signal()
    }

    private func add(_ order: Order, to state: inout State) {
      state.orders.append(order)
      state.bytes += order.cost
    }

    // MARK: The thread, and libnats's

    var isClosing: Bool { state.withLock { $0.isClosing } }

    /// A connection stands; what is to be subscribed to over it, before anything else is done with it.
    func begin(_ connection: Int) -> [String] {
      state.withLock { state in
        state.connection = connection
        state.cut = nil
        return Array(state.subjects)
      }
    }

    /// libnats has lost a connection.
    func lose(_ connection: Int) {
      state.withLock { state in
        if state.connection == connection { state.give(up: .lost) }
      }
      news.signal()
    }

    /// Waits for something to do.
    func next() -> Next {
      while true {
        let next: Next? = state.withLock { state in
          if let cut = state.cut { return .giveUp(cut) }
          if !state.orders.isEmpty {
            var orders: [Order] = []
            swap(&orders, &state.orders)
            state.oldest = nil
            return .carryOut(orders)
          }
          return state.isClosing ? .end : nil
        }
        if let next { return next }
        wait(milliseconds: -1)
      }
    }

    /// The next order of those that were taken is begun; false: the connection is to be given up.
    func beginOrder(at now: HostTime) -> Bool {
      state.withLock { state in
        guard state.cut == nil else { return false }
        state.busySince = now
        return true
      }
    }

    /// It is done with; true: less waits again than should.
    func endOrder(_ cost: Int) -> Bool {
      state.withLock { state in
        state.busySince = nil
        // A cut in between has counted all of it off.
        if state.cut == nil { state.bytes -= cost }
        guard state.isPressed, state.bytes < NATSLimits.relieved else { return false }
        state.isPressed = false
        return true
      }
    }

    /// The thread gives the connection up by itself.
    func give(up reason: Cut) {
      state.withLock { $0.give(up: reason) }
    }

    /// There is no connection any more.
    func end() {
      let discarded = state.withLock { state in
        defer { state.discarded = [] }
        state.give(up: .asked)
        state.connection = nil
        state.busySince = nil
        return state.discarded
      }
      // Freed here, by the thread and outside the lock.
      withExtendedLifetime(discarded) {}
    }

    /// Waits until `milliseconds` are over, or this side closes.
    func pause(milliseconds: Int32, clock: () -> HostTime) {
      let end = clock().adding(.milliseconds(Int64(milliseconds)))
      while !isClosing {
        let left = end.subtracting(clock())
        if left <= 0 { return }
        wait(milliseconds: Int32(clamping: left / .milliseconds(1) + 1))
      }
    }

    private func wait(milliseconds: Int32) {
      var entry = pollfd(fd: news.descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&entry, 1, milliseconds)
      news.clear()
    }
  }
#endif

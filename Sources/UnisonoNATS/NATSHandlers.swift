#if NATS
  import CNATS
  import Synchronization

  /// Whom libnats's callbacks are for: they carry the number of a connection, and one that comes late finds nobody.
  ///
  /// No reference goes through libnats: a callback may still run on one of its threads when its connection is gone.
  enum NATSHandlers {
    private struct State {
      var last = 0
      var owners: [Int: NATSThread] = [:]
    }

    private static let state = Mutex(State())

    /// A number for a connection of `owner`, until `remove`.
    static func add(_ owner: NATSThread) -> Int {
      state.withLock { state in
        state.last += 1
        state.owners[state.last] = owner
        return state.last
      }
    }

    static func remove(_ connection: Int) {
      let owner = state.withLock { $0.owners.removeValue(forKey: connection) }
      withExtendedLifetime(owner) {}
    }

    private static func owner(_ closure: UnsafeMutableRawPointer?) -> (connection: Int, thread: NATSThread)? {
      let connection = Int(bitPattern: closure)
      return state.withLock { $0.owners[connection] }.map { (connection, $0) }
    }

    static let message: natsMsgHandler = { _, _, message, closure in
      guard let message else { return }
      defer { natsMsg_Destroy(message) }
      guard let (_, thread) = owner(closure), let subject = natsMsg_GetSubject(message) else { return }
      let content = UnsafeRawBufferPointer(start: natsMsg_GetData(message), count: Int(natsMsg_GetDataLength(message)))
      thread.received(content, on: subject)
    }

    static let closed: natsConnectionHandler = { _, closure in
      guard let (connection, thread) = owner(closure) else { return }
      thread.lost(connection)
    }

    static let error: natsErrHandler = { connection, _, status, closure in
      guard let (_, thread) = owner(closure) else { return }
      var text: UnsafePointer<CChar>?
      _ = natsConnection_GetLastError(connection, &text)
      thread.failed(status, text.map { String(cString: $0) } ?? "")
    }
  }
#endif

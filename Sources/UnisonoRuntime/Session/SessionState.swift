/// The life of a session object; numbers of `unisono_session_state`.
public enum SessionStatus: Int32, Sendable {
  case waiting = 0, joined, invalidated
}

/// The link to a hub; numbers of `unisono_connection`.
public enum SessionConnection: Int32, Sendable {
  case none = 0, connecting, connected, reconnecting
}

/// Why a session is invalidated or reconnects.
public enum SessionReason: Equatable, Sendable {
  case none, left, ended, network, authentication, version, full, duplicateKey, removed, protocolError
}

/// What people are told of a session's life.
public struct SessionState: Equatable, Sendable {
  public var status: SessionStatus
  public var connection: SessionConnection
  public var reason: SessionReason
  /// One sentence for people; may be empty.
  public var message: String

  public init(
    status: SessionStatus = .waiting, connection: SessionConnection = .none, reason: SessionReason = .none,
    message: String = ""
  ) {
    self.status = status
    self.connection = connection
    self.reason = reason
    self.message = message
  }
}

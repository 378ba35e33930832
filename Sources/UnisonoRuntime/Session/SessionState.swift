/// The life of a session object; numbers of `unisono_session_state`.
package enum SessionStatus: Int32, Sendable {
  case waiting = 0, joined, invalidated
}

/// The link to a hub; numbers of `unisono_connection`.
package enum SessionConnection: Int32, Sendable {
  case none = 0, connecting, connected, reconnecting
}

/// Reason for a session being invalidated, or not connected.
package enum SessionReason: Equatable, Sendable {
  case none, left, ended, network, authentication, version, full, duplicateKey, removed, protocolError
  /// A member says that the group lets nobody new in.
  case closed
  /// A hub is reached, and nobody of the group is at it.
  case nobodyThere
}

/// The hub that a session is at.
package struct HubInUse: Equatable, Sendable {
  /// "host:port", as others reach it where it is the one in this process.
  package var address: String
  /// It is in this process.
  package var isOwn: Bool
}

/// State of a session as people see it.
package struct SessionState: Equatable, Sendable {
  package var status: SessionStatus
  package var connection: SessionConnection
  package var reason: SessionReason
  /// One sentence for people; may be empty.
  package var message: String
  /// No other participant is in touch.
  package var isAlone: Bool
  /// An owner closed the group: nobody new is let in.
  package var isClosed: Bool
  /// nil: none.
  package var hub: HubInUse?

  package init(
    status: SessionStatus = .waiting, connection: SessionConnection = .none, reason: SessionReason = .none,
    message: String = "", isAlone: Bool = true, isClosed: Bool = false, hub: HubInUse? = nil
  ) {
    self.status = status
    self.connection = connection
    self.reason = reason
    self.message = message
    self.isAlone = isAlone
    self.isClosed = isClosed
    self.hub = hub
  }

  /// Whether it needs no report after `other`: nothing but the sentence for people differs.
  func isReported(as other: SessionState) -> Bool {
    var other = other
    other.message = message
    return self == other
  }
}

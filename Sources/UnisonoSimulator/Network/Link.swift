import UnisonoBase

/// One participant's side of the network.
struct Link {
  enum State: Equatable {
    case down
    case connecting
    /// Let in by the hub under this connection number; it may be broken without anybody having noticed.
    case up(connection: UInt64)
  }

  var quality: LinkQuality
  /// Index of the hub it is connected to, was last, or tries.
  var hub = 0
  /// Which hub of a service it is at.
  var place = 0
  /// Tries since it was last let in.
  var tries = 0
  /// True time until which what is sent either way is held back, as by a TCP connection whose packets are lost.
  var stalledUntil: Nanoseconds = 0
  var state: State = .down
  /// Counts connections tried; what was put in motion for an older one is void.
  var attempt: UInt64 = 0
  /// Keys of the session are there.
  var isSecured = false
  /// It came by an invite, and nobody of the group was at its hub.
  var isUnanswered = false
  /// Came before the keys; read as soon as they are there.
  var unread: [CoordinationHeld] = []
  /// Whether each direction of its path is in a burst.
  var isUpBad = false
  var isDownBad = false
  /// When the last message of each direction arrives: later ones do not overtake it.
  var lastUp: Nanoseconds = 0
  var lastDown: Nanoseconds = 0

  var connection: UInt64? {
    if case .up(let connection) = state { return connection }
    return nil
  }
}

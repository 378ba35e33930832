import UnisonoBase
import UnisonoWire

/// State of the session as people see it, derived from the link and from what the room says; reported when it changes.
///
/// Connected means more than a link: the group's state is here, and this is not only the standby hub of this process. Where
/// nobody of the group is found, or there is no place, the state says so.
struct StatusReport {
  /// Time after which, at a hub without anybody of the group, that is reported.
  private static let meeting = Nanoseconds.seconds(1)

  /// `status` is that of the last update.
  private(set) var state = SessionState(connection: .connecting)
  private var reported = SessionState(connection: .connecting)
  /// The group was reached once: a further link is a reconnection.
  private(set) var wasConnected = false
  /// Why members let this participant not in: the hub is reached, the group is not; nil: none says so.
  private var refusal: DeclineMessage.Reason?
  /// Somebody left word at this hub that the session was ended.
  private var isSaidToBeEnded = false
  /// Time at which a hub was entered; nil: at none.
  private var enteredAt: HostTime?

  /// The session and its link as `update` needs them.
  struct Link {
    var status: SessionStatus
    var seat: RoomEntry?
    var hub: HubInUse?
    /// At the standby hub of this process, while others may be elsewhere.
    var isAtOwnHubAlone: Bool
    /// Another participant is in touch.
    var isInTouch: Bool
    /// The group's state is here.
    var hasState: Bool
    /// The policy in force moved the session to a room whose key nobody handed over.
    var isLeftBehind: Bool
    /// An owner closed the group.
    var isClosed: Bool
  }

  /// A state to be reported, and a line for the log, if there is something to say.
  struct Report {
    var state: SessionState
    var line: String?
  }

  mutating func entered(now: HostTime) {
    enteredAt = now
    refusal = nil
    isSaidToBeEnded = false
  }

  mutating func linkDown() { enteredAt = nil }

  mutating func turnedAway(_ reason: DeclineMessage.Reason) {
    if reason == .full || reason == .closed { refusal = reason }
  }

  mutating func foundEnd() { isSaidToBeEnded = true }

  mutating func secured() { refusal = nil }

  /// The link was lost and another is tried: why the link broke says more than why the next hub, and the one after it, is none;
  /// that a hub of the group lets nobody in says more than both.
  mutating func lost(_ end: HubLinkEnd) {
    let connection = wasConnected ? SessionConnection.reconnecting : .connecting
    let (reason, isRefused) = (SessionReason(end), end.isRefusalToAdmit)
    guard state.connection != connection || connection == .connecting || isRefused else { return }
    let hint = isRefused && wasConnected ? "; perhaps the invitation was renewed meanwhile: ask for a new one" : ""
    (state.connection, state.reason, state.message) = (connection, reason, end.reason + hint)
  }

  /// The session is over.
  mutating func invalidate(_ reason: SessionReason, _ message: String) -> Report {
    state = SessionState(status: .invalidated, connection: .none, reason: reason, message: message)
    return Report(state: state, line: "over: \(message)")
  }

  /// Derives the state from the link as it is now.
  ///
  /// - Parameter isNews: report it even if only the sentence for people differs.
  mutating func update(_ link: Link, isNews: Bool = false, now: HostTime) -> Report? {
    state.status = link.status
    state.hub = link.hub
    state.isAlone = !link.isInTouch
    state.isClosed = link.isClosed
    if let seat = link.seat {
      if refusal == .closed {
        (state.connection, state.reason) = (.connecting, .closed)
        state.message = "a member says that the group is closed: nobody new is let in until an owner opens it"
      } else if refusal != nil {
        (state.connection, state.reason) = (.connecting, .full)
        state.message = "the session has \(WireLimits.participants) participants, as many as it can; waiting for a place"
      } else if link.isLeftBehind {
        (state.connection, state.reason) = (.reconnecting, .authentication)
        state.message = "an owner moved the session to another room and did not hand over its key here: ask for a new invitation"
      } else if link.hasState, !link.isAtOwnHubAlone {
        wasConnected = true
        (state.connection, state.reason, state.message) = (.connected, .none, "connected to \(seat.address)")
      } else if !link.hasState, isSaidToBeEnded {
        state.reason = .ended
        state.message = "nobody of the group is at \(seat.address), and one of it left word there that the session was ended"
      } else if !link.hasState, isUnmet(now: now) {
        (state.reason, state.message) = (.nobodyThere, "nobody of the group is at \(seat.address); it is looked for")
      }
    }
    let before = reported
    guard isNews || !state.isReported(as: before) else { return nil }
    reported = state
    guard state.connection != before.connection || state.reason != before.reason else { return Report(state: state) }
    return Report(
      state: state, line: state.connection == .connected ? state.message : "\(state.connection): \(state.message)")
  }

  /// At a hub where nobody of the group came for a while.
  private func isUnmet(now: HostTime) -> Bool { enteredAt.map { now >= $0.adding(Self.meeting) } ?? false }

  /// Time at which the state changes by itself, of a participant without the group's state.
  func nextWake(now: HostTime) -> HostTime? { isUnmet(now: now) ? nil : enteredAt?.adding(Self.meeting) }
}

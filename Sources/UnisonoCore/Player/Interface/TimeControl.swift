/// Whether a player plays; numbers of `unisono_time_control`.
public enum TimeControlStatus: Int32, Sendable {
  case paused = 0, waiting, playing
}

/// Why it waits; numbers of `unisono_waiting_reason`.
public enum WaitingReason: Int32, Sendable {
  case none = 0, toMinimizeStalls, evaluatingBufferingRate, noItem, coordinatedPlayback, interstitial
}

/// Both together, as people see them.
public struct TimeControl: Equatable, Sendable {
  public var status: TimeControlStatus
  public var reason: WaitingReason

  public init(_ status: TimeControlStatus, _ reason: WaitingReason = .none) {
    self.status = status
    self.reason = reason
  }
}

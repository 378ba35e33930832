/// Item of a player: the group compares the identifier, the rest is the own host's.
public struct PlayerItem: Equatable, Sendable {
  public var id: ItemID
  /// For the renderer alone, never sent; empty: the identifier.
  public var uri: [UInt8]
  /// Item time is the date of the content.
  public var isLive: Bool
  /// The position proposed to the group, ns.
  public var startTime: ItemTime
  /// ns; nil: unknown.
  public var duration: Nanoseconds?

  public init(
    id: ItemID, uri: [UInt8] = [], isLive: Bool = false, startTime: ItemTime = 0, duration: Nanoseconds? = nil
  ) {
    self.id = id
    self.uri = uri
    self.isLive = isLive
    self.startTime = startTime
    self.duration = duration
  }
}

/// Whether the current item can be played; numbers of `unisono_item_state`.
public enum ItemStatus: Int32, Sendable {
  case unknown = 0, ready, failed
}

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

/// Why the rate changed; numbers of `unisono_rate_reason`.
public enum RateReason: Int32, Sendable {
  case setRateCalled = 0, setRateFailed, interrupted, backgrounded, participant, liveEdge, itemEnded
}

/// Notice to a player's host (`unisono_player_event`).
public struct PlayerNotice: Equatable, Sendable {
  public enum Kind: UInt8, Sendable { case timeControl, rate, timeJumped, itemStatus, itemEnded, seekDone }

  public var kind: Kind
  public var timeControl: TimeControl
  public var itemStatus: ItemStatus
  /// Rate.
  public var rateReason: RateReason = .setRateCalled
  /// `.none`: local.
  public var originator: ParticipantID = .none
  public var item: ItemID?
  public var rate: Double
  public var itemTime: ItemTime?
  public var hostTime: HostTime?
  /// Seek done.
  public var request: UInt64 = 0
  public var outcome: Outcome = .done
  /// Of an outcome `failed`: an error code of the C API.
  public var status: Int32 = 0

  public enum Outcome: UInt8, Sendable { case done, cancelled, failed }
}

/// Counters of `unisono_player_statistics`.
public struct PlayerStatistics: Equatable, Sendable {
  public var skew = SkewStatistics()
  /// Changes of speed and corrective seeks, made to stay with the group.
  public var nudges: UInt64 = 0
  public var seeks: UInt64 = 0
  public var stalls: UInt64 = 0
  /// ns.
  public var startLatency: Nanoseconds = 0
  public var seekCost: Nanoseconds = 0

  public init() {}
}

/// State of a player that may be read between steps.
public struct MediaPlayerView: Equatable, Sendable {
  public var item: PlayerItem?
  public var timeControl: TimeControl
  public var itemStatus: ItemStatus
  /// As commanded; 0 paused.
  public var rate: Double
  /// Last known position.
  public var position: PlaybackReport.Position?
  /// Rate at which the renderer runs.
  public var runningRate: Double
  /// ns; nil: unknown; `.max`: live.
  public var duration: Nanoseconds?
  public var seekable: ClosedRange<ItemTime>?
  public var statistics: PlayerStatistics
}

/// The error codes of the C API that the player itself gives.
enum PlayerStatus {
  /// UNISONO_ENOTSUP.
  static let notSupported: Int32 = -117
}

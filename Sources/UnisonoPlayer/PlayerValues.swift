import UnisonoBase
import UnisonoCoordination

/// Item of a player: the group compares the identifier, the rest is the own host's.
package struct PlayerItem: Equatable, Sendable {
  package var id: ItemID
  /// For the renderer alone, never sent; empty: the identifier.
  package var uri: [UInt8]
  /// Item time is the date of the content.
  package var isLive: Bool
  /// The position proposed to the group, ns.
  package var startTime: ItemTime
  /// ns; nil: unknown.
  package var duration: Nanoseconds?

  package init(
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
package enum ItemStatus: Int32, Sendable {
  case unknown = 0, ready, failed
}

/// Whether a player plays; numbers of `unisono_time_control`.
package enum TimeControlStatus: Int32, Sendable {
  case paused = 0, waiting, playing
}

/// Why it waits; numbers of `unisono_waiting_reason`.
package enum WaitingReason: Int32, Sendable {
  case none = 0, toMinimizeStalls, evaluatingBufferingRate, noItem, coordinatedPlayback, interstitial
}

/// Both together, as people see them.
package struct TimeControl: Equatable, Sendable {
  package var status: TimeControlStatus
  package var reason: WaitingReason

  package init(_ status: TimeControlStatus, _ reason: WaitingReason = .none) {
    self.status = status
    self.reason = reason
  }
}

/// Why the rate changed; numbers of `unisono_rate_reason`.
package enum RateReason: Int32, Sendable {
  case setRateCalled = 0, setRateFailed, interrupted, backgrounded, participant, liveEdge, itemEnded
}

/// Notice to a player's host (`unisono_player_event`).
package struct PlayerNotice: Equatable, Sendable {
  package enum Kind: UInt8, Sendable { case timeControl, rate, timeJumped, itemStatus, itemEnded, seekDone }

  package var kind: Kind
  package var timeControl: TimeControl
  package var itemStatus: ItemStatus
  /// Rate.
  package var rateReason: RateReason = .setRateCalled
  /// `.none`: local.
  package var originator: ParticipantID = .none
  package var item: ItemID?
  package var rate: Double
  package var itemTime: ItemTime?
  package var hostTime: HostTime?
  /// Seek done.
  package var request: UInt64 = 0
  package var outcome: Outcome = .done
  /// Of an outcome `failed`: an error code of the C API.
  package var status: Int32 = 0

  package enum Outcome: UInt8, Sendable { case done, cancelled, failed }
}

/// Counters of `unisono_player_statistics`.
package struct PlayerStatistics: Equatable, Sendable {
  package var skew = SkewStatistics()
  /// Changes of speed and corrective seeks, made to stay with the group.
  package var nudges: UInt64 = 0
  package var seeks: UInt64 = 0
  package var stalls: UInt64 = 0
  /// ns.
  package var startLatency: Nanoseconds = 0
  package var seekCost: Nanoseconds = 0

  package init() {}
}

/// State of a player that may be read between steps.
package struct MediaPlayerView: Equatable, Sendable {
  package var item: PlayerItem?
  package var timeControl: TimeControl
  package var itemStatus: ItemStatus
  /// As commanded; 0 paused.
  package var rate: Double
  /// Last known position.
  package var position: PlaybackReport.Position?
  /// Rate at which the renderer runs.
  package var runningRate: Double
  /// ns; nil: unknown; `.max`: live.
  package var duration: Nanoseconds?
  package var seekable: ClosedRange<ItemTime>?
  package var statistics: PlayerStatistics
}

/// The error codes of the C API that the player itself gives.
enum PlayerStatus {
  /// UNISONO_ENOTSUP.
  static let notSupported: Int32 = -117
}

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

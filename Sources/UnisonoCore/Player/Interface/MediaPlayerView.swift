/// What may be read of a player between steps.
public struct MediaPlayerView: Equatable, Sendable {
  public var item: PlayerItem?
  public var timeControl: TimeControl
  public var itemStatus: ItemStatus
  /// As commanded; 0 paused.
  public var rate: Double
  /// Where it was last known to be.
  public var position: PlaybackReport.Position?
  /// How fast it really runs.
  public var runningRate: Double
  /// ns; nil: unknown; `.max`: live.
  public var duration: Nanoseconds?
  public var seekable: ClosedRange<ItemTime>?
  public var statistics: PlayerStatistics
}

/// What a renderer is told (`unisono_renderer_command`).
public struct RendererCommand: Equatable, Sendable {
  public enum Kind: UInt8, Sendable { case load, cue, play, pause, seek, nudge, volume, size, stop }

  public var kind: Kind
  /// Comes back in the report that answers; never 0, never used twice.
  public var request: UInt64
  /// nil: stop.
  public var item: ItemID?
  public var uri: [UInt8] = []
  /// Cue, play; nudge: factor on top.
  public var rate: Double = 0
  /// Load, cue, play, seek.
  public var itemTime: ItemTime = 0
  /// Play: when `itemTime` holds.
  public var hostTime: HostTime?
  /// Seek; `.max`: any.
  public var toleranceBefore: Nanoseconds = 0
  public var toleranceAfter: Nanoseconds = 0
  /// 0...1, ducking applied.
  public var volume: Double = 0
  public var width: Int32 = 0
  public var height: Int32 = 0
}

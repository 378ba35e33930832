/// What a renderer says (`unisono_renderer_report`).
public struct RendererReport: Equatable, Sendable {
  public enum State: Int32, Sendable {
    case position = 0, ready, seeked, playing, paused, stalled, recovered, ended, failed
  }

  public var state: State
  /// The command this answers; 0: it speaks by itself.
  public var request: UInt64
  /// nil: not said.
  public var position: PlaybackReport.Position?
  /// ns; nil: not said; `.max`: live.
  public var duration: Nanoseconds?
  /// nil: not said.
  public var seekable: ClosedRange<ItemTime>?
  /// Failed: a negative error code.
  public var status: Int32

  public init(
    _ state: State, request: UInt64 = 0, position: PlaybackReport.Position? = nil, duration: Nanoseconds? = nil,
    seekable: ClosedRange<ItemTime>? = nil, status: Int32 = 0
  ) {
    self.state = state
    self.request = request
    self.position = position
    self.duration = duration
    self.seekable = seekable
    self.status = status
  }
}

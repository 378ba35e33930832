/// Abilities of a renderer, as its host says.
public struct RendererAbilities: Equatable, Sendable {
  /// `play` keeps its host time within 1 ms, also when that lies ahead.
  public var startsExactly: Bool
  public var playsBackwards: Bool
  /// It changes its speed without a gap.
  public var nudges: Bool
  /// It gets ready at a position and stands there (`cue`); otherwise it is paused and sought.
  public var cues: Bool
  /// Its position can be asked for; otherwise it reports positions by itself.
  public var tellsPosition: Bool
  /// Greatest change of speed, as a part of 1.
  public var nudgeLimit: Double
  /// ns.
  public var deadBand: Nanoseconds

  public init(
    startsExactly: Bool = false, playsBackwards: Bool = false, nudges: Bool = true, cues: Bool = true,
    tellsPosition: Bool = true, nudgeLimit: Double = 0, deadBand: Nanoseconds = 0
  ) {
    self.startsExactly = startsExactly
    self.playsBackwards = playsBackwards
    self.nudges = nudges
    self.cues = cues
    self.tellsPosition = tellsPosition
    self.nudgeLimit = nudgeLimit > 0 ? nudgeLimit : DriftParameters.nudgeLimit
    self.deadBand = deadBand > 0 ? deadBand : DriftParameters.deadBand
  }
}

/// Command to a renderer (`unisono_renderer_command`).
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

/// Report of a renderer (`unisono_renderer_report`).
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

import UnisonoBase
import UnisonoCoordination

/// Abilities of a renderer, as its host says.
package struct RendererAbilities: Equatable, Sendable {
  /// `play` keeps its host time within 1 ms, also when that lies ahead.
  package var startsExactly: Bool
  package var playsBackwards: Bool
  /// It changes its speed without a gap.
  package var nudges: Bool
  /// It gets ready at a position and stands there (`cue`); otherwise it is paused and sought.
  package var cues: Bool
  /// Its position can be asked for; otherwise it reports positions by itself.
  package var tellsPosition: Bool
  /// Greatest change of speed, as a part of 1.
  package var nudgeLimit: Double
  /// ns.
  package var deadBand: Nanoseconds

  package init(
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
package struct RendererCommand: Equatable, Sendable {
  package enum Kind: UInt8, Sendable { case load, cue, play, pause, seek, nudge, volume, size, stop }

  package var kind: Kind
  /// Comes back in the report that answers; never 0, never used twice.
  package var request: UInt64
  /// nil: stop.
  package var item: ItemID?
  package var uri: [UInt8] = []
  /// Cue, play; nudge: factor on top.
  package var rate: Double = 0
  /// Load, cue, play, seek.
  package var itemTime: ItemTime = 0
  /// Play: when `itemTime` holds.
  package var hostTime: HostTime?
  /// Seek; `.max`: any.
  package var toleranceBefore: Nanoseconds = 0
  package var toleranceAfter: Nanoseconds = 0
  /// 0...1, ducking applied.
  package var volume: Double = 0
  package var width: Int32 = 0
  package var height: Int32 = 0
}

/// Report of a renderer (`unisono_renderer_report`).
package struct RendererReport: Equatable, Sendable {
  package enum State: Int32, Sendable {
    case position = 0, ready, seeked, playing, paused, stalled, recovered, ended, failed
  }

  package var state: State
  /// The command this answers; 0: it speaks by itself.
  package var request: UInt64
  /// nil: not said.
  package var position: PlaybackReport.Position?
  /// ns; nil: not said; `.max`: live.
  package var duration: Nanoseconds?
  /// nil: not said.
  package var seekable: ClosedRange<ItemTime>?
  /// Failed: a negative error code.
  package var status: Int32

  package init(
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

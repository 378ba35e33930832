/// What a renderer can do, as its host says.
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

/// The parameters of coordination section 4: keeping in sync after the start.
enum DriftParameters {
  /// Half of what people notice between sound and sound; hosts that show frames only say half a frame.
  static let deadBand: Nanoseconds = .milliseconds(5)
  /// How much the speed is changed at most, where the host does not allow more.
  static let nudgeLimit = 0.02
  static let greatestNudgeLimit = 0.1
  /// A nudge is sized to be through with the error after this long.
  static let horizon: Nanoseconds = .seconds(2)
  /// A nudge above this is made smaller on the way, so that it does not overshoot.
  static let coarseNudge = 0.005
  /// A correction begins at this part of the band, so that the error stays inside it, and ends at this one.
  static let beginning = 0.8
  static let ending = 0.05
  /// What a nudge can still mend; more is a seek.
  static let seekTolerance: Nanoseconds = .milliseconds(400)
  /// The same for renderers whose speed cannot be changed.
  static let seekToleranceWithoutNudges: Nanoseconds = .milliseconds(100)
  static let greatestSeekTolerance: Nanoseconds = .milliseconds(3_200)
  /// From the end of one corrective seek to the next, at least.
  static let seekGap: Nanoseconds = .milliseconds(1_500)
  /// Two corrective seeks within this are thrashing: the tolerance doubles.
  static let thrashing: Nanoseconds = .seconds(10)
  /// The tolerance halves again after this long without one.
  static let calm: Nanoseconds = .seconds(60)
  /// Samples that an estimate is made of, and their greatest age.
  static let windowCount = 9
  static let windowAge: Nanoseconds = .milliseconds(1_500)
  static let leastSamples = 4
  /// After a start or a seek a renderer's clock is not yet to be believed.
  static let settling: Nanoseconds = .milliseconds(150)
  /// A nudge is judged once it should have moved the player by this much.
  static let judgedEffect: Nanoseconds = .milliseconds(8)
  /// A renderer that did not honour nudges is tried again after this long.
  static let retrial: Nanoseconds = .seconds(120)
}

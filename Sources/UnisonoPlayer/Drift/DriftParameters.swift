import UnisonoBase

/// The parameters of coordination section 4: keeping in sync after the start.
enum DriftParameters {
  /// Half of what people notice between sound and sound; hosts that show frames only say half a frame.
  static let deadBand: Nanoseconds = .milliseconds(5)
  /// Greatest change of speed where the host does not allow more, parts of 1.
  static let nudgeLimit = 0.02
  static let greatestNudgeLimit = 0.1
  /// A correction begins at this part of the band, so that the error stays inside it.
  static let beginning = 0.8
  /// Time within which the rest of a start or a seek is nudged away.
  static let horizon: Nanoseconds = .seconds(1)
  /// In rest a correction takes this long, and the next one begins no earlier than this after it.
  static let restHorizon: Nanoseconds = .milliseconds(10_500)
  /// Overshoot of a correction where only coarse nudges help, in bands, so that it lasts.
  static let beyond = 0.7
  /// Distance, in bands and in any case, of a player that was thrown off: it is brought back like after a start. Below, as when a clock on
  /// a mobile network has learnt much at once, nobody notices that it takes ten seconds.
  static let thrownBands: Int64 = 4
  static let thrown: Nanoseconds = .milliseconds(25)
  /// What a nudge mends within this is left to it: a disturbed player is within a frame of its group in 2 s, measuring included.
  static let soon: Nanoseconds = .milliseconds(1_400)
  /// From the end of a seek until it is known where that led.
  static let judgement: Nanoseconds = .milliseconds(300)
  /// Distance that is left to nudges where no seek may be made for now.
  static let seekTolerance: Nanoseconds = .milliseconds(400)
  /// So many samples in a row that lie far off the ones before, and this close together, say that the player was thrown off; or any
  /// for that long.
  static let agreeing = 3
  static let agreement: Nanoseconds = .milliseconds(10)
  static let strayAge: Nanoseconds = .seconds(1)
  static let greatestSeekTolerance: Nanoseconds = .milliseconds(3_200)
  /// From the beginning of one corrective seek to the next, and from the end of any, at least.
  static let seekGap: Nanoseconds = .seconds(2)
  static let seekRest: Nanoseconds = .seconds(1)
  /// So many corrective seeks are made within this at most.
  static let seeksInARow = 3
  static let seekRow: Nanoseconds = .seconds(30)
  /// Two corrective seeks within this are thrashing: the tolerance doubles.
  static let thrashing: Nanoseconds = .seconds(10)
  /// The tolerance halves again each time that this passes without one.
  static let calm: Nanoseconds = .seconds(60)
  /// Samples that an estimate is made of, and their greatest age.
  static let windowCount = 9
  static let windowAge: Nanoseconds = .milliseconds(1_500)
  static let leastSamples = 4
  /// Samples that scatter by more than this are judged by a full window, but for a seek.
  static let coarse: Nanoseconds = .milliseconds(12)
  /// After a start or a seek a renderer's clock is not yet to be believed.
  static let settling: Nanoseconds = .milliseconds(150)
  /// A change of speed above `notable` is heard only when what is in the renderer's buffers has been played.
  static let nudgeSettling: Nanoseconds = .milliseconds(400)
  static let notable = 0.001
  /// A nudge is judged once it should have moved the player by this much, or when it is over.
  static let judgedEffect: Nanoseconds = .milliseconds(20)
  static let leastJudgedEffect: Nanoseconds = .microseconds(2_500)
  /// Several nudges that told nothing each are judged together within this.
  static let trialAge: Nanoseconds = .seconds(60)
  /// A renderer that did not honour nudges is tried again after this long.
  static let retrial: Nanoseconds = .seconds(120)

  // The filter behind the learnt rate error.

  /// A sample is never taken to be better than this, ns.
  static let leastDeviation = 100_000.0
  /// The scatter of samples is that of so many.
  static let scatterSamples = 100.0
  /// Wander of the distance by itself (clocks that are set right), ns per square root of a second.
  static let wander = 100_000.0
  /// Wander of the rate error, ns/s per square root of a second.
  static let rateWander = 300.0
  /// Rate error that may be expected of sound cards and clocks, ns/s.
  static let firstRateDeviation = 200_000.0
  /// A rate error is acted upon once it is known this well, and not below the least, parts of 1.
  static let knownRate = 30e-6
  static let leastRate = 3e-6
}

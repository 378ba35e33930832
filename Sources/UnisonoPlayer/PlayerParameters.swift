import UnisonoBase

/// The player layer's own times and widths.
enum PlayerParameters {
  /// Debounce of a stall: a shorter standstill is none.
  static let stallDebounce: Nanoseconds = .milliseconds(300)
  /// A renderer that stops by itself this close to the end of its item has ended it.
  static let end: Nanoseconds = .milliseconds(500)
  /// A player this close to where it should be need not seek: a film frame.
  static let sameFrame: Nanoseconds = .milliseconds(40)
  static let samePosition: Nanoseconds = .milliseconds(2)
  /// A start that would be later than this is aimed anew by a seek.
  static let lateStart: Nanoseconds = .milliseconds(100)
  /// A player that stands a little ahead waits for the group this long at most.
  static let earlyStart: Nanoseconds = .milliseconds(400)
  /// A seek under way that leads this far from where it should is replaced, not waited for.
  static let elsewhere: Nanoseconds = .seconds(1)
  /// A renderer that says it plays, and is seen at one place for this long, stands: longer than any start that is learnt takes, and
  /// a few frames of a film that is played slowly.
  static let standing: Nanoseconds = .milliseconds(2_500)
  static let standingFrames: Nanoseconds = .milliseconds(120)
  /// The group is told anew what a start takes here if that has changed by this.
  static let notableLatency: Nanoseconds = .milliseconds(5)
  /// Room for the way to the renderer, on top of what it is known to need.
  static let aimMargin: Nanoseconds = .milliseconds(30)
  /// People notice a jump of this size.
  static let jump: Nanoseconds = .milliseconds(100)
  /// Positions are asked for about this often while something may be to be corrected, and that much slower in rest.
  static let sampling: Nanoseconds = .milliseconds(60)
  static let samplingVariation: Nanoseconds = .milliseconds(50)
  /// After a start that is most urgent.
  static let samplingAtStart: Nanoseconds = .milliseconds(35)
  static let samplesAtStart = 8
  static let calmFactor: Int64 = 4
  /// A player that was in step for this long is calm.
  static let calm: Nanoseconds = .seconds(5)
  /// Positions go to the group at most this often.
  static let reportInterval: Nanoseconds = .seconds(1)
  /// A seek that moved nothing, because everybody stands there, is over after this: coalescing has passed by then.
  static let seekAnswer: Nanoseconds = .milliseconds(150)
  /// A seek that nothing came of is given up after this.
  static let seekLimit: Nanoseconds = .seconds(15)
  /// "What did they say" is played this fast where nothing was said, and at least this much faster than the group.
  static let replayRate = 2.0
  static let replayGain = 1.25
}

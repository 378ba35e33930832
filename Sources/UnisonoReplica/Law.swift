import UnisonoBase

/// Constants that decide what is valid and what state follows from it: everybody must use the same, or the group splits without
/// a word (docs/spec/coordination.md, section 3). What one participant may choose for itself is in `Parameters`.
package enum Law {
  /// Rates are -16...16.
  package static let greatestRate = WireLimits.rate
  /// A start lies at most this far from its stamp.
  package static let greatestLead: Nanoseconds = .seconds(2)
  /// How long a command waits for others, where the host did not say.
  package static let waitLimit: Nanoseconds = .seconds(10)
  /// How long a command may wait for persons who are not ready.
  package static let readyLimit: Nanoseconds = .seconds(600)
  /// How far ahead a start may be scheduled.
  package static let scheduleLimit: Nanoseconds = .seconds(7 * 86_400)
  /// A pending start this long after its deadline, with nobody to write it, is treated as paused.
  package static let lostStart: Nanoseconds = .seconds(10)
  /// Items that nobody has, with nothing newer than this, are forgotten; digests are silent about them a little before.
  package static let collection: Nanoseconds = .seconds(600)
  package static let digestSilence: Nanoseconds = .seconds(540)
}

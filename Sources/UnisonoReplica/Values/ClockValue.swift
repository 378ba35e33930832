import UnisonoBase

/// How a hub's clock maps onto group time: `group = clock + offset` (coordination 2.1).
package struct ClockValue: Hashable, Sendable {
  /// ns.
  package var offset: Nanoseconds
  /// Bound of the offset's error, us; from `guess` on, whoever wrote it did not know group time.
  package var error: UInt32
  /// Of clocks of one service (coordination 2.1): counts the clocks that group time went by, one after another. What was said in an earlier
  /// turn is of no use any more: the clocks drifted apart since.
  package var turn: UInt32

  /// What a guess of group time states beyond the bound within which those who go by it agree, us: half an hour, so that
  /// whatever is known counts more, by the same order as all else.
  package static let guess: UInt32 = 1 << 31

  package var isGuess: Bool { error >= Self.guess }

  /// How far those who go by it are off each other at most, ns.
  package var bound: Nanoseconds { .microseconds(Int64(isGuess ? error - Self.guess : error)) }

  package init(offset: Nanoseconds, error: UInt32, turn: UInt32 = 0) {
    self.offset = offset
    self.error = error
    self.turn = turn
  }
}

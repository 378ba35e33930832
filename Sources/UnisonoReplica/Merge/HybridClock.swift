import UnisonoBase

/// Makes stamps that are real time where there is any, and never before what was seen (coordination 2.2).
package struct HybridClock: Sendable {
  package private(set) var largestSeen: GroupTime = 0

  /// Stamps farther ahead than this, plus the clock's error, are held until they are due.
  package static let futureLimit: Nanoseconds = .milliseconds(500)
  /// Stamps that far ahead are refused: no clock in a group that plays together is off by so much.
  package static let refusedLimit: Nanoseconds = .seconds(10)

  package init() {}

  /// The time of the next own stamp; `now` nil: no group time is known, so it is only after everything seen.
  package mutating func next(now: GroupTime?) -> GroupTime {
    largestSeen = max(now ?? .min, largestSeen.adding(1))
    return largestSeen
  }

  package mutating func observe(_ time: GroupTime) { largestSeen = max(largestSeen, time) }
}

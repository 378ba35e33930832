/// When and by whom something was written: orders commands of people (coordination 2.2).
public struct Stamp: Hashable, Comparable, Sendable {
  /// Group time, ns; a hybrid clock: `max(now, largest seen + 1)`.
  public var time: GroupTime
  public var author: ParticipantID

  public init(time: GroupTime, author: ParticipantID) {
    self.time = time
    self.author = author
  }

  public static func < (left: Self, right: Self) -> Bool { (left.time, left.author) < (right.time, right.author) }
}

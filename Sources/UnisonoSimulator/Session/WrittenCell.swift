import UnisonoBase
import UnisonoReplica

/// A command's cell as its author first sent it.
package struct WrittenCell {
  /// True time at which it was given.
  package var at: Nanoseconds
  package var author: String
  package var key: RegisterKey
  package var stamp: Stamp
  package var value: RegisterValue
  /// Under which it was given.
  package var policy: PolicyID
  /// True time at which it was first sent.
  package var sentAt: Nanoseconds
  /// It was sent at once: its author took itself for connected.
  package var isFresh: Bool
  /// It was given in the very turn in which its author then read that its link was lost, or others'.
  package var isUnaware: Bool
  /// None of those who were there when it was sent had ever heard of its author at this coordinator: what that one had is its group's
  /// state to them. Not so where a named one's session was apart when it was given, and one of them had met anybody there.
  package var isToNewcomers: Bool
  /// How far its author's group time was off at most, ns.
  package var clockError: Nanoseconds
  /// How far its author's group time was off where nobody who was there knew it: all had slept, and it was guessed, ns.
  package var guess: Nanoseconds
  /// The link carried messages at that instant and others were in the room.
  package var isInGroup: Bool
}

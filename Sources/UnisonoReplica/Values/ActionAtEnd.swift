/// What happens when an item is played to its end: one register of the whole session, the newest counts (coordination 2.7).
///
/// The session's and not each player's own, as a group of which some go on to the next item and some do not is none any more.
package enum ActionAtEnd: UInt8, CaseIterable, Sendable {
  /// Each goes on to the next item of its queue; who has none stands, and the group is paused there.
  case advance = 0
  /// Everybody stays on the item, and the group is paused at its end.
  case pause
  /// Everybody stays on the item, and the group's rate stays as it is.
  case none
}

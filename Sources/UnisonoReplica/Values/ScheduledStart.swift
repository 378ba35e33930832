import UnisonoBase

/// A start at a time that the group agreed on: one register of the whole session, the newest counts (coordination 2.7, wire 8.20).
package struct ScheduledStart: Hashable, Sendable {
  package var item: ItemID
  package var instant: GroupTime
  /// What the author's calendar clock shows then, ns since 1970, for people; nil: it did not say. Nothing is decided by it.
  package var calendarTime: Int64?

  package init(item: ItemID, instant: GroupTime, calendarTime: Int64? = nil) {
    self.item = item
    self.instant = instant
    self.calendarTime = calendarTime
  }
}

import UnisonoBase

/// Cell P of an item: where it was last moved to (coordination 2.3).
package struct PositionValue: Equatable, Sendable {
  package var rank: CellKey.Rank
  package var position: ItemTime
  package var waits: [Wait]
  /// Group time at which waiting ends.
  package var deadline: GroupTime?
  /// Of a confirmation: whose command it is and when that was given.
  package var original: Stamp?

  package init(
    rank: CellKey.Rank, position: ItemTime, waits: [Wait] = [], deadline: GroupTime? = nil, original: Stamp? = nil
  ) {
    self.rank = rank
    self.position = position
    self.waits = waits
    self.deadline = deadline
    self.original = original
  }
}

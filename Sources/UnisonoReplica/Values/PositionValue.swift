import UnisonoBase

/// Cell P of an item: where it was last moved to (coordination 2.3).
package struct PositionValue: Equatable, Sendable {
  package var rank: CellKey.Rank
  package var position: ItemTime
  package var waits: [Wait]
  /// Group time at which waiting ends.
  package var deadline: GroupTime?
  /// Group time until which the start waits for persons who are not ready, and participants whose persons it does not wait for:
  /// a seek keeps these of the start that it moves.
  package var readyUntil: GroupTime?
  package var named: [ParticipantID]
  /// Of a confirmation: whose command it is and when that was given.
  package var original: Stamp?

  package init(
    rank: CellKey.Rank, position: ItemTime, waits: [Wait] = [], deadline: GroupTime? = nil,
    readyUntil: GroupTime? = nil, named: [ParticipantID] = [], original: Stamp? = nil
  ) {
    self.rank = rank
    self.position = position
    self.waits = waits
    self.deadline = deadline
    self.readyUntil = readyUntil
    self.named = named
    self.original = original
  }
}

/// Cell P of an item: where it was last moved to (coordination 2.3).
public struct PositionValue: Equatable, Sendable {
  public var rank: CellKey.Rank
  public var position: ItemTime
  public var waits: [Wait]
  /// Group time at which waiting ends.
  public var deadline: GroupTime?
  /// Of a confirmation: whose command it is and when that was given.
  public var original: Stamp?

  public init(
    rank: CellKey.Rank, position: ItemTime, waits: [Wait] = [], deadline: GroupTime? = nil, original: Stamp? = nil
  ) {
    self.rank = rank
    self.position = position
    self.waits = waits
    self.deadline = deadline
    self.original = original
  }
}

import UnisonoBase
import UnisonoReplica

/// The newest jump on the own item, whoever made it, and where the group was before: what taking it back leads to (coordination 2.15).
struct LastJump: Sendable {
  /// Where the group was; nil: it did not jump since this participant is on the item.
  private(set) var before: ItemTime?
  /// The item as of the last turn.
  private var item: ItemID?
  private var cells: Cells?

  /// Jumps that follow each other within this are one: somebody drags a slider.
  static let merging: Nanoseconds = .seconds(2)

  /// Looks whether the position was commanded anew since the last turn, or a range left out.
  mutating func follow(_ facts: borrowing Facts, _ skip: SkipWatch.Skip?) {
    let cells = facts.own.item.flatMap { facts.registers.cells(of: $0) }
    defer { (item, self.cells) = (facts.own.item, cells) }
    guard item == facts.own.item, let cells, let last = self.cells else {
      before = nil
      return
    }
    if let skip {
      before = skip.from
      return
    }
    // A confirmation names the command that it confirms.
    let (key, lastKey) = (cells.pair.position.command, last.pair.position.command)
    guard key != lastKey, cells.pair.position.rank == .command else { return }
    let left = EffectiveState(last).position(at: key.stamp.time)
    let isOneWithLast = lastKey.rank == .command && key.stamp.time.subtracting(lastKey.stamp.time) < Self.merging
    // Whoever goes back to where it was can go forth again.
    let isTakingBack = before == cells.at
    before = isOneWithLast && !isTakingBack ? before ?? left : left
  }
}

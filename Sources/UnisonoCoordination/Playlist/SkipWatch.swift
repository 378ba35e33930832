import UnisonoBase
import UnisonoReplica

/// Watches the current item for the group's going on at a range's end (coordination 2.20): hosts are told, and it can be taken back.
struct SkipWatch: Sendable {
  struct Skip: Equatable, Sendable {
    /// Where the group was, in the range.
    var from: ItemTime
    /// Where it goes on.
    var to: ItemTime
    /// When, in group time.
    var time: GroupTime
  }

  /// What happened since the last turn; nil: nothing of this kind.
  private(set) var skip: Skip?
  private var item: ItemID?
  private var cells: Cells?

  mutating func follow(_ facts: borrowing Facts) {
    let cells = facts.own.item.flatMap { facts.registers.cells(of: $0) }
    skip = item == facts.own.item ? cells.flatMap { now in self.cells.flatMap { Self.skip(from: $0, to: now, facts) } } : nil
    (item, self.cells) = (facts.own.item, cells)
  }

  private static func skip(from last: Cells, to now: Cells, _ facts: borrowing Facts) -> Skip? {
    guard last.pair.commands == now.pair.commands, let value = now.continuation, let time = now.continued,
      value.sequence > last.continuation?.sequence ?? 0, let before = EffectiveState(last).position(at: time)
    else { return nil }
    switch value.kind {
    case .skip(let from, let to, _): return Skip(from: min(max(before, from), to), to: to, time: time)
    // The start after it came in the same turn: where the group played what leads ahead to a range's end. Where it did not, or not yet, as
    // far as is known here, it may have begun and been held since.
    case .line(_, _, let to?, nil) where now.rate.rate > 0 && to.subtracting(before) > Parameters.sameLine:
      guard case .playing(let playing) = EffectiveState(last), playing.inForce(at: time) != nil,
        let current = facts.registers.playlistCurrent, let entry = facts.registers.playlistEntry(current.value.entry),
        entry.ranges.contains(where: { $0.end == to })
      else { return nil }
      return Skip(from: before, to: to, time: time)
    case .line, .hold, .ended: return nil
    }
  }
}

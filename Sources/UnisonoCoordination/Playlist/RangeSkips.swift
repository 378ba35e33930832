import UnisonoBase
import UnisonoReplica

/// What the group leaves out of the entry that it plays (coordination 2.20): which range it plays into now, and when into the next.
///
/// Where the last command led into a range, that one plays: somebody wants to see it.
struct RangeSkips {
  /// The group is to go on somewhere else.
  struct Skip: Equatable, Sendable {
    /// Where the range begins.
    var from: ItemTime
    /// Where it ends, with those that follow it at once.
    var at: ItemTime
    /// There the entry ends as well.
    var endsEntry: Bool
  }

  private let playing: EffectiveState.Playing
  /// Those that are left out, in their order.
  private let ranges: [SkipRange]
  /// How long the entry is; 0: not known.
  private let duration: Nanoseconds

  /// A range that ends less than this before its entry goes on like the entry's end.
  private static let nearEnd: Nanoseconds = .seconds(1)

  /// nil: nothing of the item is ever left out.
  init?(_ playing: EffectiveState.Playing, cells: Cells, on item: ItemID, _ facts: borrowing Facts) {
    let policy = facts.skipPolicy
    // Backwards a range is played like everything else.
    guard policy != .none, facts.session.phase == .member, playing.line.rate > 0, let current = facts.registers.playlistCurrent,
      let entry = facts.registers.playlistEntry(current.value.entry), entry.item == item
    else { return nil }
    let wanted = cells.at
    // Who comes to an item finds it at its beginning, without having sought that.
    let isSought = cells.position.rank == .command
    let ranges = entry.ranges.filter { range in
      policy.skips(range.kind) && !(range.contains(wanted) && (isSought || wanted != range.begin))
    }
    guard !ranges.isEmpty else { return nil }
    self.playing = playing
    self.ranges = ranges
    duration = entry.copy.duration
  }

  /// What is due at a group time; nil: nothing.
  func due(at time: GroupTime) -> Skip? {
    let position = playing.position(at: time)
    guard let index = ranges.firstIndex(where: { $0.contains(position) }) else { return nil }
    var end = ranges[index].end
    for next in ranges[(index + 1)...] where next.begin == end { end = next.end }
    return Skip(from: ranges[index].begin, at: end, endsEntry: duration > 0 && end.adding(Self.nearEnd) >= duration)
  }

  /// Group time at which the group plays into the next one; nil: none comes.
  func next(after time: GroupTime) -> GroupTime? {
    // The line that begins then is looked at when it does.
    if time < playing.line.since { return playing.line.since }
    let position = playing.position(at: time)
    return ranges.first { $0.begin > position }.map { playing.line.instant(of: $0.begin) }
  }
}

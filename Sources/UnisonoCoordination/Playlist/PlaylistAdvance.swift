import UnisonoBase
import UnisonoReplica

/// Going on to the next entry of the playlist, when the current one was played to its end (coordination 2.17).
///
/// One writes it, as with everything that the library decides: the first of those who may, and each next one a second later. Two who
/// do so at the same time name the same step, of which one counts.
struct PlaylistAdvance: Sendable {
  private struct Due: Equatable, Sendable {
    /// The end that it follows.
    var pair: Pair
    var current: PlaylistCurrent
  }

  /// What is due, and since when in our own view.
  private var due: (step: Due, since: HostTime)?

  mutating func decide(_ facts: borrowing Facts, isReconciling: Bool) -> [Intent] {
    guard let (step, rank, next) = step(facts), !isReconciling else {
      due = nil
      return []
    }
    if due?.step != step { due = (step, facts.now) }
    guard let since = due?.since, !facts.isOwnLinkFresh, facts.now >= since.adding(facts.takeoverDelay(rank: rank)) else {
      return []
    }
    due = nil
    return [.write(.playlistCurrent, .playlistCurrent(next))]
  }

  func wake(_ facts: borrowing Facts) -> HostTime? {
    guard let due, let (step, rank, _) = step(facts), step == due.step else { return nil }
    return due.since.adding(facts.takeoverDelay(rank: rank))
  }

  /// What is due, and our place among those who may do it; nil: nothing, or not ours to do.
  private func step(_ facts: borrowing Facts) -> (Due, rank: Int, next: PlaylistCurrent)? {
    let registers = facts.registers
    guard let current = registers.playlistCurrent, facts.session.phase == .member, facts.actionAtEnd == .advance,
      let item = facts.own.item, registers.playlistEntry(current.value.entry)?.item == item,
      let cells = registers.cells(of: item), cells.hasEnded,
      // An end that was there before the group came to this entry is not its end.
      let ended = cells.continued, ended > current.said.time,
      let next = registers.playlistStep(isByEnd: true), let rank = facts.keeperRank(for: cells, on: item)
    else { return nil }
    return (Due(pair: cells.pair, current: current.value), rank, next)
  }
}

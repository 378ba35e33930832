import UnisonoBase
import UnisonoReplica

/// Whose doing the present state of the current item is, and what kind of doing.
struct StateCause: Equatable, Sendable {
  private(set) var cause: Cause = .unknown
  private(set) var author: ParticipantID = .none
  /// What it was derived from.
  private var item: ItemID?
  private var pair: Pair?
  /// What R said then; 0: paused, or at the end.
  private var speed = 0.0

  /// Looks which cell is new since the last turn; `skips`: the group went on at a range's end since.
  mutating func attribute(_ facts: borrowing Facts, skips: Bool) {
    guard let item = facts.own.item, let cells = facts.registers.cells(of: item) else {
      self = StateCause(cause: .item, author: facts.local, item: facts.own.item)
      return
    }
    let speed = cells.hasEnded ? 0 : cells.rate.rate
    let (isMoving, wasMoving) = (speed != 0, self.speed != 0)
    defer {
      self.item = item
      pair = cells.pair.commands
      self.speed = speed
    }
    if cells.hasEnded {
      cause = .ended
      return
    }
    if cells.isSkipping || skips {
      // By nobody: all decide it alike.
      (cause, author) = (.range, .none)
      return
    }
    if case .hold? = cells.continuation?.kind {
      // Whose stall it is; of several the lowest.
      let stalled = facts.participants(on: item).first { facts.value(of: $0)?.stalled != nil }
      if cause != .stall || pair != cells.pair, let stalled { author = stalled }
      cause = .stall
      return
    }
    guard self.item != item || pair != cells.pair.commands else { return }
    let rateIsNew = pair?.rate != cells.pair.rate.command
    let positionIsNew = pair?.position != cells.pair.position.command
    // Where both are new, what started or stopped the group says more than where.
    let isRate = rateIsNew && (!positionIsNew || isMoving != wasMoving || cells.newer == cells.pair.rate)
    let key = isRate ? cells.pair.rate : cells.pair.position
    author = key.stamp.author
    if isRate, let leaver = facts.leaver(of: cells) {
      author = leaver
      cause = .left
    } else if key.rank != .command {
      cause = .proposal
    } else if !isRate {
      cause = .seek
    } else if !isMoving {
      cause = .pause
    } else {
      // Who does not change the rate of a start makes it without waiting any more.
      cause = wasMoving && speed != self.speed ? .rate : .play
    }
  }
}

extension Facts {
  /// For whose leaving the group is paused; nil: it is not, or whoever is said to have left is here.
  func leaver(of cells: Cells) -> ParticipantID? {
    guard cells.rate.rate == 0, let id = cells.rate.named.first, !isPresent(id) else { return nil }
    return id
  }
}

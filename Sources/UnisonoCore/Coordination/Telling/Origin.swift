/// Whose doing the present state of the current item is, and what kind of doing.
struct Origin: Equatable, Sendable {
  var cause: Cause = .unknown
  var author: ParticipantID = .none
  /// What it was derived from.
  var item: ItemID?
  var pair: Pair?
  var wasMoving = false
}

extension Coordination {
  /// Looks which cell is new since the last turn.
  mutating func noteOrigin() {
    guard let item = host.item, let cells = registers.cells(of: item) else {
      origin = Origin(cause: .item, author: local, item: host.item)
      return
    }
    var isMoving = cells.rate.rate != 0
    defer {
      origin.item = item
      origin.pair = cells.pair.commands
      origin.wasMoving = isMoving
    }
    if cells.hasEnded {
      origin.cause = .ended
      isMoving = false
      return
    }
    if case .hold? = cells.continuation?.kind {
      // Whose stall it is; of several the lowest.
      let stalled = onItem(item).first { value(of: $0)?.stalled != nil }
      if origin.cause != .stall || origin.pair != cells.pair, let stalled { origin.author = stalled }
      origin.cause = .stall
      return
    }
    guard origin.item != item || origin.pair != cells.pair.commands else { return }
    let rateIsNew = origin.pair?.rate != cells.pair.rate.command
    let positionIsNew = origin.pair?.position != cells.pair.position.command
    // Where both are new, what started or stopped the group says more than where.
    let isRate = rateIsNew && (!positionIsNew || isMoving != origin.wasMoving || cells.newer == cells.pair.rate)
    let key = isRate ? cells.pair.rate : cells.pair.position
    origin.author = key.stamp.author
    if key.rank != .command {
      origin.cause = .proposal
    } else if !isRate {
      origin.cause = .seek
    } else if !isMoving {
      origin.cause = .pause
    } else {
      origin.cause = origin.wasMoving ? .rate : .play
    }
  }
}

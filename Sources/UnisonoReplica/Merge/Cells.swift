import UnisonoBase

/// What is known of one item: the pair of cells in force, and what the library decided about exactly that pair.
///
/// It never changes, and is half a kilobyte that each turn asks for a dozen times: hence a class, which is shared.
package final class Cells: Sendable {
  package let pair: Pair
  package let rate: RateValue
  package let position: PositionValue
  package let continuation: ContinuationValue?
  /// When the continuation was written.
  package let continued: GroupTime?

  package init(
    pair: Pair, rate: RateValue, position: PositionValue, continuation: ContinuationValue? = nil,
    continued: GroupTime? = nil
  ) {
    self.pair = pair
    self.rate = rate
    self.position = position
    self.continuation = continuation
    self.continued = continued
  }

  /// Whether the rate's `at` belongs to this position cell; otherwise the position cell itself says where.
  package var rateKnowsPosition: Bool { rate.basePosition?.command == pair.position.command }

  /// Where the pair stands.
  package var at: ItemTime { rateKnowsPosition ? rate.at : position.position }

  /// Key of the newer cell.
  package var newer: CellKey { pair.rate.stamp < pair.position.stamp ? pair.position : pair.rate }

  /// Author of the newer cell.
  package var initiator: ParticipantID { newer.stamp.author }

  /// When the newer cell was commanded.
  package var commanded: GroupTime { newer.stamp.time }

  /// Since when the group is held for somebody who stalls; nil: it is not.
  package var heldSince: GroupTime? {
    if case .hold? = continuation?.kind { continued } else { nil }
  }

  /// The group is on its way over a range that it leaves out.
  package var isSkipping: Bool {
    if case .skip? = continuation?.kind { true } else { false }
  }

  /// Everybody's item has ended.
  package var hasEnded: Bool {
    if case .ended? = continuation?.kind { true } else { false }
  }

  /// Since when the start is waited for.
  package var asked: GroupTime { heldSince ?? (isSkipping ? continued : nil) ?? commanded }

  /// When waiting for the pair ends: the later of the two cells' deadlines.
  package var deadline: GroupTime {
    switch (rate.deadline, position.deadline) {
    case (let rate?, let position?): max(rate, position)
    case (let only?, nil), (nil, let only?): only
    case (nil, nil): commanded.adding(Law.waitLimit)
    }
  }

  /// Reasons that the start waits for: those of the newer cell that waits at all.
  package var waits: [Wait] { rateWaits ? rate.waits : position.waits }

  /// Group time until which the start waits for persons who are not ready, by the same cell; nil: it does not.
  package var readyUntil: GroupTime? { rateWaits ? rate.readyUntil : position.readyUntil }

  /// Participants whose persons the start does not wait for.
  package var excused: [ParticipantID] { rateWaits ? rate.named : position.named }

  /// Whether R says what is waited for, or P.
  private var rateWaits: Bool {
    let rateIsNewer = pair.rate == newer
    return rateIsNewer ? rate.deadline != nil : position.deadline == nil
  }

  /// Somebody has commanded the item to play, and that was not withdrawn while it waited for persons; or it was brought playing.
  package var wasStarted: Bool {
    rate.rate != 0 || rate.rank == .command && rate.readyUntil == nil
  }
}

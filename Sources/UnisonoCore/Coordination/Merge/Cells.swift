/// What is known of one item: the pair of cells in force, and what the library decided about exactly that pair.
struct Cells: Sendable {
  var pair: Pair
  var rate: RateValue
  var position: PositionValue
  var continuation: ContinuationValue?
  /// When the continuation was written.
  var continued: GroupTime?

  init(pair: Pair, rate: RateValue, position: PositionValue) {
    self.pair = pair
    self.rate = rate
    self.position = position
  }

  /// Whether the rate's `at` belongs to this position cell; otherwise the position cell itself says where.
  var rateKnowsPosition: Bool { rate.basePosition?.command == pair.position.command }

  /// Where the pair stands.
  var at: ItemTime { rateKnowsPosition ? rate.at : position.position }

  /// Key of the newer cell.
  var newer: CellKey { pair.rate.stamp < pair.position.stamp ? pair.position : pair.rate }

  /// Author of the newer cell.
  var initiator: ParticipantID { newer.stamp.author }

  /// When the newer cell was commanded.
  var commanded: GroupTime { newer.stamp.time }

  /// Since when the group is held for somebody who stalls; nil: it is not.
  var heldSince: GroupTime? {
    if case .hold? = continuation?.kind { continued } else { nil }
  }

  /// Everybody's item has ended.
  var hasEnded: Bool {
    if case .ended? = continuation?.kind { true } else { false }
  }

  /// Since when the start is waited for.
  var asked: GroupTime { heldSince ?? commanded }

  /// When waiting for the pair ends: the later of the two cells' deadlines.
  var deadline: GroupTime {
    switch (rate.deadline, position.deadline) {
    case (let rate?, let position?): max(rate, position)
    case (let only?, nil), (nil, let only?): only
    case (nil, nil): commanded.adding(Parameters.waitLimit)
    }
  }

  /// Reasons that the start waits for: those of the newer cell that waits at all.
  var waits: [Wait] {
    let rateIsNewer = pair.rate == newer
    if rateIsNewer ? rate.deadline != nil : position.deadline != nil {
      return rateIsNewer ? rate.waits : position.waits
    }
    return rateIsNewer ? position.waits : rate.waits
  }
}

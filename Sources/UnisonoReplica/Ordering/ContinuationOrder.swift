import UnisonoBase

/// The order of continuations (coordination 2.3):
/// `contKey = (base.R, base.P, seq, kind[line < hold = skip < ended], tail, author)`.
///
/// The base comes first, so that a continuation of older cells can never hide one of newer cells (2.4).
package struct ContinuationOrder: Sendable {
  package var cells: CellOrder

  /// `backwards`: the rate of the base is negative, so that of two holds the one farther ahead counts.
  package func compare(
    _ left: ContinuationValue, by leftAuthor: ParticipantID, _ right: ContinuationValue, by rightAuthor: ParticipantID,
    backwards: Bool
  ) -> Comparison {
    cells.compare(left.base, right.base)
      .then(Comparison(left.sequence, right.sequence))
      .then(Comparison(rank(left.kind), rank(right.kind)))
      .then(tail(left.kind, right.kind, backwards: backwards))
      .then(Comparison(leftAuthor, rightAuthor))
  }

  private func rank(_ kind: ContinuationValue.Kind) -> Int {
    switch kind {
    case .line: 0
    case .hold, .skip: 1
    case .ended: 2
    }
  }

  private func tail(_ left: ContinuationValue.Kind, _ right: ContinuationValue.Kind, backwards: Bool) -> Comparison {
    if let left = left.heldAt, let right = right.heldAt { return backwards ? Comparison(left, right) : Comparison(right, left) }
    return switch (left, right) {
    case (.line(let leftCoverage, let leftSince, _, _), .line(let rightCoverage, let rightSince, _, _)):
      Comparison(leftCoverage, rightCoverage).then(Comparison(leftSince, rightSince))
    case (.ended(let leftAt), .ended(let rightAt)):
      Comparison(leftAt, rightAt)
    default:
      .equal
    }
  }
}

extension ContinuationValue.Kind {
  /// Where everybody gets ready for going on; nil: nobody does.
  fileprivate var heldAt: ItemTime? {
    switch self {
    case .hold(let at, _), .skip(_, let at, _): at
    case .line, .ended: nil
    }
  }
}

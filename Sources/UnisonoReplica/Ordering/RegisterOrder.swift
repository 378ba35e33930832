/// The order of statements of one register: the greater one is the register's value (coordination 2.3).
///
/// Every order is total and ends in author and time, so that `max` is idempotent, commutative and associative. Who lies signs two values
/// with one stamp: then the bytes that were signed decide, the same everywhere.
package struct RegisterOrder: Sendable {
  package var cells: CellOrder

  /// Errors below this count as this, us.
  package static let leastClockError: UInt32 = 100

  package init(policies: PolicyOrder) { cells = CellOrder(policies: policies) }

  /// `backwards` as in `ContinuationOrder`.
  package func compare(_ left: Statement, _ right: Statement, backwards: Bool = false) -> Comparison {
    ranked(left, right, backwards: backwards).then(signed(left, right))
  }

  private func ranked(_ left: Statement, _ right: Statement, backwards: Bool) -> Comparison {
    let rest = Comparison(left.author, right.author).then(Comparison(left.time, right.time))
    switch (left.value, right.value) {
    case (.clock(let leftValue), .clock(let rightValue)):
      // Whole milliseconds, so that the finest measurement does not make the register change for ever.
      return policy(left, right)
        .then(guess(leftValue, rightValue))
        .then(Comparison(leftValue.turn, rightValue.turn))
        .then(Comparison(wholeMilliseconds(rightValue), wholeMilliseconds(leftValue)))
        .then(Comparison(right.said.author, left.said.author)).then(Comparison(left.said.time, right.said.time))
        .then(Comparison(left.stamp, right.stamp))
    case (.rate, .rate), (.position, .position):
      guard let leftKey = left.cellKey, let rightKey = right.cellKey else { return rest }
      return cells.compare(leftKey, rightKey).then(rest)
    case (.continuation(let leftValue), .continuation(let rightValue)):
      return ContinuationOrder(cells: cells)
        .compare(leftValue, by: left.author, rightValue, by: right.author, backwards: backwards)
        .then(Comparison(left.time, right.time))
    case (.activity, .activity), (.stallPolicy, .stallPolicy), (.actionAtEnd, .actionAtEnd), (.startPolicy, .startPolicy),
      (.scheduledStart, .scheduledStart), (.skipPolicy, .skipPolicy), (.audience, .audience):
      return policy(left, right).then(Comparison(left.said, right.said)).then(Comparison(left.stamp, right.stamp))
    case (.playlistEntry(let leftValue), .playlistEntry(let rightValue)):
      // What was removed comes back by nothing that was written at the same time or later.
      return policy(left, right)
        .then(Comparison(leftValue.isRemoved ? 1 : 0, rightValue.isRemoved ? 1 : 0))
        .then(Comparison(left.said, right.said)).then(Comparison(left.stamp, right.stamp))
    case (.playlistCurrent(let leftValue), .playlistCurrent(let rightValue)):
      // Of two who go on from the same entry the first counts, and a command that came since beats both.
      return policy(left, right)
        .then(Comparison(leftValue.base ?? left.said, rightValue.base ?? right.said))
        .then(Comparison(leftValue.step, rightValue.step))
        .then(Comparison(right.said, left.said)).then(Comparison(left.stamp, right.stamp))
    case (.end, .end):
      // Set is set; which of two counts must only be the same everywhere.
      return policy(left, right).then(Comparison(left.stamp, right.stamp))
    default:
      return Comparison(left.stamp, right.stamp)
    }
  }

  /// Of an own statement there are no other bytes.
  private func signed(_ left: Statement, _ right: Statement) -> Comparison {
    guard let left = left.signed?.body, let right = right.signed?.body, left != right else { return .equal }
    return left.lexicographicallyPrecedes(right) ? .less : .greater
  }

  /// Knowledge before a guess; of two guesses the later group time counts: each is too early.
  private func guess(_ left: ClockValue, _ right: ClockValue) -> Comparison {
    if left.isGuess, right.isGuess { return Comparison(left.offset, right.offset) }
    return left.isGuess == right.isGuess ? .equal : left.isGuess ? .less : .greater
  }

  private func wholeMilliseconds(_ value: ClockValue) -> UInt32 { max(value.error, Self.leastClockError) / 1_000 }

  private func policy(_ left: Statement, _ right: Statement) -> Comparison {
    if cells.policies.precedes(left.policy, right.policy) { return .less }
    return cells.policies.precedes(right.policy, left.policy) ? .greater : .equal
  }
}

extension Statement {
  /// The identity of a cell R or P: a confirmation keeps the stamp of the command that it confirms. Nil for other registers.
  package var cellKey: CellKey? {
    switch value {
    case .rate(let value): CellKey(policy: policy, rank: value.rank, stamp: value.original ?? stamp)
    case .position(let value): CellKey(policy: policy, rank: value.rank, stamp: value.original ?? stamp)
    default: nil
    }
  }
}

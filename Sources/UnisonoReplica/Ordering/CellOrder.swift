/// The order of cells R and P (coordination 2.3): `(policy version, rank, rank = command ? +Stamp : -Stamp)`.
///
/// Any command beats any proposal, an explicit proposal beats a NULL one; the latest command wins, and the oldest proposal.
package struct CellOrder: Sendable {
  package var policies: PolicyOrder

  package func compare(_ left: CellKey, _ right: CellKey) -> Comparison {
    policy(left, right)
      .then(Comparison(left.rank, right.rank))
      .then(left.rank == .command ? Comparison(left.stamp, right.stamp) : Comparison(right.stamp, left.stamp))
  }

  package func compare(_ left: Pair, _ right: Pair) -> Comparison {
    compare(left.rate, right.rate).then(compare(left.position, right.position))
  }

  private func policy(_ left: CellKey, _ right: CellKey) -> Comparison {
    if policies.precedes(left.policy, right.policy) { return .less }
    return policies.precedes(right.policy, left.policy) ? .greater : .equal
  }
}

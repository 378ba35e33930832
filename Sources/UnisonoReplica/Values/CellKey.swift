import UnisonoBase

/// Who wrote a cell, by which right and when: the identity and the order of cells R and P (coordination 2.3).
package struct CellKey: Hashable, Sendable {
  /// The policy it cites; compared in the order of policies, which a `PolicyOrder` knows.
  package var policy: PolicyID
  package var rank: Rank
  /// Of the original command; a confirmation keeps it.
  package var stamp: Stamp

  /// What kind of write a cell is; greater beats lower.
  package enum Rank: UInt8, Sendable, Comparable {
    case nullProposal = 0
    case proposal = 1
    case command = 2

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  package init(policy: PolicyID, rank: Rank, stamp: Stamp) {
    self.policy = policy
    self.rank = rank
    self.stamp = stamp
  }

  /// The command alone: a confirmation cites another policy, but commands nothing new.
  package var command: CellKey { CellKey(policy: .none, rank: rank, stamp: stamp) }
}

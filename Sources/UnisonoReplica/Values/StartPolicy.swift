import UnisonoBase

/// What a start waits for beside players, and what the group does when a person leaves: one register of the whole session, the
/// newest counts (coordination 2.16).
///
/// Like the stall policy not a part of the signed policy: whoever may command may set it, and it decides nothing about rights.
package struct StartPolicy: Hashable, Sendable {
  /// Which starts wait until all persons who are present have said that they are ready.
  package enum Waiting: UInt8, CaseIterable, Sendable {
    case none = 0
    /// The first start of an item.
    case first
    /// Every start from a pause.
    case every
  }

  /// What the running group does when a person who was present leaves.
  package enum Leaving: UInt8, CaseIterable, Sendable {
    case goOn = 0
    case pause
  }

  package var waiting: Waiting
  /// How long a start waits at most for who does not get ready, ns; 0...600 s.
  package var limit: Nanoseconds
  package var leaving: Leaving

  package static let none = StartPolicy(waiting: .none)
  /// What a limit that the host does not give means, and what one may be.
  package static let usualLimit: Nanoseconds = .seconds(60)
  package static let limits: ClosedRange<Nanoseconds> = 0...Law.readyLimit

  package init(waiting: Waiting, limit: Nanoseconds = usualLimit, leaving: Leaving = .goOn) {
    self.waiting = waiting
    self.limit = limit
    self.leaving = leaving
  }

  package var isPlausible: Bool { Self.limits.contains(limit) }
}

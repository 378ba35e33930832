import UnisonoBase

/// Cell R of an item: play, pause and rate (coordination 2.3). Its key comes from the statement that carries it.
package struct RateValue: Equatable, Sendable {
  package var rank: CellKey.Rank
  /// 0 paused; else item ns per ns, -16...16.
  package var rate: Double
  /// The position this was commanded at, ns; counts only while P is still `basePosition`.
  package var at: ItemTime
  /// Key of the P that `at` belongs to; nil: there was none.
  package var basePosition: CellKey?
  /// A pause that moves the others to `at`.
  package var snap: Bool
  package var waits: [Wait]
  /// Group time at which waiting ends.
  package var deadline: GroupTime?
  /// Group time before which the start waits for others of the session to come to the item.
  package var settle: GroupTime?
  /// Group time until which the start waits for persons who are not ready; nil: it does not. On a pause: it withdrew a start that
  /// waited so.
  package var readyUntil: GroupTime?
  /// Of a start: participants whose persons it does not wait for. Of a pause: who left, so that the group is paused. Ascending,
  /// at most `WireLimits.namedPersons`.
  package var named: [ParticipantID]
  /// Of a confirmation: whose command it is and when that was given; nil: the statement's own.
  package var original: Stamp?

  package init(
    rank: CellKey.Rank, rate: Double, at: ItemTime, basePosition: CellKey? = nil, snap: Bool = false,
    waits: [Wait] = [],
    deadline: GroupTime? = nil, settle: GroupTime? = nil, readyUntil: GroupTime? = nil,
    named: [ParticipantID] = [], original: Stamp? = nil
  ) {
    self.rank = rank
    self.rate = rate
    self.at = at
    self.basePosition = basePosition
    self.snap = snap
    self.waits = waits
    self.deadline = deadline
    self.settle = settle
    self.readyUntil = readyUntil
    self.named = named
    self.original = original
  }
}

/// A suspension reason that a start waits for, up to a size of the group.
package struct Wait: Hashable, Sendable {
  package var reason: String
  /// The wait holds while the session has at most this many participants; `UInt32.max`: no limit.
  package var limit: UInt32

  package init(reason: String, limit: UInt32 = .max) {
    self.reason = reason
    self.limit = limit
  }
}

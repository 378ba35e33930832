/// Cell R of an item: play, pause and rate (coordination 2.3). Its key comes from the statement that carries it.
public struct RateValue: Equatable, Sendable {
  public var rank: CellKey.Rank
  /// 0 paused; else item ns per ns, -16...16.
  public var rate: Double
  /// The position this was commanded at, ns; counts only while P is still `basePosition`.
  public var at: ItemTime
  /// Key of the P that `at` belongs to; nil: there was none.
  public var basePosition: CellKey?
  /// A pause that moves the others to `at`.
  public var snap: Bool
  public var waits: [Wait]
  /// Group time at which waiting ends.
  public var deadline: GroupTime?
  /// Group time before which the start waits for others of the session to come to the item.
  public var settle: GroupTime?
  /// Of a confirmation: whose command it is and when that was given; nil: the statement's own.
  public var original: Stamp?

  public init(
    rank: CellKey.Rank, rate: Double, at: ItemTime, basePosition: CellKey? = nil, snap: Bool = false,
    waits: [Wait] = [],
    deadline: GroupTime? = nil, settle: GroupTime? = nil, original: Stamp? = nil
  ) {
    self.rank = rank
    self.rate = rate
    self.at = at
    self.basePosition = basePosition
    self.snap = snap
    self.waits = waits
    self.deadline = deadline
    self.settle = settle
    self.original = original
  }
}

/// A suspension reason that a start waits for, up to a size of the group.
public struct Wait: Hashable, Sendable {
  public var reason: String
  /// The wait holds while the session has at most this many participants; `UInt32.max`: no limit.
  public var limit: UInt32

  public init(reason: String, limit: UInt32 = .max) {
    self.reason = reason
    self.limit = limit
  }
}

/// Memory that all connections together use, against what they may.
struct ByteBudget: Equatable, Sendable {
  private(set) var limit: Int
  private(set) var used = 0

  init(limit: Int) { self.limit = limit }

  mutating func setLimit(_ new: Int) { limit = new }

  var isOver: Bool { used > limit }

  /// One holder has `count` now instead of what it noted last.
  mutating func change(_ noted: inout Int, to count: Int) {
    used += count - noted
    noted = count
  }
}

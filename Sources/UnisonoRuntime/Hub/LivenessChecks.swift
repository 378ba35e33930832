/// Round of checks over all connections of a hub, once a second: a few in each turn of the loop.
struct LivenessChecks {
  /// Connections checked in one turn; most need nothing.
  static let perTurn = 1_024

  /// Numbers of connections that this round has not come to yet.
  private var pending: ArraySlice<UInt64> = []

  var isUnderWay: Bool { !pending.isEmpty }

  /// Begins a round, if none is under way.
  mutating func begin(_ numbers: @autoclosure () -> [UInt64]) {
    if pending.isEmpty { pending = numbers()[...] }
  }

  /// The next one to check; nil: the round is through.
  mutating func next() -> UInt64? { pending.popFirst() }
}

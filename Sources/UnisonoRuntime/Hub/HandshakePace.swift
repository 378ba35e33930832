import UnisonoBase

/// Pace of what costs a hub keys and signatures, for those who have not entered yet: a few in one turn, so that many who come at once do
/// not keep what others say waiting. How many there are in a second is `EntryGate`'s.
struct HandshakePace {
  static let perTurn = 2
  /// From one turn to the next.
  static let pause = Nanoseconds.microseconds(200)

  private var count = 0
  /// Connections with a frame that waits, in order.
  private var waiting: [UInt64] = []

  /// Nothing is read of those who have not entered before the next turn.
  var isUsedUp: Bool { count >= Self.perTurn }

  /// One was made; whether it is the first of this turn, whose end is to be looked after.
  mutating func countHandshake() -> Bool {
    count += 1
    return count == 1
  }

  /// A connection waits for the next turn.
  mutating func wait(_ connection: UInt64) { waiting.append(connection) }

  /// The next turn begins; those who waited, in order.
  mutating func beginTurn() -> [UInt64] {
    defer { waiting = [] }
    count = 0
    return waiting
  }
}

import UnisonoReplica

/// Departures that rooms have not heard of yet, by room; rooms in the order in which somebody left them first.
struct Departures {
  private var gone: [UInt64: [Departure]] = [:]
  private var rooms: ArraySlice<UInt64> = []

  var isEmpty: Bool { gone.isEmpty }

  mutating func add(_ departure: Departure, to room: UInt64) {
    if gone[room] == nil { rooms.append(room) }
    gone[room, default: []].append(departure)
  }

  /// Removes the departures of the room that waits longest.
  mutating func next() -> (room: UInt64, gone: [Departure])? {
    guard let room = rooms.popFirst(), let gone = gone.removeValue(forKey: room) else { return nil }
    return (room, gone)
  }

  /// Removes the departures of one room, out of turn; nil: nobody left it.
  mutating func remove(of room: UInt64) -> [Departure]? {
    guard let gone = gone.removeValue(forKey: room) else { return nil }
    rooms.removeAll { $0 == room }
    return gone
  }
}

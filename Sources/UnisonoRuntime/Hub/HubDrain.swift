import UnisonoBase

/// The end of a hub in order: nobody enters any more, room after room is told to move (wire 3.9), and it is over once nobody is here
/// or the time is.
///
/// Phases: serving; draining, from `begin` on; over, once `isOver` says so. Everybody of one room is told in the same turn, so that all
/// set out to the next hub together; rooms are told evenly over half of the time at most, and no faster than other hubs let people in.
struct HubDrain {
  /// Entries a second that other hubs are taken to have place for (wire 10).
  private static let entriesPerSecond: Int64 = 200
  /// Between two looks.
  private static let step = Nanoseconds.milliseconds(20)
  /// Time until a refused entry is tried again.
  static let retry = Nanoseconds.seconds(1)

  /// Host time at which it ends; nil: it serves.
  private(set) var end: HostTime?
  private var begun: HostTime = 0
  /// Over which rooms are told.
  private var spread: Nanoseconds = 0
  private var rooms: [UInt64] = []
  private var told = 0

  var isUnderWay: Bool { end != nil }

  /// Begins. `rooms`: numbers of those with somebody in them, with `members` in all.
  mutating func begin(within: Nanoseconds, rooms: [UInt64], members: Int, now: HostTime) {
    guard end == nil else { return }
    end = now.adding(within)
    begun = now
    self.rooms = rooms
    let needed = Nanoseconds.seconds(1) * Int64(clamping: members) / Self.entriesPerSecond
    // Few are told at once: they are a burst that any hub takes.
    spread = members <= 64 ? 0 : min(within / 2, needed)
  }

  /// Numbers of the rooms that are told now.
  mutating func next(now: HostTime) -> ArraySlice<UInt64> {
    let elapsed = now.subtracting(begun)
    let due =
      elapsed >= spread
      ? rooms.count : min(rooms.count, 1 + Int(Double(rooms.count) * Double(elapsed) / Double(spread)))
    defer { told = max(told, due) }
    return rooms[told..<max(told, due)]
  }

  /// ms that are left.
  func left(now: HostTime) -> UInt32 { UInt32(clamping: (end ?? now).subtracting(now) / .milliseconds(1)) }

  /// Whether there is nothing left to wait for. `isEmpty`: nobody is in any room.
  func isOver(isEmpty: Bool, now: HostTime) -> Bool { end.map { isEmpty || now >= $0 } ?? false }

  /// Time of the next look.
  func nextLook(now: HostTime) -> HostTime? { end.map { min($0, now.adding(Self.step)) } }
}

import UnisonoWire

/// Rooms that strangers opened with passes at this hub, and are in; and how much one may have open (wire 3.7).
struct OpenedRooms: Sendable {
  /// Rooms that one group may have open at a time: doors change while a session moves.
  private static let roomsOfGroup = 4

  private var groups: [[UInt8]: PassGroup] = [:]

  /// A group opens a room; false: it has too many, or as many groups of its serial as may have some, `limit`. `elsewhere`: rooms that
  /// groups of the serial have open at other hubs of the set.
  mutating func open(_ topic: [UInt8], by group: PassGroup, limit: Int, elsewhere: [UInt64: Int]) -> Bool {
    guard count(of: group) + (elsewhere[group.group] ?? 0) < Self.roomsOfGroup else { return false }
    let others = Set(groups.values.filter { $0.serial == group.serial }.map(\.group)).union(elsewhere.keys)
    guard others.contains(group.group) || others.count < limit else { return false }
    groups[topic] = group
    return true
  }

  /// Nobody is in a room any more.
  mutating func close(_ topic: [UInt8]) { groups[topic] = nil }

  /// Who opened a room; nil: it was opened without a pass, or is not open.
  func group(of topic: [UInt8]) -> PassGroup? { groups[topic] }

  func count(of group: PassGroup) -> Int { groups.values.count { $0 == group } }
}

import UnisonoBase

/// Notices that keepers of doors left for those who come to a room that its session left for good: sealed for who has the
/// invite, and theirs to judge. A hub can neither read it nor act on it. Not for ever.
///
/// Anybody who may open rooms can leave some: what one keeper's address, or prefix, left is bounded, and where all together are too
/// many it is the oldest of whoever has most that goes (wire 10).
struct DoorNotices: Sendable {
  static let capacity = 1_024
  /// Of one keeper.
  static let perKeeper = 16
  static let memory = 4 << 20
  static let lifetime = Nanoseconds.seconds(86_400)
  /// Greatest length of one. A policy of some hundred participants fits.
  static let longest = 32_768

  private struct Notice {
    let topic: [UInt8]
    let envelope: [UInt8]
    let keeper: [UInt8]
    let until: HostTime
  }

  /// Oldest first, one for each room.
  private var notices: [Notice] = []
  private var bytes = 0

  var count: Int { notices.count }

  /// The newest word about a room stands; one that is too long changes nothing. `keeper`: names who left it; `age`: how long ago.
  ///
  /// - Returns: whether it is kept.
  @discardableResult
  mutating func keep(_ envelope: [UInt8], for topic: [UInt8], by keeper: [UInt8], age: Nanoseconds = 0, now: HostTime) -> Bool {
    let until = now.adding(Self.lifetime - age)
    guard envelope.count <= Self.longest, until > now, !notices.contains(where: { $0.topic == topic && $0.until > until }) else {
      return false
    }
    remove { $0.topic == topic || $0.until <= now }
    if notices.count(where: { $0.keeper == keeper }) >= Self.perKeeper { removeOldest(of: keeper) }
    while notices.count >= Self.capacity || bytes + envelope.count > Self.memory, let greatest { removeOldest(of: greatest) }
    notices.append(Notice(topic: topic, envelope: envelope, keeper: keeper, until: until))
    bytes += envelope.count
    return true
  }

  /// Keeper that has most bytes here; of several the one whose notice is the oldest. nil: there are none.
  private var greatest: [UInt8]? {
    let shares = notices.reduce(into: [[UInt8]: Int]()) { $0[$1.keeper, default: 0] += $1.envelope.count }
    let most = shares.values.max()
    return notices.first { shares[$0.keeper] == most }?.keeper
  }

  private mutating func removeOldest(of keeper: [UInt8]) {
    guard let index = notices.firstIndex(where: { $0.keeper == keeper }) else { return }
    bytes -= notices[index].envelope.count
    notices.remove(at: index)
  }

  /// All of them, oldest first.
  func all(now: HostTime) -> [(topic: [UInt8], envelope: [UInt8], keeper: [UInt8], age: Nanoseconds)] {
    notices.filter { now < $0.until }.map { ($0.topic, $0.envelope, $0.keeper, Self.lifetime - $0.until.subtracting(now)) }
  }

  func notice(for topic: [UInt8], now: HostTime) -> [UInt8]? {
    notices.first { $0.topic == topic && now < $0.until }?.envelope
  }

  private mutating func remove(where isOver: (Notice) -> Bool) {
    bytes -= notices.filter(isOver).reduce(0) { $0 + $1.envelope.count }
    notices.removeAll(where: isOver)
  }
}

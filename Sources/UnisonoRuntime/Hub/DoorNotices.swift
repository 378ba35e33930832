import UnisonoBase

/// Notices that keepers of doors left for those who come to a room that its session left for good: sealed for who has the
/// invite, and theirs to judge. A hub can neither read it nor act on it. Not for ever.
struct DoorNotices: Sendable {
  /// Over one of these the oldest is forgotten.
  static let capacity = 1_024
  static let memory = 4 << 20
  static let lifetime = Nanoseconds.seconds(86_400)
  /// Greatest length of one. A policy of some hundred participants fits.
  static let longest = 32_768

  private struct Notice {
    let topic: [UInt8]
    let envelope: [UInt8]
    let until: HostTime
  }

  /// Oldest first, one for each room.
  private var notices: [Notice] = []
  private var bytes = 0

  var count: Int { notices.count }

  /// The newest word about a room stands; one that is too long changes nothing.
  mutating func keep(_ envelope: [UInt8], for topic: [UInt8], now: HostTime) {
    guard envelope.count <= Self.longest else { return }
    remove { $0.topic == topic || $0.until <= now }
    while let oldest = notices.first, notices.count >= Self.capacity || bytes + envelope.count > Self.memory {
      bytes -= oldest.envelope.count
      notices.removeFirst()
    }
    notices.append(Notice(topic: topic, envelope: envelope, until: now.adding(Self.lifetime)))
    bytes += envelope.count
  }

  func notice(for topic: [UInt8], now: HostTime) -> [UInt8]? {
    notices.first { $0.topic == topic && now < $0.until }?.envelope
  }

  private mutating func remove(where isOver: (Notice) -> Bool) {
    bytes -= notices.filter(isOver).reduce(0) { $0 + $1.envelope.count }
    notices.removeAll(where: isOver)
  }
}

import UnisonoCore

/// Rooms that their sessions left for good: nobody is the first behind such a door any more, and waits there for people
/// who will not come. Nothing but the rooms' names, and not for ever.
struct ShutDoors: Sendable {
  /// Over it the oldest is forgotten.
  static let capacity = 1_024
  static let lifetime = Nanoseconds.seconds(86_400)

  private var until: [[UInt8]: HostTime] = [:]
  /// Names with their times, oldest first; one that was shut again stands there twice.
  private var order: [(topic: [UInt8], until: HostTime)] = []

  var count: Int { until.count }

  mutating func shut(_ topic: [UInt8], now: HostTime) {
    let end = now.adding(Self.lifetime)
    until[topic] = end
    order.append((topic, end))
    while let oldest = order.first, oldest.until <= now || order.count > Self.capacity {
      order.removeFirst()
      if until[oldest.topic] == oldest.until { until[oldest.topic] = nil }
    }
  }

  func isShut(_ topic: [UInt8], now: HostTime) -> Bool { until[topic].map { now < $0 } ?? false }
}

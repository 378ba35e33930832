import UnisonoBase

/// How often each participant in a room, which is one connection, leaves word there: one a second, two at once, as who keeps a door for the
/// last moment says so twice.
struct NoticePace: Sendable {
  private struct Keeper: Hashable {
    let id: ParticipantID
    let topic: [UInt8]
  }

  private var paces: [Keeper: TokenBucket] = [:]
  /// So many make it worth looking whom to forget.
  private var most = 64

  /// Whether it may leave another one now, which counts then.
  mutating func admits(_ id: ParticipantID, in topic: [UInt8], now: HostTime) -> Bool {
    if paces.count >= most { forgetIdle(now: now) }
    let keeper = Keeper(id: id, topic: topic)
    var pace = paces[keeper] ?? TokenBucket(rate: 1, burst: 2, now: now)
    defer { paces[keeper] = pace }
    return pace.spend(now: now)
  }

  /// Forgetting these changes nothing.
  private mutating func forgetIdle(now: HostTime) {
    for (keeper, var pace) in paces where pace.isFull(now: now) { paces[keeper] = nil }
    most = max(64, 2 * paces.count)
  }
}

import UnisonoBase

/// Rate at which addresses that members told are dialled: as many at once as an invite has hubs, so that the next hub is found
/// quickly when one dies, and then so many a second that a whole group brings a stranger's machine no more than `ofAll`, or one of each
/// participant where they are more (docs/decisions/session.md).
struct DialBudget: Sendable {
  /// Of one participant, per second, at least and at most.
  static let least = 1.0
  static let most = 8.0
  /// Of all in a room together, per second.
  static let ofAll = 32.0
  static let burst = 16.0
  /// Attempts that peeks leave for the moment in which the own hub dies.
  static let reserve = 3.0
  /// So long a room counts after it became smaller: a group that falls apart is as many as before.
  static let memory = Nanoseconds.seconds(60)

  private var bucket: TokenBucket
  private var room: (size: Int, at: HostTime)

  init(now: HostTime) {
    bucket = TokenBucket(rate: Self.rate(inRoomOf: 1), burst: Self.burst, now: now)
    room = (1, now)
  }

  static func rate(inRoomOf size: Int) -> Double { min(most, max(least, ofAll / Double(max(1, size)))) }

  /// So many are in the room now, this participant included.
  mutating func setRoom(size: Int, now: HostTime) {
    guard size >= room.size || now >= room.at.adding(Self.memory) else { return }
    let isOther = size != room.size
    room = (size, now)
    guard isOther else { return }
    var next = TokenBucket(rate: Self.rate(inRoomOf: size), burst: Self.burst, now: now)
    next.charge(Self.burst - bucket.level(now: now), now: now)
    bucket = next
  }

  /// Spends one attempt; nil: it may begin. Else: when it may, host time.
  mutating func spend(now: HostTime, keeping reserve: Double = 0) -> HostTime? {
    if bucket.isEmpty(1 + reserve, now: now) { return bucket.time(of: 1 + reserve, now: now) }
    bucket.charge(1, now: now)
    return nil
  }
}

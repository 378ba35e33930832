import UnisonoBase

/// Numbers of what a run's own members do in a room, and when others are told the newest, so that they notice what they lack (hubs 7.1).
struct RoomFeed {
  /// After the newest word. The last is later than any outage that nobody notices.
  static let pauses: [Nanoseconds] = [.milliseconds(200), .seconds(1), .seconds(4)]
  /// After those.
  static let interval = Nanoseconds.seconds(15)

  /// Number of the newest word.
  private(set) var head: UInt64
  private var newest: HostTime
  private var told: HostTime
  private var stage = 0

  /// Words begin above `head`.
  init(above head: UInt64, now: HostTime) {
    self.head = head
    newest = now
    told = now
  }

  /// The number of one word more.
  mutating func add(now: HostTime) -> UInt64 {
    head += 1
    newest = now
    stage = 0
    return head
  }

  /// When others are to be told the head.
  var nextTick: HostTime {
    stage < Self.pauses.count ? newest.adding(Self.pauses[stage]) : told.adding(Self.interval)
  }

  /// Others are told the head now; late by several times, once.
  mutating func tick(now: HostTime) {
    told = now
    while stage < Self.pauses.count, newest.adding(Self.pauses[stage]) <= now { stage += 1 }
  }
}

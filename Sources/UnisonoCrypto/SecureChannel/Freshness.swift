import UnisonoBase

/// When a room began, and whether it is to begin anew, as those who are gone could still read (wire 6.7).
struct Freshness: Sendable {
  /// Who is gone for so long is left out; at most once in so long.
  static let interval = Nanoseconds.seconds(600)
  /// The same where the roster is nearly full.
  static let urgentInterval = Nanoseconds.seconds(60)
  /// The roster of a large room is left as it is up to so many; beyond so many it is urgent.
  static let largeRoom = 32
  static let largeRoster = 384
  static let urgentRoster = 480
  /// Between two looks.
  static let look = Nanoseconds.seconds(30)

  private var began: HostTime = .min
  private(set) var nextLook: HostTime = .min

  mutating func began(now: HostTime) {
    began = now
    nextLook = now.adding(Self.look)
  }

  mutating func looked(now: HostTime) { nextLook = now.adding(Self.look) }

  /// - Parameters:
  ///   - readers: on the roster.
  ///   - gone: those of them who left, or are lost, for `interval`; who has just left is none.
  ///   - absent: all of them who are not here.
  ///   - population: those who are here.
  func isDue(readers: Int, gone: Int, absent: Int, population: Int, now: HostTime) -> Bool {
    if readers > Self.urgentRoster { return absent > 0 && now >= began.adding(Self.urgentInterval) }
    guard gone > 0, now >= began.adding(Self.interval) else { return false }
    return population <= Self.largeRoom || readers > Self.largeRoster
  }
}

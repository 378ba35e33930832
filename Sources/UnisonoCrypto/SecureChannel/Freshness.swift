import UnisonoBase

/// When a room began, and whether it is to begin anew, as those who are gone could still read (wire 6.7).
struct Freshness: Sendable {
  /// Who is gone for so long is left out; at most once in so long.
  static let interval = Nanoseconds.seconds(600)
  /// The same where the roster is nearly full.
  static let urgentInterval = Nanoseconds.seconds(10)
  /// Of those who are not here, so many who were here last are named then: the others are let in again when they come.
  static let urgentAbsent = 32
  /// The roster of a large room is left as it is up to so many; beyond so many it is urgent.
  static let largeRoom = 32
  static let largeRoster = 384
  static let urgentRoster = 480
  /// Between two looks.
  static let look = Nanoseconds.seconds(30)
  static let urgentLook = Nanoseconds.seconds(1)

  private var began: HostTime = .min
  private var looked: HostTime = .min

  mutating func begin(now: HostTime) {
    began = now
    looked = now
  }

  /// A look is taken.
  mutating func look(now: HostTime) { looked = now }

  /// Host time of the next look at a roster of so many.
  func nextLook(readers: Int) -> HostTime {
    guard Self.isUrgent(readers: readers) else { return looked.adding(Self.look) }
    return max(looked.adding(Self.urgentLook), began.adding(Self.urgentInterval))
  }

  static func isUrgent(readers: Int) -> Bool { readers > urgentRoster }

  /// - Parameters:
  ///   - readers: on the roster.
  ///   - gone: those of them who left, or are lost, for `interval`; who has just left is none.
  ///   - absent: all of them who are not here.
  ///   - population: those who are here.
  func isDue(readers: Int, gone: Int, absent: Int, population: Int, now: HostTime) -> Bool {
    if Self.isUrgent(readers: readers) { return absent > Self.urgentAbsent && now >= began.adding(Self.urgentInterval) }
    guard gone > 0, now >= began.adding(Self.interval) else { return false }
    return population <= Self.largeRoom || readers > Self.largeRoster
  }
}

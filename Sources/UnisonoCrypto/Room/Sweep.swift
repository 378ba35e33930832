import UnisonoCore

/// When to forget those who are gone: every now and then, and at once where many have come since the last time.
struct Sweep: Sendable {
  static let interval = Nanoseconds.seconds(30)
  /// So many more than were left the last time.
  static let margin = 256

  private var next: HostTime = .min
  private var left = 0

  /// `count`: what is kept now.
  func isDue(count: Int, now: HostTime) -> Bool { now >= next || count > left + Self.margin }

  mutating func note(left count: Int, now: HostTime) {
    left = count
    next = now.adding(Self.interval)
  }
}

import UnisonoBase

/// Schedule of forgetting those who are gone: from time to time, and at once where many have come since the last time.
struct Sweep: Sendable {
  static let interval = Nanoseconds.seconds(30)
  /// Growth since the last sweep that makes one due at once.
  static let margin = 256

  private var next: HostTime = .min
  private var remaining = 0

  /// `count`: what is kept now.
  func isDue(count: Int, now: HostTime) -> Bool { now >= next || count > remaining + Self.margin }

  mutating func finished(remaining count: Int, now: HostTime) {
    remaining = count
    next = now.adding(Self.interval)
  }
}

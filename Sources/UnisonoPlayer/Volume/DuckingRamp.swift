import UnisonoBase

/// Lowers the content while others speak and brings it back: 200 ms down, 800 ms up, reversible midway.
///
/// The person's own volume is kept: what is given out is that times the gain.
struct DuckingRamp: Sendable {
  /// Gain of the content while somebody speaks.
  static let ducked = 0.3
  static let attack: Nanoseconds = .milliseconds(200)
  static let release: Nanoseconds = .milliseconds(800)
  /// Between two steps of a ramp: finer than the ear resolves.
  static let step: Nanoseconds = .milliseconds(20)

  private var from = 1.0
  private var to = 1.0
  private var since: HostTime = 0

  /// Somebody began to speak, or all ceased: the ramp turns round where it is.
  mutating func duck(_ ducks: Bool, at now: HostTime) {
    let target = ducks ? Self.ducked : 1
    guard target != to else { return }
    from = gain(at: now)
    to = target
    since = now
  }

  func gain(at now: HostTime) -> Double {
    let whole = to < 1 ? Self.attack : Self.release
    guard now.subtracting(since) < whole else { return to }
    // The speed is that of a whole ramp, so that half a way takes half the time.
    let way = (1 - Self.ducked) * Double(now.subtracting(since)) / Double(whole)
    return to < from ? max(to, from - way) : min(to, from + way)
  }

  func isMoving(at now: HostTime) -> Bool { gain(at: now) != to }
}

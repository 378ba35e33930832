import UnisonoBase

/// At most so many things in a second.
struct RateWindow: Sendable {
  let perSecond: Int
  private var count = 0
  private var since: HostTime = .min

  init(perSecond: Int) { self.perSecond = perSecond }

  mutating func take(now: HostTime) -> Bool {
    if now.subtracting(since) >= .seconds(1) {
      since = now
      count = 0
    }
    count += 1
    return count <= perSecond
  }
}

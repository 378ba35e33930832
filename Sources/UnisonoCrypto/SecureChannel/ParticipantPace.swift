import UnisonoBase

/// How often something is done for one participant; of as many of them as a roster can have (wire 10).
struct ParticipantPace: Sendable {
  private let full: TokenBucket
  private var buckets: [ParticipantID: TokenBucket] = [:]

  /// - Parameters:
  ///   - rate: a second.
  ///   - burst: at once.
  init(rate: Double, burst: Double) { full = TokenBucket(rate: rate, burst: burst) }

  /// False: too often.
  mutating func spend(_ id: ParticipantID, now: HostTime) -> Bool {
    if buckets[id] == nil, buckets.count >= WireLimits.roster {
      buckets = buckets.filter { entry in var bucket = entry.value; return !bucket.isFull(now: now) }
      guard buckets.count < WireLimits.roster else { return false }
    }
    return buckets[id, default: full].spend(now: now)
  }
}

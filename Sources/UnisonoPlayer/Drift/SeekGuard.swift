import UnisonoBase

/// Keeps corrective seeks apart: never two within 1.5 s, and ever rarer where they do not last.
struct SeekGuard: Sendable {
  private var last: HostTime?
  private var factor: Int64 = 1
  /// No corrective seek was made since the player was last started.
  private var isNewRun = false

  /// Whether one may be made now.
  func allows(at now: HostTime) -> Bool {
    last.map { now >= $0.adding(DriftParameters.seekGap) } ?? true
  }

  /// `tolerance` as it is widened by what was tried in vain.
  func widened(_ tolerance: Nanoseconds) -> Nanoseconds {
    min(tolerance * factor, max(tolerance, DriftParameters.greatestSeekTolerance))
  }

  /// The player is started: a seek that mends this start does not say that the one before did not last.
  mutating func beginRun() { isNewRun = true }

  mutating func beginSeek(at now: HostTime) {
    defer { isNewRun = false }
    if let last {
      let gap = now.subtracting(last)
      if gap < DriftParameters.thrashing, !isNewRun {
        factor = min(factor * 2, 32)
      } else if gap > DriftParameters.calm {
        factor = max(1, factor / 2)
      }
    }
    last = now
  }

  /// The seek has come to its end: the pause until the next one counts from here.
  mutating func endSeek(at now: HostTime) {
    if last != nil { last = now }
  }
}

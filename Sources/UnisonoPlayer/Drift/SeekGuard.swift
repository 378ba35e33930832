import UnisonoBase

/// Keeps corrective seeks apart: never two within 2 s, three in 30 s at most, and ever rarer where they do not last.
struct SeekGuard: Sendable {
  /// When the last ones began; as many as may be made in a row.
  private var begun: [HostTime] = []
  /// When the renderer was last through with a seek.
  private var ended: HostTime?
  private var factor: Int64 = 1
  /// No corrective seek was made since the player was last started, or thrown off.
  private var isNewRun = false

  /// Whether one may be made now.
  func allows(at now: HostTime) -> Bool {
    if let last = begun.last, now < last.adding(DriftParameters.seekGap) { return false }
    if let ended, now < ended.adding(DriftParameters.seekRest) { return false }
    guard begun.count == DriftParameters.seeksInARow else { return true }
    return now >= begun[0].adding(DriftParameters.seekRow)
  }

  /// `tolerance` as it is widened by what was tried in vain, which counts for less the longer ago that was.
  func widened(_ tolerance: Nanoseconds, at now: HostTime) -> Nanoseconds {
    min(tolerance * factor(at: now), max(tolerance, DriftParameters.greatestSeekTolerance))
  }

  private func factor(at now: HostTime) -> Int64 {
    guard factor > 1, let last = begun.last else { return factor }
    let calm = now.subtracting(last) / DriftParameters.calm
    return max(1, factor >> min(max(calm, 0), 32))
  }

  /// The player is started, or something threw it off: a seek that mends this does not say that the one before did not last.
  mutating func beginRun() { isNewRun = true }

  mutating func beginSeek(at now: HostTime) {
    defer { isNewRun = false }
    if let last = begun.last {
      let gap = now.subtracting(max(last, ended ?? last))
      factor = gap < DriftParameters.thrashing && !isNewRun ? min(factor * 2, 32) : factor(at: now)
    }
    begun.append(now)
    if begun.count > DriftParameters.seeksInARow { begun.removeFirst() }
  }

  /// The seek has come to its end.
  mutating func endSeek(at now: HostTime) { ended = now }
}

/// Stalls: told and acted upon once they outlast the debounce; they end by themselves.
extension MediaPlayer {
  /// The renderer stands although it should run.
  mutating func halt() {
    guard renderer.haltedSince == nil else { return }
    renderer.haltedSince = now
    stopNudging()
    // The group that waits has a debounce of its own.
    if holdsGroup { tellGroup() }
  }

  /// A stall of this player stops the group: it is told, and takes part in the waiting.
  var holdsGroup: Bool { groupWaitsForStalls && !isAlone }

  mutating func reviewHalt() {
    guard let since = renderer.haltedSince, !renderer.isStalled,
      now >= since.adding(PlayerParameters.stallDebounce)
    else { return }
    renderer.isStalled = true
    counters.stalls += 1
    let here = renderer.position?.itemTime ?? 0
    renderer.rest(at: here, now: now)
    tellGroup()
    if apart.isEmpty, !holdsGroup { apart.stall = beginOwn(Suspensions.stallRecovery) }
  }

  mutating func endStallSuspension() {
    guard let id = apart.stall else { return }
    apart.stall = nil
    rejoin(from: id)
  }
}

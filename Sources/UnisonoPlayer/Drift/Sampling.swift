import UnisonoBase

/// The schedule by which the renderer is asked where it is.
struct Sampling: Sendable {
  private(set) var next: HostTime?
  /// Since when nothing had to be corrected.
  private var calmSince: HostTime = 0
  private var reported: HostTime?
  private var count: Int64 = 0
  /// Since the player began to run.
  private var sinceStart = 0

  /// The player begins to run.
  mutating func begin(at now: HostTime) {
    calmSince = now
    sinceStart = 0
    next = now.adding(DriftParameters.settling)
  }

  /// Nothing is asked until it runs.
  mutating func pause() { next = nil }

  /// The player may have been thrown off: it is asked again soon.
  mutating func hasten(at now: HostTime) {
    guard let next else { return }
    self.next = min(next, now.adding(PlayerParameters.samplingAtStart))
  }

  mutating func recordCorrection(at now: HostTime) { calmSince = now }

  /// The distance varies, so that it beats with no frame rate.
  mutating func schedule(at now: HostTime) {
    count += 1
    sinceStart += 1
    if sinceStart < PlayerParameters.samplesAtStart {
      next = now.adding(PlayerParameters.samplingAtStart)
      return
    }
    let interval = PlayerParameters.sampling + (count * 37_000_000) % PlayerParameters.samplingVariation
    let isCalm = now.subtracting(calmSince) > PlayerParameters.calm
    next = now.adding(isCalm ? interval * PlayerParameters.calmFactor : interval)
  }

  /// Whether the group is to hear where it is, which it does now and then.
  mutating func claimReport(at now: HostTime) -> Bool {
    if let reported, now < reported.adding(PlayerParameters.reportInterval) { return false }
    reported = now
    return true
  }
}

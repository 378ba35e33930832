/// Keeps a running player with the group: nothing inside the dead band, nudges up to a tolerance, one aimed seek beyond it
/// (coordination section 4).
///
/// Errors are given as lead: host ns by which the player is ahead of where it should be, whatever its rate.
public struct DriftController: Sendable {
  public enum Correction: Equatable, Sendable {
    /// Factor on top of the rate; exactly 1 ends a correction.
    case nudge(Double)
    /// Aim `seekCost` ahead.
    case seek
  }

  /// What the player came from when the first samples after it tell how well it was aimed.
  enum Arrival: Sendable { case start, seek }

  private let canNudge: Bool
  private let limit: Double
  private let deadBand: Nanoseconds
  private var window = ErrorWindow()
  private var trust = NudgeTrust()
  private var seeks = SeekGuard()
  private(set) var startLatency = LearntLatency(initially: 0, limit: .seconds(2))
  private(set) var seekCost = LearntLatency(initially: .milliseconds(50), limit: .seconds(10))
  private(set) var statistics = SkewStatistics()
  /// The change of speed in force, 0: none.
  private(set) var nudge = 0.0
  /// What all nudges since the last start should have moved the player by, up to `effectTime`.
  private var effect: Nanoseconds = 0
  private var effectTime: HostTime = 0
  private var arrival: Arrival?
  private var settlesUntil: HostTime = .min

  public init(canNudge: Bool, nudgeLimit: Double, deadBand: Nanoseconds) {
    self.canNudge = canNudge
    limit = min(max(nudgeLimit, 0), DriftParameters.greatestNudgeLimit)
    self.deadBand = deadBand
  }

  /// The player begins to run at its own pace: what was known of its errors is void.
  ///
  /// - Parameter arrival: what the errors that follow tell about; nil: nothing (it came late, or by itself).
  mutating func begin(_ arrival: Arrival?, at now: HostTime) {
    window.clear()
    trust.endTrial()
    nudge = 0
    effect = 0
    effectTime = now
    settlesUntil = now.adding(DriftParameters.settling)
    self.arrival = arrival
    if arrival == .seek { seeks.noteEnd(at: now) }
  }

  /// A seek of the standing player took that long.
  mutating func observeSeek(taking duration: Nanoseconds) { seekCost.observe(duration) }

  /// A corrective seek is made now.
  mutating func noteSeek(at now: HostTime) { seeks.noteSeek(at: now) }

  /// Takes a measured lead in and says what is to be done about it.
  mutating func take(lead: Nanoseconds, at now: HostTime) -> Correction? {
    guard now >= settlesUntil else { return nil }
    effect = effect.adding(now.subtracting(effectTime).scaled(by: nudge))
    effectTime = now
    window.add(residual: lead.subtracting(effect), at: now)
    guard let (residual, spread) = window.estimate, window.count >= DriftParameters.leastSamples else { return nil }
    let lead = residual.adding(effect)
    statistics.add(lead)
    learn(from: lead)
    if lead.absolute > tolerance(at: now) {
      guard seeks.allows(at: now) else { return nil }
      return .seek
    }
    guard canNudge else { return nil }
    return nudged(lead: lead, residual: residual, spread: spread, at: now)
  }

  /// What may be left to nudges, ns; beyond it the player seeks.
  func tolerance(at now: HostTime) -> Nanoseconds {
    let mendable = canNudge && trust.isTrusted(at: now)
    let base = mendable ? DriftParameters.seekTolerance : DriftParameters.seekToleranceWithoutNudges
    return seeks.widened(max(base, deadBand.scaled(by: 2)))
  }

  private mutating func learn(from lead: Nanoseconds) {
    switch arrival {
    case .start where lead.absolute < .seconds(1): startLatency.missed(by: lead)
    case .seek: seekCost.missed(by: lead)
    default: break
    }
    arrival = nil
  }

  private mutating func nudged(
    lead: Nanoseconds, residual: Nanoseconds, spread: Nanoseconds, at now: HostTime
  ) -> Correction? {
    // A clock that scatters more than the band cannot be held inside it.
    let band = max(deadBand, spread / 2)
    guard trust.isTrusted(at: now) else { return change(to: 0, residual: residual) }
    var least = trust.leastNudge
    if nudge != 0 {
      let verdict = trust.judge(
        residual: residual, spread: spread, effect: effect, nudge: nudge, limit: limit, at: now)
      switch verdict {
      case .undecided, .honoured: break
      case .broken: return change(to: 0, residual: residual)
      case .tooSmall:
        least = trust.leastNudge
        return change(to: nudge > 0 ? least : -least, residual: residual)
      }
      let isOver = lead.absolute <= band.scaled(by: DriftParameters.ending) || (lead > 0) == (nudge > 0)
      if isOver { return change(to: 0, residual: residual) }
    } else if lead.absolute <= band.scaled(by: DriftParameters.beginning) {
      return nil
    }
    let wanted = min(max(Double(lead.absolute) / Double(DriftParameters.horizon), least), limit)
    // Small adjustments of a nudge are not worth a change that might be heard.
    let isCoarse = abs(nudge) > DriftParameters.coarseNudge && wanted < abs(nudge) / 2
    guard nudge == 0 || isCoarse || wanted > abs(nudge) * 2 else { return nil }
    return change(to: lead > 0 ? -wanted : wanted, residual: residual)
  }

  private mutating func change(to nudge: Double, residual: Nanoseconds) -> Correction? {
    guard nudge != self.nudge else { return nil }
    self.nudge = nudge
    if nudge == 0 { trust.endTrial() } else { trust.beginTrial(residual: residual, effect: effect) }
    return .nudge(1 + nudge)
  }
}

/// Whether a renderer does what nudges ask, learnt by looking.
struct NudgeTrust: Sendable {
  /// A renderer may round small changes of speed away: the smallest that had an effect; 0: none needed so far.
  private(set) var leastNudge = 0.0
  private var strikes = 0
  private var brokenSince: HostTime?
  /// Residual and commanded effect at the beginning of what is judged.
  private var trial: (residual: Nanoseconds, effect: Nanoseconds)?

  enum Verdict { case undecided, honoured, tooSmall, broken }

  /// False: nudges are of no use, only seeks help.
  func isTrusted(at now: HostTime) -> Bool {
    guard let brokenSince else { return true }
    return now >= brokenSince.adding(DriftParameters.retrial)
  }

  mutating func beginTrial(residual: Nanoseconds, effect: Nanoseconds) { trial = (residual, effect) }
  mutating func endTrial() { trial = nil }

  /// Compares what the nudge did with what it should have done.
  ///
  /// - Parameters:
  ///   - residual: the error without the commanded effect: it stands still while nudges are honoured.
  ///   - effect: what all nudges so far should have moved the player by.
  mutating func judge(
    residual: Nanoseconds, spread: Nanoseconds, effect: Nanoseconds, nudge: Double, limit: Double, at now: HostTime
  ) -> Verdict {
    guard let trial else { return .undecided }
    let commanded = effect.subtracting(trial.effect)
    guard commanded.absolute >= max(DriftParameters.judgedEffect, spread.scaled(by: 2)) else { return .undecided }
    let honoured = 1 + Double(residual.subtracting(trial.residual)) / Double(commanded)
    beginTrial(residual: residual, effect: effect)
    switch honoured {
    case 0.3...:
      strikes = 0
      brokenSince = nil
      return .honoured
    case -0.5..<0.3:
      if abs(nudge) < limit {
        leastNudge = min(limit, abs(nudge) * 2)
        return .tooSmall
      }
      strikes += 1
      guard strikes >= 2 else { return .undecided }
      brokenSince = now
      return .broken
    default:
      // It runs away by more than the nudge is worth: that says nothing about the nudge.
      return .undecided
    }
  }
}

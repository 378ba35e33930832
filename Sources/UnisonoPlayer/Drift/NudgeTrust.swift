import UnisonoBase

/// Whether a renderer does what nudges ask, learnt by looking.
struct NudgeTrust: Sendable {
  /// A renderer may round small changes of speed away: the smallest that had an effect; 0: none needed so far.
  private(set) var leastNudge = 0.0
  private var strikes = 0
  private var brokenSince: HostTime?
  private var trial: Trial?

  /// State at the change of speed that is being judged.
  private struct Trial {
    /// The error without the commanded effect.
    var residual: Nanoseconds
    var time: HostTime
    /// Change of speed, parts of 1.
    var change: Double
    /// Growth of the error by itself, parts of 1.
    var rate: Double
    /// Distance that the change should have moved the player by so far, ns.
    var commanded: Nanoseconds = 0
    /// The change was taken back: it is judged for good.
    var isOver = false
  }

  enum Verdict { case undecided, honoured, tooSmall, broken }

  /// False: nudges are of no use, only seeks help.
  func isTrusted(at now: HostTime) -> Bool {
    guard let brokenSince else { return true }
    return now >= brokenSince.adding(DriftParameters.retrial)
  }

  /// One that ended before it told anything goes on with the next change to the same side: where positions scatter widely, a
  /// renderer that ignores small corrections would be given one after another for ever.
  mutating func beginTrial(of change: Double, residual: Nanoseconds, rate: Double, at now: HostTime) {
    if let open = trial, open.isOver, (open.change > 0) == (change > 0), now < open.time.adding(DriftParameters.trialAge) {
      trial?.isOver = false
      trial?.change = change
      return
    }
    trial = Trial(residual: residual, time: now, change: change, rate: rate)
  }

  mutating func endTrial() { trial = nil }

  /// The change is taken back; what it did can still be judged.
  mutating func closeTrial() { trial?.isOver = true }

  /// The changed speed was in force for so long.
  mutating func passTime(_ duration: Nanoseconds) {
    guard let trial, !trial.isOver else { return }
    self.trial?.commanded = trial.commanded.adding(duration.scaled(by: trial.change))
  }

  /// Compares what the nudge did with what it should have done.
  ///
  /// - Parameter residual: the error without the commanded effect: it stands still while nudges are honoured.
  mutating func judge(residual: Nanoseconds, spread: Nanoseconds, limit: Double, at now: HostTime) -> Verdict {
    guard let trial else { return .undecided }
    let least = max(
      trial.isOver ? DriftParameters.leastJudgedEffect : DriftParameters.judgedEffect, spread.scaled(by: 2))
    guard trial.commanded.absolute >= least else { return .undecided }
    endTrial()
    let byItself = now.subtracting(trial.time).scaled(by: trial.rate)
    let moved = residual.subtracting(trial.residual).subtracting(byItself)
    let honoured = 1 + Double(moved) / Double(trial.commanded)
    switch honoured {
    case 0.3...:
      strikes = 0
      brokenSince = nil
      // It rounded up to a step of its own: that is what it can do.
      if leastNudge > 0, honoured > 1.3 { leastNudge = min(limit, abs(trial.change) * honoured) }
      return .honoured
    case -0.5..<0.3:
      strikes += 1
      // Where positions scatter, or clocks are being set right, once is chance.
      guard strikes >= 2 || isClear(trial, spread) else { return .undecided }
      if abs(trial.change) < limit * 0.99 {
        strikes = 0
        leastNudge = min(limit, max(leastNudge, abs(trial.change)) * 2)
        return .tooSmall
      }
      guard strikes >= 2 else { return .undecided }
      strikes = 0
      brokenSince = now
      return .broken
    default:
      // It runs away by more than the nudge is worth: that says nothing about the nudge.
      return .undecided
    }
  }

  private func isClear(_ trial: Trial, _ spread: Nanoseconds) -> Bool {
    abs(trial.change) < DriftParameters.nudgeLimit && trial.commanded.absolute > spread.scaled(by: 3)
  }
}

import UnisonoBase

/// Keeps a running player with the group: nothing inside the dead band, nudges as far as they are the shorter way back, one aimed
/// seek beyond that (coordination section 4).
///
/// The rest of a start or a seek is nudged away within seconds. In rest the speed is changed at most once in ten seconds:
/// the renderer's own rate error is learnt and taken out by a constant change, so that corrections become rare.
///
/// Errors are given as lead: host ns by which the player is ahead of where it should be, whatever its rate.
package struct DriftController: Sendable {
  package enum Correction: Equatable, Sendable {
    /// Factor on top of the rate.
    case nudge(Double)
    /// Aim `seekCost` ahead.
    case seek
  }

  /// Origin of the player's present motion: the first samples after it tell how well it was aimed.
  enum Arrival: Equatable, Sendable {
    /// Told early by the known latency; it is behind, host ns, as it was told too late for more.
    case start(behind: Nanoseconds)
    case exactStart
    case seek
    case rate
    /// It stood for a moment, and runs on from there.
    case recovery

    init(_ start: StartScheduler.Start) {
      self = if case .early(let behind) = start { .start(behind: behind) } else { .exactStart }
    }
  }

  private let canNudge: Bool
  private let limit: Double
  private let deadBand: Nanoseconds
  private var window = ErrorWindow()
  private var track = ErrorTrack()
  private var trust = NudgeTrust()
  private var seeks = SeekGuard()
  private var blows = BlowWatch()
  private var accuracy = SeekAccuracy()
  /// It was sought while it ran: what that takes is known.
  private var hasSought = false
  private(set) var startLatency = LearntLatency(initially: 0, limit: .seconds(2))
  private(set) var seekCost = LearntLatency(initially: .milliseconds(50), limit: .seconds(10))
  private(set) var statistics = SkewStatistics()
  /// The change of speed in force, 0: none.
  private(set) var nudge = 0.0
  /// The last sample lay so far off that the next ones are to come soon.
  private(set) var mayBeThrown = false
  /// Part of it that takes out the renderer's own rate error, and stays.
  private(set) var constant = 0.0
  private var pulse: NudgePulse?
  private var lastChange: HostTime = .min
  /// The player has just come to where it is, or was thrown off: what is to be corrected is corrected soon.
  private var isArriving = true
  /// Distance that all nudges since the last start should have moved the player by, up to `effectTime`, ns.
  private var effect: Nanoseconds = 0
  private var effectTime: HostTime = 0
  private var arrival: Arrival?
  private var settlesUntil: HostTime = .min

  package init(canNudge: Bool, nudgeLimit: Double, deadBand: Nanoseconds) {
    self.canNudge = canNudge
    limit = min(max(nudgeLimit, 0), DriftParameters.greatestNudgeLimit)
    self.deadBand = deadBand
  }

  /// The player begins to run at its own pace: what was known of its errors is void, what was learnt of its rate is not.
  ///
  /// - Parameter arrival: what the errors that follow tell about; nil: nothing (it runs by itself).
  mutating func begin(_ arrival: Arrival?, at now: HostTime) {
    clearMeasurements()
    pulse = nil
    nudge = constant
    effect = 0
    effectTime = now
    settlesUntil = now.adding(DriftParameters.settling)
    self.arrival = arrival
    switch arrival {
    case .seek: seeks.endSeek(at: now)
    case .start, .exactStart, .recovery: seeks.beginRun()
    case .rate, nil: break
    }
  }

  /// It is somewhere else: what was measured tells nothing of that.
  private mutating func clearMeasurements() {
    window.clear()
    blows.clear()
    mayBeThrown = false
    track.restart()
    trust.endTrial()
    isArriving = true
  }

  /// It is not to be measured yet: it has not begun to move.
  mutating func wait(at now: HostTime) { settlesUntil = now.adding(DriftParameters.settling) }

  /// Another item is loaded: the renderer has its own speed again.
  mutating func renew() {
    constant = 0
    nudge = 0
    pulse = nil
  }

  /// A seek of the standing player took that long.
  mutating func observeSeek(taking duration: Nanoseconds) { seekCost.observe(duration) }

  /// A corrective seek is made now.
  mutating func beginSeek(at now: HostTime) { seeks.beginSeek(at: now) }

  /// Host time at which a nudge ends by itself; nil: none does.
  var nudgeEnds: HostTime? { pulse?.until }

  /// Ends the nudge that is through with its error.
  mutating func endNudge(at now: HostTime) -> Correction? {
    guard let pulse, now >= pulse.until else { return nil }
    passTime(to: now)
    trust.closeTrial()
    self.pulse = nil
    if pulse.isSlow { constant = wantedConstant }
    return change(to: constant, at: now)
  }

  /// Returns what is to be done about a measured lead.
  mutating func correct(lead: Nanoseconds, at now: HostTime) -> Correction? {
    if let end = endNudge(at: now) { return end }
    passTime(to: now)
    guard now >= settlesUntil else { return nil }
    let residual = lead.subtracting(effect)
    guard measure(residual, at: now) else { return nil }
    guard let (center, spread) = window.estimate, window.count >= DriftParameters.leastSamples else { return nil }
    let lead = center.adding(effect)
    statistics.add(lead)
    learn(from: lead)
    // A few samples may lie close together by chance.
    let scatter = max(spread, Nanoseconds((track.deviation * 3).rounded()))
    if lead.absolute > tolerance(at: now).adding(scatter / 2), seeks.allows(at: now) { return .seek }
    guard canNudge else { return nil }
    follow(residual, center, spread, at: now)
    return nudged(lead: lead, center: center, scatter: scatter, at: now)
  }

  /// Takes a sample in; false: it does not count yet.
  private mutating func measure(_ residual: Nanoseconds, at now: HostTime) -> Bool {
    mayBeThrown = false
    if let (center, spread) = window.estimate, window.count >= DriftParameters.leastSamples, window.isFull {
      let scatter = max(spread, Nanoseconds((track.deviation * 3).rounded()))
      switch blows.observe(residual, center: center, scatter: scatter, at: now) {
      case .usual: break
      case .stray:
        mayBeThrown = true
        return false
      case .thrown(let samples):
        clearMeasurements()
        pulse = nil
        seeks.beginRun()
        for sample in samples { window.add(residual: sample, at: now) }
        mayBeThrown = true
        return true
      }
    }
    window.add(residual: residual, at: now)
    return true
  }

  /// Distance that is left to nudges, ns; beyond it the player seeks, if it may.
  func tolerance(at now: HostTime) -> Nanoseconds {
    let isNudged = canNudge && trust.isTrusted(at: now)
    let way = WayBack(nudgeLimit: isNudged ? limit : 0, seekCost: seekCost.value, seekMiss: accuracy.miss)
    let tolerance = seeks.widened(max(way.tolerance, deadBand.scaled(by: 2)), at: now)
    return seeks.allows(at: now) ? tolerance : max(tolerance, DriftParameters.seekTolerance)
  }

  private mutating func learn(from lead: Nanoseconds) {
    switch arrival {
    case .start(let behind) where lead.absolute < .seconds(1): startLatency.missed(by: lead.adding(behind))
    case .seek:
      // What a seek takes while it runs is not what one takes while it stands.
      if hasSought { accuracy.landed(off: lead) }
      hasSought = true
      seekCost.missed(by: lead)
    default: break
    }
    arrival = nil
  }

  private mutating func passTime(to now: HostTime) {
    let passed = now.subtracting(effectTime)
    guard passed > 0 else { return }
    effect = effect.adding(passed.scaled(by: nudge))
    effectTime = now
    trust.passTime(passed)
  }

  /// The slow filter; what a fast change of speed does meanwhile is not for it.
  private mutating func follow(_ residual: Nanoseconds, _ center: Nanoseconds, _ spread: Nanoseconds, at now: HostTime)
  {
    guard pulse?.isSlow ?? true, window.isNear(residual) else { return }
    if let offset = track.offset(at: now), abs(offset - Double(center)) > max(Double(deadBand), 4 * track.deviation) {
      track.restart()
    }
    track.add(residual: residual, center: center, spread: spread, greatestRate: limit / 2, at: now)
  }

  private mutating func nudged(
    lead: Nanoseconds, center: Nanoseconds, scatter: Nanoseconds, at now: HostTime
  ) -> Correction? {
    guard trust.isTrusted(at: now) else { return nudge == 0 ? nil : giveUp(at: now) }
    let isFast = pulse.map { !$0.isSlow } ?? false
    switch trust.judge(residual: center, spread: scatter, limit: limit, at: now) {
    case .undecided, .honoured: break
    case .broken, .tooSmall: return giveUp(at: now)
    }
    // A clock that scatters more than the band cannot be held inside it.
    let band = max(deadBand, scatter / 2)
    if lead.absolute > max(DriftParameters.thrown, band * DriftParameters.thrownBands), !isFast { isArriving = true }
    guard !isFast else { return overshot(lead: lead, band: band, at: now) }
    // A few samples of a coarse clock say less than what they would be corrected by.
    if isArriving, scatter > DriftParameters.coarse, !window.isFull { return nil }
    if isArriving { return arrived(lead: lead, center: center, band: band, at: now) }
    return rested(at: now)
  }

  /// A fast nudge is under way: it ends by itself, unless the player was thrown past where it should be.
  private mutating func overshot(lead: Nanoseconds, band: Nanoseconds, at now: HostTime) -> Correction? {
    guard let pulse, lead.absolute > band, (lead > 0) == (pulse.size > 0) else { return nil }
    passTime(to: now)
    trust.closeTrial()
    self.pulse = nil
    return change(to: constant, at: now)
  }

  /// Soon after a start: what is left is nudged away within seconds.
  private mutating func arrived(
    lead: Nanoseconds, center: Nanoseconds, band: Nanoseconds, at now: HostTime
  ) -> Correction? {
    guard lead.absolute > band.scaled(by: DriftParameters.beginning) else {
      isArriving = false
      lastChange = max(lastChange, now.subtracting(DriftParameters.restHorizon / 2))
      constant = wantedConstant
      return change(to: constant, at: now)
    }
    let wanted = Double(lead.absolute) / Double(DriftParameters.horizon)
    return begin(
      effect: lead.scaled(by: -1), size: min(max(wanted, trust.leastNudge), limit), isSlow: false, center, at: now)
  }

  /// In rest: rarely, and slowly.
  private mutating func rested(at now: HostTime) -> Correction? {
    guard pulse == nil, now >= lastChange.adding(DriftParameters.restHorizon), let offset = track.offset(at: now) else {
      return nil
    }
    let lead = Nanoseconds(offset.rounded()).adding(effect)
    let band = max(deadBand, Nanoseconds((track.deviation * 1.7).rounded()))
    guard lead.absolute > band.scaled(by: DriftParameters.beginning) else { return nil }
    constant = wantedConstant
    var wanted = lead.scaled(by: -1)
    let runsOn = track.rateDeviation < DriftParameters.knownRate && (track.rate + constant > 0) == (lead > 0)
    if trust.leastNudge > 0, runsOn {
      wanted = wanted.adding((lead > 0 ? -1 : 1) * band.scaled(by: DriftParameters.beyond))
    }
    let size = max(Double(wanted.absolute) / Double(DriftParameters.restHorizon), trust.leastNudge)
    return begin(effect: wanted, size: min(size, limit), isSlow: true, Nanoseconds(offset.rounded()), at: now)
  }

  /// The change of speed that takes the renderer's own rate error out, as far as that is known.
  private var wantedConstant: Double {
    if trust.leastNudge > 0 { return 0 }
    // What is known by half is better than nothing.
    guard track.rateDeviation < max(DriftParameters.knownRate, abs(track.rate) / 2) else { return constant }
    if abs(track.rate) < DriftParameters.leastRate { return 0 }
    if abs(track.rate + constant) < DriftParameters.leastRate { return constant }
    return min(max(-track.rate, -limit / 2), limit / 2)
  }

  private mutating func begin(
    effect wanted: Nanoseconds, size: Double, isSlow: Bool, _ center: Nanoseconds, at now: HostTime
  ) -> Correction? {
    let lasts = Nanoseconds((Double(wanted.absolute) / size).rounded())
    let size = wanted > 0 ? size : -size
    pulse = NudgePulse(size: size, until: now.adding(lasts), isSlow: isSlow && abs(size) <= DriftParameters.notable)
    trust.beginTrial(of: constant + size - nudge, residual: center, rate: track.rate, at: now)
    return change(to: min(max(constant + size, -limit), limit), at: now)
  }

  /// Nothing of what was commanded came about, and what the filter made of it is void.
  private mutating func giveUp(at now: HostTime) -> Correction? {
    trust.endTrial()
    track.forget()
    pulse = nil
    constant = 0
    isArriving = true
    return change(to: 0, at: now)
  }

  private mutating func change(to nudge: Double, at now: HostTime) -> Correction? {
    guard nudge != self.nudge else { return nil }
    passTime(to: now)
    let isNotable = abs(nudge - self.nudge) > DriftParameters.notable
    self.nudge = nudge
    lastChange = now
    if isNotable { restartMeasuring(at: now, settling: DriftParameters.nudgeSettling) }
    return .nudge(1 + nudge)
  }

  /// The window fills anew; the filter stands by.
  private mutating func restartMeasuring(at now: HostTime, settling: Nanoseconds) {
    window.clear()
    settlesUntil = max(settlesUntil, now.adding(settling))
  }
}

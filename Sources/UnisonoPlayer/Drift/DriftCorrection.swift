import UnisonoBase

/// The correction of the running renderer: when it is asked where it is, what is learnt of it, and what is changed.
///
/// The decisions are the `DriftController`'s.
struct DriftCorrection: Sendable {
  /// Result of measuring a position: what is to be done about it.
  struct Outcome: Sendable {
    /// The group's starts are to leave room for this, ns; nil: as before.
    let startLatency: Nanoseconds?
    /// nil: nothing.
    let correction: DriftController.Correction?
  }

  private var controller: DriftController
  private var sampling = Sampling()
  /// Start latency as the group knows it, ns.
  private var reportedStartLatency: Nanoseconds = 0
  private var nudges: UInt64 = 0
  private var seeks: UInt64 = 0

  init(_ abilities: RendererAbilities) {
    controller = DriftController(
      canNudge: abilities.nudges, nudgeLimit: abilities.nudgeLimit, deadBand: abilities.deadBand)
  }

  /// Learnt latency of a start from a stand, ns.
  var startLatency: Nanoseconds { controller.startLatency.value }
  /// Learnt cost of a seek, ns.
  var seekCost: Nanoseconds { controller.seekCost.value }
  /// Distance that is left to nudges, ns; beyond it the player seeks.
  func tolerance(at now: HostTime) -> Nanoseconds { controller.tolerance(at: now) }

  var statistics: PlayerStatistics {
    var statistics = PlayerStatistics()
    statistics.skew = controller.statistics
    statistics.nudges = nudges
    statistics.seeks = seeks
    statistics.startLatency = startLatency
    statistics.seekCost = seekCost
    return statistics
  }

  // MARK: What the renderer does

  /// It begins to run, or goes on elsewhere.
  mutating func begin(_ arrival: DriftController.Arrival?, at now: HostTime) { controller.begin(arrival, at: now) }

  /// It says that it plays: it is asked soon.
  mutating func beginSampling(at now: HostTime) { sampling.begin(at: now) }

  /// It has not begun to move: it is not to be measured yet.
  mutating func wait(at now: HostTime) { controller.wait(at: now) }

  /// A seek that brought it where it stands, or to where its own line begins, took that long.
  mutating func observeSeek(taking duration: Nanoseconds) { controller.observeSeek(taking: duration) }

  /// The running renderer is sent elsewhere now: by a command, or to correct where it is.
  mutating func beginSeek(isCorrective: Bool, at now: HostTime) {
    if isCorrective { controller.beginSeek(at: now) }
    seeks += 1
  }

  /// Another item is loaded, which has the renderer's own speed. Returns whether a change of speed is to end before.
  mutating func beginItem() -> Bool {
    defer { controller.renew() }
    sampling.pause()
    return controller.nudge != 0
  }

  /// The player ends: nothing is asked any more.
  mutating func end() { sampling = Sampling() }

  // MARK: Measuring

  /// Whether the renderer is to be asked where it is by now.
  ///
  /// - Parameter runs: it runs, or was found standing and may be found moving again.
  mutating func isSampleDue(runs: Bool, at now: HostTime) -> Bool {
    guard runs else {
      sampling.pause()
      return false
    }
    guard let next = sampling.next else {
      sampling.schedule(at: now)
      return false
    }
    guard now >= next else { return false }
    sampling.schedule(at: now)
    return true
  }

  /// Whether the group is to hear where it is, which it does now and then.
  mutating func claimReport(at now: HostTime) -> Bool { sampling.claimReport(at: now) }

  /// Measures by how much it leads, host ns, and returns what is to be done about it.
  mutating func measure(lead: Nanoseconds, of host: HostTime, at now: HostTime) -> Outcome {
    let correction = controller.correct(lead: lead, at: max(now, host))
    let isNews = startLatency.subtracting(reportedStartLatency).absolute >= PlayerParameters.notableLatency
    if isNews { reportedStartLatency = startLatency }
    if let correction { record(correction, at: now) }
    if controller.mayBeThrown { sampling.hasten(at: now) }
    return Outcome(startLatency: isNews ? startLatency : nil, correction: correction)
  }

  private mutating func record(_ correction: DriftController.Correction, at now: HostTime) {
    if case .nudge = correction { nudges += 1 }
    sampling.recordCorrection(at: now)
  }

  // MARK: Nudges

  /// A nudge ends when it is through with its error, to the millisecond and whatever is measured meanwhile. Returns the factor
  /// from now on; nil: as before.
  mutating func endDueNudge(at now: HostTime) -> Double? {
    guard let correction = controller.endNudge(at: now), case .nudge(let factor) = correction else { return nil }
    record(correction, at: now)
    return factor
  }

  /// Corrections end before the renderer is told anything else; what takes its own rate error out stays. Returns the factor from
  /// now on; nil: as before.
  mutating func stopNudging(at now: HostTime) -> Double? {
    guard controller.nudge != controller.constant else { return nil }
    controller.begin(nil, at: now)
    return 1 + controller.nudge
  }

  /// Host time at which a nudge ends by itself; nil: none does.
  var nudgeEnds: HostTime? { controller.nudgeEnds }
  /// Host time of the next sample.
  var nextSample: HostTime? { sampling.next }
}

import UnisonoBase

/// Clock of the hub that a session is connected to.
///
/// The own hub's clock needs no measuring. Another's is published once the burst at entry is over, because a first sample can be
/// as wrong as the path is long; it is kept while the link is down, with its bound growing. After this machine slept nothing is
/// published until it is measured anew.
package struct SessionClock {
  /// Samples, or time after the burst began, from which on the clock is published.
  private static let enoughSamples = ProbeScheduler.burstCount
  private static let patience = Nanoseconds.milliseconds(700)

  /// Numbers of `unisono_clock_state`.
  package enum Status: Int32, Sendable {
    case none = 0, synchronizing, synchronized, holdover
  }

  /// The hub in this process, where there is one.
  private var own: (clock: ClockID, model: ClockModel)?
  private let isSparing: Bool
  private var clock: ClockID?
  private var remote: RemoteClock?
  private var hasDatagrams = false
  /// When the burst began.
  private var began: HostTime = 0
  private var isLinked = false
  /// The line that was published last.
  private(set) var lastModel: ClockModel?

  /// `isSparing`: many others ask the same hub, which is asked rarely once its clock is known.
  init(own: (clock: ClockID, model: ClockModel)?, isSparing: Bool = false) {
    self.own = own
    self.isSparing = isSparing
  }

  var status: Status {
    guard lastModel != nil else { return clock == nil ? .none : .synchronizing }
    return isLinked ? .synchronized : .holdover
  }

  /// Shortest of the recent round trips, ns; nil: unknown.
  var roundTrip: Nanoseconds? {
    if isOwn { return 0 }
    guard let remote, remote.filter.count > 0 else { return nil }
    return remote.filter.roundTrip
  }

  /// Round trip that messages usually stay within, ns; nil: unknown. A group that waits only for the quickest is late.
  var usualRoundTrip: Nanoseconds? {
    if isOwn { return 0 }
    guard let remote, remote.filter.count > 0 else { return nil }
    return remote.filter.usualRoundTrip
  }

  private var isOwn: Bool { own != nil && clock == own?.clock }

  /// `hasDatagrams`: the hub can be asked by UDP.
  mutating func enter(_ clock: ClockID, hasDatagrams: Bool, now: HostTime) {
    self.hasDatagrams = hasDatagrams
    isLinked = true
    if clock == self.clock {
      remote?.linkChanged(at: now, hasDatagrams: hasDatagrams)
    } else {
      self.clock = clock
      begin(now: now)
    }
  }

  /// The hub in this process, which is only kept for the others so far.
  mutating func setOwn(_ clock: ClockID, _ model: ClockModel) { own = (clock, model) }

  mutating func linkDown() { isLinked = false }

  /// This machine slept and its clock stood: what was measured is void. `own` is what the hub in this process has now.
  mutating func slept(own: (clock: ClockID, model: ClockModel)?, now: HostTime) {
    self.own = own
    begin(now: now)
  }

  /// Nothing is known of the clock; it is asked in a burst.
  private mutating func begin(now: HostTime) {
    lastModel = nil
    remote = isOwn ? nil : RemoteClock(at: now, hasDatagrams: hasDatagrams, isSparing: isSparing)
    began = now
  }

  mutating func add(_ sample: ProbeSample, now: HostTime, isPlaying: Bool) {
    let times = ClockSample(asked: sample.t1, received: sample.t2, replied: sample.t3, answered: sample.t4)
    remote?.add(times, by: sample.way, at: now, isPlaying: isPlaying)
  }

  /// The line in force now, by all samples, and nothing of it slewed; nil: not known well enough yet. True next to it when it differs from
  /// the last answer.
  mutating func model(now: HostTime) -> (model: ClockModel?, changed: Bool) {
    let before = lastModel
    if isOwn {
      lastModel = own?.model
    } else if let remote, let model = remote.filter.model,
      lastModel != nil || remote.filter.count >= Self.enoughSamples || now >= began.adding(Self.patience)
    {
      lastModel = model
    }
    return (lastModel, lastModel != before)
  }

  /// Ways on which the hub is to be asked now, none: not yet; they count as asked.
  mutating func claimProbe(now: HostTime) -> ProbeWays { isLinked ? remote?.takeProbe(at: now) ?? [] : [] }

  /// When the hub is to be asked.
  var nextWake: HostTime? { isLinked ? remote?.scheduler.next : nil }
}

import UnisonoCore

/// What a session knows of the time of the hub it is connected to.
///
/// The own hub's clock needs no measuring. Another's is told once the burst at entry is over, because a first sample can be
/// as wrong as the path is long; it is kept while the link is down, with its bound growing.
public struct SessionClock {
  /// Samples, or time after entry, from which on the clock is told.
  private static let enoughSamples = ProbeScheduler.burstCount
  private static let patience = Nanoseconds.milliseconds(700)

  /// Numbers of `unisono_clock_status`.
  public enum Status: Int32, Sendable {
    case none = 0, synchronizing, synchronized, holdover
  }

  /// The hub in this process, where there is one.
  var own: (clock: ClockID, model: ClockModel)?
  private var clock: ClockID?
  private var remote: RemoteClock?
  private var entered: HostTime = 0
  private var isLinked = false
  /// As it was told last.
  private(set) var lastModel: ClockModel?

  init(own: (clock: ClockID, model: ClockModel)?) { self.own = own }

  var status: Status {
    guard lastModel != nil else { return clock == nil ? .none : .synchronizing }
    return isLinked ? .synchronized : .holdover
  }

  /// Shortest of the recent ones, ns; nil: unknown.
  var roundTrip: Nanoseconds? {
    if isOwn { return 0 }
    guard let remote, remote.filter.count > 0 else { return nil }
    return remote.filter.roundTrip
  }

  /// What messages usually stay within, there and back, ns; nil: unknown. A group that waits only for the quickest is late.
  var usualRoundTrip: Nanoseconds? {
    if isOwn { return 0 }
    guard let remote, remote.filter.count > 0 else { return nil }
    return remote.filter.usualRoundTrip
  }

  private var isOwn: Bool { own != nil && clock == own?.clock }

  mutating func enter(_ clock: ClockID, now: HostTime) {
    if clock != self.clock {
      self.clock = clock
      lastModel = nil
      remote = isOwn ? nil : RemoteClock(at: now)
      entered = now
    }
    isLinked = true
  }

  mutating func linkDown() { isLinked = false }

  /// `mayStep`: nothing plays.
  mutating func add(_ sample: ProbeSample, now: HostTime, mayStep: Bool) {
    let sample = ClockSample(asked: sample.t1, received: sample.t2, replied: sample.t3, answered: sample.t4)
    remote?.add(sample, at: now, mayStep: mayStep)
  }

  /// The line in force now; nil: not known well enough yet. True next to it when it differs from the last answer.
  mutating func model(now: HostTime) -> (model: ClockModel?, changed: Bool) {
    let before = lastModel
    if isOwn {
      lastModel = own?.model
    } else if let remote, let published = remote.published,
      lastModel != nil || remote.filter.count >= Self.enoughSamples || now >= entered.adding(Self.patience)
    {
      lastModel = published.tangent(at: now)
    }
    return (lastModel, lastModel != before)
  }

  /// Whether the hub is to be asked now; it counts as asked.
  mutating func takeProbe(now: HostTime) -> Bool { isLinked && remote?.takeProbe(at: now) == true }

  func nextWake(now: HostTime) -> HostTime? {
    guard isLinked, let remote else { return nil }
    return [remote.scheduler.next, remote.published?.nextBend(after: now)].compactMap { $0 }.min()
  }
}

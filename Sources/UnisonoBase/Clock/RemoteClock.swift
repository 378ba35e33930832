/// Everything one participant does about one remote clock: when to ask, what the answers say, what is published.
package struct RemoteClock: Sendable {
  package private(set) var filter = ClockFilter()
  package private(set) var scheduler: ProbeScheduler
  /// What is published; nil before the first sample.
  package private(set) var published: SlewedClock?

  private let isSparing: Bool

  /// Asking begins at `now`; `hasDatagrams`: the hub can be asked by UDP; `isSparing`: many others ask it, too.
  package init(at now: HostTime, hasDatagrams: Bool = true, isSparing: Bool = false) {
    self.isSparing = isSparing
    scheduler = ProbeScheduler(at: now, hasDatagrams: hasDatagrams, isSparing: isSparing)
  }

  /// Takes a sample in; false: it cannot be true. `mayStep`: nothing plays.
  @discardableResult
  package mutating func add(_ sample: ClockSample, by way: ProbeWays, at now: HostTime, mayStep: Bool) -> Bool {
    guard filter.add(sample), let model = filter.model else { return false }
    scheduler.answered(at: now, by: way, uncertainty: filter.uncertainty(in: ProbeScheduler.steadyLimit), isPlaying: !mayStep)
    if published == nil {
      published = SlewedClock(model)
    } else {
      published?.adopt(model, at: now, mayStep: mayStep)
    }
    return true
  }

  /// The same clock is reached by another link: what is known of it stays, the path is measured anew.
  package mutating func linkChanged(at now: HostTime, hasDatagrams: Bool) {
    scheduler = ProbeScheduler(at: now, hasDatagrams: hasDatagrams, isSparing: isSparing)
  }

  /// Which ways the hub is to be asked now, none: not yet; they count as asked.
  package mutating func takeProbe(at now: HostTime) -> ProbeWays { scheduler.take(at: now) }
}

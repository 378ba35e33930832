/// Everything one participant does about one remote clock: when to ask, and what the answers say. Whoever goes by it slews what is learnt.
package struct RemoteClock: Sendable {
  package private(set) var filter = ClockFilter()
  package private(set) var scheduler: ProbeScheduler
  private let isSparing: Bool

  /// Asking begins at `now`; `hasDatagrams`: the hub can be asked by UDP; `isSparing`: many others ask it, too.
  package init(at now: HostTime, hasDatagrams: Bool = true, isSparing: Bool = false) {
    self.isSparing = isSparing
    scheduler = ProbeScheduler(at: now, hasDatagrams: hasDatagrams, isSparing: isSparing)
  }

  /// Takes a sample in; false: it cannot be true.
  @discardableResult
  package mutating func add(_ sample: ClockSample, by way: ProbeWays, at now: HostTime, isPlaying: Bool) -> Bool {
    guard filter.add(sample) else { return false }
    scheduler.answered(at: now, by: way, uncertainty: filter.uncertainty(in: ProbeScheduler.steadyLimit), isPlaying: isPlaying)
    return true
  }

  /// The same clock is reached by another link: what is known of it stays, the path is measured anew.
  package mutating func linkChanged(at now: HostTime, hasDatagrams: Bool) {
    scheduler = ProbeScheduler(at: now, hasDatagrams: hasDatagrams, isSparing: isSparing)
  }

  /// Which ways the hub is to be asked now, none: not yet; they count as asked.
  package mutating func takeProbe(at now: HostTime) -> ProbeWays { scheduler.take(at: now) }
}

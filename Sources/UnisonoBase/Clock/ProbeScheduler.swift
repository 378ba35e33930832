/// When to ask a hub for its time, and which way: a burst at the start, twice a second for a while, then as rarely as the path
/// allows. Where the path jitters the burst goes on for two seconds, and the asks thin out slowly: what the first half minute
/// does not know of the drift, only more samples in it can show.
///
/// By UDP while that is answered. Where it is not, in the stream as well: as well, so that it is noticed when UDP works again.
package struct ProbeScheduler: Sendable {
  /// Asks of the burst, on a path that jitters, and the time between them: a hub answers at most 20 a second.
  package static let burstCount = 8
  package static let longBurstCount = 40
  package static let burstInterval = Nanoseconds.milliseconds(50)
  /// The interval of the early phase, and after answers stayed away; how long the phase is.
  package static let earlyInterval = Nanoseconds.milliseconds(500)
  package static let earlyPhase = Nanoseconds.seconds(30)
  /// The same on a path that jitters: until when, from the start, how often.
  package static let jitteryPhases: [(until: Nanoseconds, interval: Nanoseconds)] = [
    (.seconds(30), .milliseconds(125)), (.seconds(60), .milliseconds(250)), (.seconds(120), .milliseconds(500)),
  ]
  /// The longest interval on a path without jitter, and on one with: there it is shorter while something plays, as people see and hear
  /// what more samples average away.
  package static let steadyLimit = Nanoseconds.seconds(16)
  package static let jitteryLimit = Nanoseconds.seconds(4)
  package static let playingLimit = Nanoseconds.seconds(1)
  /// The shortest interval after the early phase for one of many: a hub that thousands ask has others to serve. Its early phase is that of a
  /// quiet path.
  package static let sparingInterval = Nanoseconds.seconds(5)
  /// A `ClockFilter.uncertainty(in:)` of the longest interval above this is jitter that more samples average away, ns.
  package static let steadyUncertainty = Nanoseconds.microseconds(30)
  /// Asks in a row without an answer that bring the early interval back.
  package static let patience = 4
  /// Datagrams in a row without an answer after which the stream is asked, too.
  package static let datagramPatience = 3

  /// When the next ask is due, host time.
  package private(set) var next: HostTime
  private let hasDatagrams: Bool
  private let isSparing: Bool
  private var start: HostTime
  private var asked = 0
  private var unanswered = 0
  private var unansweredDatagrams = 0
  private var interval = Self.earlyInterval
  private var isJittery = false
  private var isPlaying = false

  /// The burst begins at `now`; `hasDatagrams`: the hub can be asked by UDP; `isSparing`: many others ask it, too, and once its
  /// clock is known it is asked rarely.
  package init(at now: HostTime, hasDatagrams: Bool = true, isSparing: Bool = false) {
    start = now
    next = now
    self.hasDatagrams = hasDatagrams
    self.isSparing = isSparing
  }

  /// Which ways to ask now, none: not yet; they count as asked.
  package mutating func take(at now: HostTime) -> ProbeWays {
    guard now >= next else { return [] }
    asked += 1
    unanswered += 1
    // A late loop sends one, not all that it missed.
    next = now.adding(asked < burst ? Self.burstInterval : pause(at: now))
    guard hasDatagrams else { return .stream }
    let ways: ProbeWays = unansweredDatagrams < Self.datagramPatience ? .datagram : [.datagram, .stream]
    unansweredDatagrams += 1
    return ways
  }

  /// An answer came on a way; `uncertainty` of the filter with it, after the longest interval; `isPlaying`: somebody sees or hears by it.
  package mutating func answered(at now: HostTime, by way: ProbeWays, uncertainty: Nanoseconds, isPlaying: Bool) {
    self.isPlaying = isPlaying
    if unanswered >= Self.patience, asked > burst, early(at: now) == nil {
      interval = Self.earlyInterval
      next = min(next, now.adding(least(interval)))
    }
    unanswered = 0
    if way.contains(.datagram) { unansweredDatagrams = 0 }
    isJittery = uncertainty > Self.steadyUncertainty
    // The first answers of a long path come when the short burst is over.
    if asked < burst { next = min(next, now.adding(Self.burstInterval)) }
  }

  private var burst: Int { isJittery ? Self.longBurstCount : Self.burstCount }

  /// The interval of the early phase; nil: it is over.
  private func early(at now: HostTime) -> Nanoseconds? {
    let age = now.subtracting(start)
    if isJittery, !isSparing { return Self.jitteryPhases.first { age < $0.until }?.interval }
    return age < Self.earlyPhase ? Self.earlyInterval : nil
  }

  private mutating func pause(at now: HostTime) -> Nanoseconds {
    if unanswered >= Self.patience {
      interval = Self.earlyInterval
    } else if let early = early(at: now) {
      interval = early
    } else {
      interval = min(max(interval, Self.earlyInterval) * 2, limit)
    }
    return early(at: now) == nil ? least(interval) : interval
  }

  private func least(_ interval: Nanoseconds) -> Nanoseconds { isSparing ? max(interval, Self.sparingInterval) : interval }

  private var limit: Nanoseconds {
    guard isJittery else { return Self.steadyLimit }
    return isPlaying ? Self.playingLimit : Self.jitteryLimit
  }
}

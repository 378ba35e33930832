/// Samples in, a clock model out: offset, drift, and a bound that holds for every path.
///
/// With `offset(h) = remote - host` at host time h, each sample proves two things: the ask was not there before it left, so
/// `offset(asked) <= received - asked`; the answer neither, so `offset(answered) >= replied - answered`. A constant drift makes
/// the offset a line, and the line must pass under all the first points and above all the second ones.
///
/// - The *bound* is what every such line allows: it assumes nothing about the path, only `driftTolerance`, and that the drift
///   itself changes by no more than `wanderBound`.
/// - The *estimate* is the middle between the two closest parallel lines: the shortest way there and the shortest way back are
///   taken separately, which beats the shortest round trip several times where delays jitter. An asymmetry of the two
///   shortest ways remains; nothing that is measured from two ends can show it, and the bound contains it.
/// - The *drift* is the mean of the slopes that fit, each weighed by how little delay it leaves unexplained, and held near 0 by
///   what is known of quartz until the samples outweigh that; before `trustedSpan` it is 0. `docs/time.md` has the formulae.
///
/// A drift is not quite constant. So a sample proves a little less with every second of its age: by `wander` for the estimate,
/// which makes the window as long as the path's jitter is worth and no longer, by `wanderBound` for the bound.
///
/// Pure: the answer depends on the samples alone.
package struct ClockFilter: Sendable {
  /// Samples kept.
  package static let capacity = 1_024
  /// Older samples say more about the temperature then than about the clock now.
  package static let memory = Nanoseconds.seconds(1_200)
  /// No clock drifts more against another, ns per ns.
  package static let driftTolerance = 500e-6
  /// How far two clocks typically drift apart.
  static let typicalDrift = 50e-6
  /// A drift is not estimated from less.
  static let trustedSpan = Nanoseconds.seconds(5)
  /// How far the offset strays from a straight line for each second of age, ns per ns: a quartz at room temperature...
  static let wander = 20e-9
  /// ...and at worst, so that the bound stays true while it warms up or is being steered.
  static let wanderBound = 5e-6
  /// Reading and rounding of clocks.
  static let granularity = Nanoseconds(1_000)
  /// How many of the newest samples tell what is usual on the path now.
  static let recent = 32

  private var samples: [ClockSample] = []
  /// The line through the samples as of the last one; nil before the first.
  package private(set) var model: ClockModel?
  /// How far the next samples may move the offset without anything having changed: the jitter of both ways over the number
  /// of samples, ns.
  package private(set) var uncertainty: Nanoseconds = 0
  /// The same of the drift, once enough time has passed to tell, ns per ns.
  private var driftUncertainty = 0.0
  /// The shortest round trip among the samples kept, ns.
  package private(set) var roundTrip: Nanoseconds = 0
  /// How often samples contradicted older ones, which were then dropped: the remote clock was set, or one of the two slept.
  package private(set) var contradictions = 0

  package init() {}

  /// How many samples the model rests on.
  package var count: Int { samples.count }

  /// How far off the next sample may find the offset if it comes so much later, ns.
  package func uncertainty(in ahead: Nanoseconds) -> Nanoseconds {
    uncertainty.adding(ahead.scaled(by: driftUncertainty))
  }

  /// What three in four of the recent round trips stay within, ns; 0 before the first.
  package var usualRoundTrip: Nanoseconds {
    let trips = samples.suffix(Self.recent).map { $0.roundTrip }.sorted()
    return trips.isEmpty ? 0 : trips[(trips.count * 3 - 1) / 4]
  }

  /// Takes a sample in; false: it cannot be true and is ignored.
  @discardableResult
  package mutating func add(_ sample: ClockSample) -> Bool {
    guard sample.isPlausible else { return false }
    let position = samples.lastIndex { $0.answered <= sample.answered }.map { $0 + 1 } ?? 0
    samples.insert(sample, at: position)
    if samples.count > Self.capacity { samples.removeFirst() }
    let newest = samples.last?.answered ?? sample.answered
    samples.removeAll { newest.subtracting($0.answered) > Self.memory }
    estimate()
    return true
  }

  private mutating func estimate() {
    while let newest = samples.last {
      let cloud = SampleCloud(samples, slack: Self.wander)
      // What fits in the narrow cloud fits in the wide one.
      if let line = cloud.fit(), let reach = SampleCloud(samples, slack: Self.wanderBound).reach(around: line) {
        let remote = newest.answered.adding(cloud.base).adding(Int64(exactly: line.offset.rounded()) ?? 0)
        let bound = Int64(exactly: reach.offset.rounded(.up)) ?? .max
        model = ClockModel(
          hostTime: newest.answered, remoteTime: remote, rate: 1 + line.drift,
          errorBound: bound.adding(Self.granularity), errorGrowth: reach.drift + Self.wanderBound)
        uncertainty = Int64(exactly: line.uncertainty.rounded()) ?? .max
        driftUncertainty = line.driftUncertainty
        roundTrip = samples.lazy.map { $0.roundTrip }.min() ?? 0
        return
      }
      // No line at all: the older half is of a time before something was set. One sample never contradicts itself.
      contradictions += 1
      samples.removeFirst((samples.count + 1) / 2)
    }
  }
}

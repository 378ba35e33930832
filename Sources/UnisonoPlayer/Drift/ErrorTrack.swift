import UnisonoBase

/// A slow filter over a player's error: where it is, and how fast it runs away by itself.
///
/// A Kalman filter of two states. It holds what a short window cannot see: a sound card that is 100 ppm off moves by 0.1 ms
/// in a second. The rate is a property of the renderer and its clock, so it outlives starts and seeks; the offset does not.
struct ErrorTrack: Sendable {
  /// ns, without the effect of nudges; nil: nothing is known.
  private(set) var offset: Double?
  /// ns per ns.
  var rate: Double { slope / 1e9 }
  /// One standard deviation of `rate`.
  var rateDeviation: Double { slopeVariance.squareRoot() / 1e9 }

  /// Scatter of single samples, ns: one standard deviation.
  var deviation: Double { max(DriftParameters.leastDeviation, variance.squareRoot()) }

  /// ns/s.
  private var slope = 0.0
  private var variance = 0.0
  private var samples = 0.0
  private var time: HostTime = 0
  private var offsetVariance = 0.0
  private var covariance = 0.0
  private var slopeVariance = DriftParameters.firstRateDeviation * DriftParameters.firstRateDeviation

  /// The player is somewhere else: the rate is still its own.
  mutating func restart() {
    offset = nil
    covariance = 0
  }

  /// Forgets the rate, too.
  mutating func forget() { self = ErrorTrack() }

  /// ns at a host time.
  func offset(at now: HostTime) -> Double? {
    offset.map { $0 + slope * Double(now.subtracting(time)) / 1e9 }
  }

  /// - Parameters:
  ///   - center: of the latest samples, ns.
  ///   - spread: how widely they are scattered, ns.
  ///   - greatestRate: what no renderer is beyond, ns per ns.
  mutating func add(
    residual: Nanoseconds, center: Nanoseconds, spread: Nanoseconds, greatestRate: Double, at now: HostTime
  ) {
    learnScatter(of: Double(residual.subtracting(center)), spread: Double(spread))
    let variance = deviation * deviation
    guard offset != nil else {
      offset = Double(residual)
      offsetVariance = variance
      covariance = 0
      time = now
      return
    }
    predict(to: now)
    let innovation = Double(residual) - (offset ?? 0)
    let total = offsetVariance + variance
    let (gain, slopeGain) = (offsetVariance / total, covariance / total)
    offset = (offset ?? 0) + gain * innovation
    slope += slopeGain * innovation
    slopeVariance -= slopeGain * covariance
    covariance *= 1 - gain
    offsetVariance *= 1 - gain
    let greatest = greatestRate * 1e9
    slope = min(max(slope, -greatest), greatest)
  }

  /// The scatter is the renderer's, too, and outlives starts.
  private mutating func learnScatter(of distance: Double, spread: Double) {
    if samples == 0 { variance = spread * spread / 9 }
    samples = min(samples + 1, DriftParameters.scatterSamples)
    // The center was drawn towards the sample by a few others.
    variance += (distance * distance * 1.2 - variance) / (samples + 4)
  }

  private mutating func predict(to now: HostTime) {
    let passed = max(0, Double(now.subtracting(time))) / 1e9
    offset = (offset ?? 0) + slope * passed
    offsetVariance +=
      passed * (2 * covariance + passed * slopeVariance + DriftParameters.wander * DriftParameters.wander)
    covariance += passed * slopeVariance
    slopeVariance += passed * DriftParameters.rateWander * DriftParameters.rateWander
    time = now
  }
}

@testable import UnisonoBase

/// Two clocks and a path between them, from a seed: exchanges as a prober would see them.
struct JitterPath {
  enum Shape {
    /// Evenly spread over base +- jitter.
    case uniform
    /// A hard floor at base - jitter and a long tail, mean base: queues.
    case queue
  }

  /// One way, ns; the way back may differ.
  var base: Double
  var jitter: Double
  var shape: Shape
  var baseBack: Double?
  /// Chance that a packet enters a burst, chance to leave it, and its extra delay, ns.
  var burst: (enter: Double, leave: Double, most: Double)?
  /// Remote ns per host ns, minus 1.
  var drift: Double = 0

  static let lan = JitterPath(base: 200_000, jitter: 100_000, shape: .queue)
  static let wan = JitterPath(base: 50e6, jitter: 20e6, shape: .uniform)
  static let wifi = JitterPath(base: 3e6, jitter: 2e6, shape: .queue, burst: (0.02, 0.15, 150e6))
  static let lte = JitterPath(base: 80e6, jitter: 60e6, shape: .queue)
  static let asymmetric = JitterPath(base: 40e6, jitter: 5e6, shape: .queue, baseBack: 10e6)

  func drifting(_ drift: Double) -> JitterPath {
    var copy = self
    copy.drift = drift
    return copy
  }

  /// True remote time at a host time; host time 0 is remote time 123456 s.
  func remote(at host: HostTime) -> Int64 { 123_456_000_000_000 + host + (Double(host) * drift).nanoseconds }

  struct Packets {
    var generator: SplitMix64
    var isInBurst = (false, false)
  }

  /// The exchange that is asked at host time `host`.
  func exchange(at host: HostTime, _ packets: inout Packets) -> ClockSample {
    let there = delay(base, &packets.isInBurst.0, &packets.generator)
    let back = delay(baseBack ?? base, &packets.isInBurst.1, &packets.generator)
    let received = host + there
    let replied = received + 50_000
    return ClockSample(
      asked: host, received: remote(at: received), replied: remote(at: replied), answered: replied + back)
  }

  private func delay(_ base: Double, _ isInBurst: inout Bool, _ generator: inout SplitMix64) -> Int64 {
    var delay: Double
    switch shape {
    case .uniform: delay = base + Double.random(in: -jitter...jitter, using: &generator)
    case .queue:
      // Two exponential waits of jitter / 2 each.
      delay = base - jitter + exponential(jitter / 2, &generator) + exponential(jitter / 2, &generator)
    }
    if let burst {
      isInBurst = Double.random(in: 0..<1, using: &generator) < (isInBurst ? 1 - burst.leave : burst.enter)
      if isInBurst { delay += Double.random(in: burst.most / 8...burst.most, using: &generator) }
    }
    return max(0, delay).nanoseconds
  }

  private func exponential(_ mean: Double, _ generator: inout SplitMix64) -> Double {
    // The logarithm without Foundation: von Neumann's comparison of uniform numbers.
    var whole = 0.0
    while true {
      let first = Double.random(in: 0..<1, using: &generator)
      var last = first
      var isEven = true
      while true {
        let following = Double.random(in: 0..<1, using: &generator)
        if following >= last { break }
        last = following
        isEven.toggle()
      }
      if isEven { return mean * (whole + first) }
      whole += 1
    }
  }
}

extension Double {
  fileprivate var nanoseconds: Int64 { Int64(rounded()) }
}

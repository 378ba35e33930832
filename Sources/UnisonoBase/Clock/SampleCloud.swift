/// The points that samples prove, around the newest of them, and the lines that fit between.
///
/// Times and offsets are taken from a base near by, so that Double keeps the nanoseconds.
struct SampleCloud {
  struct Line {
    /// At the newest sample, from `base`, ns.
    var offset: Double
    /// ns per ns.
    var drift: Double
    /// Of the offset, ns, and of the drift, ns per ns; the latter 0 while only time can show it.
    var uncertainty: Double
    var driftUncertainty: Double
  }

  /// How far the lines that fit are from one of them at most.
  struct Reach {
    /// At the newest sample, ns.
    var offset: Double
    /// ns per ns.
    var drift: Double
  }

  private struct Point {
    /// Host time before the newest sample: 0 or negative.
    var time: Double
    var offset: Double
  }

  /// The points that lines of some slopes touch first, from left to right: all others follow from them. The fewer the slopes,
  /// the fewer the points.
  private struct Bounds {
    private var ceiling: ArraySlice<Point>
    private var floor: ArraySlice<Point>

    init(ceiling: [Point], floor: [Point], slopes: ClosedRange<Double>) {
      self.ceiling = ceiling[...]
      self.floor = floor[...]
      narrow(to: slopes)
    }

    /// Where the lowest ceiling, moved along a slope, is at the newest sample.
    func ceiling(slope: Double) -> Double {
      var lowest = Double.infinity
      for point in ceiling { lowest = min(lowest, point.offset - slope * point.time) }
      return lowest
    }

    /// Where the highest floor is.
    func floor(slope: Double) -> Double {
      var highest = -Double.infinity
      for point in floor { highest = max(highest, point.offset - slope * point.time) }
      return highest
    }

    /// The room between the two for lines of this slope, negative: none.
    func gap(slope: Double) -> Double { ceiling(slope: slope) - floor(slope: slope) }

    /// Half-way between the two.
    func middle(slope: Double) -> Double { (ceiling(slope: slope) + floor(slope: slope)) / 2 }

    /// From here on only lines of these slopes are asked about.
    mutating func narrow(to slopes: ClosedRange<Double>) {
      Self.narrow(&ceiling, side: 1, to: slopes)
      Self.narrow(&floor, side: -1, to: slopes)
    }

    /// Leaves out, from both ends, points that the one beside them is nearer than for all these slopes: by a nanosecond, far
    /// above what rounding could turn round, so that the answers stay the same to the last bit.
    private static func narrow(_ hull: inout ArraySlice<Point>, side: Double, to slopes: ClosedRange<Double>) {
      let (least, greatest) = side > 0 ? (slopes.lowerBound, slopes.upperBound) : (slopes.upperBound, slopes.lowerBound)
      var (start, end) = (hull.startIndex, hull.endIndex)
      while start + 1 < end, side * Self.rise(hull[start], hull[start + 1], along: least) < -1 { start += 1 }
      while start + 1 < end, side * Self.rise(hull[end - 2], hull[end - 1], along: greatest) > 1 { end -= 1 }
      if start != hull.startIndex || end != hull.endIndex { hull = hull[start..<end] }
    }

    /// How far `right` lies above the line of this slope through `left`.
    private static func rise(_ left: Point, _ right: Point, along slope: Double) -> Double {
      right.offset - left.offset - slope * (right.time - left.time)
    }
  }

  /// Samples that suffice to know how much the delays jitter.
  private static let enough = 128
  /// How much the room that a slope leaves counts: 1 if delays were exactly as waiting times are.
  private static let trustInRoom = 0.25
  /// A likelihood, as its logarithm, this far below the greatest counts no more; how finely the rest is summed up.
  private static let negligible = 8.0
  private static let steps = 64

  /// The offset around which everything is counted.
  let base: Int64
  /// The offset lies under these...
  private var ceiling: [Point] = []
  /// ...and above those.
  private var floor: [Point] = []
  /// Lines of any slope within the tolerance.
  private let bounds: Bounds
  private let span: Double

  /// `samples`: at least one, in the order of their answers. `slack`: how much less a point proves for each ns of its age, ns.
  init(_ samples: [ClockSample], slack: Double) {
    let newest = samples[samples.count - 1]
    base = newest.received.subtracting(newest.asked)
    span = Double(newest.answered.subtracting(samples[0].asked))
    ceiling.reserveCapacity(samples.count)
    floor.reserveCapacity(samples.count)
    for sample in samples {
      let left = Double(sample.asked.subtracting(newest.answered))
      let came = Double(sample.answered.subtracting(newest.answered))
      ceiling.append(
        Point(
          time: left, offset: Double(sample.received.subtracting(sample.asked).subtracting(base)) - slack * left))
      floor.append(
        Point(
          time: came, offset: Double(sample.replied.subtracting(sample.answered).subtracting(base)) + slack * came))
    }
    let tolerance = ClockFilter.driftTolerance
    bounds = Bounds(
      ceiling: Self.hull(ceiling, side: 1), floor: Self.hull(floor, side: -1), slopes: -tolerance...tolerance)
  }

  /// The mean of the lines that fit, each counted as it is likely; nil: none fits, whatever its slope within the tolerance.
  /// The mean and not the likeliest, which leaps from corner to corner of the hulls. It fits as well: what fits is convex.
  func fit() -> Line? {
    guard let (widest, slopes) = fitting else { return nil }
    let scale = jitter(slope: widest)
    let uncertainty = scale / Double(ceiling.count)
    guard span >= Double(ClockFilter.trustedSpan) else {
      let drift = min(max(0, slopes.lowerBound), slopes.upperBound)
      return Line(offset: bounds.middle(slope: drift), drift: drift, uncertainty: uncertainty, driftUncertainty: 0)
    }
    // Delays beyond the shortest are spread as waiting times are, or rarer near the shortest; drifts as quartz has them.
    let weight = Self.trustInRoom * Double(ceiling.count) / max(1_000, scale)
    let likelihood = { (slope: Double, bounds: Bounds) in
      let away = slope / ClockFilter.typicalDrift
      return weight * bounds.gap(slope: slope) - away * away / 2
    }
    let likeliest = greatest(in: slopes, likelihood)
    let most = likelihood(likeliest, bounds)
    let low = edge(from: likeliest, to: slopes.lowerBound) { likelihood($0, $1) > most - Self.negligible }
    let high = edge(from: likeliest, to: slopes.upperBound) { likelihood($0, $1) > most - Self.negligible }
    var near = bounds
    near.narrow(to: low...high)
    var (weights, drift, offset, square) = (0.0, 0.0, 0.0, 0.0)
    for step in 0...Self.steps {
      let slope = low + (high - low) * Double(step) / Double(Self.steps)
      let weight = Self.exponential(likelihood(slope, near) - most)
      weights += weight
      drift += weight * slope
      square += weight * slope * slope
      offset += weight * near.middle(slope: slope)
    }
    drift /= weights
    return Line(
      offset: offset / weights, drift: drift, uncertainty: uncertainty,
      driftUncertainty: max(0, square / weights - drift * drift).squareRoot())
  }

  /// How far other lines that fit are away; nil: none fits.
  func reach(around line: Line) -> Reach? {
    guard let (_, slopes) = fitting else { return nil }
    return Reach(
      offset: max(
        bounds.ceiling(slope: slopes.upperBound) - line.offset, line.offset - bounds.floor(slope: slopes.lowerBound), 0),
      drift: max(slopes.upperBound - line.drift, line.drift - slopes.lowerBound))
  }

  /// The slope that leaves most room, and all those that leave any.
  private var fitting: (widest: Double, slopes: ClosedRange<Double>)? {
    let tolerance = ClockFilter.driftTolerance
    let widest = greatest(in: -tolerance...tolerance) { $1.gap(slope: $0) }
    guard bounds.gap(slope: widest) >= 0 else { return nil }
    // Seen from outside: the bound must not be too small.
    let least = edge(from: widest, to: -tolerance) { $1.gap(slope: $0) >= 0 }
    return (widest, least...edge(from: widest, to: tolerance) { $1.gap(slope: $0) >= 0 })
  }

  /// The lower (`side` 1) or upper (-1) edge of the points' convex hull, from left to right.
  private static func hull(_ points: [Point], side: Double) -> [Point] {
    let isInOrder = zip(points, points.dropFirst()).allSatisfy { $0.time < $1.time }
    let points =
      isInOrder ? points : points.sorted { ($0.time, side * $0.offset) < ($1.time, side * $1.offset) }
    // The first `count` are the edge so far.
    var (hull, count) = (points, 0)
    for point in points {
      while count >= 2 {
        let (a, b) = (hull[count - 2], hull[count - 1])
        let turn = (b.time - a.time) * (point.offset - a.offset) - (b.offset - a.offset) * (point.time - a.time)
        if side * turn > 0 { break }
        count -= 1
      }
      hull[count] = point
      count += 1
    }
    hull.removeLast(hull.count - count)
    return hull
  }

  /// Where `holds`, true at `inside`, ends towards `limit`, seen from outside; `limit` when it does not.
  private func edge(from inside: Double, to limit: Double, holds: (Double, Bounds) -> Bool) -> Double {
    if holds(limit, bounds) { return limit }
    var (inside, outside) = (inside, limit)
    var near = bounds
    for _ in 0..<40 {
      near.narrow(to: min(inside, outside)...max(inside, outside))
      let middle = (inside + outside) / 2
      if holds(middle, near) { inside = middle } else { outside = middle }
    }
    return outside
  }

  /// e^x for x up to 0, to a thousandth, without a library: (1 + x/1024)^1024.
  private static func exponential(_ x: Double) -> Double {
    var power = max(0, 1 + x / 1_024)
    for _ in 0..<10 { power *= power }
    return power
  }

  /// The middle of what the delays are beyond the shortest, both ways together; the middle, so that bursts count little. Of
  /// many samples every so many are looked at.
  private func jitter(slope: Double) -> Double {
    let (high, low) = (bounds.ceiling(slope: slope), bounds.floor(slope: slope))
    let step = (ceiling.count + Self.enough - 1) / Self.enough
    var excess: [Double] = []
    excess.reserveCapacity(2 * Self.enough)
    for index in stride(from: ceiling.count - 1, through: 0, by: -step) {
      excess.append(ceiling[index].offset - slope * ceiling[index].time - high)
      excess.append(low - floor[index].offset + slope * floor[index].time)
    }
    return Self.ranked(excess.count / 2, of: &excess)
  }

  /// The value that would stand at an index if all were sorted; puts the smaller ones before it, which is all that is needed.
  private static func ranked(_ index: Int, of values: inout [Double]) -> Double {
    var (first, last) = (0, values.count - 1)
    while first < last {
      let pivot = values[(first + last) / 2]
      var (left, right) = (first, last)
      while left <= right {
        while values[left] < pivot { left += 1 }
        while values[right] > pivot { right -= 1 }
        if left <= right {
          values.swapAt(left, right)
          left += 1
          right -= 1
        }
      }
      if index <= right { last = right } else if index >= left { first = left } else { break }
    }
    return values[index]
  }

  /// Where a function that rises and then falls is greatest.
  private func greatest(in range: ClosedRange<Double>, _ value: (Double, Bounds) -> Double) -> Double {
    var (low, high) = (range.lowerBound, range.upperBound)
    var near = bounds
    for _ in 0..<40 {
      near.narrow(to: low...high)
      let left = low + (high - low) / 3
      let right = high - (high - low) / 3
      if value(left, near) < value(right, near) { low = left } else { high = right }
    }
    return (low + high) / 2
  }
}

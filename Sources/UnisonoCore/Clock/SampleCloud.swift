/// The points that samples prove, around the newest of them, and the lines that fit between.
///
/// Times and offsets are taken from a base near by, so that Double keeps the nanoseconds.
struct SampleCloud {
  struct Line {
    /// At the newest sample, from `base`, ns.
    var offset: Double
    /// ns per ns.
    var drift: Double
    /// The true offset there is no further away.
    var bound: Double
    /// The true drift is no further away.
    var driftBound: Double
    var uncertainty: Double
  }

  private struct Point {
    /// Host time before the newest sample: 0 or negative.
    var time: Double
    var offset: Double
  }

  /// The offset around which everything is counted.
  let base: Int64
  /// The offset lies under these...
  private var ceiling: [Point] = []
  /// ...and above those.
  private var floor: [Point] = []
  /// The points that some line touches first: all others follow from them.
  private var ceilingHull: [Point] = []
  private var floorHull: [Point] = []
  private let span: Double

  /// `samples`: at least one, in the order of their answers.
  init(_ samples: [ClockSample]) {
    let newest = samples[samples.count - 1]
    base = newest.received.subtracting(newest.asked)
    span = Double(newest.answered.subtracting(samples[0].asked))
    for sample in samples {
      ceiling.append(
        Point(
          time: Double(sample.asked.subtracting(newest.answered)),
          offset: Double(sample.received.subtracting(sample.asked).subtracting(base))))
      floor.append(
        Point(
          time: Double(sample.answered.subtracting(newest.answered)),
          offset: Double(sample.replied.subtracting(sample.answered).subtracting(base))))
    }
    ceilingHull = Self.hull(ceiling, side: 1)
    floorHull = Self.hull(floor, side: -1)
  }

  /// nil: no line fits, whatever its slope within the tolerance.
  func fit() -> Line? {
    let tolerance = ClockFilter.driftTolerance
    let widest = greatest(in: -tolerance...tolerance) { gap(slope: $0) }
    guard gap(slope: widest) >= 0 else { return nil }
    let least = edge(from: widest, to: -tolerance)
    let most = edge(from: widest, to: tolerance)
    let drift =
      span < Double(ClockFilter.trustedSpan) ? min(max(0, least), most) : likeliest(in: least...most, near: widest)
    let (high, low) = (ceilingAtNewest(slope: drift), floorAtNewest(slope: drift))
    let offset = (high + low) / 2
    let scale = jitter(slope: drift)
    return Line(
      offset: offset, drift: drift,
      bound: max(ceilingAtNewest(slope: most) - offset, offset - floorAtNewest(slope: least), 0),
      driftBound: max(most - drift, drift - least), uncertainty: scale / Double(ceiling.count))
  }

  /// The room between the lowest ceiling and the highest floor for lines of this slope, negative: none.
  private func gap(slope: Double) -> Double { ceilingAtNewest(slope: slope) - floorAtNewest(slope: slope) }

  /// Where the lowest ceiling, moved along a slope, is at the newest sample.
  private func ceilingAtNewest(slope: Double) -> Double {
    ceilingHull.reduce(.infinity) { min($0, $1.offset - slope * $1.time) }
  }

  private func floorAtNewest(slope: Double) -> Double {
    floorHull.reduce(-.infinity) { max($0, $1.offset - slope * $1.time) }
  }

  /// The lower (`side` 1) or upper (-1) edge of the points' convex hull, from left to right.
  private static func hull(_ points: [Point], side: Double) -> [Point] {
    var hull: [Point] = []
    for point in points.sorted(by: { ($0.time, side * $0.offset) < ($1.time, side * $1.offset) }) {
      while hull.count >= 2 {
        let (a, b) = (hull[hull.count - 2], hull[hull.count - 1])
        let turn = (b.time - a.time) * (point.offset - a.offset) - (b.offset - a.offset) * (point.time - a.time)
        if side * turn > 0 { break }
        hull.removeLast()
      }
      hull.append(point)
    }
    return hull
  }

  /// The slope at which the room closes, towards `limit`; `limit` when it does not.
  private func edge(from open: Double, to limit: Double) -> Double {
    if gap(slope: limit) >= 0 { return limit }
    var (inside, outside) = (open, limit)
    for _ in 0..<40 {
      let middle = (inside + outside) / 2
      if gap(slope: middle) >= 0 { inside = middle } else { outside = middle }
    }
    // The outer one: the bound must not be too small.
    return outside
  }

  /// The most likely slope when delays beyond the shortest are spread as waiting times are, and drifts as quartz has them.
  private func likeliest(in range: ClosedRange<Double>, near start: Double) -> Double {
    let weight = Double(ceiling.count) / max(1_000, jitter(slope: start))
    return greatest(in: range) { slope in
      let away = slope / ClockFilter.typicalDrift
      return weight * gap(slope: slope) - away * away / 2
    }
  }

  /// The middle of what the delays are beyond the shortest, both ways together; the middle, so that bursts count little.
  private func jitter(slope: Double) -> Double {
    let (high, low) = (ceilingAtNewest(slope: slope), floorAtNewest(slope: slope))
    let excess = ceiling.map { $0.offset - slope * $0.time - high } + floor.map { low - $0.offset + slope * $0.time }
    return excess.sorted()[excess.count / 2]
  }

  /// Where a function that rises and then falls is greatest.
  private func greatest(in range: ClosedRange<Double>, _ value: (Double) -> Double) -> Double {
    var (low, high) = (range.lowerBound, range.upperBound)
    for _ in 0..<40 {
      let left = low + (high - low) / 3
      let right = high - (high - low) / 3
      if value(left) < value(right) { low = left } else { high = right }
    }
    return (low + high) / 2
  }
}

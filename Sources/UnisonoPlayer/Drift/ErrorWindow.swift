import UnisonoBase

/// The recent errors of a player against the group, with what the nudges should have done to them taken out.
///
/// While nudges are honoured the residuals stand still, so that one window serves across changes of the nudge.
struct ErrorWindow: Sendable {
  private struct Sample {
    var time: HostTime
    var residual: Nanoseconds
  }

  private var samples: [Sample] = []

  var count: Int { samples.count }

  /// As much is known as will ever be: more samples would be of another time.
  var isFull: Bool {
    guard let first = samples.first, let last = samples.last else { return false }
    return samples.count == DriftParameters.windowCount || last.time.subtracting(first.time) >= DriftParameters.windowAge / 2
  }

  mutating func clear() { samples = [] }

  mutating func add(residual: Nanoseconds, at time: HostTime) {
    samples.append(Sample(time: time, residual: residual))
    samples.removeAll { time.subtracting($0.time) > DriftParameters.windowAge }
    if samples.count > DriftParameters.windowCount { samples.removeFirst() }
  }

  /// The median, and what still counts as near it.
  private var middle: (median: Nanoseconds, near: Nanoseconds)? {
    guard !samples.isEmpty else { return nil }
    let residuals = samples.map { $0.residual }.sorted()
    let median = residuals[residuals.count / 2]
    let deviations = residuals.map { $0.subtracting(median).absolute }.sorted()
    return (median, max(.milliseconds(1), deviations[deviations.count / 2].scaled(by: 3)))
  }

  /// Whether a sample is none of those that lie far off the others.
  func isNear(_ residual: Nanoseconds) -> Bool {
    middle.map { residual.subtracting($0.median).absolute <= $0.near } ?? false
  }

  /// The median, then the mean of what lies near it, and how widely that is scattered; nil: there is nothing.
  var estimate: (center: Nanoseconds, spread: Nanoseconds)? {
    guard let (median, near) = middle else { return nil }
    let residuals = samples.map { $0.residual }.sorted()
    let inliers = residuals.filter { $0.subtracting(median).absolute <= near }
    let offsets = inliers.map { Double($0.subtracting(median)) }
    let mean = Nanoseconds((offsets.reduce(0, +) / Double(offsets.count)).rounded())
    return (median.adding(mean), (inliers.last ?? median).subtracting(inliers.first ?? median))
  }
}

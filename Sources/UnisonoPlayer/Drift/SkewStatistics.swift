import UnisonoBase

/// Distances of a player from the group, over the last samples.
package struct SkewStatistics: Equatable, Sendable {
  private var recent: [Nanoseconds] = []
  private var next = 0
  private static let capacity = 600

  package init() {}

  mutating func add(_ skew: Nanoseconds) {
    if recent.count < Self.capacity {
      recent.append(skew)
    } else {
      recent[next] = skew
    }
    next = (next + 1) % Self.capacity
  }

  /// ns, positive: ahead of the group; nil: nothing was measured yet.
  package var last: Nanoseconds? {
    recent.isEmpty ? nil : recent[(next + recent.count - 1) % recent.count]
  }

  package var median: Nanoseconds? {
    recent.isEmpty ? nil : recent.sorted()[recent.count / 2]
  }

  /// The distance that 95 of 100 samples stay within, ns.
  package var percentile95: Nanoseconds? {
    guard !recent.isEmpty else { return nil }
    return recent.map { $0.absolute }.sorted()[(recent.count * 95 - 1) / 100]
  }

  /// The greatest distance, ns.
  package var maximum: Nanoseconds? { recent.map { $0.absolute }.max() }
}

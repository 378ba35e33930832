import UnisonoBase

/// How far from its aim a running renderer lands when it is sought, learnt from the last times.
///
/// What all seeks take is no miss, as the next aim includes it (`LearntLatency`); a renderer that knows key frames only misses each
/// time by something else.
struct SeekAccuracy: Sendable {
  private static let limit = Nanoseconds.seconds(10)

  /// ns.
  private(set) var miss: Nanoseconds = 0

  /// It landed that much ahead (behind: negative), though what a seek takes was known.
  mutating func landed(off lead: Nanoseconds) { miss += (min(lead.absolute, Self.limit) - miss) / 2 }
}

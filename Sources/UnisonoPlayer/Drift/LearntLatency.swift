import UnisonoBase

/// Time that a renderer takes for something, learnt from the last times.
struct LearntLatency: Sendable {
  /// ns; the aim of the next time.
  private(set) var value: Nanoseconds
  private(set) var isLearnt = false
  private let limit: Nanoseconds

  /// - Parameter limit: what is longer is taken for a fault, not for a latency.
  init(initially value: Nanoseconds, limit: Nanoseconds) {
    self.value = value
    self.limit = limit
  }

  /// It took that long.
  mutating func observe(_ duration: Nanoseconds) {
    move(to: duration)
  }

  /// Aimed with the present value it arrived that much ahead (behind: negative).
  mutating func missed(by lead: Nanoseconds) {
    move(to: value.subtracting(lead))
  }

  /// The first time counts in full, later ones by half.
  private mutating func move(to target: Nanoseconds) {
    let target = min(max(0, target), limit)
    value = isLearnt ? value + (target - value) / 2 : target
    isLearnt = true
  }
}

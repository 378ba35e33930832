import UnisonoBase

/// How late a hub's loop is: the times by which a timer of it came late, counted by size.
struct LoopLag: Equatable {
  /// Between two looks.
  static let interval = Nanoseconds.milliseconds(250)
  /// Upper bounds of the sizes, s.
  static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]

  /// Looks that were at most as late as the bound of the same place, and no less than the one before.
  private(set) var counts = [UInt64](repeating: 0, count: bounds.count)
  private(set) var count: UInt64 = 0
  /// s.
  private(set) var sum = 0.0

  /// A look that was due at one time came at another, host time.
  mutating func add(due: HostTime, at time: HostTime) {
    let seconds = Double(max(0, time.subtracting(due))) / 1e9
    if let place = Self.bounds.firstIndex(where: { seconds <= $0 }) { counts[place] += 1 }
    count += 1
    sum += seconds
  }
}

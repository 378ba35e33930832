/// Window of probe numbers that were seen: each counts once, and none older than the newest 64.
struct ProbeWindow: Equatable, Sendable {
  enum Verdict: Equatable, Sendable {
    /// Newer than all before.
    case newest
    /// Came late, but for the first time.
    case late
    /// Seen, or too old to tell.
    case replay
  }

  private var newest: UInt64?
  /// Bit n: newest - n was seen.
  private var seen: UInt64 = 0

  mutating func record(_ number: UInt64) -> Verdict {
    guard let last = newest else {
      newest = number
      seen = 1
      return .newest
    }
    if number > last {
      let step = number - last
      seen = step < 64 ? seen << step | 1 : 1
      newest = number
      return .newest
    }
    let age = last - number
    guard age < 64, seen & (1 << age) == 0 else { return .replay }
    seen |= 1 << age
    return .late
  }
}

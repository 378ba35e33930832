import UnisonoBase

/// Finds a player that was thrown off its place and says nothing of it, as one that stalls for a moment.
///
/// A single sample that lies far off says nothing. Those that agree with each other say that the player runs on from elsewhere;
/// while it still stands they do not agree, and a seek would come too early.
struct BlowWatch: Sendable {
  private var strays: [Nanoseconds] = []
  private var since: HostTime = 0

  enum Sight: Equatable, Sendable {
    /// It is one of those before.
    case usual
    /// It lies far off, and does not count yet.
    case stray
    /// The player is elsewhere: these samples are of there.
    case thrown([Nanoseconds])
  }

  mutating func clear() { strays = [] }

  /// - Parameters:
  ///   - residual: the sample.
  ///   - center: of those before, and how widely they are scattered.
  mutating func observe(
    _ residual: Nanoseconds, center: Nanoseconds, scatter: Nanoseconds, at now: HostTime
  ) -> Sight {
    let distance = residual.subtracting(center)
    guard distance.absolute > max(DriftParameters.thrown, scatter) else {
      strays = []
      return .usual
    }
    if let last = strays.last, (last > center) != (distance > 0) { strays = [] }
    if strays.isEmpty { since = now }
    strays.append(residual)
    if strays.count > DriftParameters.agreeing { strays.removeFirst() }
    guard strays.count == DriftParameters.agreeing, let least = strays.min(), let greatest = strays.max() else {
      return .stray
    }
    let agree = greatest.subtracting(least) <= max(DriftParameters.agreement, scatter)
    guard agree || now >= since.adding(DriftParameters.strayAge) else { return .stray }
    defer { strays = [] }
    return .thrown(strays)
  }
}

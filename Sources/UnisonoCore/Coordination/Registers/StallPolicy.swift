/// Whether a running group waits for one that stalls: one register of the whole session, the newest counts (coordination 2.7).
///
/// Not a part of the signed policy: whoever may command may set it, and it decides nothing about rights.
public struct StallPolicy: Hashable, Sendable {
  public var waits: Bool
  /// A stall shorter than this is nobody's concern, ns; 0...60 s.
  public var debounce: Nanoseconds
  /// How long the group waits at most, ns; 0...600 s.
  public var limit: Nanoseconds

  public static let off = StallPolicy(waits: false)
  /// What a debounce or a limit that the host does not give means, and what one may be.
  public static let usualDebounce: Nanoseconds = .milliseconds(300)
  public static let usualLimit: Nanoseconds = .seconds(10)
  public static let debounces: ClosedRange<Nanoseconds> = 0...(.seconds(60))
  public static let limits: ClosedRange<Nanoseconds> = 0...(.seconds(600))

  public init(waits: Bool, debounce: Nanoseconds = usualDebounce, limit: Nanoseconds = usualLimit) {
    self.waits = waits
    self.debounce = debounce
    self.limit = limit
  }

  var isPlausible: Bool { Self.debounces.contains(debounce) && Self.limits.contains(limit) }
}

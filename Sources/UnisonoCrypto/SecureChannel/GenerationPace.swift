import UnisonoBase

/// Limit on how fast others advance the generation of the content key: a member can name any that it can derive.
///
/// Honest ones take one step in 5 s, and many at once only where they were apart. All go by the same pace, so nobody is taken out of
/// the others' reach.
struct GenerationPace: Sendable {
  /// Steps admitted in each `span`.
  static let steps = Epoch.greatestJump
  static let span = Nanoseconds.seconds(10)

  enum Verdict: Equatable {
    /// All steps were admitted, or some; `isFirst`: for the first time in this span.
    case all
    case some(isFirst: Bool)
  }

  private var admitted: UInt32 = 0
  private var since: HostTime = .min
  private var isReported = false

  /// Admits as many of `count` steps as may be made now.
  mutating func admit(_ count: UInt32, now: HostTime) -> (steps: UInt32, Verdict) {
    if now.subtracting(since) >= Self.span { self = GenerationPace(since: now) }
    let steps = min(count, Self.steps - admitted)
    admitted += steps
    guard steps < count else { return (steps, .all) }
    defer { isReported = true }
    return (steps, .some(isFirst: !isReported))
  }

  init() {}

  private init(since: HostTime) { self.since = since }
}

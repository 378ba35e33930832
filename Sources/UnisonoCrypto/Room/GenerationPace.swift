import UnisonoCore

/// How fast others may take the generation of the content key on; a member can name any that it can derive.
///
/// Honest ones take one step in 5 s, and many at once only where they were apart. All go by the same pace, so nobody is taken out of
/// the others' reach.
struct GenerationPace: Sendable {
  /// So many steps in `span`.
  static let steps = Epoch.greatestJump
  static let span = Nanoseconds.seconds(10)

  enum Verdict: Equatable {
    /// Of the steps all were taken, or some; `isFirst`: for the first time in this span.
    case all
    case some(isFirst: Bool)
  }

  private var taken: UInt32 = 0
  private var since: HostTime = .min
  private var isTold = false

  /// How many of `count` steps may be taken now.
  mutating func take(_ count: UInt32, now: HostTime) -> (steps: UInt32, Verdict) {
    if now.subtracting(since) >= Self.span { self = GenerationPace(since: now) }
    let steps = min(count, Self.steps - taken)
    taken += steps
    guard steps < count else { return (steps, .all) }
    defer { isTold = true }
    return (steps, .some(isFirst: !isTold))
  }

  init() {}

  private init(since: HostTime) { self.since = since }
}

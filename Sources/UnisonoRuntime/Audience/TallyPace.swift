import UnisonoBase
import UnisonoWire

/// When a listener has something counted at its hub (wire 8.31): at a random moment, so that not all who listen do at once, and each kind
/// once in a second. The newest counts.
struct TallyPace {
  /// At a moment within this of when it became so.
  private static let spread = Nanoseconds.milliseconds(300)

  private struct Kind {
    var waiting: (subject: TallySubject, at: HostTime)?
    var said = HostTime.min
  }

  private var ready = Kind()
  private var reaction = Kind()

  var nextWake: HostTime? { [ready.waiting?.at, reaction.waiting?.at].compactMap { $0 }.min() }

  /// `fraction`: at random, 0..<1.
  mutating func add(_ subject: TallySubject, fraction: Double, now: HostTime) {
    var kind = subject.kind == .ready ? ready : reaction
    let at = now.adding(Self.spread.scaled(by: fraction))
    kind.waiting = (subject, kind.said == .min ? at : max(at, kind.said.adding(TallyKind.pause)))
    set(kind, of: subject)
  }

  /// The player is not ready any more.
  mutating func dropReadiness() { ready.waiting = nil }

  /// Removes what is to be said by now.
  mutating func next(now: HostTime) -> TallySubject? {
    for kind in [ready, reaction] {
      guard let (subject, at) = kind.waiting, at <= now else { continue }
      set(Kind(waiting: nil, said: now), of: subject)
      return subject
    }
    return nil
  }

  private mutating func set(_ kind: Kind, of subject: TallySubject) {
    if subject.kind == .ready { ready = kind } else { reaction = kind }
  }
}

/// What the renderer is to do, and how far it has come with it.
struct Course: Sendable {
  enum Goal: Equatable, Sendable {
    /// To stand, where it stops for nil; `cueRate` is the rate it gets ready for, 0: none.
    case rest(at: ItemTime?, cueRate: Double)
    /// To run along a line in host time, own output offset included.
    case run(Line)
  }

  enum Step: Equatable, Sendable {
    /// Nothing is under way.
    case settled
    /// The renderer was told something and has not answered.
    case answering(request: UInt64)
    /// It stands (or runs at another rate) until `until`, when it is told to play so that it does at `instant`.
    case waiting(until: HostTime, instant: HostTime)
  }

  /// A start from a stand, as far as it is known beforehand.
  enum Start: Equatable, Sendable {
    /// At its instant, by a renderer that keeps those.
    case exact
    /// By a renderer that was told as much earlier as it is known to need, and which comes that far behind its line, host ns,
    /// if it needs no more.
    case early(behind: Nanoseconds)
  }

  var goal: Goal = .rest(at: nil, cueRate: 0)
  var step: Step = .settled
  /// The coordination's command that is done when this is.
  var command: UInt64?
  /// Nobody else plays by the line of `command`: it begins when this player does.
  var mayBeginLater = false
  /// How often it was sent to where the line will be: next time it starts, however late.
  var aims = 0
  /// The start that the renderer was told last; nil: it ran already.
  var start: Start?
  /// Another line came while the renderer was busy with the one before.
  var isChanged = false
  /// It moved by itself and was stopped; that is done once, so that nobody fights.
  var wasStopped = false
  /// The group was asked for the usual rate, as there is no more of the live item yet.
  var isAtEdge = false

  /// The renderer did not answer for so long that this player is shown as doing nothing: what comes next it is told anew.
  var isGivenUp = false

  /// The renderer was told something, and is to answer.
  mutating func await(_ request: UInt64) {
    step = .answering(request: request)
    isGivenUp = false
  }

  var isAnswering: Bool {
    if case .answering = step { true } else { false }
  }

  /// As people see it: what is getting ready to play counts as playing.
  var rate: Double {
    switch goal {
    case .rest(_, let cueRate): cueRate
    case .run(let line): line.rate
    }
  }
}

import UnisonoBase

/// What everybody derives from the registers of an item (coordination 2.5).
package enum EffectiveState: Equatable, Sendable {
  case none
  case paused(at: ItemTime)
  case preparing(Preparation)
  case playing(Playing)

  /// A start that is waited for.
  package struct Preparation: Equatable, Sendable {
    package var pair: Pair
    /// 0, or that of the hold: readiness names it, the start has the next.
    package var sequence: UInt32
    package var rate: Double
    package var at: ItemTime
    package var deadline: GroupTime
    /// Until when persons who are not ready are waited for; nil: they are not.
    package var readyUntil: GroupTime?

    /// When all waiting ends.
    package var end: GroupTime { max(deadline, readyUntil ?? deadline) }

    /// What somebody must be ready for.
    package var readiness: ParticipantValue.Readiness { .init(base: pair, sequence: sequence) }
  }

  package struct Playing: Equatable, Sendable {
    package var pair: Pair
    package var sequence: UInt32
    /// In group time.
    package var line: Line
    /// In force until `line.since`.
    package var prior: Line?

    package func position(at time: GroupTime) -> ItemTime {
      time >= line.since ? line.position(at: time) : (prior?.position(at: time) ?? line.at)
    }

    /// The line that holds at `time`; nil: it has not begun.
    package func inForce(at time: GroupTime) -> Line? { time >= line.since ? line : prior }
  }

  package init(_ cells: Cells?) {
    guard let cells else {
      self = .none
      return
    }
    let rate = cells.rate.rate
    switch cells.continuation?.kind {
    // A pause has nothing to continue, whatever names it.
    case _ where rate == 0:
      self = .paused(at: cells.at)
    case .line(_, let since, let at, let prior):
      self = .playing(
        Playing(
          pair: cells.pair, sequence: cells.continuation?.sequence ?? 0,
          line: Line(at: at ?? cells.at, rate: rate, since: since), prior: prior))
    case .hold(let at, let deadline), .skip(_, let at, let deadline):
      self = .preparing(
        Preparation(
          pair: cells.pair, sequence: cells.continuation?.sequence ?? 0, rate: rate, at: at, deadline: deadline))
    case .ended(let at):
      self = .paused(at: at)
    case nil:
      self = .preparing(
        Preparation(pair: cells.pair, sequence: 0, rate: rate, at: cells.at, deadline: cells.deadline, readyUntil: cells.readyUntil))
    }
  }

  /// Where the group is at a group time; nil: nowhere.
  package func position(at time: GroupTime) -> ItemTime? {
    switch self {
    case .none: nil
    case .paused(let at): at
    case .preparing(let preparation): preparation.at
    case .playing(let playing): playing.position(at: time)
    }
  }
}

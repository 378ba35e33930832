import UnisonoBase
import UnisonoReplica

/// Endings of a hub's connections: counters, and the departures that their rooms have not heard of yet.
///
/// A room hears of a departure when the turn's work settles, not where it happens: that could close the next slow reader
/// while the caller still walks through the room. It hears at once, or after a pause where somebody was told just now, so
/// that a room that many leave hears of them in one frame. Phases: idle; reporting (from `beginReport` to `endReport`, with as
/// many `next` as the turn has time for); scheduled (a timer brings `reportDue`).
struct Endings {
  /// Frames written and connections closed in one turn, beyond which the rest has to wait: each is a call of the system,
  /// and what a member says meanwhile waits for all of them. 4,096 connections that end at once hold nobody up so.
  static let effortPerTurn: UInt64 = 64
  /// Between two such turns, so that there is time for what members say.
  static let pause = Nanoseconds.milliseconds(1)

  enum Report: Equatable {
    /// Nothing to report, or a timer brings it.
    case wait
    /// Not before this, host time.
    case later(HostTime)
    case now
  }

  /// Connections closed since the start.
  private(set) var count: UInt64 = 0
  /// Entries turned down, and connections closed for breaking a rule or a limit.
  var refused: UInt64 { refusals.values.reduce(0, +) }
  /// The same, by cause.
  private(set) var refusals: [RefusalCause: UInt64] = [:]
  /// Connections closed because they did not read.
  private(set) var closedSlow: UInt64 = 0
  private var departures = Departures()
  private var nextReport: HostTime = .min
  private var isScheduled = false

  mutating func countEnding() { count += 1 }
  mutating func countRefusal(_ cause: RefusalCause) { refusals[cause, default: 0] += 1 }
  mutating func countSlow() { closedSlow += 1 }

  mutating func add(_ departure: Departure, to room: UInt64) { departures.add(departure, to: room) }

  /// Whether rooms are told now who left them.
  mutating func beginReport(now: HostTime) -> Report {
    guard !departures.isEmpty, !isScheduled else { return .wait }
    guard now >= nextReport else { return schedule() }
    return .now
  }

  /// Removes the departures of the room that waits longest; nil: all was reported.
  mutating func next() -> (room: UInt64, gone: [Departure])? { departures.next() }

  /// Removes the departures of one room, out of turn; nil: nobody left it.
  mutating func remove(of room: UInt64) -> [Departure]? { departures.remove(of: room) }

  /// As many were reported as one turn has time for.
  mutating func endReport(now: HostTime) -> Report {
    nextReport = now.adding(Self.pause)
    return departures.isEmpty ? .wait : schedule()
  }

  /// The time has come that `later` named.
  mutating func reportDue() { isScheduled = false }

  private mutating func schedule() -> Report {
    isScheduled = true
    return .later(nextReport)
  }
}

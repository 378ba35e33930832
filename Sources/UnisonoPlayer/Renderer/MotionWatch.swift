import UnisonoBase
import UnisonoCoordination

/// Whether a renderer that says it plays is seen to move, by the positions that it gives.
///
/// Some say so before they do: what they say until they move is of no use. One that does not move at all stalls, whatever it
/// says.
struct MotionWatch: Sendable {
  enum Sight: Equatable, Sendable {
    /// It has not moved yet, and may still need a moment.
    case notYet
    case moves
    /// It has stood for longer than any start takes.
    case stands
    /// It moves again after it stood.
    case movesAgain
  }

  /// Last place that it was seen to have moved to, and when.
  private var last: PlaybackReport.Position?
  private var hasMoved = false
  private(set) var stands = false

  /// It says that it plays.
  mutating func begin(at position: PlaybackReport.Position?) {
    last = position
    hasMoved = false
    stands = false
  }

  /// It is told something else.
  mutating func forget() { self = MotionWatch() }

  /// Compares a position that it gave while it should run at `rate` with the last one.
  mutating func observe(_ position: PlaybackReport.Position, rate: Double) -> Sight {
    guard let last else {
      last = position
      return .notYet
    }
    let speed = min(1, abs(rate))
    if position.itemTime.subtracting(last.itemTime).absolute > PlayerParameters.sameFrame.scaled(by: speed) {
      defer { (hasMoved, stands) = (true, false) }
      self.last = position
      return stands ? .movesAgain : .moves
    }
    let patience = max(PlayerParameters.standing, PlayerParameters.standingFrames.scaled(by: 1 / speed))
    if stands || position.hostTime.subtracting(last.hostTime) > patience {
      stands = true
      return .stands
    }
    return hasMoved ? .moves : .notYet
  }
}

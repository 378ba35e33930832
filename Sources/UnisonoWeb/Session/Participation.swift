import UnisonoBase

/// What an instance of the module is there for: a session, or a place in an audience.
protocol Participation: AnyObject {
  /// What happened in it.
  var report: Report { get }
  var place: PlayerPlace { get }
  /// Host time of the next call at the latest; nil: nothing is due by itself.
  var nextWake: HostTime? { get }
  /// Group time against host time; nil: not known.
  var groupClock: ClockModel? { get }
  /// To the hub, as it usually is, ns; nil: not known.
  var roundTrip: Nanoseconds? { get }

  /// What a call of JavaScript began is carried through, and what came of it is there to be read.
  func endTurn()
  func leave() throws(Failure)
}

extension Participation {
  /// Rounds of one turn: what one brings about is decided in the next; what is left then waits for the next call.
  static var rounds: Int { 16 }
}

import UnisonoBase
import UnisonoReplica

/// Whose clock is in doubt where clocks contradict each other (wire 8.8).
///
/// The majority cannot say so, as a hub may lie to more than one; nor can seniority alone, as the most senior may be the one who is
/// lied to. Who agrees with nobody is in doubt against two; where there is one on each side, the most senior one's side is right.
enum ClockJudgement: Equatable, Sendable {
  case synchronized
  /// Oneself; the most senior one who contradicts.
  case own(against: ParticipantID)
  /// Ascending, and never empty.
  case others([ParticipantID])

  /// The judgement of `local`, by those whom it could compare its clock with.
  ///
  /// - Parameters:
  ///   - agreeing: whose clocks agree with the own one, each once; who could not be compared is in neither list.
  ///   - contradicting: whose clocks contradict it.
  ///   - isSenior: whether the first is senior to the second: a total order of all of these and `local`.
  init(
    of local: ParticipantID, agreeing: [ParticipantID], contradicting: [ParticipantID],
    isSenior: (ParticipantID, ParticipantID) -> Bool
  ) {
    guard let first = contradicting.min(by: isSenior) else {
      self = .synchronized
      return
    }
    let isDoubted =
      switch (agreeing.count, contradicting.count) {
      case (0, 1): isSenior(first, local)
      case (0, _): true
      case (_, 1): false
      default: ([local] + agreeing).allSatisfy { isSenior(first, $0) }
      }
    self = isDoubted ? .own(against: first) : .others(contradicting.sorted())
  }
}

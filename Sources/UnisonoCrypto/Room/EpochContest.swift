import UnisonoCore

/// Which of two epochs of one room this participant goes by (wire 5.5).
///
/// A greater id costs its maker a few hashes and proves nothing. So who has a proven epoch stays, and who drew one goes over.
struct EpochContest: Sendable {
  /// Between going over and doing so once more, but for going from a drawn one to a proven one.
  static let interval = Nanoseconds.seconds(60)

  enum Verdict: Equatable {
    case goOver
    /// Who offers it will come over to ours.
    case stay
    /// Said to be proven, as ours is: one of the two is not the group's.
    case refuse
  }

  private var last: HostTime?

  /// - Parameter isFromSenior: the root, or an owner senior to this participant, hands it over.
  mutating func judge(
    own: Keyring, offered id: EpochID, isProven: Bool, isFromSenior: Bool, now: HostTime
  ) -> Verdict {
    let mayAgain = last.map { now.subtracting($0) >= Self.interval } ?? true
    let goesOver =
      switch (own.isProven, isProven) {
      case (true, true): isFromSenior && mayAgain
      case (true, false): false
      case (false, true): true
      case (false, false): own.id < id && mayAgain
      }
    guard goesOver else { return own.isProven && isProven ? .refuse : .stay }
    last = now
    return .goOver
  }
}

import UnisonoCore

/// Whether this participant goes over from its epoch to another one of the same room (wire 5.5).
///
/// The session's creator drew the group's first key, and owners re-key; a greater id costs its maker a few hashes and proves
/// nothing. So only they take somebody over, as after a stranger handed it a key of its own.
struct EpochContest: Sendable {
  /// Between going over and doing so once more.
  static let interval = Nanoseconds.seconds(60)

  private var last: HostTime?

  /// - Parameter isFromSenior: the root, or an owner senior to this participant, hands it over.
  mutating func goesOver(isFromSenior: Bool, now: HostTime) -> Bool {
    guard isFromSenior, last.map({ now.subtracting($0) >= Self.interval }) ?? true else { return false }
    last = now
    return true
  }
}

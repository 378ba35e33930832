import UnisonoBase

/// Rule by which a participant switches from its epoch to another one of the same room (wire 5.5).
///
/// The session's creator drew the group's first key, and owners re-key; a greater id costs its maker a few hashes and proves
/// nothing. So only they can make somebody switch, as after a stranger handed it a key of its own.
struct EpochContest: Sendable {
  /// Shortest time between two switches.
  static let interval = Nanoseconds.seconds(60)

  private var last: HostTime?

  /// - Parameter isFromSenior: the root, or an owner senior to this participant, hands it over.
  mutating func shouldSwitch(isFromSenior: Bool, now: HostTime) -> Bool {
    guard isFromSenior, last.map({ now.subtracting($0) >= Self.interval }) ?? true else { return false }
    last = now
    return true
  }
}

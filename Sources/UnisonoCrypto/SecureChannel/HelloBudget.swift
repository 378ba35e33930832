import UnisonoBase

/// Whom a room asks because it could not read them. Noise costs nothing, so it does not make anybody ask often.
struct HelloBudget: Sendable {
  /// One in so long.
  static let interval = Nanoseconds.seconds(2)
  /// The same member again.
  static let again = Nanoseconds.seconds(6)

  /// Within the last `again`.
  private var asked: [(id: ParticipantID, at: HostTime)] = []

  mutating func take(_ id: ParticipantID, now: HostTime) -> Bool {
    asked.removeAll { now.subtracting($0.at) >= Self.again }
    guard asked.allSatisfy({ $0.id != id && now.subtracting($0.at) >= Self.interval }) else { return false }
    asked.append((id, now))
    return true
  }
}

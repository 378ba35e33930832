import UnisonoBase

/// Whom a room asks because it could not read them. Noise costs nothing, so it does not make anybody ask often.
struct HelloBudget: Sendable {
  /// One in so long.
  static let interval = Nanoseconds.seconds(2)
  /// The same member again.
  static let again = Nanoseconds.seconds(6)

  /// Within the last `again`.
  private var asked: [(id: ParticipantID, at: HostTime)] = []

  /// The first time at which this member may be asked.
  func next(_ id: ParticipantID) -> HostTime {
    asked.map { $0.at.adding($0.id == id ? Self.again : Self.interval) }.max() ?? .min
  }

  mutating func take(_ id: ParticipantID, now: HostTime) {
    asked.removeAll { now.subtracting($0.at) >= Self.again }
    asked.append((id, now))
  }
}

import UnisonoBase

/// Participants that the log names once in a while, and not each time that there is a reason.
struct MentionLimit: Sendable {
  static let interval: Nanoseconds = .seconds(60)
  static let capacity = 64

  private var named: [ParticipantID: HostTime] = [:]

  /// Whether a participant is to be named now; it counts as that.
  mutating func admit(_ id: ParticipantID, now: HostTime) -> Bool {
    named = named.filter { now.subtracting($0.value) < Self.interval }
    guard named[id] == nil, named.count < Self.capacity else { return false }
    named[id] = now
    return true
  }
}

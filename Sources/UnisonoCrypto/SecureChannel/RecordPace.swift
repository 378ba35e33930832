import UnisonoBase
import UnisonoWire

/// How many records of one author are judged, and who makes more than that (wire 5.5, 6.5).
///
/// Of who makes more each participant drops other ones, and what follows a dropped record cannot be judged: whoever spoke in such a record
/// would be read by nobody who dropped another one.
struct RecordPace: Sendable {
  /// Records a second, and at once.
  private static let rate = 16.0
  private static let burst = 64.0
  /// Who made more is *excessive* for so long after the last one that was dropped.
  private static let memory = Nanoseconds.seconds(30)

  private var pace = ParticipantPace(rate: rate, burst: burst)
  private var dropped: [ParticipantID: HostTime] = [:]

  /// One more record of this author, which signed it; false: it is dropped.
  mutating func admit(_ author: ParticipantID, now: HostTime) -> Bool {
    guard !pace.spend(author, now: now) else { return true }
    dropped = dropped.filter { now.subtracting($0.value) <= Self.memory }
    if dropped[author] != nil || dropped.count < WireLimits.roster { dropped[author] = now }
    return false
  }

  func excessive(now: HostTime) -> Set<ParticipantID> {
    dropped.isEmpty ? [] : Set(dropped.lazy.filter { now.subtracting($0.value) <= Self.memory }.map { $0.key })
  }
}

import UnisonoBase
import UnisonoReplica

/// Who contradicts what is measured here of time, so that each is named once in a while and not each time.
struct ClockContradictions: Sendable {
  private var limit = MentionLimit()

  /// The line that names the author; nil: it was named a moment ago. `distance`: from what is measured here, ns.
  mutating func name(_ author: ParticipantID, called name: String, distance: Nanoseconds, now: HostTime) -> Intent? {
    guard limit.admit(author, now: now) else { return nil }
    return .log(
      .warning,
      "participant \(author)\(name.isEmpty ? "" : " (\(name))") says that the hub's clock is \(distance / 1_000_000) ms from "
        + "where it is measured to be; that is refused")
  }

  /// The same of one whose group time is not the own one.
  mutating func name(_ other: ParticipantID, called name: String, clockApartBy offset: Nanoseconds, now: HostTime) -> Intent? {
    guard limit.admit(other, now: now) else { return nil }
    return .log(
      .warning,
      "the clock of participant \(other)\(name.isEmpty ? "" : " (\(name))") is \(offset / 1_000_000) ms from the own one: "
        + "a hub, or one of the two, does not tell the truth about time")
  }
}

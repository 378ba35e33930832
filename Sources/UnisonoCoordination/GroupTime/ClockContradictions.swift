import UnisonoBase
import UnisonoReplica

/// Who said of the hub's clock what is measured here to be wrong, so that each is named once in a while and not each time.
struct ClockContradictions: Sendable {
  static let interval: Nanoseconds = .seconds(60)
  static let capacity = 64

  private var named: [ParticipantID: HostTime] = [:]

  /// The line that names the author; nil: it was named a moment ago. `distance`: from what is measured here, ns.
  mutating func name(_ author: ParticipantID, called name: String, distance: Nanoseconds, now: HostTime) -> Intent? {
    named = named.filter { now.subtracting($0.value) < Self.interval }
    guard named[author] == nil, named.count < Self.capacity else { return nil }
    named[author] = now
    return .log(
      .warning,
      "participant \(author)\(name.isEmpty ? "" : " (\(name))") says that the hub's clock is \(distance / 1_000_000) ms from "
        + "where it is measured to be; that is refused")
  }
}

import UnisonoBase
import UnisonoReplica

/// The own Participant register as it was published, against what it says now (`Facts.own`).
struct OwnRegister: Sendable {
  /// What was last published; nil: nothing, or it is to be published again.
  private(set) var lastPublished: ParticipantValue?
  /// When, by group and by host time.
  private var publishedTime: GroupTime?
  private var lastPublication: HostTime?
  /// When a register of ours that we did not write was last seen, and its time.
  private var lastOwnCopy: (seen: HostTime, time: GroupTime)?

  /// Another who has our register.
  enum Copy {
    /// Our own, or an older one.
    case known
    /// An earlier life of ours.
    case earlierLife
    /// A second process with our key.
    case sharedKey
  }

  /// Publishes whatever it says, even if nothing changed.
  mutating func publishAgain() { lastPublished = nil }

  /// Whether what changed is to be published now; moving positions go only now and then.
  func isDue(_ facts: borrowing Facts) -> Bool {
    guard let lastPublished else { return true }
    guard lastPublished != facts.own else { return false }
    return isReportDue(facts.now) || !lastPublished.isSameButForPosition(as: facts.own)
  }

  private func isReportDue(_ now: HostTime) -> Bool {
    lastPublication.map { now >= $0.adding(Parameters.reportInterval) } ?? true
  }

  /// Host time at which a moving position is to be published.
  func wake(_ facts: borrowing Facts) -> HostTime? {
    guard facts.session.secured, facts.session.joined, let lastPublication else { return nil }
    if let lastPublished, lastPublished == facts.own { return nil }
    return lastPublication.adding(Parameters.reportInterval)
  }

  /// It was published at these times.
  mutating func recordPublication(of value: ParticipantValue, at time: GroupTime, now: HostTime) {
    lastPublished = value
    publishedTime = time
    lastPublication = now
  }

  /// Somebody has a register of ours that we did not write: an earlier life of ours, or a second process with our key.
  mutating func meetCopy(_ statement: Statement, _ facts: borrowing Facts) -> Copy {
    guard case .participant(let value) = statement.value, value.incarnation != facts.configuration.incarnation,
      statement.time > max(publishedTime ?? .min, lastOwnCopy?.time ?? .min)
    else { return .known }
    if let last = lastOwnCopy, facts.now.subtracting(last.seen) < Parameters.sharedKey { return .sharedKey }
    lastOwnCopy = (seen: facts.now, time: statement.time)
    lastPublished = nil
    return .earlierLife
  }
}

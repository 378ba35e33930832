import UnisonoBase
import UnisonoReplica

/// How far those are who listen to what this participant says, as its session knows by the hub's word: starts wait for them.
package struct AudienceReadiness: Hashable, Sendable {
  /// So long after the command at most, ns.
  package var limit: Nanoseconds
  /// The start for which enough of them are ready; nil: none.
  package var ready: ParticipantValue.Readiness?

  package init(limit: Nanoseconds, ready: ParticipantValue.Readiness? = nil) {
    self.limit = limit
    self.ready = ready
  }
}

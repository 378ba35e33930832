import UnisonoBase

/// When a service calls out: at once, then about once a second, never more often; a question is answered by the next
/// call, as early as that allows. So there is nothing to amplify.
package struct BeaconSchedule: Sendable {
  package static let spacing: Nanoseconds = .seconds(1)
  /// Calls of many devices drift apart.
  package static let jitter: Nanoseconds = .milliseconds(200)

  /// When the next call is due.
  package private(set) var next: HostTime
  private var last: HostTime?

  package init(now: HostTime) { next = now }

  /// A call left. `jitter`: 0...`Self.jitter`, drawn.
  package mutating func sent(now: HostTime, jitter: Nanoseconds) {
    last = now
    next = now.adding(Self.spacing).adding(jitter)
  }

  /// Somebody asks who is there.
  package mutating func queried(now: HostTime) {
    next = min(next, max(now, last?.adding(Self.spacing) ?? now))
  }
}

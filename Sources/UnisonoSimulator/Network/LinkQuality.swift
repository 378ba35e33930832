import UnisonoBase

/// How long a link between one participant and the hub takes.
package struct LinkQuality: Hashable, Sendable {
  /// Participant to hub, ns, one way.
  package var up: Nanoseconds
  /// Hub to participant, ns, one way.
  package var down: Nanoseconds
  /// Added to each message at random, 0 to this, ns; messages keep their order.
  package var jitter: Nanoseconds
  /// How many messages of others arrive a second time within 300 ms, by chance. Copies come when two ways lead to the same
  /// news: an update and a snapshot, or an exchange.
  package var duplicates: Double = 0
  /// How many messages of others are overtaken by those that come within the next 100 ms, by chance: two ways again.
  package var reorders: Double = 0

  /// Draws what each message takes instead of `up`, `down` and `jitter`, which only tell what is usual then.
  package private(set) var path: NetworkPath?

  /// As a path of a known kind: what is lost on it comes a retransmission later.
  package init(_ path: NetworkPath) {
    self.init(up: path.up.base, down: path.down.base, jitter: max(path.up.spread, path.down.spread))
    self.path = path
  }

  package init(up: Nanoseconds, down: Nanoseconds, jitter: Nanoseconds = 0) {
    self.up = up
    self.down = down
    self.jitter = jitter
  }

  /// Participant to hub, ns, one way: what a message takes whose packet is lost, where that can be.
  var longestUp: Nanoseconds { path?.retransmission ?? up + jitter }
  /// Hub to participant, likewise.
  var longestDown: Nanoseconds { path?.retransmission ?? down + jitter }

  /// The longest round trip to the hub, ns.
  package var roundTrip: Nanoseconds { up + down + 2 * jitter }
}

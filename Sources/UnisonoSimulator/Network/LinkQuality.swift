import UnisonoCore

/// How long a link between one participant and the hub takes.
public struct LinkQuality: Hashable, Sendable {
  /// Participant to hub, ns, one way.
  public var up: Nanoseconds
  /// Hub to participant, ns, one way.
  public var down: Nanoseconds
  /// Added to each message at random, 0 to this, ns; messages keep their order.
  public var jitter: Nanoseconds

  public init(up: Nanoseconds, down: Nanoseconds, jitter: Nanoseconds = 0) {
    self.up = up
    self.down = down
    self.jitter = jitter
  }

  /// The longest round trip to the hub, ns.
  public var roundTrip: Nanoseconds { up + down + 2 * jitter }
}

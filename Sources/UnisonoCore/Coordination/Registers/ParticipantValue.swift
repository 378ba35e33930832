/// What a participant says of itself; only it writes this register (coordination 2.3).
public struct ParticipantValue: Equatable, Sendable {
  /// Drawn at random when the session object is made; tells two processes with one key apart.
  public var incarnation: UInt64
  public var item: ItemID?
  /// Group time since which it takes part in `item`.
  public var availableSince: GroupTime?
  public var ready: Readiness?
  /// Open suspensions, oldest first; empty: it takes part.
  public var suspensions: [SuspensionReason]
  /// Where and since when it stalls.
  public var stalled: Moment?
  /// Where and since when its item is at the end.
  public var ended: Moment?
  /// Group times between which it was apart; the last ones.
  public var apart: [Interval]
  public var waits: [Wait]
  /// ns from a play command to motion.
  public var startLatency: Nanoseconds
  public var outputOffset: Nanoseconds
  public var displayName: String
  public var deviceName: String
  /// Standby hubs it runs.
  public var hubAddresses: [HubAddress]
  public var left: Bool
  /// Wire number of the role it asked for; 0: none.
  public var roleWish: UInt8
  /// As its player reported: rate, position, and the group time at which the position held.
  public var rate: Double
  public var position: ItemTime?
  public var positionAt: GroupTime?

  /// Ready for the start of exactly these commands and sequence; a confirmation of them does not void it.
  public struct Readiness: Hashable, Sendable {
    public var base: Pair
    public var sequence: UInt32
    public init(base: Pair, sequence: UInt32) {
      self.base = base.commands
      self.sequence = sequence
    }
  }
  public struct SuspensionReason: Hashable, Sendable {
    public var reason: String
    public var since: GroupTime
    public init(reason: String, since: GroupTime) {
      self.reason = reason
      self.since = since
    }
  }
  public struct Moment: Hashable, Sendable {
    public var at: ItemTime
    public var since: GroupTime
    public init(at: ItemTime, since: GroupTime) {
      self.at = at
      self.since = since
    }
  }
  public struct Interval: Hashable, Sendable {
    public var from: GroupTime
    /// `GroupTime.max` while it lasts.
    public var to: GroupTime
    public init(from: GroupTime, to: GroupTime) {
      self.from = from
      self.to = to
    }
  }

  /// Has not met the others again yet.
  var isApart: Bool { apart.last?.to == .max }

  public init(incarnation: UInt64, displayName: String = "", deviceName: String = "") {
    self.incarnation = incarnation
    item = nil
    availableSince = nil
    ready = nil
    suspensions = []
    stalled = nil
    ended = nil
    apart = []
    waits = []
    startLatency = 0
    outputOffset = 0
    self.displayName = displayName
    self.deviceName = deviceName
    hubAddresses = []
    left = false
    roleWish = 0
    rate = 0
    position = nil
    positionAt = nil
  }

  /// Whether two differ at most in where the player was seen.
  func isSameButForPosition(as other: Self) -> Bool {
    var other = other
    other.position = position
    other.positionAt = positionAt
    return self == other
  }
}

/// Where a hub listens, and which one it must prove to be.
public struct HubAddress: Hashable, Sendable {
  /// "host:port"; IPv6 hosts in brackets.
  public var address: String
  /// First 16 bytes of the hash of the hub's key; nil: unknown.
  public var hub: [UInt8]?
  public init(address: String, hub: [UInt8]? = nil) {
    self.address = address
    self.hub = hub
  }
}

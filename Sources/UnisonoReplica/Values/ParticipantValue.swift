import UnisonoBase

/// What a participant says of itself; only it writes this register (coordination 2.3).
package struct ParticipantValue: Equatable, Sendable {
  /// Drawn at random when the session object is made; tells two processes with one key apart.
  package var incarnation: UInt64
  package var item: ItemID?
  /// Group time since which it takes part in `item`.
  package var availableSince: GroupTime?
  package var ready: Readiness?
  /// Open suspensions, oldest first; empty: it takes part.
  package var suspensions: [SuspensionReason]
  /// Where and since when it stalls.
  package var stalled: Moment?
  /// Where and since when its item is at the end.
  package var ended: Moment?
  /// Group times between which it was apart; the last ones.
  package var apart: [Interval]
  package var waits: [Wait]
  /// ns from a play command to motion.
  package var startLatency: Nanoseconds
  package var outputOffset: Nanoseconds
  package var displayName: String
  package var deviceName: String
  /// Standby hubs it runs.
  package var hubAddresses: [HubAddress]
  package var left: Bool
  /// Wire number of the role it asked for; 0: none.
  package var roleWish: UInt8
  /// As its player reported: rate, position, and the group time at which the position held.
  package var rate: Double
  package var position: ItemTime?
  package var positionAt: GroupTime?
  /// What its person says of being ready.
  package var word: ReadyWord
  /// What it plays of an entry of the playlist, as it says.
  package var copy: StatedCopy?
  /// How far its copies of entries are ahead of the group's item time, the last stated ones; of each entry one, none of them 0.
  package private(set) var cuts: [CutOffset]
  /// Names of the coordinators that it has in the session beside the first one, ascending, each once.
  package var coordinators: [CoordinatorName]

  /// Ready for the start of exactly these commands and sequence; a confirmation of them does not void it.
  package struct Readiness: Hashable, Sendable {
    package var base: Pair
    package var sequence: UInt32
    package init(base: Pair, sequence: UInt32) {
      self.base = base.commands
      self.sequence = sequence
    }
  }
  package struct SuspensionReason: Hashable, Sendable {
    package var reason: String
    package var since: GroupTime
    /// Of what its player could not do, negative; 0: none.
    package var status: Int32
    package init(reason: String, since: GroupTime, status: Int32 = 0) {
      self.reason = reason
      self.since = since
      self.status = status
    }
  }
  package struct Moment: Hashable, Sendable {
    package var at: ItemTime
    package var since: GroupTime
    package init(at: ItemTime, since: GroupTime) {
      self.at = at
      self.since = since
    }
  }
  package struct Interval: Hashable, Sendable {
    package var from: GroupTime
    /// `GroupTime.max` while it lasts.
    package var to: GroupTime
    package init(from: GroupTime, to: GroupTime) {
      self.from = from
      self.to = to
    }
  }

  /// Has not met the others again yet.
  package var isApart: Bool { apart.last?.to == .max }

  package init(incarnation: UInt64, displayName: String = "", deviceName: String = "") {
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
    word = .notSaid
    copy = nil
    cuts = []
    coordinators = []
  }

  /// 0: its copy is as the group's. Of too many the one that was stated first is forgotten.
  package mutating func state(_ cut: CutOffset) {
    cuts.removeAll { $0.entry == cut.entry }
    if cut.offset != 0 { cuts.append(cut) }
    if cuts.count > WireLimits.cuts { cuts.removeFirst() }
  }

  /// Whether two differ at most in where the player was seen.
  package func isSameButForPosition(as other: Self) -> Bool {
    var other = other
    other.position = position
    other.positionAt = positionAt
    return self == other
  }
}

/// Where a hub listens, and which one it must prove to be.
package struct HubAddress: Hashable, Sendable {
  /// "host:port"; IPv6 hosts in brackets.
  package var address: String
  /// First 16 bytes of the hash of the hub's key.
  package var hub: [UInt8]
  package init(address: String, hub: [UInt8]) {
    self.address = address
    self.hub = hub
  }
}

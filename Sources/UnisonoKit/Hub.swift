import CUnisono

/// A hub in this process, for any number of groups: it passes sealed messages on and can read none of them. A session brings its
/// own and needs none of these. Letting go of it ends it; the sessions on it look for another.
public final class Hub: Sendable {
  /// Limits and addresses; zero and empty are the defaults.
  public struct Options: Hashable, Sendable {
    /// "0.0.0.0:7400", "[::]:0"; at most 16. Empty: every interface, a free port.
    public var listen: [String] = []
    /// "host:port" put into invites; at most 16. Empty: what was found.
    public var advertise: [String] = []
    /// 1...100,000; 0: 256.
    public var participantsPerRoom: UInt32 = 0
    /// 0: 1,024.
    public var rooms: UInt32 = 0
    /// 0: 4,096.
    public var connections: UInt32 = 0
    /// 0: 64.
    public var connectionsPerAddress: UInt32 = 0
    /// Of one connection; 0: 262,144.
    public var bytesPerSecond: UInt32 = 0
    /// Bytes waiting and coming in, in all; 0: 320 MiB, of a session's own hub 40 MiB.
    public var memory: UInt64 = 0
    /// Of all that leaves for one room; 0: 32 MiB/s, of a session's own hub 8 MiB/s.
    public var roomBytesPerSecond: UInt64 = 0
    /// Anybody may open rooms, also strangers from the internet.
    public var isOpen = false

    public init(listen: [String] = [], advertise: [String] = []) { (self.listen, self.advertise) = (listen, advertise) }

    func c(_ lent: Lent) throws(UnisonoError) -> unisono_hub_options {
      var c = unisono_hub_options()
      c.size = UInt32(MemoryLayout<unisono_hub_options>.size)
      (c.listen, c.listen_count) = (try lent.texts(listen, "listen"), listen.count)
      (c.advertise, c.advertise_count) = (try lent.texts(advertise, "advertise"), advertise.count)
      (c.participants_per_room, c.rooms, c.connections) = (participantsPerRoom, rooms, connections)
      (c.connections_per_address, c.bytes_per_second) = (connectionsPerAddress, bytesPerSecond)
      (c.memory, c.room_bytes_per_second) = (memory, roomBytesPerSecond)
      c.open = isOpen ? 1 : 0
      return c
    }
  }

  public let context: Context
  private let handle: Handle

  /// Bound before this returns.
  /// Errors: `.invalidArgument` (a limit exceeded), `.network` (an address is in use or cannot be parsed), `.notSupported`.
  public init(on context: Context, _ options: Options = Options()) throws(UnisonoError) {
    let lent = Lent()
    var c = try options.c(lent)
    var out: OpaquePointer?
    try check(withExtendedLifetime(lent) { unisono_hub_create(context.loop.context.token, &c, nil, nil, &out) })
    guard let out else { throw UnisonoError(.internal) }
    (self.context, handle) = (context, Handle(token: out))
  }

  deinit { unisono_hub_destroy(handle.token) }

  /// By which sessions use it (`Session.Options.hub`), one for each of its addresses: "unisono-hub://host:port/id".
  public var lines: [String] {
    get throws(UnisonoError) { try readTexts { unisono_hub_line(handle.token, $0, $1, $2) } }
  }

  public var statistics: HubStatistics {
    get throws(UnisonoError) {
      var c = unisono_hub_statistics()
      c.size = UInt32(MemoryLayout<unisono_hub_statistics>.size)
      try check(unisono_hub_get_statistics(handle.token, &c))
      return HubStatistics(c)
    }
  }
}

/// Counters of a hub, since it began; rooms and connections: those of now.
public struct HubStatistics: Hashable, Sendable {
  public let rooms: UInt64
  public let connections: UInt64
  public let framesIn: UInt64
  public let framesOut: UInt64
  public let bytesIn: UInt64
  public let bytesOut: UInt64
  public let refused: UInt64
  /// Connections that did not keep up.
  public let closedSlow: UInt64
  public let probes: UInt64

  init(_ c: unisono_hub_statistics) {
    (rooms, connections, refused, closedSlow, probes) = (c.rooms, c.connections, c.refused, c.closed_slow, c.probes)
    (framesIn, framesOut, bytesIn, bytesOut) = (c.frames_in, c.frames_out, c.bytes_in, c.bytes_out)
  }
}

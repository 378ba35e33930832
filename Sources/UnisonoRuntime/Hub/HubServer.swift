import UnisonoCore
import UnisonoCrypto

/// A hub: it forwards sealed frames inside rooms and tells time. It decides nothing, stores nothing and reads nothing.
///
/// Runs inside a participant's process or as `unisono hub`; belongs to the loop's thread of its environment.
public final class HubServer {
  /// Names this hub's clock; fresh with every hub, and after this machine slept.
  public internal(set) var clockID: ClockID
  /// The hash of this hub's key, 16 bytes: what invites may name.
  public var hubID: [UInt8] { identity.publicKey.hashedID }
  public internal(set) var statistics = HubStatistics()
  /// Rooms that it forwards; nil: any. A hub inside a participant's process serves that participant's rooms and no
  /// strangers', so that who comes with an invite that does not fit is told instead of left alone.
  public var onlyTopics: Set<[UInt8]>?
  /// Doors of rooms that the session of this process moved out of, with those who knew it there: nobody else may be the
  /// first behind one, and believe that this is the session.
  public var rearDoors: [[UInt8]: Set<ParticipantID>] = [:]
  /// Told, within the call that brings it about, that somebody entered a room.
  public var entered: () -> Void = {}
  /// Told, within the call that brings it about, that a participant looked who is in a room.
  public var looked: (ParticipantID) -> Void = { _ in }

  /// The only one so far.
  static let version: UInt8 = 1

  let environment: any Environment
  let options: HubOptions
  let identity: SigningKey
  var limits: HubLimits { options.limits }
  var now: HostTime { environment.now }

  /// Where lines of the log go that the budgets let through.
  private let logged: (HubLog) -> Void
  private var logBudgets: [HubLog.Level: LogBudget] = [:]
  var sockets: [HubSocket] = []
  /// What is taken from host time to have this hub's clock.
  let clockZero: HostTime
  var sleep: SleepDetector
  var tickTimer: (any LoopTimer)?
  var restTimer: (any LoopTimer)?
  var departureTimer: (any LoopTimer)?

  var lastNumber: UInt64 = 0
  var connections: [UInt64: HubConnection] = [:]
  /// Those that this second's look around has not come to yet.
  var unlooked: ArraySlice<UInt64> = []
  /// Connections whose reading rests.
  var resting: Set<UInt64> = []
  /// When the next of them is looked at.
  var nextWake: HostTime?
  /// Who left, until the others are told.
  var departures = Departures()
  /// When they may be told next, and whether the timer for that runs.
  var mayTell: HostTime = .min
  var tellsLater = false
  /// Connections closed since the start.
  var endings: UInt64 = 0
  var gate: EntryGate
  var rooms: HubRooms
  var notices = DoorNotices()
  var probes: HubProbes
  var inbound: ByteBudget
  var outbound: ByteBudget

  /// Binds at once. `identity` is the hub's signing key, nil: a fresh one.
  public init(
    environment: any Environment, options: HubOptions, identity: SigningKey? = nil,
    log: @escaping (HubLog) -> Void = { _ in }
  ) throws(NetworkError) {
    self.environment = environment
    self.options = options
    self.identity = identity ?? SigningKey(seed: Secret(random: environment.randomBytes))
    logged = log
    let now = environment.now
    clockID = Self.freshClock(environment)
    sleep = SleepDetector(total: environment.timeAsleep)
    // A random zero, 18 minutes to 13 days back: times on the wire tell neither the machine's nor the hub's age.
    let age = environment.randomBytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    clockZero = now.subtracting(Int64(age >> 14 | 1 << 40))
    gate = EntryGate(limits: options.limits, now: now)
    rooms = HubRooms(limits: options.limits)
    probes = HubProbes(perSecond: options.limits.probesPerSecond)
    inbound = ByteBudget(limit: options.limits.inboundMemory)
    outbound = ByteBudget(limit: options.limits.outboundMemory)
    tickTimer = environment.makeTimer { [weak self] in self?.tick() }
    restTimer = environment.makeTimer { [weak self] in self?.wake() }
    departureTimer = environment.makeTimer { [weak self] in
      self?.tellsLater = false
      self?.settle()
    }
    for address in options.advertise { _ = try HostAndPort(parsing: address) }
    do throws(NetworkError) {
      try listen()
    } catch {
      close()
      throw error
    }
  }

  /// Where others reach this hub, for invites: "host:port", what serves most people first.
  public var addresses: [String] {
    var bound = options
    bound.listen = sockets.map { PeerAddress(host: $0.host, port: $0.port).description }
    return bound.addresses(localAddresses: environment.localAddresses())
  }

  /// Where the process that runs this hub reaches it itself.
  public var ownAddress: String {
    guard let socket = sockets.first else { return "" }
    let isWildcard = socket.host == "0.0.0.0" || socket.host == "::"
    return PeerAddress(host: isWildcard ? "127.0.0.1" : socket.host, port: socket.port).description
  }

  /// This hub's clock, exactly: it runs on this host's.
  public var clock: ClockModel { ClockModel(hostTime: clockZero, remoteTime: 0, errorBound: 0) }

  /// Closes after the participant in this process had its last word: its connection ends in the same turn as the hub does.
  func close(after participant: ParticipantID) {
    for connection in connections.values where connection.seat?.id == participant { connection.stream.receiveNow() }
    while let (room, gone) = departures.next() { tell(room, gone: gone) }
    close()
  }

  /// Closes everything; connections end without a word.
  public func close() {
    for socket in sockets { socket.close() }
    sockets = []
    for connection in connections.values {
      connection.isClosed = true
      connection.stream.close()
    }
    connections = [:]
    tickTimer?.close()
    restTimer?.close()
    departureTimer?.close()
  }

  // MARK: Log

  func log(_ line: HubLog) {
    if line.level != .debug, !logBudgets[line.level, default: LogBudget(now: now)].admits(now: now) { return }
    logged(line)
  }

  /// A word for the lines that were too many.
  func logLeftOut() {
    for level in HubLog.Level.allCases {
      guard let count = logBudgets[level]?.takeLeftOut() else { continue }
      logged(HubLog(level, "\(count) more lines like these in the last second were left out"))
    }
  }

  // MARK: Sockets

  func listen() throws(NetworkError) {
    if options.listen.isEmpty {
      do throws(NetworkError) {
        try open(HubOptions.everywhere)
      } catch {
        try open(HubOptions.everywhereIPv4)
      }
    }
    for address in options.listen { try open(address) }
  }

  func open(_ address: String) throws(NetworkError) {
    let socket = try HubSocket(
      on: address, environment: environment,
      accepted: { [weak self] socket, stream in
        self?.accept(stream, through: socket) ?? StreamEvents(received: { _ in }, closed: { _ in })
      },
      received: { [weak self] socket, bytes, from, at in self?.datagram(bytes, from: from, at: at, through: socket) })
    sockets.append(socket)
    if socket.udpPort == 0 {
      log(HubLog(.warning, "\(address): UDP port \(socket.port) is taken; clock probes go over TCP, less exactly"))
    }
  }

  func accept(_ stream: any ByteStream, through socket: HubSocket) -> StreamEvents {
    let key = AddressKey(stream.peer.host)
    guard gate.accept(key, now: now) else {
      statistics.refused += 1
      stream.close()
      return StreamEvents(received: { _ in }, closed: { _ in })
    }
    lastNumber += 1
    let connection = HubConnection(
      number: lastNumber, stream: stream, socket: socket, address: key, limits: limits, now: now)
    if connections.isEmpty { tickTimer?.arm(at: now.adding(.seconds(1))) }
    connections[connection.number] = connection
    statistics.connections = UInt64(connections.count)
    return StreamEvents(
      received: { [weak self, weak connection] bytes in
        guard let connection else { return }
        self?.received(bytes, on: connection)
      },
      drained: { [weak self, weak connection] in
        guard let self, let connection, !connection.isClosed else { return }
        self.outbound.change(&connection.notedOutbound, to: connection.outboundCost)
      },
      closed: { [weak self, weak connection] _ in
        guard let self, let connection else { return }
        self.drop(connection)
        self.settle()
      })
  }
}

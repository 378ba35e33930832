import ArgumentParser
import Glibc
import Logging
import UnisonoCrypto
import UnisonoRuntime

/// `unisono hub`: a hub of its own, for groups that want one which is always there.
struct HubCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hub",
    abstract: "Forwards sealed frames between the participants of Unisono sessions, and tells them the time.",
    discussion: """
      A hub decides nothing, stores nothing and can read nothing: sessions are encrypted from end to end. It listens on \
      TCP, where it speaks WebSocket as well, and on UDP with the same number for clock probes.

      Sessions use it by the line that it prints, unisono-hub://host:port/id. Rooms are opened by whoever comes from this \
      machine or its networks; others need a token ("unisono hub token"), or --open. Whoever has the invite enters a room that \
      is open, from anywhere.

      SIGTERM and SIGINT end it in order; SIGUSR1 logs one line of statistics. Everything is logged to standard error.
      """,
    subcommands: [TokenCommand.self])

  /// Every interface, where IPv6 is there and where it is not.
  private static let everywhere = ["[::]:7400", "0.0.0.0:7400"]

  @Option(
    help: ArgumentHelp(
      "An address to listen on; may be repeated. Port 0: a free one. (default: every interface, port 7400)",
      valueName: "host:port"))
  var listen: [String] = []

  @Option(
    help: ArgumentHelp(
      "An address under which others reach this hub, instead of those found; may be repeated. Port 1024 and up.",
      valueName: "host:port"))
  var advertise: [String] = []

  @Option(
    help: ArgumentHelp(
      "Keeps the hub's key, so that its id stays the same; made if it is not there. (default: a new key every time)",
      valueName: "file"))
  var key: String?

  @Flag(help: "Prints the line that hosts use this hub by, one for each address, and ends; needs --key, and --listen with a port.")
  var printLine = false

  @Flag(help: "Anybody may open rooms, also strangers from the internet.")
  var open = false

  @Option(
    help: ArgumentHelp(
      "Keeps the secret that tokens are made from; made if it is not there. (default: strangers open no rooms)",
      valueName: "file"))
  var secret: String?

  @Option(help: ArgumentHelp("A token of this serial is good no more; may be repeated.", valueName: "serial"))
  var revoke: [UInt64] = []

  @Option(
    help: ArgumentHelp(
      "Pages from there may use this hub through WebSocket, beside pages from the hub's own host: https://host, or * for all; may be repeated.",
      valueName: "origin"))
  var origin: [String] = []

  @Option(
    help: ArgumentHelp(
      "A proxy in front of this hub, whose X-Forwarded-For is believed; may be repeated.", valueName: "address"))
  var proxy: [String] = []

  @Option(help: "Participants in one room, 1...100000.")
  var participantsPerRoom = HubLimits().participantsPerRoom

  @Option(help: "Rooms at a time.")
  var rooms = HubLimits().rooms

  @Option(help: "Connections at a time.")
  var connections = HubLimits().connections

  @Option(help: "Connections of one address (IPv6: of one /64) at a time.")
  var connectionsPerAddress = HubLimits().connectionsPerAddress

  @Option(help: "Bytes a second that are read from one connection.")
  var bytesPerSecond = HubLimits().bytesPerSecond

  @Option(help: "Bytes a second that the members of one room are sent, together.")
  var roomBytesPerSecond = HubLimits().roomBytesPerSecond

  @Option(help: "Memory for what was received and what waits to be sent, in all, MiB.")
  var memory = 320

  @Option(help: "Least important lines to log: trace, debug, info, notice, warning, error, critical.")
  var logLevel = "info"

  var limits: HubLimits {
    var limits = HubLimits()
    limits.participantsPerRoom = participantsPerRoom
    limits.rooms = rooms
    limits.connections = connections
    limits.connectionsPerAddress = connectionsPerAddress
    limits.bytesPerSecond = bytesPerSecond
    limits.roomBytesPerSecond = roomBytesPerSecond
    limits.setMemory(memory << 20)
    return limits
  }

  func validate() throws {
    let bounds: [(String, Int, ClosedRange<Int>)] = [
      ("--participants-per-room", participantsPerRoom, 1...100_000), ("--rooms", rooms, 1...1_000_000),
      ("--connections", connections, 1...1_000_000),
      ("--connections-per-address", connectionsPerAddress, 1...1_000_000),
      ("--bytes-per-second", bytesPerSecond, 1_024...Int(UInt32.max)),
      ("--room-bytes-per-second", roomBytesPerSecond, 1_024...1 << 40), ("--memory", memory, 1...1 << 20),
    ]
    for (name, value, range) in bounds where !range.contains(value) {
      throw ValidationError("\(name) is \(value); it must be \(range.lowerBound)...\(range.upperBound)")
    }
    for address in advertise where !RoomEntry.mayAdvertise(address) {
      throw ValidationError("--advertise \(address): write host:port with a port of 1024...65535; invites have no other")
    }
    for origin in origin where !HubOptions.isOrigin(origin) {
      throw ValidationError("--origin \(origin): write scheme://host or scheme://host:port, http or https; * lets every page in")
    }
    for proxy in proxy where !HubOptions.isProxy(proxy) {
      throw ValidationError("--proxy \(proxy): write the numeric address from which the proxy connects, without a port")
    }
    if printLine && key == nil { throw ValidationError("--print-line needs --key: without it the hub has another id every time") }
    if [listen, advertise, origin, proxy].contains(where: { $0.count > 16 }) { throw ValidationError("at most 16 addresses of a kind") }
    if Logger.Level(rawValue: logLevel) == nil { throw ValidationError("--log-level \(logLevel) is no level") }
  }

  func run() throws {
    if printLine { return try printLines() }
    var log = Logger(label: "unisono-hub")
    log.logLevel = Logger.Level(rawValue: logLevel) ?? .info
    // Before the loop's thread is made, so that no thread but this one takes them.
    let signals = SignalWait([SIGTERM, SIGINT, SIGUSR1])
    raiseDescriptorLimit(log)
    let hub = try start(log)
    while true {
      let signal = signals.next()
      if signal == SIGUSR1 {
        hub.logStatistics()
        continue
      }
      log.info("\(signal == SIGTERM ? "SIGTERM" : "SIGINT"): closing")
      hub.close()
      return
    }
  }

  private func start(_ log: Logger) throws -> RunningHub {
    do throws(NetworkError) {
      let loop = try UVLoop.ownThread(name: "unisono-hub")
      let identity: SigningKey?
      if let key { identity = SigningKey(seed: try KeyFile.load(key)) } else { identity = nil }
      return RunningHub(try reserve(on: loop), identity: identity, opening: try opening(), on: loop, log: log)
    } catch {
      log.critical("\(error.message)")
      throw ExitCode.failure
    }
  }

  private func printLines() throws {
    do throws(NetworkError) {
      let loop = try UVLoop.polled()
      defer { loop.close() }
      let identity = SigningKey(seed: try KeyFile.load(key ?? ""))
      let options = HubOptions(listen: listen.isEmpty ? [Self.everywhere[0]] : listen, advertise: advertise)
      for line in options.lines(of: identity, localAddresses: loop.localAddresses()) { print(line.text) }
    } catch {
      throw ValidationError(error.message)
    }
  }

  /// Hours since 1970, UTC.
  static var hour: UInt32 { UInt32(clamping: time(nil) / 3_600) }

  private func opening() throws(NetworkError) -> RoomOpening {
    if open { return .anybody }
    var known: HubSecret?
    if let secret { known = HubSecret(try KeyFile.load(secret)) }
    return .neighbours(PassCheck(secret: known, revoked: Set(revoke), hour: { Self.hour }))
  }

  private func reserve(on loop: UVLoop) throws(NetworkError) -> HubReservation {
    var options = HubOptions(
      listen: listen, advertise: advertise, limits: limits, origins: origin, proxies: proxy)
    guard listen.isEmpty else { return try HubReservation(options, on: loop) }
    options.listen = [Self.everywhere[0]]
    if let reservation = try? HubReservation(options, on: loop) { return reservation }
    options.listen = [Self.everywhere[1]]
    return try HubReservation(options, on: loop)
  }

  /// As many files as the system allows, and a word if that is less than the connections asked for.
  private func raiseDescriptorLimit(_ log: Logger) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let wanted = rlim_t(connections) + 300
    if limit.rlim_cur < wanted {
      log.warning("the system allows \(limit.rlim_cur) open files; \(connections) connections need \(wanted)")
    }
  }
}

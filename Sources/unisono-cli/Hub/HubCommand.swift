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

      Each option but --config, --check and --print-line may also be a variable, --log-level as UNISONO_HUB_LOG_LEVEL (of a list: with \
      commas), or a line of the file, log-level = "debug". Options count before variables, these before the file.

      SIGTERM and SIGINT end it in order: participants are told to move to another hub, and have --drain for it; a second one ends it \
      at once. SIGHUP reads variables' and file's settings again; SIGUSR1 logs one line of statistics. Everything is logged to \
      standard error.
      """,
    subcommands: [TokenCommand.self, CertifyCommand.self])

  @Option(
    help: ArgumentHelp("The file with settings, TOML. (default: /etc/unisono/hub.toml, if it is there)", valueName: "file"))
  var config: String?

  @Flag(help: "Prints all settings in force, each with where it is from, and ends; status 64 if one is wrong.")
  var check = false

  @Flag(help: "Prints the line that hosts use this hub by, one for each address, and ends; needs --key, and --listen with a port.")
  var printLine = false

  @OptionGroup var arguments: HubArguments

  private var source: HubSettingsSource { HubSettingsSource(options: arguments.layer, file: config) }

  /// Options alone: whatever they are combined with, these are wrong.
  func validate() throws {
    do throws(SettingsError) {
      _ = try HubSettings([arguments.layer])
    } catch {
      throw ValidationError(error.message)
    }
  }

  func settings() throws -> HubSettings { try load().settings }

  private func load() throws -> (settings: HubSettings, unknown: [String]) {
    do throws(SettingsError) {
      return try source.load()
    } catch {
      throw ValidationError(error.message)
    }
  }

  func run() throws {
    let (settings, unknown) = try load()
    if check {
      for name in unknown {
        let line = Array("\(Self.warning(of: name))\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
      }
      return print(settings.listing)
    }
    if printLine { return try printLines(settings) }
    let log = HubLogging.logger(settings)
    for name in unknown { log.warning("\(Self.warning(of: name))") }
    // Before the loop's thread is made, so that no thread but this one takes them.
    let signals = SignalWait([SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2])
    Self.raiseDescriptorLimit(settings, log)
    let hub = try start(settings, log)
    var isEnding = false
    while true {
      let signal = signals.next()
      switch signal {
      case SIGUSR1: hub.logStatistics()
      case SIGHUP: reload(hub)
      case SIGTERM, SIGINT:
        let name = signal == SIGTERM ? "SIGTERM" : "SIGINT"
        hub.log.info("\(name): \(isEnding ? "closing at once" : "closing")")
        if isEnding { return hub.close() }
        isEnding = true
        // Says so by SIGUSR2, which this thread waits for as well.
        hub.drain { kill(getpid(), SIGUSR2) }
      default:
        // Anybody's SIGUSR2 beside the drain's own is nothing.
        if isEnding, hub.isDrained { return hub.close() }
      }
    }
  }

  private static func warning(of variable: String) -> String {
    let name = variable.dropFirst(HubKey.prefix.count).lowercased().map { $0 == "_" ? "-" : String($0) }.joined()
    let hint = HubKey.resembling(name).map { "; did you mean \($0.variable)?" } ?? ""
    return "the variable \(variable) is no setting, and changes nothing\(hint)"
  }

  /// What is wrong leaves everything as it was.
  private func reload(_ hub: RunningHub) {
    do throws(SettingsError) {
      let (settings, unknown) = try source.load()
      for name in unknown { hub.log.warning("\(Self.warning(of: name))") }
      let opening: RoomOpening
      let certificate: HubCertificate?
      do throws(NetworkError) {
        opening = try Self.opening(settings)
        certificate = try Self.certificate(settings, of: hub.id)
      } catch {
        throw SettingsError(error.message)
      }
      hub.reload(settings, opening: opening, certificate: certificate)
    } catch {
      hub.reloadFailed(error.message)
    }
  }

  private func start(_ settings: HubSettings, _ log: Logger) throws -> RunningHub {
    do throws(NetworkError) {
      let site = try settings.web.map { page throws(NetworkError) in try Self.site(page, settings.media) }
      let way = try settings.hubSet.map { set throws(NetworkError) in try HubSetWay(set) }
      let loop = try UVLoop.ownThread(name: "unisono-hub")
      let identity: SigningKey?
      if let key = settings.key { identity = SigningKey(seed: try KeyFile.load(key)) } else { identity = nil }
      return RunningHub(
        try Self.reserve(settings, site, on: loop), settings, identity: identity,
        certificate: try Self.certificate(settings, of: identity?.publicKey.hashedID), opening: try Self.opening(settings), way: way,
        on: loop, log: log)
    } catch {
      log.critical("\(error.message)")
      throw ExitCode.failure
    }
  }

  private func printLines(_ settings: HubSettings) throws {
    guard let key = settings.key else {
      throw ValidationError("--print-line needs --key: without it the hub has another id every time")
    }
    do throws(NetworkError) {
      let loop = try UVLoop.polled()
      defer { loop.close() }
      let identity = SigningKey(seed: try KeyFile.load(key))
      let options = HubOptions(
        listen: settings.listen.isEmpty ? [HubSettings.everywhere[0]] : settings.listen, advertise: settings.advertise)
      let id = identity.publicKey.hashedID
      let known = try Self.certificate(settings, of: id)?.set ?? id
      for line in options.lines(of: known, localAddresses: loop.localAddresses()) { print(line.text) }
    } catch {
      throw ValidationError(error.message)
    }
  }

  private static func opening(_ settings: HubSettings) throws(NetworkError) -> RoomOpening {
    if settings.isOpen { return .anybody }
    var known: HubSecret?
    if let secret = settings.secret { known = HubSecret(try KeyFile.load(secret)) }
    return .neighbours(PassCheck(secret: known, revoked: settings.revoked, hour: { CalendarHour.now }))
  }

  /// `hub`: the id of the hub that it has to be of; nil: the hub's key is new every time.
  private static func certificate(_ settings: HubSettings, of hub: [UInt8]?) throws(NetworkError) -> HubCertificate? {
    guard let file = settings.certificate else { return nil }
    guard let hub else { throw NetworkError("a certificate is of a hub that was started with --key") }
    return try CertificateFile.read(file, of: hub)
  }

  private static func site(_ page: String, _ media: String?) throws(NetworkError) -> HubSite {
    let folder = page == WebFolder.installed ? try WebFolder.find() : page
    if let fault = WebFolder.fault(folder) { throw NetworkError(fault) }
    if let media, access(media, R_OK | X_OK) != 0 {
      throw NetworkError("the films of \(media) cannot be had: \(String(cString: strerror(errno)).lowercased())")
    }
    return HubSite(page: folder, media: media.map { .folder($0) })
  }

  private static func reserve(_ settings: HubSettings, _ site: HubSite?, on loop: UVLoop) throws(NetworkError) -> HubReservation {
    var options = HubOptions(
      listen: settings.listen, advertise: settings.advertise, limits: settings.limits, origins: settings.origins,
      proxies: settings.proxies, next: settings.next, site: site, triesBack: settings.triesBack)
    guard settings.listen.isEmpty else { return try HubReservation(options, on: loop) }
    options.listen = [HubSettings.everywhere[0]]
    if let reservation = try? HubReservation(options, on: loop) { return reservation }
    options.listen = [HubSettings.everywhere[1]]
    return try HubReservation(options, on: loop)
  }

  /// As many files as the system allows, and a word if that is less than the connections asked for.
  static func raiseDescriptorLimit(_ settings: HubSettings, _ log: Logger) {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let connections = settings.limits.connections
    // A visit has its connection and its file.
    let wanted = rlim_t(connections) + 300 + (settings.web == nil ? 0 : 2 * rlim_t(settings.limits.visits))
    if limit.rlim_cur < wanted {
      log.warning("the system allows \(limit.rlim_cur) open files; \(connections) connections need \(wanted)")
    }
  }
}

import ArgumentParser
import UnisonoBase
import UnisonoCrypto
import UnisonoRuntime
import UnisonoWire

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Looks whether this machine and its network are fit for watching together, and says what to do.",
    discussion: """
      It takes about ten seconds. Only what was tested is said: whether this machine is reached from outside is known where a hub \
      outside was asked to try. The status is 1 where something is bad. See docs/watch.md.
      """)

  @Option(
    help:
      "The line of a hub to visit, as \"unisono hub\" prints it; by default the one of agent.toml. UDP, clock and the way in need one."
  )
  var hub: String?

  @Option(help: "The port that is forwarded to this machine by hand, for the hub to try. (default: the router is asked for one)")
  var port: UInt16?

  @Flag(help: "One line of JSON.")
  var json = false

  @Option(
    help: "The settings; by default ~/.config/unisono/agent.toml, its table [watch].",
    completion: .file(extensions: ["toml"]))
  var config: String?

  /// How long a hub's clock is measured.
  private static let visit = Nanoseconds.seconds(5)

  func run() throws {
    let line: HubLine?
    let player: WatchPlayer
    do throws(SettingsError) {
      let settings = try SettingsFile.loadIfPresent(config).watch
      line = try Self.line(hub ?? settings.hub)
      player = settings.player
    } catch {
      throw ValidationError(error.message)
    }
    if let hub { CommandLineSecret.hide(hub) }
    if let port, !TryBackFrame.ports.contains(port) { throw ValidationError("--port must be 1024...65535") }
    let examination: Examination
    let tried: TriedPort
    do throws(NetworkError) {
      examination = try Examination()
      tried = try examination.openPort(port ?? 0)
    } catch {
      Terminal.complain(error.message)
      throw ExitCode.failure
    }
    let router = Self.askRouter(for: line == nil || port != nil ? nil : tried.port)
    defer { router?.end() }
    var findings = [PlayerView(usual: player).finding, examination.loopPrecision().finding]
    let multicast = examination.multicast().finding
    let (answer, opened) = Self.answer(of: router)
    let seen = opened.flatMap { TryBackFrame.ports.contains($0) ? $0 : nil } ?? tried.port
    let visit = line.map { examination.visit($0, for: Self.visit, trying: tried, as: seen) }
    tried.close()
    findings += HubVisit.findings(visit) + [multicast]
    findings += RouterView(own: examination.ownAddresses, answer: answer, trial: visit?.trial).findings
    let report = DoctorReport(findings: findings)
    if json {
      Terminal.print([report.record])
    } else {
      let columns = Terminal.size.columns
      Terminal.print(report.lines(columns: columns).map { $0.written(columns: columns, colour: Terminal.hasColour) })
    }
    if !report.isFine { throw ExitCode.failure }
  }

  private static func line(_ text: String?) throws(SettingsError) -> HubLine? {
    guard let text else { return nil }
    do throws(HubLineError) {
      return try HubLine(parsing: text)
    } catch {
      throw SettingsError(error.message)
    }
  }

  /// Begins; the answer takes seconds, which the rest takes, too. `port`: one of this machine's that it is to let in until the end, nil: it
  /// is only looked at. nil: the program is not here.
  private static func askRouter(for port: UInt16?) -> RouterRequest? {
    RouterRequest.path.flatMap { try? RouterRequest($0, [port.map { String($0) } ?? "--look"]) }
  }

  /// What the router says, and the port that it lets in.
  private static func answer(of router: RouterRequest?) -> (RouterView.Answer, UInt16?) {
    guard let router else { return (.notAsked, nil) }
    switch router.next(within: 10_000) {
    case .address(let way, let address): return (.address(way: way, address), nil)
    case .open(let port): return (.address(way: port.way, port.address), port.port)
    case .refused(let why): return (.silent(why), nil)
    default: return (.silent("the program that asks ended without an answer"), nil)
    }
  }
}

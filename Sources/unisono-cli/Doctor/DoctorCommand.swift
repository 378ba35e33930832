import ArgumentParser
import UnisonoBase
import UnisonoCrypto
import UnisonoRuntime

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Looks whether this machine and its network are fit for watching together, and says what to do.",
    discussion: """
      It takes about ten seconds. Only what was tested is said: whether this machine is reached from outside is not known, as nobody \
      outside tries. The status is 1 where something is bad. See docs/watch.md.
      """)

  @Option(
    help:
      "The line of a hub to visit, as \"unisono hub\" prints it; by default the one of agent.toml. UDP and clock need one."
  )
  var hub: String?

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
    let router = Self.askRouter()
    let examination: Examination
    do throws(NetworkError) {
      examination = try Examination()
    } catch {
      Terminal.complain(error.message)
      throw ExitCode.failure
    }
    var findings = [PlayerView(usual: player).finding, examination.loopPrecision().finding]
    findings += HubVisit.findings(line.map { examination.visit($0, for: Self.visit) })
    findings.append(examination.multicast().finding)
    findings += RouterView(own: examination.ownAddresses, answer: Self.answer(of: router)).findings
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

  /// Begins; the answer takes seconds, which the rest takes, too. nil: the program is not here.
  private static func askRouter() -> RouterRequest? {
    RouterRequest.path.flatMap { try? RouterRequest($0, ["--look"]) }
  }

  private static func answer(of router: RouterRequest?) -> RouterView.Answer {
    guard let router else { return .notAsked }
    defer { router.end() }
    switch router.next(within: 10_000) {
    case .address(let way, let address): return .address(way: way, address)
    case .refused(let why): return .silent(why)
    default: return .silent("the program that asks ended without an answer")
    }
  }
}

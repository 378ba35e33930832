import ArgumentParser
import UnisonoCrypto
import UnisonoRuntime

struct JoinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Joins friends who watch a film: opens your own copy of it in mpv or VLC.",
    discussion: """
      Your copy is looked for by the name of their file in the folders of --folder and agent.toml, and below; where it is not there you are \
      asked. Without an invite it lists friends nearby who show a film ("unisono watch --nearby") and joins the one \
      you choose; with --continue and its file it goes on with the session of another day. An address is opened only where its host is one \
      that you trust. What stands behind -- are options of the player. See docs/watch.md.
      """)

  @Argument(
    help: "The invite (unisono://...); @FILE: the first line of a file, -: of the input. Without one: who is nearby.")
  var invite: String?

  @Argument(help: "Your copy of what they watch: a file or an address.", completion: .file())
  var film: String?

  @OptionGroup var options: WatchOptions

  @Argument(parsing: .postTerminator, help: "Options of the player, behind --.")
  var playerOptions: [String] = []

  func validate() throws {
    if let film, let fault = FilmArgument.fault(film) { throw ValidationError(fault) }
  }

  func run() throws {
    let settings = try options.settings()
    let kept = try options.kept()
    // Without an invite the kept file says where the group is.
    let goesOn = invite == nil && kept?.isThere == true
    let invite = goesOn ? nil : try invite.map(InviteArgument.read) ?? Self.chosen(settings.name ?? DeviceName.standard)
    try Watching(
      part: goesOn ? .goOn(hub: settings.hub) : .join(brings: false), invite: invite, films: film.map { [$0] } ?? [],
      settings: settings, options: playerOptions, kept: kept?.file
    ).run()
  }

  /// Of a friend nearby, whom the person at the terminal chose.
  private static func chosen(_ name: String) throws -> Invite {
    do {
      return try NearbySearch(name).run()
    } catch let failure as NearbySearch.Failure {
      Terminal.complain(failure.message)
    } catch let error as NetworkError {
      Terminal.complain(error.message)
    }
    throw ExitCode.failure
  }
}

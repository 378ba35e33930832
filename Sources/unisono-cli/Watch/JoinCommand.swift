import ArgumentParser
import UnisonoCrypto

struct JoinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Joins friends who watch a film: opens your own copy of it in mpv.",
    discussion: """
      Your copy is looked for by the name of their file in the folders of --folder and agent.toml, and below; where it is not there you are \
      asked. An address is opened only where its host is one that you trust. What stands behind -- are options of mpv. See docs/watch.md.
      """)

  @Argument(help: "The invite (unisono://...); @FILE: the first line of a file, -: of the input.")
  var invite: String

  @Argument(help: "Your copy of what they watch: a file or an address.", completion: .file())
  var film: String?

  @OptionGroup var options: WatchOptions

  @Argument(parsing: .postTerminator, help: "Options of mpv, behind --.")
  var mpv: [String] = []

  func validate() throws {
    if let film, let fault = FilmArgument.fault(film) { throw ValidationError(fault) }
  }

  func run() throws {
    let settings = try options.settings()
    let invite = try InviteArgument.read(invite)
    try Watching(
      part: .join(brings: false), invite: invite, films: film.map { [$0] } ?? [], settings: settings, options: mpv
    ).run()
  }
}

import ArgumentParser
import UnisonoCrypto

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Watches a film with friends: opens it in mpv or VLC, and shows the invite to pass on.",
    usage: "unisono watch [<options>] <films> ... [-- <options of the player> ...]",
    discussion: """
      Friends join with "unisono join INVITE". What each of them does in the player, all do: pause, seek, speed. The session ends for who \
      quits it. What stands behind -- are options of the player. See docs/watch.md.
      """)

  /// The parser has no second list behind a first one: it gives the options of the player with the films.
  @Argument(
    parsing: .allUnrecognized,
    help: .init(
      "Files or addresses; several are played one after the other. Options of the player stand behind \"--\".", valueName: "films"),
    completion: .file())
  var words: [String] = []

  @Option(help: "The invite of a session there is already, which watches this now; @FILE: the first line of a file, -: of the input.")
  var session: String?

  @Option(help: "The line of a hub to meet at, as \"unisono hub\" prints it; by default in this player.")
  var hub: String?

  @Flag(help: "Asks the router for a port, so that friends elsewhere reach a new session without a hub of yours; given back at the end.")
  var internet = false

  @Flag(help: "Shows this device to those nearby: who asks to join (\"unisono join\") is asked about over the film, with digits to compare.")
  var nearby = false

  @Flag(help: "Lets phones and other browsers of this network take part: serves the page for them, and these films, over plain HTTP.")
  var web = false

  @OptionGroup var options: WatchOptions

  func validate() throws {
    if session != nil, hub != nil { throw ValidationError("--hub is for a new session; the invite says already where to meet") }
    if internet, session != nil || hub != nil {
      throw ValidationError("--internet is for a new session that meets here: with \(hub == nil ? "--session" : "--hub") it meets elsewhere")
    }
    if web, session != nil || hub != nil {
      throw ValidationError("--web is for a new session that meets here: with \(hub == nil ? "--session" : "--hub") it meets elsewhere")
    }
    if nearby, session != nil { throw ValidationError("--nearby is for a new session") }
    for film in try given().films {
      if let fault = FilmArgument.fault(film) { throw ValidationError(fault) }
    }
  }

  func given() throws -> FilmsAndOptions {
    do throws(FilmsAndOptions.Fault) {
      return try FilmsAndOptions(words)
    } catch {
      throw ValidationError(error.message)
    }
  }

  func run() throws {
    let given = try given()
    let settings = try options.settings()
    let kept = try options.kept()
    let invite = try session.map(InviteArgument.read)
    // What the settings name does not serve the page.
    let part: Participation.Part = invite == nil ? .host(hub: hub ?? (web ? nil : settings.hub)) : .join(brings: true)
    try Watching(
      part: part, invite: invite, films: given.films, settings: settings, options: given.options, kept: kept?.file,
      isForInternet: internet || (invite == nil && hub == nil && settings.hub == nil && settings.isForInternet), isForBrowsers: web,
      isNearby: invite == nil && (nearby || settings.isNearby)
    ).run()
  }
}

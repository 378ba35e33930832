import ArgumentParser
import Glibc
import Logging
import UnisonoCrypto

struct OpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Opens an invite (a unisono:// link) with the program that agent.toml names, or as \"unisono join\" does.",
    discussion: """
      The desktop calls it when somebody follows such a link. Where agent.toml names no program for one, it is joined with mpv or VLC, as [watch] there says. See \
      docs/nearby.md and docs/watch.md.
      """)

  @Argument(help: "The invite; -: the first line of the input, @FILE: of a file, which others on this machine cannot read.")
  var invite: String

  @Option(help: "The settings; by default ~/.config/unisono/agent.toml.")
  var config: String?

  @Option(help: "What to open it as: an identifier in the settings. By default what they say.")
  var activity: String?

  @Option(help: "How the person is asked: automatic, notification or terminal.")
  var ask = AskingOption.automatic

  @Flag(help: "Do not ask.")
  var yes = false

  func run() throws {
    let parsed = try InviteArgument.read(invite)
    let settings: AgentSettings
    let program: ActivitySettings?
    do throws(SettingsError) {
      settings = try SettingsFile.loadIfPresent(config)
      program = try chosen(settings)
    } catch {
      throw ValidationError(error.message)
    }
    if !yes, try !isAllowed(program?.command[0] ?? settings.watch.player.title, program?.usage, parsed) { throw ExitCode.failure }
    guard let program else {
      try Watching(part: .join(brings: false), invite: parsed, films: [], settings: settings.watch, options: []).run()
      return
    }
    let launch = Launch(program, parsed)
    do throws(Program.Failure) {
      _ = try Program(launch.arguments, input: launch.input, detached: true)
    } catch {
      throw ValidationError(error.message)
    }
  }

  /// nil: the player, as none is configured.
  private func chosen(_ settings: AgentSettings) throws(SettingsError) -> ActivitySettings? {
    guard let activity else { return settings.activities.isEmpty ? nil : try settings.activityForLinks() }
    guard let found = settings.activities[activity] else {
      throw SettingsError("there is no [activity.\"\(activity)\"] in the settings")
    }
    return found
  }

  private func isAllowed(_ program: String, _ usage: String?, _ invite: Invite) throws -> Bool {
    let question = Question(
      title: usage ?? "Watch together",
      text: "Open an invitation through \(invite.hubs[0].address) with \(program)?")
    let answers = AnswerBox()
    try ask.person(Logger(label: "unisono")).ask(1, question) { answers.put($0) }
    return answers.wait()
  }
}

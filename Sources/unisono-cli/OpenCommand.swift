import ArgumentParser
import Glibc
import Logging
import UnisonoCrypto

struct OpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Opens an invite (a unisono:// link) with the program that agent.toml names.",
    discussion: "The desktop calls it when somebody follows such a link. See docs/nearby.md.")

  @Argument(help: "The invite; -: the first line of the input, which others on this machine cannot read.")
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
    let parsed: Invite
    do throws(InviteError) {
      parsed = try Invite(parsing: invite == "-" ? readLine() ?? "" : invite)
    } catch {
      throw ValidationError(error.message)
    }
    let settings: ActivitySettings
    do throws(SettingsError) {
      settings = try chosen(try SettingsFile.load(config))
    } catch {
      throw ValidationError(error.message)
    }
    if !yes, try !isAllowed(settings, parsed) { throw ExitCode.failure }
    let launch = Launch(settings, parsed)
    do throws(Program.Failure) {
      _ = try Program(launch.arguments, input: launch.input, detached: true)
    } catch {
      throw ValidationError(error.message)
    }
  }

  private func chosen(_ settings: AgentSettings) throws(SettingsError) -> ActivitySettings {
    guard let activity else { return try settings.activityForLinks() }
    guard let found = settings.activities[activity] else {
      throw SettingsError("there is no [activity.\"\(activity)\"] in the settings")
    }
    return found
  }

  private func isAllowed(_ settings: ActivitySettings, _ invite: Invite) throws -> Bool {
    let question = Question(
      title: settings.usage, text: "Open an invitation through \(invite.hubs[0].address) with \(settings.command[0])?")
    let answers = AnswerBox()
    try ask.person(Logger(label: "unisono")).ask(1, question) { answers.put($0) }
    return answers.wait()
  }
}

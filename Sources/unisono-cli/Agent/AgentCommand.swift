import ArgumentParser
import Glibc
import Logging
import UnisonoCrypto
import UnisonoRuntime

struct AgentCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "agent",
    abstract: "Lets devices nearby ask this one to open something together.",
    discussion: """
      Says on the local network that this device is here, for each activity in agent.toml. When somebody asks, the person
      at this device is shown who asks, for what, and six digits to compare; on yes the activity's command is started with
      the invite. Of groups in agent.toml it hears what they begin, and offers that likewise. See docs/nearby.md.
      """)

  @Option(help: "The settings; by default ~/.config/unisono/agent.toml.")
  var config: String?

  @Option(help: "How the person is asked: automatic, notification or terminal.")
  var ask = AskingOption.automatic

  func run() throws {
    let log = Logger(label: "unisono-agent")
    // Before the loop's thread is made, so that no thread but this one takes them.
    let signals = SignalWait([SIGTERM, SIGINT])
    let settings: AgentSettings
    var invites: [(GroupSettings, Invite)] = []
    do throws(SettingsError) {
      settings = try SettingsFile.load(config)
      guard !settings.activities.isEmpty || !settings.groups.isEmpty else {
        throw SettingsError("neither an activity nor a group is configured: there is nothing that this device could be asked to open")
      }
      for group in settings.groups.values.sorted(by: { $0.name < $1.name }) {
        invites.append((group, try InviteArgument.kept(in: group.invite)))
      }
    } catch {
      throw ValidationError(error.message)
    }
    let person = try ask.person(log)
    do throws(NetworkError) {
      let loop = try UVLoop.ownThread(name: "unisono-agent")
      let agent = RunningAgent(settings, following: invites, person: person, on: loop, log: log)
      _ = signals.next()
      log.info("closing")
      agent.close()
    } catch {
      log.critical("\(error.message)")
      throw ExitCode.failure
    }
  }
}

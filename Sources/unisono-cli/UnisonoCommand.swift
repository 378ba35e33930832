import ArgumentParser

@main
struct UnisonoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unisono",
    abstract: "Plays the same thing at the same moment as everyone else in the group.",
    version: "0.2.0",
    subcommands: [
      WatchCommand.self, JoinCommand.self, MonitorCommand.self, BridgeCommand.self, DoctorCommand.self, HubCommand.self,
      AgentCommand.self, OpenCommand.self,
    ])
}

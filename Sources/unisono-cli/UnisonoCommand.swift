import ArgumentParser

@main
struct UnisonoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unisono",
    abstract: "Plays the same thing at the same moment as everyone else in the group.",
    subcommands: [AgentCommand.self, OpenCommand.self])
}

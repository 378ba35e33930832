import ArgumentParser
import Testing

@testable import unisono_cli

@Suite struct ParserTests {
  private static func all(below command: ParsableCommand.Type, path: String) -> [(
    command: ParsableCommand.Type, path: String
  )] {
    command.configuration.subcommands.flatMap { one in
      let path = "\(path) \(one._commandName)"
      return [(one, path)] + all(below: one, path: path)
    }
  }

  @Test("F75, F76: the parser takes each command as it is declared, and has help for it")
  func helps() {
    let commands = Self.all(below: UnisonoCommand.self, path: "unisono")
    #expect(commands.count > 7)
    // A build for tests ends in here where the parser finds fault with a declaration.
    for (command, path) in commands {
      let usage = UnisonoCommand.helpMessage(for: command).split(separator: "\n").first { $0.hasPrefix("USAGE: ") }
      #expect(usage?.hasPrefix("USAGE: \(path)") == true)
    }
  }

  private func watch(_ arguments: String...) throws -> (command: WatchCommand, given: FilmsAndOptions) {
    let command = try #require(try UnisonoCommand.parseAsRoot(["watch"] + arguments) as? WatchCommand)
    return (command, try command.given())
  }

  @Test("F75: films and options stand in any order, and what is behind -- is for mpv, whatever it looks like")
  func words() throws {
    let several = try watch(
      "https://a.example/1.mkv", "--nearby", "https://a.example/2.mkv", "--name", "Ann", "--", "--fs", "--name=x", "--",
      "y")
    #expect(several.command.nearby && several.command.options.name == "Ann")
    #expect(several.given.films == ["https://a.example/1.mkv", "https://a.example/2.mkv"])
    #expect(several.given.options == ["--fs", "--name=x", "--", "y"])
    #expect(try watch("a://b").given == FilmsAndOptions(["a://b"]))
    #expect(try watch("a://b", "--").given.options.isEmpty)
  }

  @Test(
    "F75: an option that there is not, and no film, are said as they are of other commands",
    arguments: [
      (["--bogus", "a://b"], "Unknown option '--bogus'"), (["a://b", "--bogus=1"], "Unknown option '--bogus'"),
      (["a://b", "-xy"], "Unknown option '-xy'"), ([], "Missing expected argument '<films> ...'"),
      (["--", "--fs"], "Missing expected argument '<films> ...'"),
      (["/nowhere/a.mkv"], "/nowhere/a.mkv: no such file or directory"),
    ] as [([String], String)])
  func refused(_ arguments: [String], _ message: String) {
    #expect {
      _ = try UnisonoCommand.parseAsRoot(["watch"] + arguments)
    } throws: {
      UnisonoCommand.message(for: $0) == message
    }
  }
}

import Testing

@testable import unisono_cli

@Suite struct SettingsTests {
  private static let text = """
    # This device.
    name = "Living \\u0072oom"
    open = 'org.example.watch'   # what links are

    [activity."org.example.watch"]
    usage = "Watch films together"
    command = [
      "mpv",  # the player
      "--script-opts=unisono-invite={invite}",
    ]

    [ activity . "org.example.listen" ]
    command = ['sh\\op', "a \\"b\\" \\\\ $(c)"]
    input = "stdin"
    platforms = ["linux", "tv"]
    """

  private func fault(_ text: String) -> String? {
    do throws(SettingsError) {
      _ = try AgentSettings(parsing: text, file: "agent.toml")
      return nil
    } catch {
      return error.message
    }
  }

  @Test("F52: settings are read as TOML means them")
  func good() throws {
    let settings = try AgentSettings(parsing: Self.text, file: "agent.toml")
    #expect(settings.name == "Living room")
    #expect(try settings.activityForLinks().identifier == "org.example.watch")
    let watch = try #require(settings.activities["org.example.watch"])
    #expect(watch.usage == "Watch films together")
    #expect(watch.command == ["mpv", "--script-opts=unisono-invite={invite}"])
    #expect((watch.input, watch.platforms) == (.argument, 0))
    let listen = try #require(settings.activities["org.example.listen"])
    #expect(listen.command == ["sh\\op", "a \"b\" \\ $(c)"])
    #expect((listen.input, listen.platforms) == (.stdin, 2 | 64))
    #expect(try AgentSettings(parsing: "\r\n# nothing\r\n", file: "").activities.isEmpty)
  }

  @Test("F52: groups that this device belongs to, with the file of each one's invite")
  func groups() throws {
    let text = "[group.home]\ninvite = \"~/home.invite\"\n[group.\"The gang\"]\ninvite = \"/etc/gang\""
    let groups = try AgentSettings(parsing: text, file: "", home: "/home/ann").groups
    #expect(groups.mapValues(\.invite) == ["home": "/home/ann/home.invite", "The gang": "/etc/gang"])
    let nine = (1...9).map { "[group.g\($0)]\ninvite = \"/g\"" }.joined(separator: "\n")
    #expect(try #require(fault(nine)).contains("at most 8 groups"))
  }

  @Test(
    "F52: what is wrong is said with its line",
    arguments: [
      ("name = Living room", "line 1: a string in quotes"), ("name = \"a", "line 1: a string ends with its quote"),
      ("\n\nname \"a\"", "line 3: after \"name\""), ("name = \"a\" \"b\"", "line 1: the line should end"),
      ("name = \"a\"\nname = \"b\"", "line 2: \"name\" may be there only once"), ("port = 1", "line 1: a string"),
      ("port = \"1\"", "there is no setting \"port\""), ("name = \"\"\"a\"\"\"", "several lines"),
      ("name = \"\\q\"", "there is no escape"), ("name = \"\\ud800\"", "digits of a character"),
      ("[[activity]]", "arrays of tables"), ("[activity.a", "ends with ]"), ("[other]", "there is no table \"other\""),
      ("[activity.\"Org Example\"]\ncommand = [\"a\"]", "no identifier"), ("[activity.a]", "command is missing"),
      ("[activity.a]\ncommand = []", "command is missing"), ("[activity.a]\ncommand = \"a b\"", "list of strings"),
      ("[activity.a]\ncommand = [\"a\" \"b\"]", "line 2: a list has commas"),
      ("[activity.a]\ncommand = [\"{invite}\"]", "cannot be the invite"),
      ("[activity.a]\ncommand = [\"a\", \"{invite}\"]\ninput = \"stdin\"", "goes to standard input"),
      ("[activity.a]\ncommand = [\"a\"]\ninput = \"file\"", "\"argument\" or \"stdin\""),
      ("[activity.a]\ncommand = [\"a\"]\nplatforms = [\"amiga\"]", "no platform"),
      ("[activity.a]\ncommand = [\"a\"]\n[activity.a]", "line 3: a table may be there only once"),
      ("open = \"b\"\n[activity.a]\ncommand = [\"a\"]", "there is no [activity.\"b\"]"),
      ("[group.a]", "invite is missing"), ("[group.a]\ninvite = \"unisono://x\"", "begins with / or ~/"),
      ("[group.a]\ninvite = [\"/a\"]", "invite is a string"), ("[group.a]\nfile = \"/a\"", "no setting \"file\""),
      ("name = \"a\u{1B}\"", "line 1: a string ends"),
    ])
  func bad(_ text: String, _ words: String) throws {
    let message = try #require(fault(text))
    #expect(message.contains(words), "\(message)")
    #expect(message.hasPrefix("agent.toml"))
  }

  @Test("F52: whatever bytes the file holds, reading ends and never traps")
  func noise() {
    let words = ["[", "]", "\"", "'", "=", "\n", "#", "\\", "u", ",", " ", ".", "activity", "a", "true", "\u{0}", "é"]
    var state: UInt64 = 7
    for _ in 0..<3_000 {
      var text = ""
      for _ in 0..<20 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += words[Int(state >> 33) % words.count]
      }
      _ = try? TOMLText.read(text)
    }
  }

  @Test("F52: a link needs one activity, or a word which")
  func links() throws {
    let two = "[activity.a]\ncommand = [\"a\"]\n[activity.b]\ncommand = [\"b\"]"
    #expect(throws: SettingsError.self) { try AgentSettings(parsing: two, file: "").activityForLinks() }
    #expect(try AgentSettings(parsing: "open = \"b\"\n" + two, file: "").activityForLinks().identifier == "b")
    #expect(throws: SettingsError.self) { try AgentSettings(parsing: "", file: "").activityForLinks() }
  }
}

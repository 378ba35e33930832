import Testing
import UnisonoRuntime

@testable import unisono_cli

@Suite struct HubSettingsTests {
  private static let text = """
    # This hub.
    listen = ["192.0.2.7:7400", "[2001:db8::7]:7400"]
    open = true
    rooms = 2_048
    revoke = ["18446744073709551615"]
    drain = "1500ms"
    memory = 64   # MiB
    log-level = "debug"
    """

  private func layers(_ options: [String], _ variables: [String: String], _ file: String) throws -> [HubSources.Layer] {
    let command = try #require(try UnisonoCommand.parseAsRoot(["hub"] + options) as? HubCommand)
    return [
      command.arguments.layer, try HubSources.environment(variables).layer,
      try HubSources.file(file, named: "hub.toml"),
    ]
  }

  private func fault(_ variables: [String: String] = [:], file: String = "") -> String? {
    do throws(SettingsError) {
      _ = try HubSettings([try HubSources.environment(variables).layer, try HubSources.file(file, named: "hub.toml")])
      return nil
    } catch {
      return error.message
    }
  }

  @Test("F76: options count before variables, these before the file, the file before what is the default")
  func precedence() throws {
    let settings = try HubSettings(
      layers(
        ["--rooms", "7", "--no-open"],
        ["UNISONO_HUB_ROOMS": "9", "UNISONO_HUB_MEMORY": "128", "UNISONO_HUB_LISTEN": "127.0.0.1:7400,[::1]:7400"],
        Self.text))
    #expect(settings.limits.rooms == 7 && !settings.isOpen)
    #expect(settings.limits.inboundMemory + settings.limits.outboundMemory == 128 << 20)
    #expect(settings.listen == ["127.0.0.1:7400", "[::1]:7400"])
    #expect(settings.drain == 1_500 && settings.logLevel == .debug && settings.revoked == [.max])
    #expect(settings.limits.connections == HubLimits().connections)
  }

  @Test("F76: what is in force is listed whole, each with its source, and reads as a file of settings")
  func listing() throws {
    let settings = try HubSettings(layers(["--rooms", "7"], ["UNISONO_HUB_MEMORY": "128"], Self.text))
    let lines = settings.listing.split(separator: "\n").map(String.init)
    #expect(lines.count == HubKey.allCases.count)
    for (words, source) in [
      ("rooms = 7", "option --rooms"), ("memory = 128", "variable UNISONO_HUB_MEMORY"),
      ("drain = \"1500ms\"", "hub.toml, line 6"), ("open = true", "hub.toml, line 3"),
      ("connections = 4096", "default"),
      ("listen = [\"192.0.2.7:7400\", \"[2001:db8::7]:7400\"]", "hub.toml, line 2"), ("metrics = \"\"", "default"),
    ] {
      let line = try #require(lines.first { $0.hasPrefix(words) })
      #expect(line.hasSuffix("  # " + source), "\(line)")
    }
    let again = try HubSettings([try HubSources.file(settings.listing, named: "again.toml")])
    #expect(again.limits == settings.limits && again.listen == settings.listen && again.drain == settings.drain)
    #expect(again.metrics == nil && again.revoked == settings.revoked)
  }

  @Test("F106: films are for a page that is served")
  func media() throws {
    #expect(fault(file: "media = \"/films\"")?.contains("--web serves, which is not set") == true)
    let settings = try HubSettings(layers(["--web", "installed"], ["UNISONO_HUB_MEDIA": "/films"], ""))
    #expect(settings.web == WebFolder.installed && settings.media == "/films")
  }

  @Test("N14: a certificate is for a hub that keeps its key, and comes into force at SIGHUP")
  func certificate() throws {
    #expect(fault(file: "certificate = \"hub.certificate\"")?.contains("line 1: certificate is for a hub that keeps its id") == true)
    let running = try HubSettings(layers(["--key", "hub.key"], ["UNISONO_HUB_CERTIFICATE": "one"], ""))
    let again = try HubSettings(layers(["--key", "hub.key", "--certificate", "two"], [:], ""))
    #expect(running.certificate == "one" && again.certificate == "two" && again.unreloaded(against: running).isEmpty)
  }

  @Test("a hub of a set has servers and a secret that its hubs share; one without the other is refused")
  func hubSet() throws {
    let set = "nats = [\"tls://hub:secret@a.example\", \"nats://[::1]:7\"]\nset-key = [\"one\", \"two\"]\nnats-credentials = \"hub.creds\""
    #expect(fault(file: "set-key = [\"one\"]")?.contains("line 1: set-key is for hubs of a set, which hear each other") == true)
    #expect(fault(file: "nats-ca = \"ca.pem\"")?.contains("nats-ca is for hubs of a set") == true)
    #if NATS
      let settings = try HubSettings([HubSources.file(set, named: "hub.toml")])
      #expect(
        settings.hubSet
          == HubSetSettings(
            servers: ["tls://hub:secret@a.example", "nats://[::1]:7"], credentials: "hub.creds", authorities: nil, keys: ["one", "two"]))
      #expect(settings.listing.contains("nats = [\"tls://hub:...@a.example\", \"nats://[::1]:7\"]"))
      #expect(!settings.listing.contains("secret@"))
      #expect(fault(file: "nats = [\"nats://a\"]")?.contains("name its file with --set-key") == true)
      #expect(fault(file: "nats = [\"http://a\"]\nset-key = [\"one\"]")?.contains("nats is wrong: a NATS server is written") == true)
      #expect(fault(file: set.replacing("\"two\"", with: "\"two\", \"three\""))?.contains("names 3 files; at most two") == true)
    #else
      #expect(fault(file: set)?.contains("line 1: nats is set, and this command was built without NATS") == true)
    #endif
    #expect(try HubSettings([]).hubSet == nil)
  }

  @Test(
    "F76: what is wrong in the file is said with its line, and what may have been meant",
    arguments: [
      ("\nroom = 7", "hub.toml, line 2: there is no setting \"room\"; did you mean rooms?"),
      ("loglevel = \"debug\"", "did you mean log-level?"), ("port = 7", "--check lists all"),
      ("rooms = \"7\"", "line 1: rooms is a number, 1...1000000"),
      ("rooms = 0", "line 1: rooms is 0; it must be 1...1000000"),
      ("# a\n\nopen = 1", "line 3: open is true or false"), ("listen = [\"7400\"]", "line 1: listen 7400: the address"),
      ("rooms = 0x10", "line 1: 0x10 is no whole number"), ("rooms = 1.5", "no whole number"),
      ("rooms = 007", "no whole number"),
      ("rooms = 99999999999999999999", "is too great"), ("rooms = 1__0", "no whole number"),
      ("[limits]\nrooms = 3", "line 1: there are no tables here"),
      ("rooms = 1\nrooms = 2", "line 2: \"rooms\" may be there only once"),
      ("drain = \"10h\"", "500ms, 10s, 2m"), ("drain = 3601", "at most an hour"),
      ("metrics = 9100", "a string in quotes"),
      ("next = [\"hub.example.org:7400\"]", "is no hub's line"), ("revoke = [\"x\"]", "x is no serial"),
      ("advertise = [\"hub.example.org:443\"]", "1024...65535"), ("log-format = \"xml\"", "text or json"),
    ])
  func faults(_ text: String, _ words: String) throws {
    let message = try #require(fault(file: text))
    #expect(message.contains(words), "\(message)")
  }

  @Test(
    "F76: what is wrong in the environment is said by its name; what is no setting is told")
  func variables() throws {
    #expect(fault(["UNISONO_HUB_ROOMS": "many"]) == "UNISONO_HUB_ROOMS is many; it must be 1...1000000")
    let read = try HubSources.environment([
      "UNISONO_HUB_PORT_7400_TCP": "tcp://10.0.0.1:7400", "UNISONO_HUB_OPTIONS": "--open", "UNISONO_HUB_CONFIG": "x",
      "PATH": "/",
      "UNISONO_HUB_OPEN": "", "UNISONO_HUB_ROOM": "7",
    ])
    #expect(read.layer.isEmpty && read.unknown == ["UNISONO_HUB_PORT_7400_TCP", "UNISONO_HUB_ROOM"])
    #expect(Set(HubKey.allCases.map(\.variable)).count == HubKey.allCases.count)
    #expect(HubKey.connectionsPerAddress.variable == "UNISONO_HUB_CONNECTIONS_PER_ADDRESS")
  }

  @Test("F76: of settings that changed at a reload those are named that wait for the next start")
  func reload() throws {
    let before = try HubSettings([try HubSources.file("rooms = 3\nmetrics = \"127.0.0.1:9100\"", named: "hub.toml")])
    let after = try HubSettings([try HubSources.file("rooms = 4\nlisten = \"127.0.0.1:7400\"", named: "hub.toml")])
    #expect(after.unreloaded(against: before) == [.listen, .metrics])
    #expect(before.unreloaded(against: before).isEmpty)
  }

  @Test("F76: whatever bytes the file holds, reading ends and never traps")
  func noise() {
    let words = [
      "[", "]", "\"", "=", "\n", "#", "\\", ",", " ", "-", "+", "_", "9", "0x", "rooms", "open", "true", "é", "\u{0}",
    ]
    var state: UInt64 = 11
    for _ in 0..<2_000 {
      var text = ""
      for _ in 0..<16 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        text += words[Int(state >> 33) % words.count]
      }
      _ = fault(file: text)
    }
  }
}

import Foundation
import Testing
import UnisonoBase
import UnisonoCrypto
import UnisonoReplica

@testable import unisono_cli

@Suite struct LaunchTests {
  private static let nasty = "unisono://\"'`$(touch /tmp/unisono-was-here);\n\n & | > * ~ \\ %s é"

  private func activity(_ command: [String], stdin: Bool = false) throws -> ActivitySettings {
    var values: [String: TOMLText.Value] = ["command": .texts(command)]
    if stdin { values["input"] = .text("stdin") }
    return try ActivitySettings(identifier: "org.example.watch", values)
  }

  /// The longest invite there is: fourteen hubs with long names.
  private func longest() throws -> Invite {
    let origin = Origin(root: ParticipantID(high: 1, low: 2), controlPolicy: 0, joinerRole: 2)
    let door = Secret { [UInt8](repeating: 7, count: $0) }
    let label = String(repeating: "a", count: 60)
    let id = [UInt8](repeating: 7, count: 16)
    var hubs = (0..<13).map {
      HubAddress(address: "\(label).\(label).\(label).\(label)\($0 % 10).example:7400", hub: id)
    }
    var room = 0
    while let more = try? Invite(
      origin: origin, door: door, hubs: hubs + [HubAddress(address: String(repeating: "b", count: room + 1) + ":1", hub: id)]),
      more.text.utf8.count <= Invite.maximumLength
    {
      room += 1
    }
    hubs.append(HubAddress(address: String(repeating: "b", count: room) + ":1", hub: id))
    return try Invite(origin: origin, door: door, hubs: hubs)
  }

  private func scratch() throws -> String {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Byte for byte; Foundation would tidy it up.
  private func target(of link: String) -> String? {
    var buffer = [CChar](repeating: 0, count: 8_192)
    let count = readlink(link, &buffer, buffer.count)
    return count < 0 ? nil : String(validating: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  @Test("Z29: the invite is one argument, where the command says or as the last")
  func arguments() throws {
    let nasty = Self.nasty
    #expect(try Launch(activity(["a", "-x", "{invite}", "z"]), text: nasty).arguments == ["a", "-x", nasty, "z"])
    #expect(try Launch(activity(["a", "--o={invite}!"]), text: nasty).arguments == ["a", "--o=\(nasty)!"])
    #expect(try Launch(activity(["a", "-x"]), text: nasty).arguments == ["a", "-x", nasty])
    let input = try Launch(activity(["a", "-x"], stdin: true), text: nasty)
    #expect(input == Launch.init(try activity(["a", "-x"], stdin: true), text: nasty))
    #expect((input.arguments, input.input) == (["a", "-x"], nasty + "\n"))
    // An invite that has the placeholder in it is not replaced again.
    #expect(try Launch(activity(["a", "{invite}"]), text: "{invite}{invite}").arguments == ["a", "{invite}{invite}"])
  }

  @Test("Z29: quotes, $(), newlines arrive byte for byte as one argument: no shell sees them")
  func noShell() throws {
    let folder = try scratch()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // A symbolic link holds any text, so `ln` writes down exactly what it was given.
    let long = try longest().text
    #expect(long.utf8.count > 4_000 && long.utf8.count <= 4_095)
    for (name, text) in [("nasty", Self.nasty), ("long", long)] {
      let link = "\(folder)/\(name)"
      let launch = Launch(try activity(["ln", "-s", "{invite}", link]), text: text)
      let (_, status) = try Program(launch.arguments, detached: true).finish()
      #expect(status == 0)
      #expect(target(of: link) == text)
    }
    #expect(!FileManager.default.fileExists(atPath: "/tmp/unisono-was-here"))
  }

  @Test("Z29: on standard input the invite is one line, also for a program that never reads it")
  func standardInput() throws {
    let folder = try scratch()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let invite = try longest()
    let launch = Launch(try activity(["tee", "\(folder)/got"], stdin: true), invite)
    let (output, status) = try Program(launch.arguments, input: launch.input, readsOutput: true).finish()
    #expect(status == 0)
    #expect(output == invite.text + "\n")
    #expect(try String(contentsOfFile: "\(folder)/got", encoding: .utf8) == invite.text + "\n")
    #expect(try Program(["true"], input: launch.input).finish().status == 0)
  }

  @Test("Z29: what is no invite is refused before there is anything to start")
  func refused() throws {
    for text in [Self.nasty, "unisono://a:1/$(id)", "--help", "", String(repeating: "a", count: 5_000)] {
      #expect(throws: InviteError.self) { try Invite(parsing: text) }
    }
    #expect(try Invite(parsing: longest().text).text == longest().text)
  }

  @Test("F52: a program that is not there is said by name")
  func missing() throws {
    #expect(throws: Program.Failure.self) { try Program(["/no/such/program"]) }
    do throws(Program.Failure) {
      _ = try Program(["/no/such/program"])
    } catch {
      #expect(error.message.contains("/no/such/program"))
    }
    #expect(throws: Program.Failure.self) { try Program([]) }
  }
}

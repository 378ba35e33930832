import ArgumentParser
import Glibc
import UnisonoCrypto
import UnisonoRuntime

/// `unisono hub token`: prints a token, by which somebody may open rooms at a hub from outside its networks.
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Prints a token for one who hosts sessions at a hub from outside its networks.",
    discussion: """
      The hub runs with the same --secret. Who hosts puts the token behind the hub's line, with a slash: \
      unisono-hub://host:port/id/TOKEN. The sessions' invites carry a pass that is made from it, good for that session alone; the \
      token itself stays with who hosts. "unisono hub --revoke SERIAL" takes no more passes of it.
      """)

  /// Whose `--secret` names the file: an option that both had would be taken by the hub's command.
  @ParentCommand var hub: HubCommand

  @Option(help: "Groups that may have a room open with it at a time, 1...65535.")
  var rooms = 4

  @Option(help: "For so many days it is good, 1...36500.")
  var days = 90

  func validate() throws {
    if try hub.settings().secret == nil { throw ValidationError("--secret is missing: the file with the hub's secret; made if it is not there") }
    if !(1...65_535).contains(rooms) { throw ValidationError("--rooms is \(rooms); it must be 1...65535") }
    if !(1...36_500).contains(days) { throw ValidationError("--days is \(days); it must be 1...36500") }
  }

  func run() throws {
    let path = try hub.settings().secret ?? ""
    do throws(NetworkError) {
      let secret = HubSecret(try KeyFile.load(path))
      let terms = TokenTerms(
        serial: .random(in: 0 ... .max), until: CalendarHour.now + UInt32(days) * 24, rooms: UInt16(rooms))
      print("serial \(terms.serial)\ntoken \(secret.token(terms).text)")
    } catch {
      throw ValidationError(error.message)
    }
  }
}

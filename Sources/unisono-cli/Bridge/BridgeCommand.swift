import ArgumentParser
import Glibc
import UnisonoBase
import UnisonoCrypto
import UnisonoRuntime

struct BridgeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bridge",
    abstract: "Has people in a Syncplay room and in a session play together.",
    discussion: """
      It takes part in both: play, pause, seek, chat, readiness and the names of files go both ways. The way to the Syncplay server is not \
      encrypted, and the server sees what it is told. Ctrl+C leaves both. See docs/watch.md.
      """)

  @Argument(help: "The Syncplay server (HOST:PORT).")
  var server: String

  @Argument(help: "The room there.")
  var room: String

  @Argument(help: "The invite (unisono://...); @FILE: the first line of a file, -: of the input.")
  var invite: String

  @Option(help: "What the session sees; otherwise \"Syncplay\" and the room.")
  var name: String?

  func run() throws {
    let invite = try InviteArgument.read(invite)
    let address: HostAndPort
    do throws(NetworkError) { address = try HostAndPort(parsing: server) } catch {
      throw ValidationError(error.message)
    }
    guard !room.isEmpty, room.count <= 35, VisibleText.isPlain(room) else {
      throw ValidationError("the room is 1...35 characters without control characters")
    }
    let name = name ?? PeopleText.cut("Syncplay \(room)", bytes: 63)
    do throws(SettingsError) { _ = try WatchSettings.name(name) } catch { throw ValidationError(error.message) }
    let signals = SignalWait([SIGINT, SIGTERM, SIGHUP])
    try AttendingRun.perform { () throws(Bridge.Failure) in
      let bridge = try Bridge(address, room: room, invite: invite.text, name: name) { Terminal.print([$0]) }
      defer { bridge.close() }
      let stop = StopRequest(signals, wake: bridge.wake)
      while !stop.isWanted, bridge.end == nil {
        try bridge.turn()
        if let failure = bridge.failure { throw failure }
      }
      return bridge.end
    }
  }
}

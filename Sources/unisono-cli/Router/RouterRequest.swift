import Glibc
import UnisonoBase

/// A question to the router at home, asked by the program `unisono-port`, which lasts as long as this: a port is given back when it is
/// closed, or when this process ends, however it ends.
///
/// Unchecked, because one thread reads at a time: who made it, and then whoever it hands that to.
final class RouterRequest: @unchecked Sendable {
  private static let name = "unisono-port"
  private static let variable = "UNISONO_PORT_PROGRAM"
  /// A line is shorter than this.
  private static let longestLine = 1_024
  /// ms that it has for giving a port back.
  private static let patience: Int32 = 10_000

  private let program: Program
  private let descriptor: Int32
  private var unread: [UInt8] = []

  /// Where the program is; nil: it is not here.
  static var path: String? {
    PartSearch.here(name, variable: variable).places.first { access($0, X_OK) == 0 }
  }

  /// What to do where it is not.
  static let missing = """
    \(name) is not here, which asks the router: Debian's package of it is unisono-port; `make` builds it (libminiupnpc-dev, libnatpmp-dev)
    """

  /// - Parameter arguments: `--look`, or the port.
  init(_ path: String, _ arguments: [String]) throws(Program.Failure) {
    // Ctrl+C is ours: it gives the port back when it is told to.
    (program, descriptor) = try Program.talking([path, "--descriptor", "3"] + arguments, detached: true)
  }

  deinit { close(descriptor) }

  /// The next word; nil: none in so many milliseconds (-1: without limit), or it has ended.
  func next(within milliseconds: Int32) -> RouterWord? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: unread[..<end], as: UTF8.self)
        unread.removeSubrange(...end)
        if let word = RouterWord(VisibleText.plain(line)) { return word }
        continue
      }
      guard unread.count < Self.longestLine else { return nil }
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let found = poll(&entry, 1, milliseconds)
      if found < 0, errno == EINTR { continue }
      guard found > 0 else { return nil }
      var buffer = [UInt8](repeating: 0, count: Self.longestLine)
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      unread += buffer[..<count]
    }
  }

  /// Has the port given back, and waits for it. Whoever reads just now reads its last word.
  func end() {
    shutdown(descriptor, Int32(SHUT_WR))
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    var found = poll(&entry, 1, Self.patience)
    while found < 0, errno == EINTR { found = poll(&entry, 1, Self.patience) }
    if found == 0 { program.stop(SIGKILL) }
    _ = program.finish()
  }
}

import Glibc
import UnisonoRuntime

/// A player, from its start to its end. It ends with this process, however that ends: it does once nobody holds the other end of its
/// descriptor any more.
final class RunningPlayer: Sendable {
  private let program: Program
  private let descriptor: Int32
  private let quit: String

  /// - Parameter heard: called with each line that it writes, on a thread of its own.
  init(_ launch: PlayerLaunch, heard: @escaping @Sendable (String) -> Void) throws(Program.Failure) {
    quit = launch.quit
    (program, descriptor) = try Program.talking(launch.arguments, sharesInput: true)
    Self.listen(descriptor, heard)
    for request in launch.requests { send(request) }
  }

  private static func listen(_ descriptor: Int32, _ heard: @escaping @Sendable (String) -> Void) {
    Background.run {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      var line: [UInt8] = []
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count == 0 || (count < 0 && errno != EINTR) { return }
        for byte in buffer.prefix(max(0, count)) {
          if byte == UInt8(ascii: "\n") {
            heard(String(decoding: line, as: UTF8.self))
            line = []
          } else if line.count < 65_536 {
            line.append(byte)
          }
        }
      }
    }
  }

  deinit { close(descriptor) }

  /// A line for it, from any thread. Lines are short: each goes whole.
  func send(_ request: String) {
    var rest = Array(request.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
    }
  }

  /// Signals that `wait` takes; to be blocked before any thread is made.
  static let signals = [SIGTERM, SIGINT, SIGHUP, SIGCHLD, SIGALRM]
  /// Seconds that it has for leaving in order.
  private static let patience: UInt32 = 10

  /// Waits for its end. SIGTERM, SIGINT and SIGHUP ask it to end in order.
  /// - Parameters:
  ///   - reminder: seconds after which `remind` is called once.
  func wait(_ signals: SignalWait, reminder: UInt32, _ remind: () -> Void) -> (end: Program.End, wasAsked: Bool) {
    var wasAsked = false
    alarm(reminder)
    while true {
      switch signals.next() {
      case SIGCHLD:
        // Other programs of ours end, too.
        guard let end = program.end() else { continue }
        alarm(0)
        return (end, wasAsked)
      case SIGALRM where wasAsked: program.stop(SIGKILL)
      case SIGALRM: remind()
      case _ where wasAsked: break
      default:
        wasAsked = true
        send(quit)
        alarm(Self.patience)
      }
    }
  }
}

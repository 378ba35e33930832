import Glibc
import UnisonoRuntime

/// mpv, from its start to its end. It ends with this process, however that ends: it does once nobody holds the other end of its
/// descriptor any more.
final class RunningMpv {
  private let program: Program
  private let descriptor: Int32

  init(_ start: MpvStart) throws(Program.Failure) {
    (program, descriptor) = try Program.talking(start.arguments, sharesInput: true)
    Self.listen(descriptor)
    for request in start.requests { send(request) }
  }

  /// What mpv says is not needed, but a pipe that nobody reads would fill.
  private static func listen(_ descriptor: Int32) {
    Background.run {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count == 0 || (count < 0 && errno != EINTR) { return }
      }
    }
  }

  private func send(_ request: String) {
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
        close(descriptor)
        return (end, wasAsked)
      case SIGALRM where wasAsked: program.stop(SIGKILL)
      case SIGALRM: remind()
      case _ where wasAsked: break
      default:
        wasAsked = true
        send(MpvStart.quit)
        alarm(Self.patience)
      }
    }
  }
}

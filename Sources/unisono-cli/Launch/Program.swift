import CUV
import Glibc

/// A program that was started: its arguments went to the system as they are, no shell ever saw them.
struct Program: Sendable {
  let id: pid_t
  /// What it writes to its standard output; nil: that goes where ours goes.
  private let output: Int32?

  /// POSIX_SPAWN_SETSID, which the Glibc module leaves out.
  private static let newSession: Int32 = 0x80

  struct Failure: Error { var message: String }

  /// Whether there is such a program: at its path, or by its name in PATH.
  static func isInstalled(_ name: String) -> Bool {
    name.utf8.contains(UInt8(ascii: "/")) ? access(name, X_OK) == 0 : AskingOption.find(name) != nil
  }

  /// - Parameters:
  ///   - input: for its standard input, at most what a pipe holds (64 KiB); nil: it has none, unless
  ///   - sharesInput: it has ours.
  ///   - descriptor: one of ours that it finds as its descriptor 3.
  ///   - readsOutput: its standard output is read by `finish` instead of going where ours goes.
  ///   - isQuiet: what it says of errors nobody is shown.
  ///   - detached: it is a session of its own, which our terminal's signals do not reach.
  init(
    _ arguments: [String], input: String? = nil, sharesInput: Bool = false, descriptor: Int32? = nil, readsOutput: Bool = false,
    isQuiet: Bool = false, detached: Bool = false
  ) throws(Failure) {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    var inputPipe: (read: Int32, write: Int32)?
    var outputPipe: (read: Int32, write: Int32)?
    defer {
      if let inputPipe { close(inputPipe.read) }
      if let outputPipe { close(outputPipe.write) }
    }
    if let input {
      let pipe = try Self.pipe()
      inputPipe = pipe
      posix_spawn_file_actions_adddup2(&actions, pipe.read, 0)
      let bytes = Array(input.utf8)
      // It fits the pipe, so it is there before anybody reads, and a program that never reads stops nobody.
      let written = write(pipe.write, bytes, bytes.count)
      close(pipe.write)
      guard written == bytes.count else { throw Failure(message: "the invite does not fit a pipe") }
    } else if !sharesInput {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    // Also where it is 3 here: that it be closed there is taken back.
    if let descriptor { posix_spawn_file_actions_adddup2(&actions, descriptor, 3) }
    if readsOutput {
      let pipe = try Self.pipe()
      outputPipe = pipe
      posix_spawn_file_actions_adddup2(&actions, pipe.write, 1)
    }
    if isQuiet { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
    // What we block (SIGTERM and friends are waited for) it must not inherit.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var flags = Int32(POSIX_SPAWN_SETSIGMASK)
    if detached { flags |= Self.newSession }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    words.append(nil)
    defer { for word in words { free(word) } }
    var id = pid_t()
    let status = posix_spawnp(&id, arguments.first ?? "", &actions, &attributes, words, environ)
    guard status == 0 else {
      if let outputPipe { close(outputPipe.read) }
      throw Failure(
        message: "cannot start \(arguments.first ?? "nothing"): \(String(cString: strerror(status)).lowercased())")
    }
    self.id = id
    output = outputPipe?.read
  }

  /// Starts it with one end of a socket as its descriptor 3; ours is the other, to be closed by whoever calls. What waits for that
  /// descriptor's end ends with this process, however that ends.
  static func talking(_ arguments: [String], sharesInput: Bool = false, detached: Bool = false) throws(Failure) -> (
    program: Program, descriptor: Int32
  ) {
    var ends: [Int32] = [0, 0]
    // SOCK_CLOEXEC: no other program gets these.
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw Failure(message: "\(arguments.first ?? "") cannot be talked to: \(String(cString: strerror(errno)).lowercased())")
    }
    defer { Glibc.close(ends[1]) }
    do throws(Failure) {
      return (try Program(arguments, sharesInput: sharesInput, descriptor: ends[1], detached: detached), ends[0])
    } catch {
      Glibc.close(ends[0])
      throw error
    }
  }

  /// Waits for its end. What it wrote (at most 64 KiB, where that is read), and its status; nil: ended by a signal.
  func finish() -> (output: String, status: Int32?) {
    var bytes: [UInt8] = []
    if let output {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while bytes.count < 65_536 {
        let count = read(output, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        bytes += buffer[..<count]
      }
      close(output)
    }
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    let exited = status & 0x7F == 0
    return (String(decoding: bytes, as: UTF8.self), exited ? status >> 8 & 0xFF : nil)
  }

  /// How it ended, once it has; nil: it runs. To be asked until then, and no more.
  func end() -> End? {
    var status: Int32 = 0
    guard waitpid(id, &status, WNOHANG) == id else { return nil }
    return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signalled(status & 0x7F)
  }

  enum End: Equatable {
    case exited(Int32)
    case signalled(Int32)
  }

  func stop(_ signal: Int32 = SIGTERM) { kill(id, signal) }

  private static func pipe() throws(Failure) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe2(&ends, O_CLOEXEC) == 0 else {
      throw Failure(message: "no pipe to be had: \(String(cString: strerror(errno)).lowercased())")
    }
    return (ends[0], ends[1])
  }
}

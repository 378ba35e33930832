#if NATS
  import Glibc
  import UnisonoRuntime

  @testable import UnisonoNATS

  /// A real nats-server on 127.0.0.1, at a port of its own, which ends with this object.
  final class NATSServerProcess {
    static let program = {
      let places: [String] = ["/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server"]
      return places.first { access($0, X_OK) == 0 }
    }()
    /// Why a test is skipped.
    static let missing = "nats-server is not installed; on Debian: apt install nats-server"

    let port: UInt16
    private let arguments: [String]
    private(set) var process: pid_t = 0

    /// `arguments`: more of the server's. It is not started yet.
    init(_ arguments: [String] = []) throws {
      let loop = try UVLoop.polled()
      defer { loop.close() }
      port = try HostAndPort(parsing: loop.reserveListener(on: "127.0.0.1:0")).port
      self.arguments = arguments
    }

    deinit { kill() }

    func address(_ scheme: String = "nats://", login: String = "") throws -> NATSServer {
      try NATSServer(parsing: "\(scheme)\(login)127.0.0.1:\(port)")
    }

    /// Starts it, and returns once it listens.
    func start() throws {
      let words = [Self.program ?? "", "-a", "127.0.0.1", "-p", "\(port)", "-l", "/dev/null"] + arguments
      var pointers: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
      defer { for pointer in pointers { free(pointer) } }
      guard posix_spawn(&process, words[0], nil, nil, &pointers, environ) == 0 else {
        throw NetworkError("cannot start \(words[0])")
      }
      let loop = try UVLoop.polled()
      defer { loop.close() }
      for _ in 0..<500 {
        var isOpen: Bool?
        let stream = loop.connect(
          to: "127.0.0.1:\(port)",
          StreamEvents(opened: { isOpen = true }, received: { _ in }, closed: { _ in isOpen = isOpen ?? false }))
        while isOpen == nil { _ = loop.poll(maxWait: .milliseconds(100)) }
        stream.close()
        if isOpen == true { return }
        _ = loop.poll(maxWait: .milliseconds(20))
      }
      throw NetworkError("nats-server does not listen on port \(port)")
    }

    func stop() { Glibc.kill(process, SIGSTOP) }

    func goOn() { Glibc.kill(process, SIGCONT) }

    func kill() {
      guard process > 0 else { return }
      Glibc.kill(process, SIGKILL)
      waitpid(process, nil, 0)
      process = 0
    }
  }
#endif

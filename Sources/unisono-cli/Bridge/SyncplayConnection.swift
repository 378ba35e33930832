import Glibc
import Synchronization
import UnisonoRuntime

/// The way to a Syncplay server. It is looked for on a thread of its own; then lines come and go without waiting.
final class SyncplayConnection {
  enum Step {
    case connected
    case line([UInt8])
    /// Why.
    case lost(String)
  }

  private enum Search {
    case underWay
    case given(up: String)
    case found(Int32)
    /// Nobody wants it any more.
    case abandoned
  }

  private final class Place: Sendable { let search = Mutex(Search.underWay) }

  /// ms, for each address of the server.
  private static let patience: Int32 = 10_000
  private static let mostUnsent = 1 << 20

  private let place = Place()
  private var socket: Int32?
  private var lines = SyncplayLines()
  private var unsent: [UInt8] = []

  /// - Parameter wake: called on another thread once it is known whether the server answers.
  init(to server: HostAndPort, wake: @escaping @Sendable () -> Void) {
    let place = place
    let isRunning = Background.run {
      let result = Self.connect(server)
      place.search.withLock { search in
        if case .abandoned = search, case .found(let socket) = result { Glibc.close(socket) }
        if case .underWay = search { search = result }
      }
      wake()
    }
    if !isRunning { place.search.withLock { $0 = .given(up: "the system has no thread left") } }
  }

  func close() {
    place.search.withLock { search in
      if case .found(let socket) = search { Glibc.close(socket) }
      search = .abandoned
    }
    if let socket { Glibc.close(socket) }
    socket = nil
  }

  /// What to wait for; nil: `wake` is called.
  var waiting: pollfd? {
    socket.map { pollfd(fd: $0, events: Int16(POLLIN) | (unsent.isEmpty ? 0 : Int16(POLLOUT)), revents: 0) }
  }

  /// Nothing happens before it is connected.
  func send(_ line: String) {
    guard socket != nil else { return }
    unsent += Array(line.utf8) + [0x0D, 0x0A]
  }

  /// What has happened; writes what can be written. At most 64 KiB are read in one turn.
  func turn() -> [Step] {
    guard let socket else { return look() }
    var steps: [Step] = []
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    if count > 0 {
      guard let new = lines.add(bytes[..<count]) else { return [.lost("the server sent a line that is too long")] }
      steps = new.map { .line($0) }
    } else if count == 0 {
      return [.lost("the server has closed the connection")]
    } else if !Self.isLater(errno) {
      return [.lost(String(cString: strerror(errno)))]
    }
    return steps
  }

  /// Writes what has been sent and can be written; why it cannot be any more.
  func flush() -> String? {
    guard let socket else { return nil }
    while !unsent.isEmpty {
      let count = Glibc.send(socket, unsent, unsent.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
      if count < 0, !Self.isLater(errno) { return String(cString: strerror(errno)) }
      if count < 0 { return unsent.count > Self.mostUnsent ? "the server takes nothing" : nil }
      unsent.removeFirst(count)
    }
    return nil
  }

  private static func isLater(_ error: Int32) -> Bool { error == EAGAIN || error == EWOULDBLOCK || error == EINTR }

  private func look() -> [Step] {
    place.search.withLock { search in
      switch search {
      case .underWay, .abandoned: return []
      case .given(let why):
        search = .abandoned
        return [.lost(why)]
      case .found(let found):
        socket = found
        search = .abandoned
        return [.connected]
      }
    }
  }

  // MARK: On the thread that looks for it

  private static func connect(_ server: HostAndPort) -> Search {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var first: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(server.host, String(server.port), &hints, &first)
    guard status == 0 else { return .given(up: String(cString: gai_strerror(status))) }
    defer { freeaddrinfo(first) }
    var why = "there is no such server"
    var next = first
    while let address = next?.pointee {
      let socket = Glibc.socket(
        address.ai_family, address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
      guard socket >= 0 else { return .given(up: String(cString: strerror(errno))) }
      let error = open(socket, address)
      if error == 0 { return .found(socket) }
      why = String(cString: strerror(error))
      Glibc.close(socket)
      next = address.ai_next
    }
    return .given(up: why)
  }

  /// 0, or why not.
  private static func open(_ socket: Int32, _ address: addrinfo) -> Int32 {
    // What is late is wrong: small messages are not to wait for each other.
    var one: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    if Glibc.connect(socket, address.ai_addr, address.ai_addrlen) == 0 { return 0 }
    guard errno == EINPROGRESS else { return errno }
    var wait = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
    guard poll(&wait, 1, patience) == 1 else { return ETIMEDOUT }
    var (error, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size)
    return error
  }
}

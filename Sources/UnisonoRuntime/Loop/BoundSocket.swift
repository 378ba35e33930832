import Glibc

/// A socket bound on any thread, to be taken over by the loop: so that "address in use" is known before a call returns.
final class BoundSocket: @unchecked Sendable {
  enum Kind {
    case stream
    case datagram
  }

  let port: UInt16
  let isIPv6: Bool
  /// -1 once the loop has taken it.
  private(set) var descriptor: Int32

  /// Binds "host:port" (a numeric host, or localhost); port 0: a free one. Streams listen at once.
  init(_ kind: Kind, on address: String) throws(NetworkError) {
    let wanted = try HostAndPort(parsing: address)
    let host = wanted.host == "localhost" ? "127.0.0.1" : wanted.host
    guard let socketAddress = SocketAddress(host: host, port: wanted.port) else {
      throw NetworkError("cannot listen on \(address): \(wanted.host) is not a numeric address")
    }
    let type = kind == .stream ? SOCK_STREAM : SOCK_DGRAM
    let flags = Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let socket = Glibc.socket(socketAddress.family, Int32(type.rawValue) | flags, 0)
    guard socket >= 0 else { throw Self.failure(address) }
    if kind == .stream { Self.set(socket, SOL_SOCKET, SO_REUSEADDR, 1) }
    // "::" speaks IPv4 too, whatever the machine's default.
    if socketAddress.isIPv6 { Self.set(socket, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
    let isBound = socketAddress.withPointer { bind(socket, $0, socketAddress.length) == 0 }
    guard isBound, kind == .datagram || Glibc.listen(socket, 512) == 0, let port = Self.port(of: socket) else {
      let error = Self.failure(address)
      _ = Glibc.close(socket)
      throw error
    }
    descriptor = socket
    isIPv6 = socketAddress.isIPv6
    self.port = port
  }

  deinit { if descriptor >= 0 { _ = Glibc.close(descriptor) } }

  /// The descriptor, which is the caller's from now on.
  func release() -> Int32 {
    defer { descriptor = -1 }
    return descriptor
  }

  private static func failure(_ address: String) -> NetworkError {
    NetworkError("cannot listen on \(address): \(String(cString: strerror(errno)).lowercased())")
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func port(of descriptor: Int32) -> UInt16? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard getsockname(descriptor, address, &length) == 0 else { return nil }
        return SocketAddress(address)?.peer.port
      }
    }
  }
}

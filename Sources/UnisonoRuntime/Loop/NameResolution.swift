import Glibc

/// Names to addresses, off the loop.
///
/// On a thread of its own and not in libuv's pool: a request in that pool cannot be withdrawn while it runs, so closing a
/// loop would wait for the resolver's timeouts.
enum NameResolution {
  /// All addresses of a name, in the system's order; `done` may come on any thread.
  static func resolve(
    _ target: HostAndPort, done: @escaping @Sendable (Result<[SocketAddress], NetworkError>) -> Void
  ) throws(NetworkError) {
    let thread = try LoopThread.start(name: "unisono-names") { done(lookUp(target)) }
    pthread_detach(thread)
  }

  private static func lookUp(_ target: HostAndPort) -> Result<[SocketAddress], NetworkError> {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(target.host, nil, &hints, &list)
    defer { if let list { freeaddrinfo(list) } }
    guard status == 0 else {
      return .failure(NetworkError("cannot find \(target.host): \(String(cString: gai_strerror(status)))"))
    }
    var addresses: [SocketAddress] = []
    var next = list
    while let entry = next {
      if let address = SocketAddress(entry.pointee.ai_addr, port: target.port) { addresses.append(address) }
      next = entry.pointee.ai_next
    }
    return addresses.isEmpty ? .failure(NetworkError("\(target.host) has no address")) : .success(addresses)
  }
}

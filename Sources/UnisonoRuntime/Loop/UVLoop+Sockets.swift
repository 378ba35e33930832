import CUV
import UnisonoBase

extension UVLoop {
  package func connect(to address: String, _ events: StreamEvents) -> any ByteStream {
    let stream = UVStream(loop: self, address: address, events: events)
    stream.begin()
    return stream
  }

  package func listen(
    on address: String, accepted: @escaping (any ByteStream) -> StreamEvents
  ) throws(NetworkError) -> any StreamListener {
    try UVListener(loop: self, socket: bound(.stream, address), address: address, accepted: accepted)
  }

  package func openDatagrams(
    on address: String, received: @escaping ([UInt8], PeerAddress, HostTime) -> Void
  ) throws(NetworkError) -> any DatagramPort {
    try UVDatagramPort(loop: self, socket: bound(.datagram, address), address: address, received: received)
  }

  package func openMulticast(
    _ group: MulticastGroup, received: @escaping ([UInt8], PeerAddress, HostTime) -> Void
  ) -> any MulticastPort {
    UVMulticastPort(loop: self, group: group, received: received)
  }

  // MARK: Binding on any thread

  /// Binds and listens now, on any thread; the next `listen` on the address returned takes it over. So that a call from
  /// another thread can report "address in use", and knows its port, before it returns.
  package func reserveListener(on address: String) throws(NetworkError) -> String { try reserve(.stream, address) }

  /// The same for the next `openDatagrams`.
  package func reserveDatagrams(on address: String) throws(NetworkError) -> String { try reserve(.datagram, address) }

  private func reserve(_ kind: BoundSocket.Kind, _ address: String) throws(NetworkError) -> String {
    let socket = try BoundSocket(kind, on: address)
    let bound = HostAndPort(host: try HostAndPort(parsing: address).host, port: socket.port)
    reservations.withLock { $0[Reservation(kind: kind, address: bound)] = socket }
    return PeerAddress(host: bound.host, port: bound.port).description
  }

  private func bound(_ kind: BoundSocket.Kind, _ address: String) throws(NetworkError) -> BoundSocket {
    let wanted = Reservation(kind: kind, address: try HostAndPort(parsing: address))
    if let reserved = reservations.withLock({ $0.removeValue(forKey: wanted) }) { return reserved }
    return try BoundSocket(kind, on: address)
  }

  // MARK: Addresses of this machine

  package func localAddresses() -> [String] {
    var list: UnsafeMutablePointer<uv_interface_address_t>?
    var count: Int32 = 0
    guard uv_interface_addresses(&list, &count) == 0, let list else { return ["127.0.0.1"] }
    defer { uv_free_interface_addresses(list, count) }
    var reachable: [String] = []
    var loopback: [String] = []
    for interface in UnsafeBufferPointer(start: list, count: Int(count)) {
      var address = interface.address
      let host = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { SocketAddress($0)?.peer.host }
      }
      // Link-local IPv6 means nothing without the interface's name, which differs on the other side.
      guard let host, !host.hasPrefix("fe80:") else { continue }
      if interface.is_internal != 0 { loopback.append(host) } else { reachable.append(host) }
    }
    let ordered = [reachable, loopback].flatMap { list in
      list.filter { !$0.contains(":") } + list.filter { $0.contains(":") }
    }
    return ordered.isEmpty ? ["127.0.0.1"] : ordered
  }
}

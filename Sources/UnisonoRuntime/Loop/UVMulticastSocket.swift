import CUV
import UnisonoBase

/// The IPv4 or the IPv6 half of a `UVMulticastPort`: one UDP socket in the group on several links.
final class UVMulticastSocket: ClosesWithLoop {
  typealias Handle = OwnedHandle<uv_udp_t, UVMulticastSocket>

  private let loop: UVLoop
  private let group: String
  private let port: UInt16
  private let isIPv6: Bool
  private var handle: Handle?
  private var received: (([UInt8], PeerAddress, HostTime) -> Void)?
  private var joined: Set<LocalLink> = []

  /// Shares the port with other applications. Throws when it cannot be had at all.
  init(
    loop: UVLoop, group: String, port: UInt16, received: @escaping ([UInt8], PeerAddress, HostTime) -> Void
  ) throws(NetworkError) {
    self.loop = loop
    self.group = group
    self.port = port
    self.received = received
    isIPv6 = group.contains(":")
    // Bound to the group itself, IPv4 takes nothing that was sent to this machine alone. IPv6 has no such binding for
    // all links at once; there the sender's address tells.
    guard let address = SocketAddress(host: isIPv6 ? "::" : group, port: port),
      let handle = Handle(loop: loop, owner: self, initialize: { uv_udp_init(loop.raw, $0) })
    else { throw NetworkError("libuv has no room for another socket") }
    self.handle = handle
    let flags = UV_UDP_REUSEADDR.rawValue | (isIPv6 ? UV_UDP_IPV6ONLY.rawValue : 0)
    var status = address.withPointer { uv_udp_bind(handle.raw, $0, UInt32(flags)) }
    if status == 0 { status = uv_udp_set_multicast_ttl(handle.raw, 1) }
    if status == 0 { status = uv_udp_set_multicast_loop(handle.raw, 1) }
    if status == 0 { status = receive(handle) }
    if status != 0 {
      close()
      throw NetworkError("UDP port \(port) cannot be used: \(UVLoop.sentence(status))")
    }
    loop.wakeForRegistration()
  }

  /// Joins where it has not yet and leaves what is gone; the links it is on.
  func refresh(_ links: [LocalLink]) -> Set<LocalLink> {
    guard let handle, handle.isOpen else { return [] }
    let wanted = Set(links.filter { $0.isIPv6 == isIPv6 })
    for link in joined.subtracting(wanted) { _ = setMembership(handle, link, UV_LEAVE_GROUP) }
    joined.formIntersection(wanted)
    for link in wanted.subtracting(joined) where setMembership(handle, link, UV_JOIN_GROUP) == 0 {
      joined.insert(link)
    }
    return joined
  }

  /// Sends on one link, if this socket joined the group there.
  func send(_ bytes: [UInt8], on link: LocalLink) {
    guard let handle, handle.isOpen, joined.contains(link) else { return }
    if !isIPv6, uv_udp_set_multicast_interface(handle.raw, link.address) != 0 { return }
    guard let target = SocketAddress(host: isIPv6 ? "\(group)%\(link.interface)" : group, port: port) else { return }
    handle.trySend(bytes, to: target)
  }

  func close() {
    received = nil
    joined = []
    handle?.close()
    handle = nil
  }

  private func setMembership(_ handle: Handle, _ link: LocalLink, _ membership: uv_membership) -> Int32 {
    uv_udp_set_membership(
      handle.raw, group, isIPv6 ? "\(link.address)%\(link.interface)" : link.address, membership)
  }

  private func receive(_ handle: Handle) -> Int32 {
    uv_udp_recv_start(
      handle.raw,
      { raw, _, buffer in
        guard let socket = Handle.owner(of: raw?.pointee.data), let buffer else { return }
        buffer.pointee = uv_buf_init(socket.loop.readBuffer.baseAddress, UInt32(socket.loop.readBuffer.count))
      },
      { raw, count, buffer, from, flags in
        guard let socket = Handle.owner(of: raw?.pointee.data), count > 0, let buffer, let from,
          let peer = SocketAddress(from)?.scopedPeer, flags & UInt32(UV_UDP_PARTIAL.rawValue) == 0
        else { return }
        let bytes = UnsafeRawBufferPointer(start: buffer.pointee.base, count: count)
        socket.arrived(Array(bytes), peer, socket.loop.now)
      })
  }

  private func arrived(_ bytes: [UInt8], _ from: PeerAddress, _ time: HostTime) {
    // Only neighbours have link-local addresses; anything else was sent to this machine from elsewhere.
    if isIPv6, !from.host.hasPrefix("fe80:"), from.host != "::1" { return }
    loop.beginTurn()
    received?(bytes, from, time)
  }
}

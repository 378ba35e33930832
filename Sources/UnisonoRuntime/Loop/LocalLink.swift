import Glibc

/// One address of one interface that is up, as multicast wants it named.
struct LocalLink: Hashable {
  /// Numeric; the interface's own.
  var address: String
  var isIPv6: Bool
  var interface: String
  /// Another number is another interface, even under the same name.
  var index: UInt32
  var isLoopback: Bool

  /// For keys and logs.
  var name: String { "\(interface)#\(index)/\(address)" }

  /// Loopback, and interfaces that say they take multicast; one address of a family each, so that nothing goes out twice
  /// on one link. Of IPv6 the link-local one: datagrams to the link come from it anyway.
  static func all() -> [LocalLink] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return [] }
    defer { freeifaddrs(first) }
    var links: [LocalLink] = []
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      let isLoopback = entry.ifa_flags & UInt32(IFF_LOOPBACK) != 0
      let takesMulticast = entry.ifa_flags & UInt32(IFF_MULTICAST) != 0
      guard entry.ifa_flags & UInt32(IFF_UP) != 0, isLoopback || takesMulticast,
        let address = SocketAddress(entry.ifa_addr)
      else { continue }
      let link = LocalLink(
        address: address.peer.host, isIPv6: address.isIPv6, interface: String(cString: entry.ifa_name),
        index: if_nametoindex(entry.ifa_name), isLoopback: isLoopback)
      if link.isIPv6, !isLoopback, !link.address.hasPrefix("fe80:") { continue }
      if links.contains(where: { $0.isIPv6 == link.isIPv6 && $0.index == link.index }) { continue }
      links.append(link)
    }
    return links
  }
}

/// A multicast group: the same meeting point for IPv4 and IPv6.
package struct MulticastGroup: Hashable, Sendable {
  package var ipv4: String
  package var ipv6: String
  package var port: UInt16

  package init(ipv4: String, ipv6: String, port: UInt16) {
    self.ipv4 = ipv4
    self.ipv6 = ipv6
    self.port = port
  }
}

/// Datagrams to whoever listens on the links of this machine, and from them. Interfaces come and go: `refresh` looks.
package protocol MulticastPort: AnyObject {
  /// Joins the group on links that came and forgets those that went.
  func refresh() -> MulticastReach
  /// Sends once on each of these links, as `refresh` named them. Best effort.
  func send(_ bytes: [UInt8], on links: Set<String>)
  func close()
}

/// Reach of a multicast port.
package struct MulticastReach: Equatable, Sendable {
  /// Every link, the machine itself included.
  package var links: Set<String>
  /// Reason why no other machine can be reached; nil: some may be.
  package var problem: String?

  package init(links: Set<String>, problem: String?) {
    self.links = links
    self.problem = problem
  }
}

/// A multicast group: the same meeting point for IPv4 and IPv6.
public struct MulticastGroup: Hashable, Sendable {
  public var ipv4: String
  public var ipv6: String
  public var port: UInt16

  public init(ipv4: String, ipv6: String, port: UInt16) {
    self.ipv4 = ipv4
    self.ipv6 = ipv6
    self.port = port
  }
}

/// Datagrams to whoever listens on the links of this machine, and from them. Interfaces come and go: `refresh` looks.
public protocol MulticastPort: AnyObject {
  /// Joins the group on links that came and forgets those that went.
  func refresh() -> MulticastReach
  /// Sends once on each of these links, as `refresh` named them. Best effort.
  func send(_ bytes: [UInt8], on links: Set<String>)
  func close()
}

/// Reach of a multicast port.
public struct MulticastReach: Equatable, Sendable {
  /// Every link, the machine itself included.
  public var links: Set<String>
  /// Reason why no other machine can be reached; nil: some may be.
  public var problem: String?

  public init(links: Set<String>, problem: String?) {
    self.links = links
    self.problem = problem
  }
}

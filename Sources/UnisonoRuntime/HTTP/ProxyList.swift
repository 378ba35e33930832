/// The proxies in front of a hub, which are believed about where clients are; nobody else is.
struct ProxyList: Equatable, Sendable {
  private let proxies: Set<String>

  /// `hosts`: numeric.
  init(_ hosts: [String]) { proxies = Set(hosts.compactMap { SocketAddress(host: $0, port: 0)?.peer.host }) }

  /// Where the client is, by what a proxy says; nil: `peer` is none. The last address that is not one of theirs, or the first of all where a
  /// client is on a proxy's own machine.
  func client(of request: HTTPRequest, by peer: PeerAddress) throws(HTTPAnswer) -> PeerAddress? {
    guard proxies.contains(peer.host) else { return nil }
    var client: PeerAddress?
    for hop in request.elements("x-forwarded-for").reversed() {
      client = SocketAddress(host: hop, port: 0)?.peer
      guard let client, proxies.contains(client.host) else { break }
    }
    guard let client else { throw .bad("The proxy does not say in X-Forwarded-For who is behind it.") }
    return client
  }
}

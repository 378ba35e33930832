/// Which web pages may speak to a hub: browsers say in Origin where a page is from, and nobody else says anything there.
///
/// A page from elsewhere would reach into private networks through its visitor's browser, and use up what the visitor's address may
/// have. So a page is let in from the host that was asked for itself, or from a listed origin. A host counts as asked for by a numeric
/// address, as "localhost" or by a name that the hub advertises: any other name is its owner's to point anywhere, today at a page and
/// tomorrow at this hub.
struct OriginPolicy: Equatable, Sendable {
  /// Lets every page in.
  static let any = "*"

  private let listed: Set<String>
  /// In lower case.
  private let names: Set<String>

  /// `listed`: origins, `any` or "null". `advertised`: "host:port" of this hub.
  init(listed: [String], advertised: [String]) {
    self.listed = Set(listed.map { $0.lowercased() })
    names = Set(advertised.compactMap { try? HostAndPort(parsing: $0).host.lowercased() })
  }

  /// Whether `text` may stand in a list: scheme://host, scheme://host:port, `any`, "null".
  static func isOrigin(_ text: String) -> Bool {
    text == any || text == "null" || Place(origin: text.lowercased()) != nil
  }

  /// `origin`: what the browser says of the page, nil: nothing, as it is none. `host`: the request's Host.
  func allows(_ origin: String?, host: String) -> Bool {
    guard let origin = origin?.lowercased() else { return true }
    if listed.contains(Self.any) || listed.contains(origin) { return true }
    guard let page = Place(origin: origin), let hub = Place(host.lowercased()[...], defaultPort: page.defaultPort) else {
      return false
    }
    return page == hub && (hub.isNumeric || hub.host == "localhost" || names.contains(hub.host))
  }

  /// Whether who asked for `host`, a request's Host, asked for this hub, by the same measure: files of its site are for no page of another
  /// name that leads here. A listed origin's host is this hub's behind a proxy.
  func isHere(_ host: String) -> Bool {
    if listed.contains(Self.any) { return true }
    guard let asked = Place(host.lowercased()[...], defaultPort: 80) else { return false }
    return asked.isNumeric || asked.host == "localhost" || names.contains(asked.host)
      || listed.contains { Place(origin: $0)?.host == asked.host }
  }

  /// A host and a port.
  private struct Place: Equatable {
    var host: String
    var port: UInt16
    var defaultPort: UInt16

    init?(origin: String) {
      if origin.hasPrefix("http://") {
        self.init(origin.dropFirst(7), defaultPort: 80)
      } else if origin.hasPrefix("https://") {
        self.init(origin.dropFirst(8), defaultPort: 443)
      } else {
        return nil
      }
    }

    init?(_ authority: Substring, defaultPort: UInt16) {
      self.defaultPort = defaultPort
      guard !authority.contains(where: { "/?#@ ".contains($0) }) else { return nil }
      let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]") : nil
      let hasPort = (end.map { authority[$0...] } ?? authority).contains(":")
      guard let known = try? HostAndPort(parsing: hasPort ? String(authority) : "\(authority):\(defaultPort)") else {
        return nil
      }
      host = known.host
      port = known.port
    }

    var isNumeric: Bool { SocketAddress(host: host, port: port) != nil }
  }
}

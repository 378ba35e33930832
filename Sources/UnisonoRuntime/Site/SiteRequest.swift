/// A request for a file of a hub's site, judged as far as can be without looking at the file.
struct SiteRequest: Equatable, Sendable {
  var place: HubSite.Place
  /// The file itself is not wanted: HEAD.
  var isHead: Bool
  /// The fields of these names; nil: they do not stand there.
  var range: String?
  var ifRange: String?
  /// Tags of states that the client has or wants; nil: there is no such condition.
  var ifMatch: [String]?
  var ifNoneMatch: [String]?
}

/// The door of a hub's site: which requests it has something for.
struct SiteDoor: Equatable, Sendable {
  /// A request that is let in.
  struct Grant: Equatable, Sendable {
    var request: SiteRequest
    /// Address of the client, where a proxy in front of the hub says it; nil: that of the connection.
    var client: PeerAddress?
  }

  private let site: HubSite
  private let origins: OriginPolicy
  private let proxies: ProxyList

  /// nil: the hub has no site.
  init?(_ options: HubOptions) {
    guard let site = options.site else { return nil }
    self.site = site
    origins = OriginPolicy(listed: options.origins, advertised: options.advertise)
    proxies = ProxyList(options.proxies)
  }

  /// `peer`: the other side of the connection. Throws what the client is answered instead of a file.
  func grant(_ request: HTTPRequest, from peer: PeerAddress) throws(HTTPAnswer) -> Grant {
    guard request.method == "GET" || request.method == "HEAD" else { throw .noMethod }
    let host = try request.checkedHost()
    // A page from elsewhere whose name leads here now would read what is private to this network.
    guard origins.isHere(host) else { throw .otherHost }
    let path = try SitePath(request.target)
    if path.names == [SitePath.index], path.isFolder { throw .moved(to: "/page/" + path.query) }
    guard let place = site.place(of: path) else { throw .noFile }
    let asked = SiteRequest(
      place: place, isHead: request.method == "HEAD", range: try request.value("range"), ifRange: try request.value("if-range"),
      ifMatch: request.tags("if-match"), ifNoneMatch: request.tags("if-none-match"))
    return Grant(request: asked, client: try proxies.client(of: request, by: peer))
  }
}

extension HTTPRequest {
  /// Elements of a field of tags; nil: it does not stand there.
  fileprivate func tags(_ name: String) -> [String]? {
    let values = values(name)
    return values.isEmpty ? nil : values.flatMap { $0.split(separator: ",") }.map { HTTPRequest.trimmed($0[...]) }
  }
}

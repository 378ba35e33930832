import UnisonoRuntime

/// A port that a router lets in for us.
struct RouterPort: Equatable {
  /// "nat-pmp", "pcp" or "upnp".
  var way: String
  /// The router's own IPv4 address, numeric.
  var address: String
  /// The number that others send to.
  var port: UInt16
  /// Datagrams are let in as well.
  var hasDatagrams: Bool

  /// As invites have it.
  var text: String { "\(address):\(port)" }

  var reach: AddressReach { AddressReach(of: text) }

  /// What is so, for whoever asked for it: it was not tried from outside.
  var sentence: String {
    let protocols = hasDatagrams ? "TCP and UDP" : "TCP"
    let said = "the router lets \(protocols) to \(text) in until this ends (\(way))"
    guard reach < .anywhere else { return said + "; nobody has tried it from outside yet" }
    return said
      + ", but that address is private, too: another router is before it, and friends elsewhere need a hub of yours (--hub)"
  }
}

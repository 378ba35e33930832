import UnisonoCrypto
import UnisonoReplica

/// Options of a hub.
package struct HubOptions: Equatable, Sendable {
  /// Addresses to listen on, "host:port" or "[host]:port", port 0: a free one. Empty: every interface, a free port.
  package var listen: [String]
  /// "host:port" to tell others instead of what was found; empty: found.
  package var advertise: [String]
  package var limits: HubLimits
  /// Web pages that may use the hub through WebSocket beside its own: "https://host", "*" for all, "null" for those without.
  package var origins: [String]
  /// Numeric hosts of proxies in front of the hub, whose X-Forwarded-For is believed.
  package var proxies: [String]
  /// Hubs that participants are told of when this one is about to end, best first; they go where they know the hub themselves.
  package var next: [HubAddress]
  /// Files that it serves to browsers; nil: none.
  package var site: HubSite?
  /// Tries whether it reaches those in its rooms who ask for that (wire 3.10).
  package var triesBack: Bool

  package init(
    listen: [String] = [], advertise: [String] = [], limits: HubLimits = HubLimits(), origins: [String] = [],
    proxies: [String] = [], next: [HubAddress] = [], site: HubSite? = nil, triesBack: Bool = false
  ) {
    self.listen = listen
    self.advertise = advertise
    self.limits = limits
    self.origins = origins
    self.proxies = proxies
    self.next = next
    self.site = site
    self.triesBack = triesBack
  }

  /// What is wrong with an address to listen on; nil: nothing, as far as it can be read off it.
  package static func fault(ofListeningOn address: String) -> String? {
    do throws(NetworkError) {
      _ = try HostAndPort(parsing: address)
      return nil
    } catch {
      return error.message
    }
  }

  /// Whether `text` may stand in `origins`.
  package static func isOrigin(_ text: String) -> Bool { OriginPolicy.isOrigin(text) }

  /// Whether `text` may stand in `proxies`.
  package static func isProxy(_ text: String) -> Bool { PeerAddress.isNumeric(text) }

  /// One IPv6 socket takes IPv4 as well, where the machine has IPv6 at all.
  static let everywhere = "[::]:0"
  static let everywhereIPv4 = "0.0.0.0:0"

  /// Lines by which sessions use a hub with these options, whose ports are known, by this id: its own, or its set's.
  package func lines(of id: [UInt8], localAddresses: [String]) -> [HubLine] {
    addresses(localAddresses: localAddresses).map { HubLine(address: HubAddress(address: $0, hub: id)) }
  }

  /// Addresses where others reach a hub with these options, whose ports are known: what is advertised, else what it listens on
  /// with `localAddresses` in place of "every interface". "host:port", what serves most people first.
  func addresses(localAddresses: [String]) -> [String] {
    if !advertise.isEmpty { return advertise }
    var found: [String] = []
    for text in listen {
      guard let address = try? HostAndPort(parsing: text) else { continue }
      let hosts: [String]
      switch address.host {
      case "0.0.0.0": hosts = localAddresses.filter { !$0.contains(":") }
      case "::": hosts = localAddresses
      default: hosts = [address.host]
      }
      for host in hosts {
        let reached = PeerAddress(host: host, port: address.port).description
        if !found.contains(reached) { found.append(reached) }
      }
    }
    return found
  }
}

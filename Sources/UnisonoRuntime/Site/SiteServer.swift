/// Server of a hub's site: all requests for files that are being answered.
///
/// On the loop's thread. It takes over connections that turned out to be of browsers (`begin`) and keeps them to their end.
final class SiteServer {
  private let environment: any Environment
  private let site: HubSite
  private var gate: SiteGate
  private var visits: [ObjectIdentifier: (visit: SiteVisit, address: AddressKey)] = [:]
  /// Since the start.
  private(set) var requests: UInt64 = 0

  init(_ site: HubSite, limits: HubLimits, environment: any Environment) {
    self.environment = environment
    self.site = site
    gate = SiteGate(limits: limits)
  }

  /// Requests that are being answered.
  var count: Int { gate.count }

  func setLimits(_ limits: HubLimits) { gate.setLimits(limits) }

  /// Keeps a place for a request; false: there is none.
  func admit(_ address: AddressKey) -> Bool { gate.enter(address) }

  /// Answers a request of an address that was admitted; returns what the stream's events are for from now on.
  func begin(_ request: SiteRequest, on stream: HubStream, from address: AddressKey) -> StreamEvents {
    requests += 1
    let visit = SiteVisit(request, on: stream, environment: environment) { [weak self] in self?.forget($0) }
    visits[ObjectIdentifier(visit)] = (visit, address)
    return visit.begin(in: site)
  }

  func close() {
    for (visit, _) in visits.values { visit.close() }
    visits = [:]
  }

  private func forget(_ visit: SiteVisit) {
    guard let known = visits.removeValue(forKey: ObjectIdentifier(visit)) else { return }
    gate.leave(known.address)
  }
}

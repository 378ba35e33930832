import UnisonoBase
import UnisonoCrypto
import UnisonoNearby

/// Finds devices that advertise a service on the local network, and asks them.
///
/// What it decides lies in `BeaconTable` and `AskAttempt`.
package final class NearbyBrowser {
  /// Reason for which a call did nothing.
  package enum Refusal: Error {
    case unknownDevice
    /// It is being asked already.
    case isAsked
    /// Nothing is being asked of it.
    case isNotAsked
  }

  private let environment: any Environment
  private let service: NearbyService
  private let tell: (NearbyBrowserEvent) -> Void
  private let isOwn: (_ instance: UInt64) -> Bool
  private let instance: UInt64
  private var table: BeaconTable
  private var reach: NearbyReach?
  private var lookTimer: (any LoopTimer)?
  private var expiryTimer: (any LoopTimer)?
  /// Typed by hand, by number.
  private var typed: [UInt64: String] = [:]
  private var asks: [UInt64: OutgoingAsk] = [:]

  /// - Parameter isOwn: whether an instance is one of this application's own, which it need not find.
  package init(
    environment: any Environment, service: NearbyService, isOwn: @escaping (UInt64) -> Bool = { _ in false },
    tell: @escaping (NearbyBrowserEvent) -> Void
  ) {
    self.environment = environment
    self.service = service
    self.isOwn = isOwn
    self.tell = tell
    instance = environment.randomNumber()
    table = BeaconTable(service: service)
    reach = NearbyReach(
      port: environment.openMulticast(.nearby) { [weak self] bytes, from, at in self?.heard(bytes, from, at) })
    expiryTimer = environment.makeTimer { [weak self] in self?.expire() }
    lookTimer = environment.makeTimer { [weak self] in self?.look() }
    lookTimer?.arm(at: environment.now)
  }

  /// Known devices, those typed by hand left out.
  package var devices: [NearbyDevice] { table.devices }

  /// Knows a device by an address that somebody typed; asking it goes the same way. It is never lost.
  /// - Parameter number: even, and not used before.
  package func add(_ number: UInt64, address: String) {
    typed[number] = address
    tell(
      .devices(
        .found(
          NearbyDevice(
            number: number, name: address, usage: service.usage, platform: 0, intent: nil, addresses: []))))
  }

  /// Asks. `invite`: "come and join mine"; nil: "let me join".
  package func ask(_ number: UInt64, inviting invite: Invite? = nil) throws(Refusal) {
    if asks[number] != nil { throw .isAsked }
    let addresses: [String]
    if let address = typed[number] {
      addresses = [address]
    } else if let device = table.device(number) {
      addresses = device.addresses.map { PeerAddress(host: $0.host, port: $0.port).description }
    } else {
      throw .unknownDevice
    }
    let intent: NearbyIntent = invite == nil ? .join : .invite
    asks[number] = OutgoingAsk(
      environment: environment, addresses: addresses, service: service, invite: invite,
      events: OutgoingAsk.Events(
        digits: { [weak self] name, digits in
          self?.tell(.digits(device: number, name: name, intent: intent, digits))
        },
        agreed: { [weak self] invite in
          self?.asks[number] = nil
          self?.tell(.agreed(device: number, intent: intent, invite))
        },
        failed: { [weak self] failure in
          self?.asks[number] = nil
          self?.tell(.failed(device: number, intent: intent, failure))
        }))
  }

  /// The person's word on the digits: true lets the invite pass, false cancels the ask, at any time of it.
  package func confirm(_ number: UInt64, digitsMatch: Bool) throws(Refusal) {
    guard let ask = asks[number] else { throw .isNotAsked }
    ask.confirm(digitsMatch)
  }

  /// Cancels what is open. Nothing is told afterwards.
  package func close() {
    reach?.close()
    reach = nil
    lookTimer?.close()
    expiryTimer?.close()
    for ask in asks.values { ask.close() }
    asks = [:]
  }

  // MARK: Beacons

  /// Once a second: which links are there, and a question on the new ones.
  private func look() {
    lookTimer?.arm(at: environment.now.adding(.seconds(1)))
    guard let finding = reach?.refresh() else { return }
    reach?.send(Beacon(kind: .query, instance: instance, service: service.identifier), on: finding.new)
    if let change = finding.change { tell(.reach(change)) }
  }

  private func heard(_ bytes: [UInt8], _ from: PeerAddress, _ at: HostTime) {
    guard table.admits(from: from.host, now: at), let beacon = try? Beacon(bytes: bytes), beacon.instance != instance,
      !isOwn(beacon.instance)
    else { return }
    for change in table.handle(beacon, from: from.host, now: at) { tell(.devices(change)) }
    expiryTimer?.arm(at: table.deadline)
  }

  private func expire() {
    for change in table.expire(now: environment.now) { tell(.devices(change)) }
    expiryTimer?.arm(at: table.deadline)
  }
}

import UnisonoCore
import UnisonoCrypto

/// The hubs of a session in the order that everybody shares, and who belongs to it (coordination 2.10).
///
/// First the hubs of the invite, then those that participants keep, by ascending participant id. Whoever loses the hub
/// goes through this list, so that all meet at the first one that lives. Addresses of who was lost are kept: they lead
/// back to the other half of a group that fell in two.
struct HubDirectory: Sendable {
  static let perParticipant = 4
  static let most = 32
  /// Of these so many at least are of those who were lost last: they may lead to the other half of a group that fell in two.
  static let mostAbsent = 8
  static let leastPort: UInt16 = 1_024
  /// Of those who are not here so many are remembered, the last ones.
  static let absentMost = WireLimits.participants

  let local: ParticipantID
  /// As the invite lists them.
  let invited: [HubAddress]
  /// The hub in this process: what others are told of it, and how it is reached from here.
  var own: (listed: [HubAddress], loopback: HubAddress)?
  /// Where others reach the hub that is in use, as that says itself. For invites alone: whoever is here has no need of it.
  private(set) var advertised: [HubAddress] = []
  private var listed: [ParticipantID: [HubAddress]] = [:]
  /// Everybody who was seen to take part and did not leave, this participant included.
  private(set) var known: Set<ParticipantID>
  /// Since when those are gone who are not here, host time. Many may be on an evening, with their hubs: they are never in the
  /// way of the hubs of those who are here.
  var absent: [ParticipantID: HostTime] = [:]

  init(local: ParticipantID, invited: [HubAddress]) {
    self.local = local
    self.invited = invited
    known = [local]
  }

  /// What the hub in use says of itself, whatever that is: it counts as a participant's addresses do, and with the hub's id,
  /// so that a false address leads nobody to another hub.
  mutating func note(_ seat: HubSeat) {
    let told = seat.advertised.lazy.map { HubAddress(address: $0, hub: seat.hubID) }
    advertised = told.filter(Self.isDialled).prefix(Self.perParticipant).map { $0 }
  }

  /// What a participant's register says.
  mutating func note(_ id: ParticipantID, hubs: [HubAddress]) {
    guard id != local, known.contains(id) || known.count < 2 * WireLimits.participants else { return }
    known.insert(id)
    listed[id] = hubs.lazy.filter(Self.isDialled).prefix(Self.perParticipant).map { $0 }
  }

  /// It said goodbye: it is not missed, and its hub is about to go.
  mutating func forget(_ id: ParticipantID) {
    guard id != local else { return }
    known.remove(id)
    listed[id] = nil
  }

  /// The addresses to try, in the common order.
  var candidates: [HubCandidate] {
    var chosen: [ParticipantID: [HubAddress]] = [:]
    var count = 0
    func choose(from some: [(key: ParticipantID, value: [HubAddress])], upTo limit: Int) {
      for round in 0..<Self.perParticipant {
        for (id, hubs) in some where round < hubs.count && count < limit && chosen[id]?.count ?? 0 == round {
          chosen[id, default: []].append(hubs[round])
          count += 1
        }
      }
    }
    let gone = listed.filter { absent[$0.key] != nil }
      .sorted { (absent[$0.key] ?? .min, $0.key) > (absent[$1.key] ?? .min, $1.key) }
    choose(from: gone, upTo: Self.mostAbsent)
    choose(from: listed.filter { absent[$0.key] == nil }.sorted { $0.key < $1.key }, upTo: Self.most)
    choose(from: gone, upTo: Self.most)
    if let own { chosen[local] = own.listed }
    var found: [HubCandidate] = []
    func add(_ address: HubAddress, isListed: Bool) {
      var candidate = HubCandidate(address, isListed: isListed)
      // The own hub is reached through the loopback, whatever address it tells others.
      if let own, address.hub != nil, address.hub == own.loopback.hub {
        candidate = HubCandidate(own.loopback, isStandby: isListed)
      }
      guard !found.contains(where: { $0.address == candidate.address }) else { return }
      found.append(candidate)
    }
    for address in invited { add(address, isListed: false) }
    for (_, hubs) in chosen.sorted(by: { $0.key < $1.key }) {
      for address in hubs { add(address, isListed: true) }
    }
    return found
  }

  /// All addresses under which others reach a hub; empty: nobody told.
  func addresses(of hub: [UInt8]) -> [HubAddress] {
    let all = advertised + invited + (own?.listed ?? []) + listed.sorted { $0.key < $1.key }.flatMap(\.value)
    return all.reduce(into: []) { found, address in
      if address.hub == hub, !found.contains(address) { found.append(address) }
    }
  }

  /// Ports of system services are never dialled, nor what cannot prove to be the hub that was meant; and what no invite
  /// could spell is no address.
  static func isDialled(_ address: HubAddress) -> Bool {
    guard address.hub != nil, HostPort.isValid(address.address.utf8),
      let target = try? HostAndPort(parsing: address.address)
    else { return false }
    return target.port >= leastPort
  }
}

import UnisonoBase
import UnisonoCrypto
import UnisonoReplica

/// The hubs of a session in the order that everybody shares, and who belongs to it (coordination 2.10).
///
/// First the invite's hubs that are in no participant's process, then those that participants keep, by ascending
/// participant id. Whoever loses the hub goes through this list, so that all meet at the first one that lives. Addresses of
/// who was lost are kept: they lead back to the other half of a group that fell in two. A hub in doubt comes after all others.
struct HubDirectory: Sendable {
  static let perParticipant = 4
  static let most = 32
  /// Least number of these that are of those who were lost last: they may lead to the other half of a group that fell in two.
  static let mostAbsent = 8
  static let leastPort: UInt16 = 1_024
  /// Number of those who are not here that are remembered, the last ones.
  static let absentMost = WireLimits.participants

  let local: ParticipantID
  /// As the invite lists them.
  let invited: [HubAddress]
  /// The hub in this process: what others are told of it, and how it is reached from here.
  private(set) var own: (listed: [HubAddress], loopback: HubAddress)?
  /// Addresses where others reach the hub that is in use, as that says itself. For invites alone: whoever is here has no need of it.
  private(set) var advertised: [HubAddress] = []
  /// Counts changes, so that what is derived of them need not be derived anew.
  private(set) var revision: UInt64 = 0
  /// As the registers say it.
  private var registered: [ParticipantID: [HubAddress]] = [:]
  /// Those of them that are dialled.
  private var listed: [ParticipantID: [HubAddress]] = [:]
  /// Everybody who was seen to take part and did not leave, this participant included.
  private(set) var known: Set<ParticipantID>
  /// Since when those are gone who are not here, host time. Many may be on an evening, with their hubs: they are never in the
  /// way of the hubs of those who are here.
  private var absent: [ParticipantID: HostTime] = [:]

  /// The hubs in doubt here: where each was reached, by its id.
  private var doubted: [[UInt8]: String] = [:]
  /// Ids of sets, as hubs that were entered by them proved.
  private var sets: Set<[UInt8]> = []

  init(local: ParticipantID, invited: [HubAddress]) {
    self.local = local
    self.invited = invited
    known = [local]
  }

  /// Records what the hub in use says of itself, whatever that is: it counts as a participant's addresses do, and with the hub's id,
  /// so that a false address leads nobody to another hub; of a hub that was entered by its set's, to none outside of the set.
  mutating func record(_ entry: RoomEntry) {
    if entry.isOfSet, sets.insert(entry.pinned).inserted { revision &+= 1 }
    let all = entry.advertised.lazy.map { HubAddress(address: $0, hub: entry.pinned) }
    let dialled = Array(all.filter { Self.isDialled($0.address) }.prefix(Self.perParticipant))
    guard dialled != advertised else { return }
    advertised = dialled
    revision &+= 1
  }

  /// The hub in this process: where others reach it, and where this process does.
  mutating func setOwn(_ listed: [HubAddress], loopback: HubAddress) {
    guard own?.listed != listed || own?.loopback != loopback else { return }
    own = (listed, loopback)
    revision &+= 1
  }

  /// Records who is not here, and since when, host time.
  mutating func setAbsent(_ new: [ParticipantID: HostTime]) {
    guard new != absent else { return }
    absent = new
    revision &+= 1
  }

  /// Records which hubs are in doubt, and where each was reached.
  mutating func setDoubted(_ new: [[UInt8]: String]) {
    guard new != doubted else { return }
    doubted = new
    revision &+= 1
  }

  /// Records what a participant's register says.
  mutating func record(_ id: ParticipantID, hubs: [HubAddress]) {
    guard id != local, registered[id] != hubs, known.contains(id) || known.count < 2 * WireLimits.participants else {
      return
    }
    revision &+= 1
    registered[id] = hubs
    known.insert(id)
    listed[id] = hubs.lazy.filter { Self.isDialled($0.address) }.prefix(Self.perParticipant).map { $0 }
  }

  /// It said goodbye: it is not missed, and its hub is about to go.
  mutating func forget(_ id: ParticipantID) {
    guard id != local, known.remove(id) != nil else { return }
    revision &+= 1
    registered[id] = nil
    listed[id] = nil
  }

  /// The addresses to try, in the common order; those of hubs in doubt come last.
  var candidates: [HubCandidate] {
    let all = candidatesInOrder.map { candidate in
      var candidate = candidate
      candidate.isOfSet = sets.contains(candidate.address.hub)
      candidate.isDoubted = !candidate.isOwn && isDoubted(candidate)
      return candidate
    }
    return doubted.isEmpty ? all : all.filter { !$0.isDoubted } + all.filter { $0.isDoubted }
  }

  private func isDoubted(_ candidate: HubCandidate) -> Bool {
    doubted[candidate.address.hub] != nil || candidate.isOfSet && doubted.values.contains(candidate.address.address)
  }

  private var candidatesInOrder: [HubCandidate] {
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
    let kept = Set(chosen.values.flatMap { $0 }.map { $0.hub })
    var found: [HubCandidate] = []
    func add(_ candidate: HubCandidate) {
      guard !found.contains(where: { $0.address == candidate.address }) else { return }
      found.append(candidate)
    }
    for address in invited where !kept.contains(address.hub) {
      add(HubCandidate(address, isPublic: true))
    }
    for (id, hubs) in chosen.sorted(by: { $0.key < $1.key }) {
      // The own hub is reached through the loopback, whatever address it tells others.
      if id == local, let own {
        add(HubCandidate(own: own.loopback, isStandby: !invited.contains { $0.hub == own.loopback.hub }))
        continue
      }
      let lastSeen = absent[id] ?? .max
      // Who tells of two hubs tells of the way to others first, then of its own.
      let keeper = { (address: HubAddress) in address.hub == hubs.last?.hub ? id : nil }
      for address in hubs {
        add(HubCandidate(address, isListed: !invited.contains(address), keeper: keeper(address), lastSeen: lastSeen))
      }
      for address in invited where hubs.contains(where: { $0.hub == address.hub }) {
        add(HubCandidate(address, keeper: keeper(address), lastSeen: lastSeen))
      }
    }
    return found
  }

  /// All addresses under which others reach a hub, or the hubs of a set; empty: nobody told.
  func addresses(of hub: [UInt8]) -> [HubAddress] {
    let all = advertised + invited + (own?.listed ?? []) + listed.sorted { $0.key < $1.key }.flatMap { $0.value }
    return all.reduce(into: []) { found, address in
      if address.hub == hub, !found.contains(address) { found.append(address) }
    }
  }

  /// The hubs that an invite lists, at most `most`, so that whoever opens it finds the group wherever it is by then: the one
  /// in use, the first that lives by itself, this participant's, those of the others who are present, then what else the own
  /// invite listed, and the hubs of those who were lost. What was listed once may be long gone: it keeps nothing out that
  /// lives, however often invites were made from invites. Of each hub the first address comes before anybody's second.
  func invite(from entry: RoomEntry?, present: Set<ParticipantID>, most: Int) -> [HubAddress] {
    let inUse = entry.map { entry in
      let reported = addresses(of: entry.pinned)
      return reported.isEmpty ? invited.filter { $0.isHub(of: entry) } : reported
    }
    var hubs = [inUse ?? []]
    let byThemselves = candidates.filter { $0.isPublic }.map { [$0.address] }
    let keepers = listed.filter { $0.key != local }.sorted { $0.key < $1.key }
    hubs += byThemselves.prefix(1)
    hubs.append(own?.listed ?? [])
    hubs += keepers.filter { present.contains($0.key) && absent[$0.key] == nil }.map { $0.value }
    hubs += byThemselves.dropFirst()
    hubs += keepers.filter { !present.contains($0.key) || absent[$0.key] != nil }.map { $0.value }
    var found: [HubAddress] = []
    for round in 0..<(hubs.map { $0.count }.max() ?? 0) {
      for addresses in hubs where round < addresses.count && found.count < most && !found.contains(addresses[round]) {
        found.append(addresses[round])
      }
    }
    return found
  }

  /// Ports of system services are never dialled; and what no invite could spell is no address.
  static func isDialled(_ address: String) -> Bool {
    guard HostPort.isValid(address.utf8), let target = try? HostAndPort(parsing: address) else { return false }
    return target.port >= leastPort
  }
}

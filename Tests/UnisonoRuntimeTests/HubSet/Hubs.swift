import Testing
import UnisonoBase
import UnisonoCrypto
import UnisonoReplica

@testable import UnisonoRuntime

/// Hubs of a set, each on a machine of its own, and people at them.
final class Hubs {
  /// Who certifies them: by its id whoever knows it takes any of them.
  static let authority = SigningKey(seed: Secret { [UInt8](repeating: 90, count: $0) })

  let network = VirtualNetwork(seed: 1)
  let service = MemoryService()
  private(set) var machines: [VirtualEnvironment] = []
  private(set) var servers: [HubServer] = []
  private(set) var failures: [String] = []

  init(_ count: Int, opening: RoomOpening = .anybody, limits: HubLimits = HubLimits()) throws {
    for _ in 0..<count { try add(opening: opening, limits: limits) }
    network.run(for: .seconds(1))
  }

  func add(opening: RoomOpening = .anybody, limits: HubLimits = HubLimits()) throws {
    let machine = network.machine(clockOffset: .seconds(1_000 * Int64(machines.count + 1)), clockDrift: 20e-6 * Double(machines.count))
    machines.append(machine)
    let number = UInt8(machines.count)
    let key = SigningKey(seed: Secret { [UInt8](repeating: number, count: $0) })
    servers.append(
      try HubServer(
        environment: machine, options: HubOptions(listen: ["0.0.0.0:7400"], limits: limits),
        identity: key, certificate: HubCertificate(of: key.publicKey.hashedID, by: Self.authority, until: 100), opening: opening,
        membership: SetMembership(
          keys: HubSetWorld.keys, peers: service.peers(on: machine), failed: { [unowned self] in failures.append($0) })))
  }

  /// How far the clock of one hub is ahead of another's.
  func offset(of other: Int, at hub: Int) -> Nanoseconds {
    servers[other].clock.remote(at: machines[other].now) - servers[hub].clock.remote(at: machines[hub].now)
  }

  func guest(at hub: Int, room: UInt8 = 1, as identity: Identity? = nil, turns: Turns = Turns()) -> Guest {
    Guest(
      on: network.machine(), addresses: [servers[hub].address(on: machines[hub])], door: HubHarness.door(room), identity: identity,
      turns: turns)
  }

  /// `ofSet`: known by the set's id.
  func ways(_ order: [Int], ofSet: Bool = false) -> [HubAddress] {
    order.map { hub in
      let own = servers[hub].address(on: machines[hub])
      return ofSet ? HubAddress(address: own.address, hub: Self.authority.publicKey.hashedID) : own
    }
  }

  func publisher(at hub: Int, as identity: Identity? = nil, turns: Turns = Turns(), key: SigningKey = AudienceGuest.key) -> AudienceGuest {
    AudienceGuest(on: network.machine(), at: ways([hub]), speaks: true, as: identity, turns: turns, key: key)
  }

  /// Who knows these hubs.
  func listener(
    at hubs: [Int], ofSet: Bool = false, as identity: Identity? = nil, turns: Turns = Turns(), key: SigningKey = AudienceGuest.key
  ) -> AudienceGuest {
    AudienceGuest(on: network.machine(), at: ways(hubs, ofSet: ofSet), speaks: false, as: identity, turns: turns, key: key)
  }

  /// One at each hub, who see each other.
  func guests() -> [Guest] {
    let guests = servers.indices.map { guest(at: $0) }
    _ = network.run(atMost: .seconds(5)) { guests.allSatisfy { $0.members.count == guests.count } }
    #expect(guests.allSatisfy { $0.members.count == guests.count })
    return guests
  }
}

import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

@testable import UnisonoCrypto
@testable import UnisonoRuntime

/// Whole sessions of people who are at different hubs of a set, whose clocks are hours apart and drift.
@Suite("Sessions at hubs of a set")
struct HubSessionsTests {
  private final class Stage {
    let world: SessionWorld
    let service = MemoryService()
    private(set) var machines: [VirtualEnvironment] = []
    private(set) var servers: [HubServer] = []
    var addresses: [HubAddress] { zip(servers, machines).map { $0.address(on: $1) } }

    init(seed: UInt64) throws {
      world = SessionWorld(seed: seed)
      world.keepsStandbyHubs = false
      for number in 1...3 as ClosedRange<UInt8> {
        let machine = world.network.machine(
          clockOffset: .seconds(20_000 * Int64(number)), clockDrift: 25e-6 * Double(number))
        machines.append(machine)
        servers.append(
          try HubServer(
            environment: machine, options: HubOptions(listen: ["0.0.0.0:7400"]),
            identity: SigningKey(seed: Secret { [UInt8](repeating: number, count: $0) }),
            membership: SetMembership(keys: HubSetWorld.keys, peers: service.peers(on: machine), failed: { _ in })))
      }
      world.network.run(for: .seconds(2))
    }

    /// The host, who knows the first hub alone, and one more at each, who know all of them.
    func playing() throws -> [SessionPlayer] {
      let host = try world.host(hub: addresses[0])
      var all = [host]
      for first in 0...2 { all.append(try guest(of: host, at: first)) }
      for player in all { player.do { $0.join() } }
      _ = world.network.run(atMost: .seconds(8)) {
        all.allSatisfy { $0.isJoined && $0.engine.groupClock != nil && $0.people.count == 4 }
      }
      world.network.run(for: .seconds(1))
      for player in all { player.do { $0.handle(.transition(to: "film", proposal: nil)) } }
      world.network.run(for: .seconds(2))
      all[0].do { $0.handle(.rateChange(rate: 1, immediately: false)) }
      _ = world.network.run(atMost: .seconds(5)) { all.allSatisfy { $0.line != nil } }
      world.network.run(for: .seconds(1))
      return all
    }

    func guest(of host: SessionPlayer, at first: Int) throws -> SessionPlayer {
      let order = [addresses[first]] + addresses.filter { $0 != addresses[first] }
      return try world.guest(of: host, named: "at\(first)", path: .lan) { invite in
        if let there = try? Invite(origin: invite.origin, door: invite.door, hubs: order) { invite = there }
      }
    }

    func kill(_ hub: Int) { machines[hub].crash() }

    func hub(of player: SessionPlayer) -> Int? { servers.firstIndex { $0.hubID == player.engine.lastHub } }

    /// How far group times are apart, and whether that is within what both say of their errors.
    func agreement(_ players: [SessionPlayer]) throws -> (apart: Nanoseconds, isTrue: Bool) {
      let now = world.network.trueTime
      let beliefs = try players.map { player in
        let clock = try #require(player.engine.groupClock)
        let host = player.machine.hostTime(at: now)
        return (time: clock.remote(at: host), error: clock.error(at: host))
      }
      var (apart, isTrue): (Nanoseconds, Bool) = (0, true)
      for one in beliefs {
        for other in beliefs {
          apart = max(apart, (one.time - other.time).absolute)
          isTrue = isTrue && (one.time - other.time).absolute <= one.error + other.error
        }
      }
      return (apart, isTrue)
    }
  }

  @Test("N11: people at hubs whose clocks are hours apart have one group time, and play in step", arguments: [1, 2])
  func together(seed: UInt64) throws {
    let stage = try Stage(seed: seed)
    let all = try stage.playing()
    #expect(all.map { stage.hub(of: $0) } == [0, 0, 1, 2])
    #expect(try #require(stage.world.spread(all)) < .milliseconds(6))
    for _ in 0..<10 {
      let (apart, isTrue) = try stage.agreement(all)
      #expect(isTrue && apart < .milliseconds(3))
      stage.world.network.run(for: .seconds(30))
    }
    all[3].do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(stage.world.network.run(atMost: .seconds(1)) { all.allSatisfy { $0.commands.last?.kind == .pause } })
  }

  @Test("N4 N11: the hub by whose clock all play is killed: nobody jumps by more than 40 ms, and who comes then is in step",
    arguments: [1, 2, 3])
  func killed(seed: UInt64) throws {
    let stage = try Stage(seed: seed)
    // The host knows no other hub, and plays on alone.
    let all = Array(try stage.playing().dropFirst())
    for player in all { player.forgetStates() }
    let commands = all.map(\.commands.count)
    let before = stage.world.network.trueTime
    stage.kill(0)
    let jump = try stage.world.largestJump(all.filter { $0.line != nil }, during: .seconds(40))
    #expect(jump <= .milliseconds(40))
    #expect(all[0].states.contains { $0.connection == .reconnecting } && stage.hub(of: all[0]) != 0)
    #expect(stage.world.network.trueTime - before >= .seconds(40))
    #expect(all.allSatisfy { $0.people.count == 3 && $0.engine.state.connection == .connected })
    for (player, count) in zip(all, commands) { #expect(player.commands.dropFirst(count).allSatisfy { $0.kind == .play }) }
    let late = try stage.guest(of: all[1], at: 2)
    late.do { $0.join() }
    late.do { $0.handle(.transition(to: "film", proposal: nil)) }
    _ = stage.world.network.run(atMost: .seconds(10)) { late.line != nil }
    stage.world.network.run(for: .seconds(2))
    let (apart, isTrue) = try stage.agreement(all + [late])
    #expect(isTrue && apart < .milliseconds(5))
    #expect(all.allSatisfy { $0.clockDoubts.isEmpty })
  }

  @Test("who listens at another hub than the publisher's, whose clock is hours apart, plays in step, also after its hub was killed",
    arguments: [1, 2])
  func listening(seed: UInt64) throws {
    let stage = try Stage(seed: seed)
    let network = stage.world.network
    let players = try stage.world.playing(2, path: .lan, hub: stage.addresses[0], keepingStandbyHubs: false)
    players[0].do { $0.setControl(.hostsOnly) }
    network.run(for: .seconds(1))
    players[0].do { try? $0.openAudience() }
    network.run(for: .seconds(1))
    let told = try AudienceLink(parsing: players[0].engine.audienceLink ?? "")
    let link = try AudienceLink(origin: told.origin, secret: told.secret, topic: told.topic, hubs: [stage.addresses[1], stage.addresses[2]])
    let listeners = (0..<4).map { number in
      ListeningPlayer(on: network.machine(clockOffset: .seconds(3_000 * number), clockDrift: 11e-6 * Double(number)), link)
    }
    #expect(network.run(atMost: .seconds(6)) { listeners.allSatisfy { $0.line != nil } })
    network.run(for: .seconds(10))
    func spread() -> Nanoseconds? {
      let positions = ((listeners as [any PlacedPlayer]) + [players[0]]).compactMap { $0.position(at: network.trueTime) }
      guard positions.count == 5, let least = positions.min(), let most = positions.max() else { return nil }
      return most - least
    }
    #expect(try #require(spread()) < .milliseconds(6))
    #expect(stage.servers.reduce(0) { $0 + $1.measures.listeners } == 4)
    // They go to the other hub of their link, or to that of the group, which the programme names.
    stage.kill(1)
    stage.kill(2)
    #expect(network.run(atMost: .seconds(10)) { stage.servers[0].measures.listeners == 4 })
    #expect(listeners.allSatisfy { $0.line != nil })
    players[0].do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(network.run(atMost: .seconds(1)) { listeners.allSatisfy { $0.commands.last?.kind == .pause } })
    let place = try #require(players[0].commands.last?.itemTime)
    #expect(listeners.allSatisfy { $0.commands.last?.itemTime == place && $0.status == .listening })
  }
}

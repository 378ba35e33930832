import Testing
import UnisonoBase
import UnisonoReplica

@testable import UnisonoCrypto
@testable import UnisonoRuntime

@Suite("Sessions with an owner that lies")
struct LyingOwnerTests {
  /// Sessions at a hub of its own, none of which keeps one.
  private struct Stage {
    let world: SessionWorld
    let all: [SessionPlayer]
    private let hub: HubServer

    init(seed: UInt64, _ count: Int) throws {
      world = SessionWorld(seed: seed)
      let machine = world.network.machine()
      hub = try HubServer(environment: machine, options: HubOptions(listen: ["0.0.0.0:7400"]))
      all = try world.joined(
        count, path: .lan, hub: HubAddress(address: "\(machine.host):7400", hub: hub.hubID), keepingStandbyHubs: false)
    }

    var owner: SessionPlayer { all[0] }

    /// A level that moves the session to another room and removes nobody, and that room, whose founding record names these alone.
    func move(to named: [SessionPlayer]) throws -> (secrets: RoomSecrets, levels: [PolicyLevel]) {
      let engine = owner.engine!
      let (door, chain) = (Secret { owner.machine.randomBytes($0) }, Secret { owner.machine.randomBytes($0) })
      let scope = Door(session: engine.origin.session, secret: door).scope
      let founding = RosterRecord.founding(
        roster: [owner.id] + named.map(\.id), policy: PolicyStack.origin, chain: chain, scope: scope,
        author: engine.identity.signing)
      let secrets = RoomSecrets(door: door, chain: chain, founding: founding)
      var author = engine.coordination
      _ = author.handle(
        .changePolicy(
          .removal(
            [], topic: secrets.place(in: engine.origin.session).topic, founding: founding.id, leaving: [engine.door.topic])),
        now: owner.machine.now)
      try #require(author.policy.levels.last?.terms.founding == founding.id)
      return (secrets, author.policy.levels)
    }

    /// The owner hands it over as a REKEY, to some alone or to all.
    func hand(_ move: (secrets: RoomSecrets, levels: [PolicyLevel]), to some: [SessionPlayer]? = nil) {
      owner.do { engine in
        var channel = engine.present.channel
        channel.setPolicy(levels: move.levels)
        for case .transmit(let envelope, _) in channel.sendRekey(move.secrets, now: owner.machine.now) {
          engine.present.client?.send(envelope, to: some?.map(\.id))
        }
      }
    }
  }

  @Test("Z91: an owner moves the room and hands two the level without its key: both are told within 12 s to ask for a new invitation")
  func leftBehind() throws {
    let stage = try Stage(seed: 91, 5)
    let (follower, others) = (stage.all[1], Array(stage.all[3...]))
    stage.hand(try stage.move(to: [follower, stage.all[2]]))
    stage.world.network.run(for: .milliseconds(100))
    stage.owner.kill()
    stage.world.network.run(for: .seconds(12))
    #expect(follower.engine.door.topic != others[0].engine.door.topic && follower.engine.door.topic == stage.all[2].engine.door.topic)
    for player in others {
      #expect(player.engine.state.reason == .authentication && player.engine.state.connection == .reconnecting)
      #expect(player.engine.state.message.contains("ask for a new invitation"))
      #expect(player.states.count { $0.reason == .authentication } == 1)
      // It is in the session, with the other one who was left.
      #expect(player.people.contains("Ben3") && player.people.contains("Ben4") && player.engine.state.status == .joined)
    }
    #expect(follower.engine.state.reason == .none && follower.engine.state.connection == .connected)
  }

  @Test("Z91: an owner hands two halves different levels, each with a room's key: hosts are told who is gone, or that they are left behind")
  func halves() throws {
    let stage = try Stage(seed: 910, 5)
    let halves = [Array(stage.all[1...2]), Array(stage.all[3...])]
    for half in halves { stage.hand(try stage.move(to: half), to: half) }
    stage.world.network.run(for: .milliseconds(100))
    stage.owner.kill()
    stage.world.network.run(for: .seconds(20))
    for half in halves {
      for player in half {
        // Neither hears of the other one's level: its people are those of its room. Who hears of a greater one has no key for it.
        #expect(player.people == half.map(\.name).sorted())
        let state = player.engine.state
        #expect(state.connection == .connected && state.reason == .none || state.reason == .authentication)
      }
    }
    #expect(Set(stage.all[1...].map { $0.engine.door.topic }).count == 2)
  }

  @Test("Z91: who was left behind is in the next room once an owner hands over its key, and is told that it is connected")
  func handedLater() throws {
    let stage = try Stage(seed: 911, 3)
    let late = stage.all[2]
    let move = try stage.move(to: [stage.all[1], late])
    stage.owner.do { engine in
      var channel = engine.present.channel
      channel.setPolicy(levels: move.levels)
      for case .transmit(let envelope, _) in channel.send(.levels(move.levels), to: late.id, now: stage.owner.machine.now) {
        engine.present.client?.send(envelope, to: [late.id])
      }
    }
    stage.world.network.run(for: .seconds(12))
    #expect(late.engine.state.reason == .authentication)
    stage.hand(move)
    stage.world.network.run(for: .seconds(4))
    #expect(late.engine.state.reason == .none && late.engine.state.connection == .connected)
    #expect(late.engine.door.topic == stage.all[1].engine.door.topic)
  }
}

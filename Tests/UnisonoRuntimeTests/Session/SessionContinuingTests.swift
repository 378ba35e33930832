import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

@testable import UnisonoCrypto
@testable import UnisonoRuntime

@Suite("A group that goes on on another day")
struct SessionContinuingTests {
  private static let today: Int64 = 1_795_000_000_000_000_000
  private static let week = Nanoseconds.seconds(7 * 86_400)

  /// A hub by itself, and at it a group that plays.
  private func evening(_ world: SessionWorld, _ count: Int = 2) throws -> (hub: HubServer, all: [SessionPlayer]) {
    let machine = world.network.machine()
    let hub = try HubServer(environment: machine, options: HubOptions(listen: ["0.0.0.0:7400"]))
    let all = try world.playing(count, path: .lan, hub: hub.address(on: machine))
    world.network.defaultPath = .lan
    return (hub, all)
  }

  private func end(_ all: [SessionPlayer], of world: SessionWorld) {
    for player in all { player.do { $0.leave() } }
    world.network.run(for: .seconds(30))
  }

  @Test("J18: each of a group that ended goes on from what it kept, in any order: one group, where it was, paused", arguments: [false, true])
  func goesOn(isReversed: Bool) throws {
    let world = SessionWorld(seed: 180)
    let (hub, all) = try evening(world, 3)
    defer { withExtendedLifetime(hub) {} }
    world.network.run(for: .seconds(20))
    let position = try #require(all[0].position(at: world.network.trueTime))
    let kept = try all.map { try #require($0.engine.continuation(calendarTime: Self.today)) }
    let ids = all.map { $0.id }
    end(all, of: world)
    var next: [SessionPlayer] = []
    for index in isReversed ? [2, 1, 0] : [0, 1, 2] {
      next.append(try world.goOn(from: kept[index], named: all[index].name, at: Self.today + Self.week))
      world.network.run(for: .seconds(10))
    }
    for player in next { player.do { $0.handle(.transition(to: "film", proposal: nil)) } }
    #expect(world.network.run(atMost: .seconds(20)) { next.allSatisfy { $0.isJoined && $0.people.count == 3 } })
    world.network.run(for: .seconds(10))
    #expect(Set(next.map { $0.id }) == Set(ids))
    for player in next {
      #expect(player.activities.last == SessionWorld.activity)
      let last = try #require(player.commands.last)
      #expect(last.kind != .play && abs(last.itemTime - position) < .milliseconds(100))
      #expect(player.engine.view.participants.first { $0.id == all[0].id }?.role == .owner)
    }
    next[2].do { $0.handle(.rateChange(rate: 1, immediately: false)) }
    #expect(world.network.run(atMost: .seconds(5)) { next.allSatisfy { $0.line != nil } })
    world.network.run(for: .seconds(2))
    #expect(try #require(world.spread(next)) < .milliseconds(10))
  }
}

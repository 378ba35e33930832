import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

@testable import UnisonoCrypto
@testable import UnisonoRuntime

@Suite("Sessions that fill, and move while they are full")
struct SessionFillingTests {
  private static let wan = VirtualPath(delay: .milliseconds(50), jitter: .milliseconds(20))

  /// Sessions of so many on wan, one of which comes every 300 ms.
  private func filled(_ count: Int, seed: UInt64) throws -> (SessionWorld, [SessionPlayer]) {
    let world = SessionWorld(seed: seed)
    world.keepsStandbyHubs = false
    let host = try world.host()
    var all = [host]
    host.do { $0.join() }
    world.network.run(for: .seconds(1))
    while all.count < count {
      all.append(try world.guest(of: host, named: "Ben\(all.count)", path: Self.wan))
      all[all.count - 1].do { $0.join() }
      world.network.run(for: .milliseconds(300))
    }
    try #require(world.network.run(atMost: .seconds(20)) { all.allSatisfy { $0.isJoined && $0.people.count == count } })
    return (world, all)
  }

  @Test("Z99: 48 come to one room within 15 s: nobody is told that somebody cannot be read")
  func noSplits() throws {
    let (world, all) = try filled(48, seed: 99)
    world.network.run(for: .seconds(30))
    #expect(all.allSatisfy { $0.splits.isEmpty })
    #expect(all.map { $0.engine.statistics.messagesRefused }.max() == 0)
  }
}

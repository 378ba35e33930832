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

  @Test("Z100: after a move each shows all others at once, and what is said before the last one came reaches that, too")
  func movedTogether() throws {
    let world = SessionWorld(seed: 100)
    world.keepsStandbyHubs = false
    let all = try world.joined(12, path: Self.wan, keepingStandbyHubs: false)
    let (owner, slow, out) = (all[0], all[10], all[11])
    world.network.setPath(owner.machine, slow.machine, VirtualPath(delay: .milliseconds(150)))
    for player in all { player.do { $0.handle(.transition(to: "film", proposal: nil)) } }
    world.network.run(for: .seconds(4))
    owner.do { $0.handle(.rateChange(rate: 1, immediately: false)) }
    try #require(world.network.run(atMost: .seconds(5)) { all.allSatisfy { $0.line != nil } })
    world.network.run(for: .seconds(20))
    let stay = Array(all.dropLast())
    let door = owner.engine.door.topic
    owner.do { $0.remove(out.id) }
    let begun = world.network.trueTime
    // The first one there pauses, and says something, before the slowest one came.
    let early = all[1]
    try #require(world.network.run(atMost: .seconds(2)) { early.engine.door.topic != door })
    #expect(slow.engine.door.topic == door)
    early.do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    early.do { $0.send([1], isReliable: true, to: nil) }
    early.do { $0.send([2], isReliable: true, to: [slow.id]) }
    early.do { $0.setSpeaking(true) }
    early.say("hello")
    world.network.run(for: begun + .seconds(2) - world.network.trueTime)
    #expect(stay.allSatisfy { $0.engine.door.topic == owner.engine.door.topic && $0.people.count == 11 })
    #expect(stay.allSatisfy { $0.commands.last?.kind == .pause })
    for player in stay where player !== early {
      #expect(player.messages.map(\.bytes) == (player === slow ? [[1], [2]] : [[1]]))
      #expect(player.speaking.map(\.0) == [early.id] && player.chat.count == 1)
    }
    // What each says then is read by each.
    for (number, player) in stay.enumerated() { player.do { $0.send([UInt8(number), 9], isReliable: true, to: nil) } }
    world.network.run(for: .seconds(1))
    for (number, player) in stay.enumerated() {
      let came = Set(player.messages.map(\.bytes)).filter { $0.last == 9 }
      #expect(came == Set(stay.indices.filter { $0 != number }.map { [UInt8($0), 9] }))
    }
    #expect(stay.allSatisfy { $0.splits.isEmpty })
  }

  @Test("Z100: a start that is prepared as the session moves begins once the last one is ready, not at the next heartbeats")
  func startAcrossMove() throws {
    let world = SessionWorld(seed: 101)
    let all = try world.joined(16, path: Self.wan, keepingStandbyHubs: false)
    for player in all { player.do { $0.handle(.transition(to: "film", proposal: nil)) } }
    world.network.run(for: .seconds(6))
    let (owner, last, out) = (all[0], all[14], all[15])
    let stay = Array(all.dropLast())
    last.latency = .milliseconds(1_200)
    owner.do { $0.handle(.rateChange(rate: 1, immediately: false)) }
    world.network.run(for: .milliseconds(400))
    owner.do { $0.remove(out.id) }
    let begun = world.network.trueTime
    try #require(world.network.run(atMost: .seconds(5)) { stay.allSatisfy { $0.line != nil } })
    // The last one is ready after 0.8 s, and starts have a lead.
    #expect(world.network.trueTime - begun < .milliseconds(1_700))
    #expect(stay.allSatisfy { $0.people.count == 15 })
  }
}

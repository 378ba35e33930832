import Testing
import UnisonoBase
import UnisonoReplica
import UnisonoWire

@testable import UnisonoCrypto
@testable import UnisonoRuntime

@Suite("A room that begins anew behind the same door")
struct SessionRefreshTests {
  /// What a participant that only listens makes of what another one says now.
  private func overheard(by tap: inout SecureChannel, of player: SessionPlayer) -> Bool {
    var speaker = player.engine.present.channel
    var isHeard = false
    for case .transmit(let envelope, _) in speaker.send(.notice(NoticeMessage(kind: 1, text: "secret")), to: nil, now: 1) {
      for effect in tap.received(envelope, now: 1) {
        if case .other = effect { isHeard = true }
      }
    }
    return isHeard
  }

  private func records(of players: [SessionPlayer]) -> Set<RecordID?> {
    Set(players.map { $0.engine.present.channel.records.current })
  }

  @Test("Z58: who left stays on the roster, though not among the participants; ten minutes later the room begins anew without it")
  func leftReader() throws {
    let world = SessionWorld(seed: 81)
    let all = try world.playing(4, path: .lan)
    let gone = all[3]
    let rest = Array(all[0...2])
    var tap = gone.engine.present.channel
    gone.do { $0.leave() }
    world.network.run(for: .seconds(30))
    #expect(overheard(by: &tap, of: all[1]))
    #expect(rest.allSatisfy { $0.engine.present.channel.roster.contains(gone.id) && $0.people.count == 3 })
    let (topic, invite) = (all[0].engine.door.topic, try all[0].engine.invite())
    let commands = rest.map(\.commands.count)
    world.network.run(for: .seconds(660))
    for player in rest {
      #expect(!player.engine.present.channel.roster.contains(gone.id) && player.engine.present.channel.roster.count == 3)
      #expect(player.people.count == 3 && player.engine.statistics.messagesRefused == 0)
      #expect(!player.states.contains { $0.connection == .reconnecting })
    }
    #expect(records(of: rest).count == 1)
    #expect(!overheard(by: &tap, of: all[1]))
    // The door, the invitation and what plays are as they were.
    #expect(all[0].engine.door.topic == topic && rest.map(\.commands.count) == commands)
    #expect(try all[0].engine.invite() == invite)
    let late = try world.guest(of: all[0], named: "Cleo", path: .lan)
    late.do { $0.join() }
    #expect(world.network.run(atMost: .seconds(5)) { late.isJoined && (rest + [late]).allSatisfy { $0.people.count == 4 } })
  }

  @Test("who has no link while the room begins anew is let in again as soon as it is back, on the roster or not", arguments: [20, 720])
  func away(seconds: Int64) throws {
    let world = SessionWorld(seed: 82)
    let all = try world.playing(4, path: .lan)
    let rest = [all[0], all[1]]
    all[3].do { $0.leave() }
    world.network.run(for: .seconds(640 - seconds))
    let old = try #require(all[0].engine.present.channel.records.founding)
    world.split([all[2]], rest)
    world.network.run(for: .seconds(seconds))
    let new = try #require(all[0].engine.present.channel.records.founding)
    #expect(new != old)
    #expect(rest[0].engine.present.channel.roster.contains(all[2].id) == (seconds < 600))
    #expect(all[2].engine.present.channel.records.founding == old)
    world.mend([all[2]], rest)
    let together = Array(all[0...2])
    #expect(
      world.network.run(atMost: .seconds(20)) {
        self.records(of: together).count == 1 && together.allSatisfy { $0.people.count == 3 && !$0.engine.state.isAlone }
      })
    #expect(together.allSatisfy { $0.engine.present.channel.records.founding == new })
    all[2].do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(world.network.run(atMost: .seconds(2)) { together.allSatisfy { $0.commands.last?.kind == .pause } })
  }

  @Test("Z59: a roster filled with invented ones keeps newcomers out, is told so, and lets them in once the owner begins anew")
  func filled() throws {
    let world = SessionWorld(seed: 83)
    let all = try world.joined(2, path: .lan)
    // By a member, whom nothing keeps from admitting them.
    _ = world.admit(invented: 510, by: all[1], pause: .milliseconds(100))
    #expect(world.network.run(atMost: .seconds(10)) { all.allSatisfy { $0.engine.present.channel.roster.count == 512 } })
    let late = try world.guest(of: all[0], named: "Cleo", path: .lan)
    late.do { $0.join() }
    world.network.run(for: .seconds(3))
    #expect(late.engine.state.reason == .full && !late.isJoined)
    #expect(world.network.run(atMost: .seconds(120)) { late.isJoined && all.allSatisfy { $0.people.count == 3 } })
    #expect(all.allSatisfy { $0.engine.present.channel.roster.count == 3 })
    #expect(records(of: all + [late]).count == 1)
  }

  @Test("F46: with a full roster a room of 18 begins anew at once, and nobody in it is lost to anybody for a moment")
  func crowd() throws {
    let world = SessionWorld(seed: 84)
    let all = try world.joined(18, path: .lan)
    _ = world.admit(invented: 470, by: all[1], pause: .milliseconds(100))
    let old = try #require(all[0].engine.present.channel.records.founding)
    #expect(
      world.network.run(atMost: .seconds(60)) { all[0].engine.present.channel.records.founding.map { $0 != old } ?? false })
    #expect(world.network.run(atMost: .seconds(1)) { self.records(of: all).count == 1 })
    world.network.run(for: .seconds(10))
    #expect(all.allSatisfy { $0.people.count == 18 && $0.engine.statistics.messagesRefused == 0 })
    #expect(self.records(of: all).count == 1)
  }
}

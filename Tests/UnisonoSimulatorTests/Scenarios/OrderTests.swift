import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoSimulator

@Suite struct OrderTests {
  @Test("O1: an older statement arrives after a newer one: ignored, no command", arguments: Setting.all)
  func olderStatement(_ setting: Setting) throws {
    let room = setting.paused()
    let before = room.now
    room.a.seek(to: .seconds(10))
    room.run(for: .milliseconds(500))
    let older = try #require(room.a.updates(since: before - 1).first)
    room.a.seek(to: .seconds(20))
    room.run(for: .seconds(1))
    for person in room.people where person.name != "A" { person.receive(older, from: room.a) }
    #expect(room.commands(during: .milliseconds(300)) == [])
    for player in room.players { #expect(player.position == .seconds(20)) }
  }

  @Test("O2: two statements with equal counters arrive in either order: the same winner everywhere")
  func equalCounters() {
    for seed in UInt64(1)...10 {
      let room = Setting(participants: 4, delay: 20, seed: seed).paused()
      let time = room.groupTime
      func position(_ author: Person, _ position: ItemTime) -> CoordinationMessage {
        .update([
          Statement(
            key: .position("X"), author: author.id, policy: .none, time: time,
            value: .position(PositionValue(rank: .command, position: position)))
        ])
      }
      let first = position(room.a, .seconds(5))
      let second = position(room.b, .seconds(9))
      room.c.receive(first, from: room.a)
      room.c.receive(second, from: room.b)
      room["D"].receive(second, from: room.b)
      room["D"].receive(first, from: room.a)
      room.run(for: .seconds(1))
      // Equal times are decided by the author: B's id is the greater.
      #expect(room.player("C").position == .seconds(9))
      #expect(room.player("D").position == .seconds(9))
      room.run(for: .seconds(20))
      #expect(room.spread == 0)
      for person in room.people { #expect(person.groupPosition == .seconds(9)) }
    }
  }

  @Test("O3: B's earlier seek is still in flight when A seeks: it does not undo A's", arguments: Setting.all)
  func lateArrival(_ setting: Setting) {
    let room = setting.paused()
    room.b.changeLink { $0.up += .milliseconds(700) }
    room.b.seek(to: .seconds(10))
    room.run(for: .milliseconds(100))
    let before = room.now
    room.a.seek(to: .seconds(20))
    room.run(for: .seconds(2))
    for player in room.players { #expect(player.position == .seconds(20)) }
    for name in room.names where name != "B" {
      #expect(room.player(name).commands(since: before - 1).map(\.command.itemTime) == [.seconds(20)])
    }
  }

  @Test("O4: a command for X never reaches B's player on Y; X's state is kept for when B comes", arguments: Setting.all)
  func otherItem(_ setting: Setting) {
    let room = setting.paused()
    room.b.transition(to: "Y")
    room.converge()
    let before = room.now
    room.a.seek(to: .seconds(20))
    room.converge()
    room.a.play()
    room.run(for: .seconds(2))
    #expect(room.player("B").commands(since: before).isEmpty)
    #expect(room.player("B").position == 0)
    room.b.transition(to: "X")
    room.converge()
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    #expect(room.player("B").position > .seconds(21))
    #expect(room.violations.isEmpty)
  }

  @Test("O6: A plays at 1.5, B at 1 just after: everybody at 1, whoever starts", arguments: Setting.all)
  func twoRates(_ setting: Setting) {
    for gap in [Int64(5), 20, 60, 110, 170] {
      let room = setting.paused()
      room.a.play(rate: 1.5)
      room.run(for: .milliseconds(gap))
      room.b.play(rate: 1)
      room.run(for: 2 * room.convergence)
      for player in room.players { #expect(player.rate == 1, "\(gap) ms apart") }
      #expect(room.spread <= inStep, "\(gap) ms apart")
      #expect(room.commands(during: .milliseconds(200)) == [])
    }
  }

  @Test("O7: a stamp 9 s ahead is held until due and pins nothing, in any order of arrival")
  func farFuture() {
    func play(holdFirst: Bool) -> SimulatedSession {
      let room = Setting(participants: 3, delay: 20).paused()
      let future = CoordinationMessage.update([
        Statement(
          key: .position("X"), author: room.a.id, policy: .none, time: room.groupTime + .seconds(9),
          value: .position(PositionValue(rank: .command, position: .seconds(77))))
      ])
      if holdFirst { for person in [room.b, room.c] { person.receive(future, from: room.a) } }
      room.run(for: .seconds(1))
      room.b.seek(to: .seconds(30))
      room.run(for: .seconds(1))
      if !holdFirst { for person in [room.c, room.b] { person.receive(future, from: room.a) } }
      #expect(room.commands(during: .milliseconds(500)) == [])
      for player in room.players { #expect(player.position == .seconds(30)) }
      room.c.seek(to: .seconds(31))
      room.run(for: .seconds(3))
      for player in room.players { #expect(player.position == .seconds(31)) }
      room.run(for: .seconds(10))
      return room
    }
    let rooms = [play(holdFirst: true), play(holdFirst: false)]
    for room in rooms { for name in ["B", "C"] { #expect(room.player(name).position == .seconds(77)) } }
  }
}

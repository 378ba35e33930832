import Testing
import UnisonoBase
import UnisonoSimulator

@Suite struct UndoTests {
  @Test("G6: somebody jumps while all play, another one takes it back: all go on from there; again: from where the jump led", arguments: Setting.all)
  func somebodyElses(_ setting: Setting) throws {
    let room = setting.playing()
    room.run(for: .seconds(5))
    let before = try #require(room.player("B").position)
    room.a.seek(to: .seconds(600))
    room.run(for: .seconds(10))
    for player in room.players { #expect(player.position >= .seconds(600)) }
    room.b.undoJump()
    room.run(for: .seconds(10))
    for player in room.players {
      #expect(player.position >= before - .seconds(1) && player.position <= before + .seconds(11), "\(player.position)")
    }
    #expect(room.spread <= inStep)
    room.b.undoJump()
    room.run(for: .seconds(10))
    for player in room.players { #expect(player.position >= .seconds(600)) }
  }

  @Test("G6: a slider that is dragged is one jump; what came long before is another")
  func dragged() {
    let room = Setting(participants: 3, delay: 20).paused()
    room.a.seek(to: .seconds(40))
    room.run(for: .seconds(5))
    for step in 1...8 as ClosedRange<Int64> {
      room.a.seek(to: .seconds(40 + 10 * step))
      room.run(for: .milliseconds(300))
    }
    room.run(for: .seconds(3))
    for player in room.players { #expect(player.position == .seconds(120)) }
    room.c.undoJump()
    room.run(for: .seconds(3))
    for player in room.players { #expect(player.position == .seconds(40)) }
  }

  @Test("G6: who has come to an item, or in a session where nobody jumped, takes nothing back")
  func nothing() {
    let room = Setting(participants: 2, delay: 20).paused()
    let place = room.player("A").position
    room.b.undoJump()
    #expect(room.commands(during: .seconds(1)) == [])
    #expect(room.player("A").position == place)
    #expect(room.b.history.refusals.map(\.value.status) == [.state])
    room.a.seek(to: .seconds(40))
    room.run(for: .seconds(3))
    room.b.transition(to: "Y")
    room.run(for: .seconds(3))
    room.b.undoJump()
    #expect(room.commands(during: .seconds(1)) == [])
  }

  @Test("G6: who may not command takes nothing back, and is told so")
  func mayNot() {
    let room = SimulatedSession(seed: 2, participants: ["A", "B"], delay: .milliseconds(20), control: .hostsOnly)
    room.join()
    room.gather(on: "X")
    room.a.seek(to: .seconds(40))
    room.run(for: .seconds(3))
    room.b.undoJump()
    #expect(room.commands(during: .seconds(1)) == [])
    #expect(room.b.history.refusals.map(\.value.status) == [.denied])
    #expect(room.players.allSatisfy { $0.position == .seconds(40) })
  }
}

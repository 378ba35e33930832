import Testing
import UnisonoSimulator

/// A host whose engine does something by itself, beside what it was told (coordination 2.19).
@Suite struct BypassTests {
  @Test("G55: an engine that stops by itself is told to play again; nobody else notices", arguments: Setting.all)
  func stops(_ setting: Setting) {
    let room = setting.playing()
    let before = room.now
    let written = room.written.count
    room.b.playerWanders(rate: 0)
    room.run(for: .seconds(2))
    #expect(room.player("B").kinds(since: before - 1) == [.play])
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    for name in room.names where name != "B" { #expect(room.player(name).kinds(since: before - 1) == []) }
    #expect(room.written.count == written)
    #expect(room.b.view.suspensionReasons == [])
  }

  @Test("G55: an engine that runs by itself while all stand is told to stand where they do", arguments: Setting.all)
  func runs(_ setting: Setting) {
    let room = setting.paused()
    let before = room.now
    room.b.playerWanders(rate: 1)
    room.run(for: .seconds(1))
    #expect(room.player("B").kinds(since: before - 1) == [.pause])
    room.converge()
    #expect(room.nonePlays)
    #expect(room.spread <= inStep)
  }

  @Test("G55: an engine that changes its speed by itself is told the group's", arguments: Setting.all)
  func speeds(_ setting: Setting) {
    let room = setting.playing()
    let before = room.now
    room.b.playerWanders(rate: 1.5)
    room.run(for: .seconds(2))
    #expect(room.player("B").kinds(since: before - 1) == [.play])
    #expect(room.spread <= inStep)
  }

  @Test("G55: a correction of its speed is a host's own matter", arguments: Setting.all)
  func nudges(_ setting: Setting) {
    let room = setting.playing()
    let before = room.now
    room.b.playerWanders(rate: 1.05)
    room.run(for: .seconds(2))
    #expect(room.player("B").kinds(since: before - 1) == [])
  }

  @Test("G56: who does so again and again is apart until the next command", arguments: Setting.all)
  func defies(_ setting: Setting) {
    let room = setting.playing()
    for person in room.people { person.snapsPauses() }
    let before = room.now
    for _ in 0..<5 {
      room.b.playerWanders(rate: 0)
      room.run(for: .seconds(3))
    }
    #expect(room.player("B").kinds(since: before - 1) == [.play, .play, .play])
    #expect(room.b.view.suspensionReasons == ["coordinated-playback-not-possible"])
    for name in room.names where name != "B" { #expect(room.player(name).isPlaying) }
    room.a.pause()
    room.converge()
    #expect(room.b.view.suspensionReasons == [])
    #expect(room.spread <= inStep)
  }

  @Test("G56: who is apart for it, and plays again by itself, is back in step", arguments: Setting.all)
  func isBack(_ setting: Setting) {
    let room = setting.playing()
    for _ in 0..<4 {
      room.b.playerWanders(rate: 0)
      room.run(for: .seconds(3))
    }
    #expect(room.b.view.suspensionReasons == ["coordinated-playback-not-possible"])
    room.run(for: .seconds(10))
    room.b.playerWanders(rate: 1)
    room.converge()
    #expect(room.b.view.suspensionReasons == [])
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
  }

  @Test("G55: an engine that goes on right after it stood, whose host reports changes alone, is told to stand", arguments: Setting.all)
  func goesOn(_ setting: Setting) {
    let room = setting.playing()
    room.a.pause()
    room.run(atMost: .seconds(3)) { !$0.b.player.isPlaying }
    room.run(for: .milliseconds(150))
    let before = room.now
    room.b.playerWanders(rate: 1)
    room.run(for: .seconds(2))
    #expect(room.player("B").kinds(since: before - 1) == [.pause])
    #expect(room.nonePlays)
    #expect((room.player("B").position - room.b.groupPosition).length <= inStep)
  }

  @Test("G129: who missed a pause, and is sent elsewhere before that is known, stands there", arguments: Setting.all)
  func missesPause(_ setting: Setting) {
    let room = setting.playing()
    room.b.changePlayer { $0.ignores = [.pause] }
    let paused = room.now
    room.a.pause()
    room.run(atMost: .seconds(3)) { !$0.player("B").commands(since: paused - 1).isEmpty }
    room.b.changePlayer { $0.ignores = [] }
    let before = room.now
    room.a.seek(to: .seconds(1_000))
    room.run(for: .seconds(2))
    #expect(room.player("B").kinds(since: before) == [.pause])
    #expect(room.nonePlays)
    for person in room.people { #expect(person.player.position == .seconds(1_000)) }
  }
}

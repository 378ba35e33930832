import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica
import UnisonoSimulator

/// Traces in which an earlier design lost or undid what a person had commanded.
@Suite struct LostCommandTests {
  @Test("H1: B writes the start without having got C's pause: the pause stands, and nobody but B ever began")
  func startThatMissedThePause() {
    let room = Setting(participants: 3, delay: 20).paused()
    room.b.changePlayer { $0.buffer = .seconds(1) }
    let before = room.now
    room.b.play()
    room.run(for: .milliseconds(300))
    room.b.changeLink { $0.down += .seconds(3) }
    room.c.pause()
    room.run(for: .seconds(1))
    #expect(room.player("B").isPlaying)
    room.run(for: .seconds(4))
    #expect(room.nonePlays)
    for person in room.people { #expect(person.status == .paused) }
    for name in ["A", "C"] { #expect(!room.player(name).kinds(since: before).contains(.play)) }
  }

  @Test("H2: a seek that has not seen the play does not un-play the group", arguments: [Int64(0), 10, 29, 70])
  func seekWithinThePlay(gap: Int64) {
    let room = Setting(participants: 4, delay: 20).paused()
    room.b.play()
    room.run(for: .milliseconds(gap))
    room["D"].seek(to: .seconds(372))
    room.run(for: 2 * room.convergence)
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    for player in room.players { #expect(player.position >= .seconds(372)) }
  }

  @Test("H3: two commands into a dead link do not outweigh one that was given later")
  func busyButEarlier() {
    let room = Setting(participants: 3, delay: 20).paused()
    room.c.loseLink(noticedAfter: .milliseconds(1_500), hubNoticesAfter: .milliseconds(1_500), backAfter: .seconds(3))
    room.c.play()
    room.run(for: .milliseconds(170))
    room.c.pause()
    room.run(for: .milliseconds(710))
    room.b.play()
    room.run(for: .seconds(5))
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
  }

  @Test("H4: two stamps of the future in either order of arrival: both held, one outcome when they are due")
  func futureInEitherOrder() {
    let room = Setting(participants: 4, delay: 20).paused()
    func position(_ seconds: Int64, ahead: Nanoseconds) -> CoordinationMessage {
      .update([
        Statement(
          key: .position("X"), author: room.a.id, policy: .none, time: room.groupTime + ahead,
          value: .position(PositionValue(rank: .command, position: .seconds(seconds))))
      ])
    }
    let first = position(77, ahead: .seconds(8))
    let second = position(88, ahead: .seconds(9))
    for message in [first, second] { room.b.receive(message, from: room.a) }
    for message in [second, first] { room.c.receive(message, from: room.a) }
    #expect(room.commands(during: .seconds(7)) == [])
    room.run(for: .seconds(10))
    for player in room.players { #expect(player.position == .seconds(88)) }
  }

  @Test("H5: a pause in a hiccup keeps its own stamp: who played after it, before it came, prevails")
  func hiccupKeepsItsStamp() {
    let room = Setting(participants: 3, delay: 20).playing()
    room.a.loseLink(
      noticedAfter: .milliseconds(50), hubNoticesAfter: .milliseconds(50), backAfter: .milliseconds(2_000))
    room.run(for: .milliseconds(300))
    room.a.pause()
    room.run(for: .milliseconds(400))
    room.b.pause()
    room.run(for: .milliseconds(600))
    room.b.play()
    room.run(for: .seconds(4))
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
  }

  @Test("H6: an empty proposal that crosses a real one drags nobody to 0, and of two real ones the older holds")
  func proposalsThatCross() {
    for gap in [Int64(-10), 0, 10] {
      let room = Setting(participants: 2, delay: 20).joined()
      if gap < 0 { room.b.transition(to: "X") }
      room.run(for: .milliseconds(abs(gap)))
      room.a.transition(to: "X", proposing: Proposal(rate: 1, itemTime: .seconds(50)))
      room.run(for: .milliseconds(max(0, gap)))
      if gap >= 0 { room.b.transition(to: "X") }
      room.run(for: .seconds(2))
      #expect(room.allPlay, "\(gap) ms")
      #expect(room.spread <= inStep)
      #expect(room.player("A").position > .seconds(51))
    }
    let room = Setting(participants: 2, delay: 20).joined()
    room.b.transition(to: "X", proposing: Proposal(rate: 0, itemTime: .seconds(5)))
    room.run(for: .milliseconds(10))
    room.a.transition(to: "X", proposing: Proposal(rate: 0, itemTime: .seconds(9)))
    room.run(for: .seconds(2))
    for player in room.players { #expect(player.position == .seconds(5)) }
  }

  @Test("H7: a host that never completed its buffering gets the pause, the seek and the play that follow")
  func deafHost() {
    let room = Setting(participants: 3, delay: 20).paused()
    for person in room.people { person.waits(atMost: .seconds(3)) }
    room.b.changePlayer { $0.ignores = [.buffer] }
    room.a.play()
    room.run(for: .seconds(3) + room.convergence)
    #expect(room.b.isSuspended)
    room.b.changePlayer { $0.ignores = [] }
    let before = room.now
    room.a.pause()
    room.run(for: .seconds(1))
    room.a.seek(to: .seconds(30))
    room.run(for: .seconds(1))
    room.a.play()
    room.run(for: .seconds(1))
    #expect(room.player("B").kinds(since: before) == [.pause, .seek, .buffer, .play])
    #expect(room.spread <= inStep)
  }

  @Test("H8: in a suspension that the library made, the person's own seek and pause go to the group")
  func commandsOfTheSuspended() {
    for seeks in [false, true] {
      let room = Setting(participants: 3, delay: 20).paused()
      for person in room.people { person.waits(atMost: .seconds(3)) }
      room.b.changePlayer { $0.ignores = [.buffer] }
      room.a.play()
      room.run(for: .seconds(3) + room.convergence)
      #expect(room.b.isSuspended)
      room.b.changePlayer { $0.ignores = [] }
      if seeks { room.b.seek(to: .seconds(400)) } else { room.b.pause() }
      room.run(for: .seconds(1))
      for player in room.players {
        #expect(player.isPlaying == seeks)
        #expect((player.position >= .seconds(400)) == seeks)
      }
    }
  }
}

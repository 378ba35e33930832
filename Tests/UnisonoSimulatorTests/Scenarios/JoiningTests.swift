import Testing
import UnisonoReplica
import UnisonoSimulator

@Suite struct JoiningTests {
  /// All but the last play X at 10 s; the last one has not come yet.
  private func playing(_ setting: Setting, rate: Double = 1) -> (room: SimulatedSession, last: Person) {
    let room = setting.empty()
    let last = room.people[room.people.count - 1]
    room.join(Array(room.names.dropLast()))
    room.gather(on: "X")
    room.a.play(rate: rate)
    room.run(for: .seconds(10))
    return (room, last)
  }

  @Test(
    "J1: A plays at 10 s, B joins on the same item: B starts in step, A is never interrupted", arguments: Setting.all)
  func lateJoiner(_ setting: Setting) {
    let (room, last) = playing(setting)
    let before = room.now
    room.join([last.name])
    last.transition(to: "X")
    room.converge()
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    #expect(room.player("A").position > .seconds(9))
    for name in room.names where name != last.name { #expect(room.player(name).commands(since: before).isEmpty) }
    #expect(room.commands(during: .milliseconds(200)) == [])
  }

  @Test("J1: the same when B had loaded the item before it joined", arguments: Setting.all)
  func lateJoinerWithItem(_ setting: Setting) {
    let (room, last) = playing(setting)
    let before = room.now
    room.enter(last.name)
    last.transition(to: "X")
    room.run(for: .seconds(3))
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    for name in room.names where name != last.name { #expect(room.player(name).commands(since: before).isEmpty) }
  }

  @Test("J2: rate 1.5 was set before B came: B plays at 1.5", arguments: Setting.all)
  func rateBefore(_ setting: Setting) {
    let (room, last) = playing(setting, rate: 1.5)
    room.join([last.name])
    last.transition(to: "X")
    room.converge()
    for player in room.players { #expect(player.rate == 1.5) }
    #expect(room.spread <= inStep)
  }

  @Test("J3: B joins with nothing loaded: nobody is dragged to 0", arguments: Setting.all)
  func nothingLoaded(_ setting: Setting) {
    let (room, last) = playing(setting)
    let before = room.now
    room.join([last.name])
    #expect(last.view.item == nil)
    room.run(for: .seconds(1))
    last.transition(to: "X", proposing: nil)
    room.run(for: .seconds(2))
    for name in room.names where name != last.name {
      #expect(room.player(name).commands(since: before).isEmpty)
      #expect(room.player(name).position > .seconds(11))
    }
    #expect(room.spread <= inStep)
  }

  @Test(
    "J4: B drops silently: one left for everybody after the limit, not before; seen again: one joined",
    arguments: Setting.all)
  func silentDrop(_ setting: Setting) {
    let room = setting.playing()
    let before = room.now
    func left(_ person: Person) -> Int {
      person.history.participants.filter { $0.at >= before }.flatMap(\.value.left).filter { $0.id == room.b.id }.count
    }
    func joined(_ person: Person) -> Int {
      person.history.participants.filter { $0.at >= before }.flatMap(\.value.joined).filter { $0.id == room.b.id }.count
    }
    room.b.loseLink(noticedAfter: .seconds(5), hubNoticesAfter: .seconds(5))
    let others = room.people.filter { $0.name != "B" }
    room.run(for: .seconds(34))
    for person in others { #expect(left(person) == 0) }
    room.run(for: .seconds(6))
    for person in others { #expect(left(person) == 1) }
    room.b.reconnect()
    room.run(for: .seconds(3))
    for person in others {
      #expect(left(person) == 1)
      #expect(joined(person) == 1)
    }
  }

  @Test("J5: B is away 30 s and reconnects: it lands on the present position", arguments: Setting.all)
  func away(_ setting: Setting) {
    let room = setting.playing()
    room.b.loseLink(noticedAfter: .seconds(1), hubNoticesAfter: .seconds(1), backAfter: .seconds(30))
    room.run(for: .seconds(10))
    #expect(room.player("B").isPlaying)
    room.a.seek(to: .seconds(500))
    room.run(for: .seconds(10))
    #expect(room.player("B").position < .seconds(100))
    room.run(for: .seconds(14))
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    #expect(room.player("B").position > .seconds(500))
  }

  @Test("J7: a command arrives before B's clock is synchronised: held, applied when ready", arguments: Setting.all)
  func unsynchronised(_ setting: Setting) {
    let room = setting.empty()
    let last = room.people[room.people.count - 1]
    last.synchronises(after: .seconds(4))
    room.join(Array(room.names.dropLast()))
    room.gather(on: "X")
    room.enter(last.name)
    room.run(for: .seconds(1))
    last.transition(to: "X")
    let before = room.now
    room.a.seek(to: .seconds(20))
    room.run(for: .milliseconds(200))
    room.a.play()
    // The others wait for it while the set may still grow, not for longer.
    room.run(for: .milliseconds(2_200))
    #expect(last.player.commands(since: before).isEmpty)
    for name in room.names where name != last.name { #expect(room.player(name).isPlaying) }
    room.run(for: .seconds(2) + room.convergence)
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    // The newest only: what was commanded and outdated meanwhile is not replayed.
    #expect(last.player.kinds(since: before).filter { $0 == .play }.count == 1)
  }

  @Test(
    "J12: the notice of an old connection's end comes after the new one's beginning: B counts as present",
    arguments: Setting.all)
  func lateNotice(_ setting: Setting) {
    let room = setting.paused()
    room.b.loseLink(noticedAfter: .milliseconds(100), hubNoticesAfter: .seconds(4), backAfter: .milliseconds(500))
    room.run(for: .seconds(6))
    let before = room.now
    room.a.play()
    room.converge()
    #expect(room.allPlay)
    for player in room.players {
      #expect(player.starts(since: before).allSatisfy { $0.position.length <= .milliseconds(20) })
      #expect(player.kinds(since: before - 1) == [.buffer, .play])
    }
  }

  @Test("J10: alone, A moves to a new item and plays there: back after about 5 s, it goes on, whatever is kept of that")
  func halfAPair() {
    for back in stride(from: Int64(3_500), through: 5_500, by: 50) {
      let room = Setting(participants: 3, delay: 20).playing()
      room.a.loseLink(backAfter: .milliseconds(back))
      room.run(for: .milliseconds(50))
      room.a.transition(to: "Y")
      room.run(for: .milliseconds(400))
      room.a.playImmediately()
      room.run(for: .seconds(9))
      let before = room.now
      room.run(for: .seconds(2))
      for person in room.people { #expect(person.updates(since: before).count < 3, "back after \(back) ms") }
      #expect(room.a.status != .none, "back after \(back) ms")
      #expect(room.player("A").isPlaying == (room.a.status == .playing), "back after \(back) ms")
    }
  }

  @Test("J7: what is set for the session before the clock is known counts once it is, or is refused", arguments: [false, true])
  func setsEarly(mayCommand: Bool) {
    let room = SimulatedSession(
      seed: 4, participants: ["A", "B"], delay: .milliseconds(20), control: .perRole, joinerRole: mayCommand ? .member : .viewer)
    room.join(["A"])
    room.a.setStartPolicy(StartPolicy(waiting: .every))
    room.a.setStallPolicy(StallPolicy(waits: true))
    room.run(for: .seconds(1))
    room.b.synchronises(after: .seconds(3))
    room.enter("B")
    room.run(atMost: .seconds(2)) { $0.b.hasJoined }
    #expect(room.b.hasJoined)
    room.b.setStartPolicy(StartPolicy(waiting: .none, leaving: .pause))
    room.b.setStallPolicy(StallPolicy(waits: false))
    room.run(for: .seconds(6))
    for person in room.people {
      #expect(person.view.startPolicy == StartPolicy(waiting: mayCommand ? .none : .every, leaving: mayCommand ? .pause : .goOn))
      #expect(person.view.waitsForStalls == !mayCommand)
    }
    #expect(room.b.history.refusals.map(\.value.status) == (mayCommand ? [] : [.denied, .denied]))
  }
}

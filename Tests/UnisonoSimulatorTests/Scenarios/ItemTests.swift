import Testing
import UnisonoCoordination
import UnisonoReplica
import UnisonoSimulator

@Suite struct ItemTests {
  private func leaving(_ setting: Setting) -> SimulatedSession {
    let room = setting.paused()
    room.a.seek(to: .seconds(39))
    room.run(for: .seconds(1))
    room.a.play()
    room.run(atMost: .seconds(2)) { $0.allPlay }
    room.run(for: .seconds(1))
    room.a.transition(to: "Y", proposing: Proposal(rate: 0, itemTime: .seconds(5)))
    return room
  }

  @Test(
    "I1: A moves from the playing X to the unknown Y: its proposal is Y's state, B is undisturbed",
    arguments: Setting.all)
  func firstOnItem(_ setting: Setting) {
    let room = leaving(setting)
    let before = room.now
    room.run(for: .seconds(2))
    #expect(room.player("A").position == .seconds(5))
    #expect(room.a.status == .paused)
    #expect(room.a.groupPosition == .seconds(5))
    for name in room.names where name != "A" {
      #expect(room.player(name).commands(since: before).isEmpty)
      #expect(room.player(name).isPlaying)
      #expect((room.player(name).position - .seconds(42)).length <= .milliseconds(200))
    }
  }

  @Test("I2: then B moves to Y: it gets Y's group state, its own proposal is ignored", arguments: Setting.all)
  func secondOnItem(_ setting: Setting) {
    let room = leaving(setting)
    room.run(for: .seconds(2))
    let before = room.now
    room.b.transition(to: "Y", proposing: Proposal(rate: 1, itemTime: .seconds(9)))
    room.converge()
    #expect(room.player("B").position == .seconds(5))
    #expect(!room.player("B").isPlaying)
    #expect(room.player("A").commands(since: before).isEmpty)
    #expect(room.player("A").position == .seconds(5))
    #expect(room.commands(during: .milliseconds(200)) == [])
  }

  @Test("I3: two propose Y at once: one proposal wins everywhere", arguments: Setting.all)
  func twoProposals(_ setting: Setting) {
    let room = setting.joined()
    for (index, person) in room.people.enumerated() {
      person.transition(to: "Y", proposing: Proposal(rate: 0, itemTime: .seconds(5 + Int64(index))))
    }
    room.converge()
    #expect(room.spread == 0)
    #expect((0..<5).map { .seconds(5 + $0) }.contains(room.player("A").position))
    for person in room.people { #expect(person.groupPosition == room.player("A").position) }
    #expect(room.commands(during: .milliseconds(200)) == [])
  }

  @Test(
    "I4: an identifier is an item, whatever its title; identifiers are compared byte by byte", arguments: Setting.all)
  func identity(_ setting: Setting) {
    let room = setting.joined()
    room.a.share(Activity(identifier: "org.example.watch", title: "The Film", fallbackURL: "https://a.example"))
    room.a.transition(to: "caf\u{E9}", proposing: Proposal(rate: 0, itemTime: .seconds(3)))
    room.converge()
    room.b.share(Activity(identifier: "org.example.watch", title: "Der Film", fallbackURL: "https://b.example"))
    room.b.transition(to: "caf\u{E9}")
    room.converge()
    #expect(room.player("B").position == .seconds(3))
    // Looks the same, is another one: e and a combining accent.
    room.b.transition(to: "cafe\u{301}", proposing: Proposal(rate: 0, itemTime: .seconds(8)))
    room.converge()
    #expect(room.player("B").position == .seconds(8))
    #expect(room.player("A").position == .seconds(3))
  }

  @Test("I5: B has an item that is not current and seeks in it: nobody is affected", arguments: Setting.all)
  func notCurrent(_ setting: Setting) {
    let room = setting.playing()
    room.b.transition(to: nil)
    room.converge()
    let before = room.now
    let written = room.written.count
    room.b.seek(to: .seconds(90))
    #expect(room.commands(during: .seconds(2)) == [])
    #expect(room.written.count == written)
    #expect(room.b.history.refusals.contains { $0.at >= before && $0.value.status == .state })
  }

  @Test("I6: A comes back from Y to X, where B played on: it joins B in place", arguments: Setting.all)
  func comingBack(_ setting: Setting) {
    let room = leaving(setting)
    room.run(for: .seconds(5))
    let before = room.now
    room.a.transition(to: "X")
    room.converge()
    #expect(room.allPlay)
    #expect(room.spread <= inStep)
    for name in room.names where name != "A" { #expect(room.player(name).commands(since: before).isEmpty) }
    #expect(room.player("A").kinds(since: before - 1).filter { $0 == .play }.count == 1)
    #expect(room.commands(during: .milliseconds(200)) == [])
  }

  @Test("I7: the item becomes nil: group commands no longer reach that host", arguments: Setting.all)
  func noItem(_ setting: Setting) {
    let room = setting.playing()
    room.b.transition(to: nil)
    let before = room.now
    room.a.seek(to: .seconds(50))
    room.converge()
    room.a.pause()
    room.run(for: .seconds(1))
    #expect(room.player("B").commands(since: before).isEmpty)
    #expect(room.violations.isEmpty)
    #expect(room.player("A").position >= .seconds(50))
  }

  @Test(
    "I8: all move to Y and the first plays 100 ms before the others arrive: nobody misses content",
    arguments: Setting.all)
  func earlyStarter(_ setting: Setting) {
    let room = setting.playing()
    let before = room.now
    room.a.transition(to: "Y")
    room.a.play()
    room.run(for: .milliseconds(100))
    for person in room.people where person.name != "A" { person.transition(to: "Y") }
    #expect(room.run(atMost: .seconds(1) + room.convergence) { $0.allPlay })
    room.run(for: .milliseconds(300))
    #expect(room.spread <= inStep)
    for player in room.players {
      let starts = player.starts(since: before)
      #expect(starts.count == 1)
      #expect(starts.allSatisfy { $0.position.length <= .milliseconds(20) })
    }
  }

  @Test(
    "I9: everybody left X while it played; back five minutes later it is paused where the last one left",
    arguments: Setting.all)
  func abandoned(_ setting: Setting) {
    let room = setting.playing(for: .seconds(3))
    for person in room.people where person.name != "A" { person.transition(to: "Y") }
    room.run(for: .seconds(4))
    let left = room.player("A").position
    room.a.transition(to: "Y")
    room.run(for: .seconds(300))
    room.a.transition(to: "X")
    room.run(for: .seconds(2))
    #expect(room.a.status == .paused)
    #expect(!room.player("A").isPlaying)
    #expect((room.player("A").position - left).length <= inStep)
    room.b.transition(to: "X")
    room.run(for: .seconds(2))
    #expect(room.player("B").position == room.player("A").position)
  }
}

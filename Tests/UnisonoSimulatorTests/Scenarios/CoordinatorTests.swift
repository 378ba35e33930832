import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoReplica

@testable import UnisonoSimulator

/// Several coordinators in one session, by the library's own `NamedCoordinations`; that of real sessions has tests of its own.
@Suite struct CoordinatorTests {
  private let screen: CoordinatorName

  init() throws { screen = try #require(CoordinatorName("screen")) }

  /// A, B and C are at the film, which stands; the first ones have a second screen each, on an item that is called like it.
  private func room(_ names: [String] = ["A", "B"], hubs: Int = 1) -> SimulatedSession {
    let room = SimulatedSession(participants: ["A", "B", "C"], delay: .milliseconds(30), hubs: hubs)
    room.join()
    room.gather(on: "X")
    for name in names { open(room, name) }
    room.run(for: .seconds(2))
    return room
  }

  private func open(_ room: SimulatedSession, _ name: String) {
    room[name].opens(screen)
    room[name].at(screen)?.transition(to: "X")
  }

  private func screens(_ room: SimulatedSession) -> [Person] { room.people(of: screen).filter { $0.canAct } }

  @Test("G106: two have a second screen: it plays by itself, in step; the film stands, nobody is told")
  func apart() throws {
    let room = room()
    let told = room.people.map(\.player.commands.count)
    let one = try #require(room.b.at(screen))
    one.seek(to: .seconds(40))
    one.play()
    room.run(for: .seconds(10))
    let screens = screens(room)
    #expect(screens.count == 2 && screens.allSatisfy { $0.player.rate == 1 && $0.player.position > .seconds(48) })
    #expect((screens[0].player.position - screens[1].player.position).length < .milliseconds(5))
    #expect(room.nonePlays && room.people.map(\.player.commands.count) == told)
    #expect(screens.map { $0.view.participants.map(\.id) } == [[room.a.id, room.b.id].sorted(), [room.a.id, room.b.id].sorted()])
    room.a.play()
    room.run(for: .seconds(3))
    #expect(room.allPlay && room.a.player.position < .seconds(4) && screens[0].player.position > .seconds(50))
    #expect(room.violations.isEmpty)
  }

  @Test("G107: a third opens a second screen and is where the others are; one closes its own, and opens it")
  func comingAndGoing() throws {
    let room = room()
    try #require(room.a.at(screen)).play()
    room.run(for: .seconds(5))
    open(room, "C")
    room.run(for: .seconds(3))
    #expect(screens(room).count == 3 && screens(room).allSatisfy { $0.player.rate == 1 })
    room.b.closes(screen)
    room.run(for: .seconds(1))
    #expect(room.b.at(screen) == nil && screens(room).map(\.view.participants.count) == [2, 2])
    #expect(room.people.allSatisfy { $0.view.participants.count == 3 })
    // Who is gone is waited for no more.
    try #require(room.c.at(screen)).seek(to: .seconds(100))
    room.converge()
    #expect(screens(room).allSatisfy { $0.player.position >= .seconds(100) && $0.player.rate == 1 })
    open(room, "B")
    room.run(for: .seconds(3))
    let positions = screens(room).map(\.player.position)
    #expect(positions.count == 3 && (positions.max() ?? 0) - (positions.min() ?? 0) < .milliseconds(5))
    #expect(room.violations.isEmpty)
  }

  @Test("G108: all open one in the same turn: they find each other, and the newest word counts")
  func atOnce() {
    let room = room([])
    for name in room.names { open(room, name) }
    room.run(for: .seconds(2))
    for (index, person) in screens(room).enumerated() { person.seek(to: .seconds(Int64(index + 1) * 100)) }
    room.run(for: .seconds(2))
    #expect(Set(screens(room).map(\.groupPosition)) == [.seconds(300)])
    #expect(screens(room).count == 3 && room.violations.isEmpty)
  }

  @Test("G107: the net falls apart, a hub dies, somebody sleeps: all coordinators part and meet again")
  func lost() throws {
    let room = room(["A", "B", "C"], hubs: 2)
    room.a.play()
    try #require(room.c.at(screen)).seek(to: .seconds(500))
    try #require(room.c.at(screen)).play()
    room.run(for: .seconds(3))
    room.partition(["A"], ["B", "C"])
    room.run(for: .seconds(8))
    #expect(screens(room)[0].view.isAlone)
    room.heal()
    room.run(for: .seconds(12))
    room.hubDies()
    room.b.sleep(for: .seconds(20))
    room.run(for: .seconds(40))
    for one in [room.people, screens(room)] {
      #expect(one.allSatisfy { $0.player.rate == 1 && $0.view.participants.count == 3 })
      let positions = one.map(\.player.position)
      #expect((positions.max() ?? 0) - (positions.min() ?? 0) < .milliseconds(10))
    }
    #expect(screens(room)[0].player.position - room.a.player.position > .seconds(480))
    #expect(room.violations.isEmpty)
  }

  @Test("G107: somebody leaves the session, another's process dies: both are gone at each coordinator")
  func gone() throws {
    let room = room(["A", "B", "C"])
    try #require(room.a.at(screen)).play()
    room.run(for: .seconds(2))
    room.b.leave()
    room.run(for: .seconds(1))
    #expect(screens(room).map(\.view.participants.count) == [2, 2])
    room.c.vanish(hubNoticesAfter: .seconds(1))
    room.run(for: .seconds(40))
    #expect(screens(room).map(\.view.participants.count) == [1] && room.a.view.participants.count == 1)
    try #require(room.a.at(screen)).seek(to: .seconds(700))
    room.run(for: .seconds(2))
    #expect(screens(room)[0].player.position >= .seconds(700) && room.a.player.position == 0)
  }

  @Test("G118: one closes its screen and opens it again while another's process stands still: they meet")
  func reopened() throws {
    let room = room()
    try #require(room.a.at(screen)).seek(to: .seconds(300))
    room.run(for: .seconds(1))
    room.a.stopProcess(for: .seconds(3))
    room.run(for: .seconds(1))
    room.b.closes(screen)
    room.run(for: .milliseconds(700))
    open(room, "B")
    room.run(for: .seconds(4))
    #expect(screens(room).map(\.view.participants.count) == [2, 2])
    #expect(screens(room).allSatisfy { $0.groupPosition == .seconds(300) })
    try #require(room.a.at(screen)).play()
    room.run(for: .seconds(3))
    #expect(screens(room).allSatisfy { $0.player.rate == 1 && $0.player.position > .seconds(302) })
    #expect(room.violations.isEmpty)
  }

  @Test("G119: one alone opens a second screen right after waking, without group time yet: it plays")
  func openedOnWaking() throws {
    let room = SimulatedSession(participants: ["A"], delay: .milliseconds(30))
    room.join()
    room.gather(on: "X")
    room.a.synchronises(after: .seconds(8))
    room.a.sleep(for: .seconds(6))
    room.run(for: .milliseconds(6_010))
    open(room, "A")
    room.run(for: .seconds(9))
    try #require(room.a.at(screen)).play()
    room.run(for: .seconds(2))
    #expect(screens(room).allSatisfy { $0.player.rate == 1 && $0.status == .playing })
    #expect(room.violations.isEmpty)
  }

  /// All three open a second screen, C where it meets nobody; A and B jump, then C does. They meet again.
  private func moveOneAlone(_ room: SimulatedSession) throws {
    for name in ["A", "B", "C"] { open(room, name) }
    room.run(for: .seconds(6))
    try #require(room.a.at(screen)).seek(to: .seconds(100))
    room.run(for: .seconds(2))
    try #require(room.c.at(screen)).seek(to: .seconds(900))
    room.run(for: .seconds(8))
    #expect(screens(room).map(\.groupPosition).sorted() == [.seconds(100), .seconds(100), .seconds(900)])
    room.heal()
    room.run(for: .seconds(12))
    #expect(screens(room).allSatisfy { $0.groupPosition == .seconds(100) && $0.view.participants.count == 3 })
    #expect(room.violations.isEmpty)
  }

  @Test("G120: apart one opens a second screen, and so do the others: what it does alone moves nobody later")
  func openedApart() throws {
    let room = room([], hubs: 2)
    room.partition(["C"], ["A", "B"])
    room.run(for: .milliseconds(200))
    try moveOneAlone(room)
  }

  @Test(
    "G120: in half of a net one opens a second screen beside who has none, soon or late: it moves nobody later", arguments: [3, 45])
  func openedInHalf(after seconds: Int64) throws {
    let room = SimulatedSession(participants: ["A", "B", "C", "D"], delay: .milliseconds(30), hubs: 2)
    room.join()
    room.gather(on: "X")
    room.partition(["C", "D"], ["A", "B"])
    room.run(for: .seconds(seconds))
    try moveOneAlone(room)
  }

  @Test("G120: alone at a second screen while somebody is lost: who was beside it comes to where it is, and so does who was lost")
  func openedBesideOthers() throws {
    let room = room([])
    room.b.loseLink(hubNoticesAfter: .seconds(1), backAfter: .seconds(20))
    room.run(for: .seconds(2))
    open(room, "A")
    try #require(room.a.at(screen)).seek(to: .seconds(100))
    room.run(for: .seconds(8))
    open(room, "C")
    room.run(for: .seconds(3))
    #expect(screens(room).map(\.groupPosition) == [.seconds(100), .seconds(100)])
    room.run(for: .seconds(15))
    open(room, "B")
    room.run(for: .seconds(3))
    #expect(screens(room).count == 3 && screens(room).allSatisfy { $0.groupPosition == .seconds(100) })
    #expect(room.violations.isEmpty)
  }

  @Test("G120: apart one opens a second screen, which nobody else has: later they come to where it is")
  func openedApartFirst() throws {
    let room = room([], hubs: 2)
    room.partition(["C"], ["A", "B"])
    room.run(for: .seconds(3))
    open(room, "C")
    try #require(room.c.at(screen)).play()
    room.run(for: .seconds(8))
    room.heal()
    room.run(for: .seconds(8))
    open(room, "A")
    room.run(for: .seconds(3))
    #expect(screens(room).count == 2 && screens(room).allSatisfy { $0.player.rate == 1 && $0.player.position > .seconds(18) })
    #expect(room.violations.isEmpty)
  }

  @Test("G120: one loses its link, the others open what it has open: back on a slow link it moves nobody")
  func lostBeforeOthersOpened() throws {
    let room = room(["A"])
    room.a.changeLink { $0 = LinkQuality(.satellite) }
    room.run(for: .seconds(3))
    room.a.loseLink(hubNoticesAfter: .seconds(1), backAfter: .seconds(20))
    room.run(for: .seconds(1))
    for name in ["B", "C"] { open(room, name) }
    room.run(for: .seconds(6))
    try #require(room.b.at(screen)).seek(to: .seconds(100))
    room.run(for: .seconds(2))
    try #require(room.a.at(screen)).seek(to: .seconds(900))
    room.run(for: .seconds(25))
    #expect(screens(room).allSatisfy { $0.groupPosition == .seconds(100) && $0.view.participants.count == 3 })
    #expect(room.violations.isEmpty)
  }

  @Test("G122: on a slow link one closes and opens a second screen: nobody's clock is taken for wrong")
  func reopenedFarAway() throws {
    let room = room(["A"])
    room.b.changeLink { $0 = LinkQuality(.satellite) }
    room.run(for: .seconds(4))
    for _ in 0..<4 {
      open(room, "B")
      room.run(for: .milliseconds(1_900))
      room.b.closes(screen)
      room.run(for: .milliseconds(700))
    }
    open(room, "B")
    room.run(for: .seconds(20))
    #expect(screens(room).map(\.view.participants.count) == [2, 2])
    #expect(room.violations.isEmpty)
  }

  @Test("G123: as a process stands still one opens a second screen with what plays, and pauses: it stands")
  func openedAndPausedAtOnce() throws {
    let room = SimulatedSession(participants: ["A"], delay: .milliseconds(30))
    room.join()
    room.gather(on: "X")
    room.a.stopProcess(for: .seconds(3))
    room.run(for: .seconds(1))
    room.a.opens(screen)
    try #require(room.a.at(screen)).transition(to: "X", proposing: Proposal(rate: 1, itemTime: .seconds(300)))
    try #require(room.a.at(screen)).pause()
    room.run(for: .seconds(6))
    #expect(screens(room).map(\.player.rate) == [0] && screens(room).map(\.status) == [.paused])
    #expect(room.violations.isEmpty)
  }

  @Test("G130: the film stands, a second screen plays, its hub's clock is measured better: its time goes on, and does not jump")
  func learnsTime() throws {
    let room = SimulatedSession(participants: ["A", "B"], delay: .milliseconds(2))
    room.b.measuresClock()
    room.b.changeLink { $0.up = .milliseconds(42) }
    room.join()
    room.gather(on: "X")
    room.b.opens(screen)
    let one = try #require(room.b.at(screen))
    one.transition(to: "X", proposing: Proposal(rate: 1, itemTime: .seconds(300)))
    room.run(for: .seconds(2))
    let before = try #require(one.clockError).error
    room.b.changeLink { $0.up = .milliseconds(2) }
    var error = before
    for _ in 0..<2_000 {
      room.run(for: .milliseconds(10))
      let next = try #require(one.clockError).error
      #expect((next - error).length <= .microseconds(300))
      error = next
    }
    #expect((error - before).length > .milliseconds(15) && error.length < .milliseconds(3))
    #expect(one.player.rate == 1 && one.player.commands.isEmpty && room.b.player.rate == 0)
    #expect(room.violations.isEmpty)
  }

  @Test("G121: alone at a second screen one plays who may not command: who opens one is told nothing of it")
  func actsAloneUnasked() throws {
    let room = room(["A", "C"])
    room.a.setControl(.hostsOnly)
    room.run(for: .seconds(1))
    room.a.vanish(hubNoticesAfter: .seconds(1))
    room.run(for: .seconds(3))
    try #require(room.c.at(screen)).play()
    room.run(for: .milliseconds(300))
    #expect(screens(room).map(\.player.rate) == [1])
    open(room, "B")
    room.run(for: .seconds(3))
    #expect(screens(room).count == 2 && screens(room).allSatisfy { $0.player.rate == 0 && $0.groupPosition == 0 })
    #expect(room.violations.isEmpty)
  }

  @Test("F101: roles are the session's: who may not command does not at a second screen, until it may")
  func roles() throws {
    let room = room()
    room.a.setControl(.perRole)
    room.a.setRole(of: room.b, to: .viewer)
    room.run(for: .seconds(2))
    let one = try #require(room.b.at(screen))
    one.play()
    room.run(for: .seconds(2))
    #expect(one.history.refusals.map(\.value.operation) == [.coordinateRateChange] && screens(room).allSatisfy { $0.player.rate == 0 })
    room.a.setRole(of: room.b, to: .member)
    room.run(for: .seconds(2))
    one.play()
    room.run(for: .seconds(2))
    #expect(screens(room).allSatisfy { $0.player.rate == 1 } && room.nonePlays)
  }

  @Test("G109: what somebody says of a coordinator that it does not list moves nobody's player")
  func unlisted() throws {
    let room = room()
    let (nobodys, position) = (try #require(CoordinatorName("nobody's")), try #require(screens(room).first).groupPosition)
    for name in [screen, nobodys] {
      for kind in Lie.Kind.allCases {
        for seed in 1...6 {
          Lie(kind: kind, seed: UInt64(seed), count: 2, coordinator: name).happen(to: room.c, in: room)
        }
      }
    }
    room.run(for: .seconds(5))
    #expect(screens(room).allSatisfy { $0.groupPosition == position && $0.status == .paused && $0.view.participants.count == 2 })
    #expect(room.violations.isEmpty)
  }
}

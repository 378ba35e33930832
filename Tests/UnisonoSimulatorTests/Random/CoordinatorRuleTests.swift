import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica
@testable import UnisonoSimulator

/// The rules of random runs hold of each coordinator, and notice what breaks them at one.
@Suite struct CoordinatorRuleTests {
  private let screen: CoordinatorName

  init() throws { screen = try #require(CoordinatorName("screen")) }

  /// A and B are at the film and have a second screen each, both of which play at places of their own.
  private func room() -> SimulatedSession {
    let room = SimulatedSession(participants: ["A", "B", "C"], delay: .milliseconds(30))
    room.join()
    room.gather(on: "X")
    for person in [room.a, room.b] {
      person.opens(screen)
      person.at(screen)?.transition(to: "X")
    }
    room.run(for: .seconds(2))
    room.a.play()
    room.b.at(screen)?.seek(to: .seconds(500))
    room.b.at(screen)?.play()
    room.run(for: .seconds(40))
    return room
  }

  /// The rules that are broken, each once, in their order, and of whom.
  private func verdict(_ room: SimulatedSession) -> [String] {
    let steps = [("A", ScriptCoordinator.open), ("B", .open), ("B", .act(.play(rate: 1, immediately: false)))].map { name, action in
      Script.Step(at: 0, who: name, action: .coordinator(screen, action))
    }
    let check = InvariantCheck(room: room, script: Script(seed: 1, profile: .mixed, specs: [], steps: steps + steps + steps))
    for one in check.all { one.check() }
    check.checkApart()
    return Set(room.violations.map { "\($0.invariant): \($0.what.prefix { $0 != " " })" }).sorted()
  }

  @Test("an evening with two coordinators without faults breaks no rule at either")
  func whole() { #expect(verdict(room()) == []) }

  @Test("(b) notices a player that wanders off at one coordinator, and says of whom")
  func wanders() throws {
    let room = room()
    let host = try #require(room.b.at(screen)).participant
    let now = host.clock.host(at: room.now)
    host.player.wander(to: Line(at: host.player.position(at: now) + .seconds(1), rate: 1, since: now))
    #expect(verdict(room) == ["b: B/screen"])
  }

  @Test(
    "(b) leaves to a player what its clock has learnt since it knew group time, where it chose its place before",
    arguments: [false, true])
  func learns(wanders: Bool) throws {
    let room = SimulatedSession(participants: ["A", "B"], delay: .milliseconds(2))
    room.b.measuresClock()
    room.b.changeLink { $0.up = .milliseconds(42) }
    room.join()
    room.gather(on: "X")
    room.b.stopProcess(for: .milliseconds(200))
    room.b.opens(screen)
    let host = try #require(room.b.at(screen)).participant
    try #require(room.b.at(screen)).transition(to: "X", proposing: Proposal(rate: 1, itemTime: .seconds(300)))
    room.run(for: .seconds(2))
    room.b.changeLink { $0.up = .milliseconds(2) }
    room.run(for: .seconds(40))
    let (now, before) = (host.clock.host(at: room.now), try #require(room.b.at(screen)).groupPosition)
    #expect((host.player.position(at: now) - before).length > .milliseconds(10))
    // What is farther than that it did by itself.
    if wanders { host.player.wander(to: Line(at: host.player.position(at: now) + .milliseconds(40), rate: 1, since: now)) }
    #expect(verdict(room) == (wanders ? ["b: B/screen"] : []))
  }

  @Test("(a) notices a register of one coordinator that two have otherwise")
  func differs() throws {
    let room = room()
    _ = room.b.participant.machine.named.read(screen) { $0.replace(.actionAtEnd, with: nil) }
    try #require(room.a.at(screen)).setActionAtEnd(.pause)
    room.run(for: .seconds(1))
    _ = room.b.participant.machine.named.read(screen) { $0.replace(.actionAtEnd, with: nil) }
    #expect(verdict(room).contains { $0.hasPrefix("a:") })
  }

  @Test("(apart) notices what is said at one coordinator and comes to another, which it moves", arguments: [true, false])
  func leaks(fromNamed: Bool) throws {
    let room = room()
    let named = try #require(room.a.at(screen))
    let (from, to) = fromNamed ? (named, room.b) : (room.a, try #require(room.b.at(screen)))
    let before = room.now - 1
    for delay in 1...14 {
      room.after(.milliseconds(Int64(delay) * 500)) { _ in
        for message in from.updates(since: before) { to.receive(message, from: from) }
      }
    }
    #expect(verdict(room).contains { $0.hasPrefix("apart:") })
  }

  @Test("(apart) waits for what is lost on both slow links once, and notices what never comes", arguments: [true, false])
  func slowly(comes: Bool) {
    let room = room()
    let path = NetworkPath("lossy satellite", up: PacketDelay(base: .milliseconds(600), loss: 1))
    for person in [room.a, room.b] { person.changeLink { $0 = LinkQuality(path) } }
    if !comes { for person in [room.a, room.c] { room.b.participant.hidden[person.id] = .max } }
    #expect(verdict(room) == (comes ? [] : ["apart: B", "apart: B/screen"]))
  }

  @Test(
    "(j) takes who has opened a coordinator for company there, once its process has told others of it", arguments: [true, false])
  func company(standsStill: Bool) throws {
    let room = SimulatedSession(participants: ["A", "B", "C"], delay: .milliseconds(30), hubs: 2)
    room.join()
    room.gather(on: "X")
    if standsStill { room.c.stopProcess(for: .seconds(27)) }
    room.partition(["A", "C"], ["B"])
    room.run(for: .seconds(1))
    for person in room.people { person.opens(screen) }
    let lone = try #require(room.b.at(screen))
    lone.transition(to: "X")
    room.run(for: .seconds(8))
    lone.play()
    room.run(for: .seconds(1))
    let played = try #require(lone.participant.read { $0.facts.registers[.rate("X")] })
    room.run(for: .seconds(7))
    room.heal()
    room.run(for: .seconds(50))
    // Where two were in company, the library makes a proposal of it: here it is in force everywhere, whatever was decided.
    room.noteCells(in: .update([played]), of: lone.participant)
    for one in room.people(of: screen) { one.participant.read { $0.replace(.rate("X"), with: played) } }
    #expect(verdict(room).contains("j: rate(X)") == !standsStill)
  }

  @Test("(k) counts at each coordinator what was done there: more commands than that is too much")
  func tooMany() throws {
    let room = room()
    for _ in 0..<40 {
      try #require(room.a.at(screen)).seek(to: .seconds(600))
      room.run(for: .seconds(1))
    }
    room.run(for: .seconds(40))
    let broken = verdict(room)
    #expect(broken.contains("k: B/screen") && !broken.contains("k: B"))
  }
}

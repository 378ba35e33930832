import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoCrypto
import UnisonoReplica

@testable import UnisonoRuntime

@Suite("Several coordinators in one session")
struct NamedCoordinatorTests {
  @Test("G106, F101: two second screens play by themselves, on an item that is called like the film, which stands for all")
  func apart() throws {
    let world = SessionWorld(seed: 401)
    let all = try world.joined(3)
    for player in all { player.do { $0.handle(.transition(to: "film", proposal: nil)) } }
    world.network.run(for: .seconds(2))
    let screens = try all.prefix(2).map { try NamedPlayer("second screen", of: $0) }
    for screen in screens { screen.do(.transition(to: "film", proposal: nil)) }
    #expect(world.network.run(atMost: .seconds(3)) { screens.allSatisfy { $0.others.count == 1 } })
    for player in all { player.forgetCommands() }
    let told = all.map(\.notices.count)
    screens[0].do(.seek(to: .seconds(40), resumeImmediately: false))
    screens[0].do(.rateChange(rate: 1, immediately: false))
    #expect(world.network.run(atMost: .seconds(3)) { screens.allSatisfy { $0.line != nil } })
    world.network.run(for: .seconds(20))
    let spread = try #require(world.spread(screens))
    #expect(spread < .milliseconds(10))
    #expect(screens.allSatisfy { ($0.position(at: world.network.trueTime) ?? 0) > .seconds(55) })
    #expect(all.allSatisfy { $0.commands.isEmpty && $0.engine.view.timing.status == .paused })
    // Who has none is not among those who have, and hears of nothing that is done there.
    #expect(screens[0].others == [all[1].id] && screens[1].others == [all[0].id])
    screens[1].do(.rateChange(rate: 0, immediately: false))
    #expect(world.network.run(atMost: .seconds(2)) { screens.allSatisfy { $0.line == nil } })
    world.network.run(for: .seconds(2))
    #expect(all[0].namedNotices.contains { $0.kind == NoticeMessage.Kind.paused.rawValue && $0.coordinator == "second screen" })
    #expect(all[2].namedNotices.isEmpty && all.map(\.notices.count) == told)
    #expect(all.allSatisfy { $0.engine.statistics.messagesRefused == 0 })
  }

  @Test("G107, F101: who comes later gets where the others are, and who goes is not waited for; coming back it is in step again")
  func comingAndGoing() throws {
    let world = SessionWorld(seed: 402)
    let all = try world.joined(3)
    let two = try all.prefix(2).map { try NamedPlayer("kitchen", of: $0) }
    for screen in two { screen.do(.transition(to: "song", proposal: nil)) }
    world.network.run(for: .seconds(1))
    two[1].do(.rateChange(rate: 1, immediately: false))
    #expect(world.network.run(atMost: .seconds(3)) { two.allSatisfy { $0.line != nil } })
    world.network.run(for: .seconds(10))
    let late = try NamedPlayer("kitchen", of: all[2])
    late.do(.transition(to: "song", proposal: nil))
    #expect(world.network.run(atMost: .seconds(3)) { late.line != nil && late.others.count == 2 })
    world.network.run(for: .seconds(2))
    #expect(try #require(world.spread(two + [late])) < .milliseconds(10))
    // One does not answer any more, and closes it: a new start waits for nobody.
    two[1].isObedient = false
    two[1].close()
    #expect(world.network.run(atMost: .seconds(2)) { late.others == [all[0].id] })
    late.do(.seek(to: .seconds(100), resumeImmediately: false))
    #expect(world.network.run(atMost: .seconds(2)) { (late.position(at: world.network.trueTime) ?? 0) >= .seconds(100) })
    #expect(all.allSatisfy { $0.people.count == 3 })
    let again = try NamedPlayer("kitchen", of: all[1])
    again.do(.transition(to: "song", proposal: nil))
    #expect(world.network.run(atMost: .seconds(3)) { again.line != nil && again.others.count == 2 })
    world.network.run(for: .seconds(2))
    #expect(try #require(world.spread([two[0], late, again])) < .milliseconds(10))
    #expect(all.allSatisfy { $0.engine.state.status == .joined })
  }

  @Test("G108, F101: opened by all at once, or before anybody has joined, they find each other, and the newest word counts", arguments: 1...6)
  func atOnce(seed: Int) throws {
    let world = SessionWorld(seed: UInt64(410 + seed))
    let host = try world.host()
    let all = [host] + (try (1...3).map { try world.guest(of: host, named: "Ben\($0)") })
    let isEarly = seed.isMultiple(of: 2)
    var screens: [NamedPlayer] = []
    if isEarly { screens = try all.map { try NamedPlayer("x", of: $0) } }
    for player in all { player.do { $0.join() } }
    if !isEarly {
      #expect(world.network.run(atMost: .seconds(6)) { all.allSatisfy(\.isJoined) })
      screens = try all.map { try NamedPlayer("x", of: $0) }
    }
    for (index, screen) in screens.enumerated() {
      screen.do(.transition(to: "song", proposal: Proposal(rate: 0, itemTime: .seconds(Int64(index)), hostTime: nil)))
    }
    #expect(world.network.run(atMost: .seconds(isEarly ? 8 : 2)) { screens.allSatisfy { $0.others.count == 3 } })
    world.network.run(for: .seconds(2))
    #expect(Set(screens.map { $0.view?.timing.line.at }).count == 1)
    screens[2].do(.rateChange(rate: 1, immediately: false))
    #expect(world.network.run(atMost: .seconds(3)) { screens.allSatisfy { $0.line != nil } })
    world.network.run(for: .seconds(5))
    #expect(try #require(world.spread(screens)) < .milliseconds(10))
  }

  @Test("F101: a press of play in the turn in which it is opened plays, alone and with who comes later", arguments: 0...8)
  func pressedAtOnce(turn: Int) throws {
    let world = SessionWorld(seed: 420)
    let host = try world.host()
    let guest = try world.guest(of: host)
    host.do { $0.join() }
    let first: NamedPlayer
    if turn == 0 {
      // In the turn by whose end it enters the group.
      world.network.run(for: .seconds(1))
      first = try NamedPlayer("x", of: host, asking: [.transition(to: "song", proposal: nil), .rateChange(rate: 1, immediately: false)])
    } else {
      first = try NamedPlayer("x", of: host)
      first.do(.transition(to: "song", proposal: nil))
      world.network.run(for: .milliseconds(Int64(turn) * 5))
      first.do(.rateChange(rate: 1, immediately: false))
    }
    #expect(world.network.run(atMost: .seconds(3)) { first.line != nil })
    guest.do { $0.join() }
    let second = try NamedPlayer("x", of: guest)
    second.do(.transition(to: "song", proposal: nil))
    #expect(world.network.run(atMost: .seconds(5)) { second.line != nil && second.others.count == 1 })
    world.network.run(for: .seconds(2))
    #expect(try #require(world.spread([first, second])) < .milliseconds(10))
  }

  @Test("F101, P1: roles are the session's: who may not command does not here, and does once an owner lets it")
  func roles() throws {
    let world = SessionWorld(seed: 403)
    let all = try world.joined(2)
    let screens = try all.map { try NamedPlayer("x", of: $0) }
    for screen in screens { screen.do(.transition(to: "song", proposal: nil)) }
    world.network.run(for: .seconds(2))
    all[0].do { $0.setControl(.perRole) }
    all[0].do { $0.setRole(of: all[1].id, to: .viewer) }
    world.network.run(for: .seconds(3))
    screens[1].do(.rateChange(rate: 1, immediately: false))
    world.network.run(for: .seconds(2))
    #expect(screens[1].refusals == [.coordinateRateChange] && screens.allSatisfy { $0.line == nil })
    screens[0].do(.rateChange(rate: 1, immediately: false))
    #expect(world.network.run(atMost: .seconds(2)) { screens.allSatisfy { $0.line != nil } })
    all[0].do { $0.setRole(of: all[1].id, to: .member) }
    world.network.run(for: .seconds(3))
    screens[1].do(.rateChange(rate: 0, immediately: false))
    #expect(world.network.run(atMost: .seconds(2)) { screens.allSatisfy { $0.line == nil } })
    screens[1].do(.setSkipPolicy(SkipPolicy(bits: 1) ?? .none, asProposal: false))
    world.network.run(for: .seconds(1))
    #expect(screens[1].refusals == [.coordinateRateChange, .setSkipPolicy])
  }

  @Test("F101: who does not say to have one is not heard there, and gets nothing of it")
  func unlisted() throws {
    let world = SessionWorld(seed: 407)
    let all = try world.joined(3)
    let screens = try all.prefix(2).map { try NamedPlayer("x", of: $0) }
    for screen in screens { screen.do(.transition(to: "song", proposal: nil)) }
    #expect(world.network.run(atMost: .seconds(3)) { screens.allSatisfy { $0.others.count == 1 } })
    let (intruder, name) = (all[2], screens[0].name)
    let time = try #require(intruder.groupTime(at: world.network.trueTime))
    let policy = try #require(intruder.engine.coordination.policy.id as PolicyID?)
    var value = ParticipantValue(incarnation: 1, displayName: "Eve")
    value.item = "song"
    let said: [Statement] = [
      Statement(key: .participant(intruder.id), author: intruder.id, policy: policy, time: time, value: .participant(value)),
      Statement(
        key: .position("song"), author: intruder.id, policy: policy, time: time + 1,
        value: .position(PositionValue(rank: .command, position: .seconds(77)))),
    ]
    let heard = intruder.engine.statistics.messagesReceived
    intruder.do { engine in
      engine.perform { $0.send(.update(said), of: name, to: nil, now: intruder.machine.now) }
      engine.perform { $0.send(.want([]), of: name, to: screens[0].player.id, now: intruder.machine.now) }
    }
    world.network.run(for: .milliseconds(300))
    #expect(screens.allSatisfy { $0.others.count == 1 && $0.view?.timing.line.at == 0 })
    #expect(intruder.engine.statistics.messagesReceived <= heard + 2)
    screens[0].do(.rateChange(rate: 1, immediately: false))
    #expect(world.network.run(atMost: .seconds(1)) { screens.allSatisfy { $0.line != nil } })
  }

  @Test("F101: who says to have one and never answers keeps nobody from beginning it", arguments: 0...3)
  func mute(who: Int) throws {
    let world = SessionWorld(seed: 408)
    let all = try world.joined(4, path: .lan)
    let name = try #require(CoordinatorName("x"))
    all[who].do { $0.handle(.setCoordinators([name])) }
    world.network.run(for: .seconds(1))
    let screens = try all.indices.filter { $0 != who }.map { try NamedPlayer("x", of: all[$0]) }
    for screen in screens { screen.do(.transition(to: "song", proposal: nil)) }
    screens[2].do(.rateChange(rate: 1, immediately: false))
    #expect(world.network.run(atMost: .seconds(6)) { screens.allSatisfy { $0.line != nil } })
    world.network.run(for: .seconds(1))
    #expect(try #require(world.spread(screens)) < .milliseconds(10))
  }

  @Test("F101, J6, P4: the hub dies, and somebody is removed: the second screens of the others go on without a jump")
  func moves() throws {
    let world = SessionWorld(seed: 404)
    let all = try world.joined(4, path: .lan)
    let screens = try all.map { try NamedPlayer("x", of: $0) }
    for screen in screens { screen.do(.transition(to: "song", proposal: nil)) }
    world.network.run(for: .seconds(2))
    screens[0].do(.rateChange(rate: 1, immediately: false))
    #expect(world.network.run(atMost: .seconds(2)) { screens.allSatisfy { $0.line != nil } })
    world.network.run(for: .seconds(20))
    all[0].do { $0.remove(all[3].id) }
    let rest = Array(screens[0...2])
    #expect(try world.largestJump(rest, during: .seconds(10)) <= .milliseconds(40))
    #expect(all[3].engine.state.reason == .removed)
    #expect(rest.allSatisfy { $0.others.count == 2 && !$0.others.contains(all[3].id) })
    let two = Array(screens[1...2])
    all[0].kill()
    #expect(try world.largestJump(two, during: .seconds(20)) <= .milliseconds(40))
    #expect(all[1...2].allSatisfy { $0.engine.state.connection == .connected })
    two[1].do(.rateChange(rate: 0, immediately: false))
    #expect(world.network.run(atMost: .seconds(2)) { two.allSatisfy { $0.line == nil } })
  }

  @Test("F101, J1: cut off it goes on alone; met again the others' newer word counts, as with the first coordinator")
  func cutOff() throws {
    let world = SessionWorld(seed: 405)
    let all = try world.joined(3, path: .lan)
    let screens = try all.map { try NamedPlayer("x", of: $0) }
    for screen in screens { screen.do(.transition(to: "song", proposal: nil)) }
    world.network.run(for: .seconds(2))
    screens[0].do(.rateChange(rate: 1, immediately: false))
    #expect(world.network.run(atMost: .seconds(2)) { screens.allSatisfy { $0.line != nil } })
    world.split(Array(all[0...1]), [all[2]])
    world.network.run(for: .seconds(20))
    #expect(screens[2].line != nil)
    screens[0].do(.seek(to: .seconds(500), resumeImmediately: false))
    world.network.run(for: .seconds(5))
    #expect((screens[2].position(at: world.network.trueTime) ?? 0) < .seconds(100))
    world.mend(Array(all[0...1]), [all[2]])
    #expect(
      world.network.run(atMost: .seconds(40)) { (screens[2].position(at: world.network.trueTime) ?? 0) > .seconds(500) })
    world.network.run(for: .seconds(5))
    #expect(try #require(world.spread(screens)) < .milliseconds(10))
  }

  @Test("F101: the only one who has it dies while another is asking it: that one begins it anew, and a third finds it")
  func orphaned() throws {
    let world = SessionWorld(seed: 406)
    let all = try world.joined(4, path: .lan)
    let first = try NamedPlayer("x", of: all[3])
    first.do(.transition(to: "song", proposal: nil))
    world.network.run(for: .seconds(2))
    all[3].machine.crash(silently: true)
    world.network.run(for: .milliseconds(500))
    let two = try all[1...2].map { try NamedPlayer("x", of: $0) }
    for screen in two { screen.do(.transition(to: "song", proposal: nil)) }
    #expect(world.network.run(atMost: .seconds(30)) { two.allSatisfy { $0.others.count >= 1 } })
    world.network.run(for: .seconds(30))
    two[0].do(.rateChange(rate: 1, immediately: false))
    #expect(world.network.run(atMost: .seconds(5)) { two.allSatisfy { $0.line != nil } })
    world.network.run(for: .seconds(2))
    #expect(try #require(world.spread(two)) < .milliseconds(10))
  }
}

/// A coordinator beside the first one of a session, with a host that prepares in 30 ms and then obeys.
private final class NamedPlayer: PlacedPlayer {
  let player: SessionPlayer
  let name: CoordinatorName
  private let firstCommand: UInt64
  var isObedient = true
  private(set) var commands: [PlaybackCommand] = []
  private(set) var refusals: [UnisonoBase.Operation] = []
  private static let latency: Nanoseconds = .milliseconds(30)

  init(_ name: String, of player: SessionPlayer, asking events: [CoordinationEvent] = []) throws {
    self.player = player
    self.name = try #require(CoordinatorName(name))
    firstCommand = UInt64(player.commands.count + 2) << 32
    let (name, firstCommand) = (self.name, self.firstCommand)
    player.do { engine in
      engine.addCoordinator(name, firstCommand: firstCommand) { [unowned self] in take($0) }
      for event in events { engine.handle(event, of: name) }
    }
  }

  private func take(_ news: CoordinatorNews) {
    switch news {
    case .playback(.command(let command)):
      commands.append(command)
      guard command.kind != .play, isObedient else { return }
      let machine = player.machine
      machine.network.schedule(at: machine.network.trueTime + Self.latency, on: machine) { [weak self] in
        guard let self else { return }
        player.engine.handle(.completed(command: command.id), of: name)
      }
    case .refused(let operation, _, _), .playback(.refused(let operation, _, _)): refusals.append(operation)
    case .playback, .participants: break
    }
  }

  func `do`(_ event: CoordinationEvent) {
    let name = name
    player.do { $0.handle(event, of: name) }
  }

  func close() {
    let (name, firstCommand) = (name, firstCommand)
    player.do { $0.removeCoordinator(name, firstCommand: firstCommand) }
  }

  var view: CoordinationView? { player.engine.view(of: name) }

  /// Ids of the others who have one of its name and are connected.
  var others: [ParticipantID] {
    (view?.participants.filter { !$0.isLocal && $0.connection == .connected }.map(\.id) ?? []).sorted()
  }

  var line: Line? {
    guard let last = commands.last, last.kind == .play, let since = last.hostTime else { return nil }
    return Line(at: last.itemTime, rate: last.rate, since: since)
  }

  func position(at trueTime: Int64) -> ItemTime? { line?.position(at: player.machine.hostTime(at: trueTime)) }
}

import Testing
import UnisonoCrypto
import UnisonoReplica

@testable import UnisonoRuntime

@Suite("Who stands in for an owner, and who asks")
struct SessionSuccessionTests {
  private func world(_ seed: UInt64, _ rule: SuccessionTerms.Rule = .bySeniority) -> SessionWorld {
    let world = SessionWorld(seed: seed)
    world.succession = SuccessionTerms(rule: rule, patience: .seconds(10))
    return world
  }

  private func role(of other: SessionPlayer, at player: SessionPlayer) -> Role? {
    player.engine.view.participants.first { $0.id == other.id }?.role
  }

  /// Three who play, in a session where only the host and those whom it makes one may command.
  private func hostsOnly(_ world: SessionWorld) throws -> [SessionPlayer] {
    let all = try world.playing(3)
    all[0].do { $0.setControl(.hostsOnly) }
    world.network.run(for: .seconds(3))
    return all
  }

  @Test("P8: the owner dies with its hub: the most senior takes over, signed, pauses, and a newcomer goes by it")
  func mostSenior() throws {
    let world = world(41)
    let all = try hostsOnly(world)
    #expect(all[2].engine.view.succession.deputies == [all[1].id, all[2].id])
    all[0].kill()
    world.network.run(for: .seconds(50))
    for player in all.dropFirst() {
      #expect(player.successions == [SuccessionChange(.began, deputy: all[1].id, isNamed: false)])
      #expect(role(of: all[1], at: player) == .owner)
    }
    all[1].do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(world.network.run(atMost: .seconds(3)) { all.dropFirst().allSatisfy { $0.commands.last?.kind == .pause } })
    let late = try world.guest(of: all[1], named: "Late")
    late.do { $0.join() }
    #expect(world.network.run(atMost: .seconds(8)) { late.isJoined && role(of: all[1], at: late) == .owner })
    #expect(late.successions.map(\.status) == [.began])
    // An owner in effect may put somebody out: the room moves, and the newcomer with it.
    all[1].do { $0.remove(all[2].id) }
    #expect(world.network.run(atMost: .seconds(8)) { all[2].engine.state.status == .invalidated && late.people.count == 2 })
    #expect(late.engine.statistics.messagesRefused == 0)
  }

  @Test("P9: the deputy moved the room to another door: the owner that comes back follows, and is the owner there")
  func anotherDoor() throws {
    let world = world(42)
    let all = try world.playing(4, path: .lan, keepingStandbyHubs: true)
    all[0].do { $0.setControl(.hostsOnly) }
    all[0].do { $0.setSuccession(SuccessionTerms(rule: .named, deputies: [all[1].id], patience: .seconds(10))) }
    world.network.run(for: .seconds(3))
    world.split([all[0]], Array(all.dropFirst()))
    world.network.run(for: .seconds(60))
    #expect(role(of: all[1], at: all[2]) == .owner)
    all[1].do { $0.remove(all[3].id) }
    world.network.run(for: .seconds(20))
    #expect(all[3].engine.state.status == .invalidated)
    world.mend([all[0]], Array(all.dropFirst()))
    #expect(
      world.network.run(atMost: .seconds(120)) {
        all.prefix(3).allSatisfy { $0.people.count == 3 } && all[2].successions.last?.status == .ended
      })
    world.network.run(for: .seconds(5))
    for player in all.prefix(3) {
      #expect(role(of: all[0], at: player) == .owner && role(of: all[1], at: player) == .member)
      #expect(player.engine.coordination.policy == all[0].engine.coordination.policy)
    }
    #expect(Set(all.prefix(3).map(\.engine.door.topic)).count == 1)
  }

  @Test("P8: where the host said that nobody stands in, nobody does")
  func nobody() throws {
    let world = world(43, .nobody)
    let all = try hostsOnly(world)
    all[0].kill()
    world.network.run(for: .seconds(200))
    #expect(all.dropFirst().allSatisfy { $0.successions.isEmpty && $0.engine.view.role == .member })
  }

  @Test("P12: who may not command asks to pause: the host is told by whom, grants it, and all pause; the asker is told")
  func request() throws {
    let world = world(44)
    let all = try hostsOnly(world)
    all[1].do { $0.ask(CommandRequest(.pause, item: "film", text: "the door"), number: 1) }
    #expect(world.network.run(atMost: .seconds(1)) { !all[0].requests.isEmpty })
    let asked = try #require(all[0].requests.first)
    #expect(asked.asker == all[1].id && asked.request.text == "the door" && asked.status == .open)
    #expect(all[2].requests.isEmpty && all[1].requests.isEmpty)
    for player in all { player.forgetCommands() }
    all[0].do { $0.answerRequest(of: asked.asker, asked.number, isGranted: true) }
    #expect(world.network.run(atMost: .seconds(2)) { all.allSatisfy { $0.commands.last?.kind == .pause } })
    #expect(all[1].requests.map(\.status) == [.granted])
    // To go on at another place: declined.
    all[2].do { $0.ask(CommandRequest(.seek, item: "film", itemTime: .seconds(90)), number: 1) }
    world.network.run(for: .seconds(1))
    all[0].do { $0.answerRequest(of: all[2].id, 1, isGranted: false) }
    world.network.run(for: .seconds(1))
    #expect(all[2].requests.map(\.status) == [.declined])
    all[2].do { $0.ask(CommandRequest(.play, item: "film"), number: 2) }
    world.network.run(for: .seconds(31))
    #expect(all[2].requests.map(\.status) == [.declined, .unanswered])
    #expect(all[0].requests.map(\.status) == [.open, .open, .open, .unanswered])
    // About another item it cannot be granted, and is not said to be.
    all[0].do { $0.handle(.transition(to: "other", proposal: nil)) }
    all[2].do { $0.ask(CommandRequest(.play, item: "film"), number: 3) }
    world.network.run(for: .seconds(1))
    all[0].do { $0.answerRequest(of: all[2].id, 3, isGranted: true) }
    #expect(all[0].requestRefusals.map(\.operation) == [.answerRequest] && all[0].requestRefusals[0].refusal == .notOpen)
    // Nobody else could read any of it.
    #expect(all.allSatisfy { $0.engine.statistics.messagesRefused == 0 })
  }

  @Test("P12: nobody who may command is there: the request is refused at once")
  func nobodyToAsk() throws {
    let world = world(45, .nobody)
    let all = try hostsOnly(world)
    all[0].kill()
    world.network.run(for: .seconds(60))
    all[1].do { $0.ask(CommandRequest(.pause, item: "film"), number: 1) }
    #expect(all[1].requestRefusals.map(\.operation) == [.requestCommand] && all[1].requestRefusals[0].refusal == .nobody)
  }
}

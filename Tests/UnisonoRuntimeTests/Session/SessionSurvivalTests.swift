import Testing
import UnisonoBase
import UnisonoCrypto
import UnisonoReplica

@testable import UnisonoRuntime

@Suite("A session outlives its hubs")
struct SessionSurvivalTests {
  private func areConnected(_ players: [SessionPlayer]) -> Bool {
    players.allSatisfy { player in
      player.engine.state.connection == .connected && player.people.count == players.count
    }
  }

  @Test("J6 F40: the process that holds the hub is killed; the others are together at the next hub within 3 s, no jump")
  func killed() throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      let world = SessionWorld(seed: seed)
      let all = try world.playing(4, path: .lan)
      let rest = Array(all.dropFirst())
      for player in rest { player.forgetStates() }
      all[0].kill()
      #expect(try world.largestJump(rest, during: .milliseconds(200)) <= .milliseconds(40))
      #expect(rest.allSatisfy { $0.states.contains { $0.connection == .reconnecting } })
      #expect(world.network.run(atMost: .milliseconds(2_800)) { areConnected(rest) })
      #expect(try world.largestJump(rest, during: .seconds(20)) <= .milliseconds(40))
      #expect(rest.allSatisfy { $0.engine.statistics.hubChanges == 1 && $0.engine.statistics.reconnects == 1 })
      #expect(Set(rest.map(\.engine.lastHub)).count == 1)
      #expect(rest.allSatisfy { player in player.commands.allSatisfy { $0.kind != .pause && $0.kind != .seek } })
      let spread = try #require(world.spread(rest))
      #expect(spread < .milliseconds(5))
      rest[2].do { $0.handle(.rateChange(rate: 0, immediately: false)) }
      #expect(world.network.run(atMost: .seconds(1)) { rest.allSatisfy { $0.commands.last?.kind == .pause } })
    }
  }

  @Test("J6: the machine with the hub loses its power; nothing says so, and 15 s later the others go on together")
  func powerLost() throws {
    let world = SessionWorld(seed: 3)
    let all = try world.playing(3, path: .lan)
    let rest = Array(all.dropFirst())
    all[0].machine.crash(silently: true)
    #expect(try world.largestJump(rest, during: .seconds(15)) <= .milliseconds(40))
    #expect(world.network.run(atMost: .seconds(8)) { areConnected(rest) })
    #expect(try world.largestJump(rest, during: .seconds(10)) <= .milliseconds(40))
  }

  @Test(
    "J6: the host of the hub leaves and its process ends: the others go on at the next hub, the last one at its own")
  func hostLeaves() throws {
    let world = SessionWorld(seed: 9)
    let all = try world.playing(3, path: .lan)
    var rest = all
    for leaver in all.dropLast() {
      leaver.do { $0.leave() }
      world.network.run(for: .milliseconds(500))
      leaver.do { $0.close() }
      rest.removeFirst()
      #expect(try world.largestJump(rest, during: .seconds(4)) <= .milliseconds(40))
      #expect(areConnected(rest))
    }
    #expect(world.holder(of: all[2]) === all[2])
    let late = try world.guest(of: all[2], named: "Cem")
    late.do { $0.join() }
    #expect(world.network.run(atMost: .seconds(5)) { late.isJoined && late.people == ["Ben2", "Cem"] })
  }

  @Test("J6: one hub after the other dies, to the last participant; it plays on alone")
  func oneAfterTheOther() throws {
    let world = SessionWorld(seed: 5)
    let all = try world.playing(5, path: .lan)
    for dead in 0..<4 {
      let holder = try #require(world.holder(of: all[4]))
      guard holder !== all[4] else {
        // Nobody's hub but its own is left to die: somebody else goes.
        all.first { $0.isAlive && $0 !== all[4] }?.kill()
        continue
      }
      holder.kill()
      let rest = all.filter(\.isAlive)
      #expect(rest.count == 4 - dead)
      #expect(world.network.run(atMost: .seconds(5)) { areConnected(rest) })
      #expect(try world.largestJump(rest, during: .seconds(5)) <= .milliseconds(40))
    }
    #expect(all[4].position(at: world.network.trueTime) != nil)
  }

  @Test("J11: the hub dies between play and start: one start, everybody in it")
  func betweenPlayAndStart() throws {
    let world = SessionWorld(seed: 2)
    let all = try world.joined(4, path: .lan)
    for player in all { player.do { $0.handle(.transition(to: "film", proposal: nil)) } }
    for player in all { player.latency = .milliseconds(800) }
    world.network.run(for: .seconds(2))
    for player in all { player.forgetCommands() }
    all[1].do { $0.handle(.rateChange(rate: 1, immediately: false)) }
    world.network.run(for: .milliseconds(300))
    #expect(all.allSatisfy { $0.commands.last?.kind == .buffer })
    all[0].kill()
    let rest = Array(all.dropFirst())
    #expect(world.network.run(atMost: .seconds(15)) { rest.allSatisfy { $0.line != nil } })
    world.network.run(for: .seconds(12))
    #expect(rest.allSatisfy { player in player.commands.filter { $0.kind == .play }.count == 1 })
    let spread = try #require(world.spread(rest))
    #expect(spread < .milliseconds(5))
  }

  @Test(
    "F40: a hub of its own, apart from all participants, restarts at another address: the group goes on at a standby hub"
  )
  func standaloneHubMoves() throws {
    let world = SessionWorld(seed: 6)
    let hubMachine = world.network.machine()
    let hub = try HubServer(environment: hubMachine, options: HubOptions(listen: ["0.0.0.0:7400"]))
    let all = try world.playing(3, path: .lan, hub: hub.address(on: hubMachine))
    let invite = try all[0].engine.invite()
    let told = all[0].inviteChanges
    hub.close()
    let again = try HubServer(environment: hubMachine, options: HubOptions(listen: ["0.0.0.0:7401"]))
    #expect(world.network.run(atMost: .seconds(3)) { areConnected(all) })
    #expect(try world.largestJump(all, during: .seconds(10)) <= .milliseconds(40))
    #expect(again.statistics.rooms == 0)
    // The invitation leads to where the group is first, and was told.
    let renewed = try all[0].engine.invite()
    #expect(renewed != invite && all[0].inviteChanges > told)
    #expect(try Invite(parsing: renewed).hubs.first?.hub == all[0].engine.lastHub)
    let late = try world.guest(of: all[0], named: "Cem")
    late.do { $0.join() }
    #expect(world.network.run(atMost: .seconds(5)) { late.isJoined && late.people.count == 4 })
  }

  @Test("F76 F40: a hub that drains is left for the next one by all: nobody jumps, stops or is missed")
  func drained() throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      let world = SessionWorld(seed: seed)
      let hubMachine = world.network.machine()
      let hub = try HubServer(environment: hubMachine, options: HubOptions(listen: ["0.0.0.0:7400"]))
      let all = try world.playing(4, path: .lan, hub: hub.address(on: hubMachine))
      for player in all { player.forgetStates() }
      let drained = Box(false)
      hub.drain(within: .seconds(10)) { drained { $0 = true } }
      #expect(try world.largestJump(all, during: .seconds(2)) <= .milliseconds(40))
      #expect(drained { $0 } && hub.statistics.rooms == 0)
      hub.close()
      #expect(try world.largestJump(all, during: .seconds(10)) <= .milliseconds(40))
      #expect(areConnected(all) && Set(all.map(\.engine.lastHub)).count == 1)
      #expect(all.allSatisfy { $0.engine.statistics.hubChanges == 1 })
      // Nobody was without a link, and nobody was missed.
      #expect(all.allSatisfy { player in player.states.allSatisfy { $0.connection == .connected } })
      #expect(all.allSatisfy { player in player.commands.allSatisfy { $0.kind != .pause && $0.kind != .seek } })
      #expect(all.allSatisfy { player in player.life.contains { $0.contains("the hub ends within") } })
      let spread = try #require(world.spread(all))
      #expect(spread < .milliseconds(5))
      all[2].do { $0.handle(.rateChange(rate: 0, immediately: false)) }
      #expect(world.network.run(atMost: .seconds(1)) { all.allSatisfy { $0.commands.last?.kind == .pause } })
    }
  }

  @Test("F76: whose only hub drains stays to the end, and is told the truth: reconnecting, not gone")
  func drainedWithoutAnother() throws {
    let world = SessionWorld(seed: 5)
    let hubMachine = world.network.machine()
    let hub = try HubServer(environment: hubMachine, options: HubOptions(listen: ["0.0.0.0:7400"]))
    let all = try world.playing(2, path: .lan, hub: hub.address(on: hubMachine), keepingStandbyHubs: false)
    let drained = Box(false)
    hub.drain(within: .seconds(3)) { drained { $0 = true } }
    world.network.run(for: .milliseconds(2_900))
    #expect(!drained { $0 } && areConnected(all))
    world.network.run(for: .milliseconds(200))
    #expect(drained { $0 })
    hub.close()
    world.network.run(for: .milliseconds(100))
    #expect(all.allSatisfy { $0.engine.state.connection == .reconnecting })
    _ = try HubServer(environment: hubMachine, options: HubOptions(listen: ["0.0.0.0:7400"]))
  }

  @Test("F40 J9: a net in two halves for 10 minutes; both play on, meet by themselves, and are on one line")
  func partition() throws {
    for (seed, minutes) in [(1, 10), (2, 2), (3, 2)] as [(UInt64, Int64)] {
      let world = SessionWorld(seed: seed)
      let all = try world.playing(4, path: .lan)
      let (left, right) = (Array(all[..<2]), Array(all[2...]))
      world.split(left, right)
      #expect(try world.largestJump(all, during: .seconds(40)) <= .milliseconds(40))
      #expect(areConnected(left) && areConnected(right))
      world.network.run(for: .seconds(60 * minutes - 40))
      let told = all.map(\.commands.count)
      world.mend(left, right)
      #expect(world.network.run(atMost: .seconds(10)) { areConnected(all) })
      #expect(try world.largestJump(all, during: .seconds(10)) <= .milliseconds(40))
      #expect(Set(all.map(\.engine.lastHub)).count == 1)
      // One timing for all; a player that only obeys commands may be off by what needs none.
      let expected = all.map { $0.engine.view.timing.line.position(at: $0.machine.now) }
      #expect((expected.max() ?? 0) - (expected.min() ?? 0) < .milliseconds(5))
      let spread = try #require(world.spread(all))
      #expect(spread < .milliseconds(45))
      for (player, count) in zip(all, told) { #expect(player.commands[count...].allSatisfy { $0.kind == .play }) }
      all[0].do { $0.handle(.rateChange(rate: 0, immediately: false)) }
      #expect(world.network.run(atMost: .seconds(1)) { all.allSatisfy { $0.commands.last?.kind == .pause } })
    }
  }

  @Test("2.10: one against three behind a broken net: the one goes to the three, who do not notice")
  func smallerMoves() throws {
    let world = SessionWorld(seed: 8)
    let all = try world.playing(4, path: .lan)
    let (alone, rest) = ([all[0]], Array(all[1...]))
    world.split(alone, rest)
    world.network.run(for: .seconds(60))
    #expect(areConnected(rest))
    let hub = rest[0].engine.lastHub
    for player in rest { player.forgetStates() }
    world.mend(alone, rest)
    #expect(world.network.run(atMost: .seconds(10)) { areConnected(all) })
    #expect(all.allSatisfy { $0.engine.lastHub == hub })
    #expect(rest.allSatisfy { $0.states.isEmpty })
  }

  @Test("F39 F33: away for 25 s and back: the same participant, never off the list; for 40 s: it left, and joins anew")
  func sameOrNew() throws {
    for (away, comesAnew) in [(25, false), (40, true)] {
      let world = SessionWorld(seed: 4)
      let all = try world.playing(3, path: .lan, keepingStandbyHubs: false)
      let (host, guest) = (all[0], all[1])
      let id = guest.id
      for player in all { player.forgetChanges() }
      world.split([guest], [host, all[2]])
      world.network.run(for: .seconds(Int64(away)))
      world.mend([guest], [host, all[2]])
      #expect(world.network.run(atMost: .seconds(15)) { areConnected(all) })
      world.network.run(for: .seconds(3))
      #expect(guest.id == id)
      #expect(guest.states.filter { $0.status == .invalidated }.isEmpty)
      let left = host.changes.flatMap(\.left).filter { $0.id == id }.count
      let joined = host.changes.flatMap(\.joined).filter { $0.id == id }.count
      #expect(left == (comesAnew ? 1 : 0) && joined == left)
      let updates = host.changes.flatMap(\.updated).filter { $0.id == id }.map(\.connection)
      #expect(updates.contains(.reconnecting) && (comesAnew || updates.last == .connected))
      let spread = try #require(world.spread(all))
      #expect(spread < .milliseconds(5))
    }
  }

  @Test(
    "F39: a laptop changes its Wi-Fi and has another address: it is back by itself, playback undisturbed",
    arguments: [true, false])
  func otherNetwork(_ noticed: Bool) throws {
    let world = SessionWorld(seed: 51)
    let all = try world.playing(3, path: .lan)
    let laptop = all[1]
    for player in all { player.forgetStates() }
    let counts = all.map(\.commands.count)
    laptop.machine.changeAddress(to: "10.99.0.7", noticed: noticed)
    // What the system does not tell is noticed by the silence.
    #expect(try world.largestJump(all, during: noticed ? .seconds(3) : .seconds(22)) <= .milliseconds(40))
    #expect(areConnected(all))
    #expect(laptop.states.contains { $0.connection == .reconnecting } && laptop.engine.statistics.reconnects == 1)
    #expect(try world.largestJump(all, during: .seconds(20)) <= .milliseconds(40))
    for (player, count) in zip(all, counts) { #expect(player.commands[count...].allSatisfy { $0.kind == .play }) }
    #expect(all.allSatisfy { $0.engine.view.timing.status == .playing && $0.people.count == 3 })
    // Its own standby hub is listed where it is now.
    let listed = all[2].engine.coordination.hubAddresses.first { $0.id == laptop.id }?.hubs.map(\.address) ?? []
    #expect(!listed.isEmpty && listed.allSatisfy { $0.hasPrefix("10.99.0.7:") })
  }

  @Test("J21: whose machine is in no network for a moment is listed where it was, so that an invite given out then leads there")
  func noNetwork() throws {
    let world = SessionWorld(seed: 53)
    let all = try world.playing(3, path: .lan)
    let laptop = all[1]
    // By others' word, and in invites of its own.
    func places() throws -> [[String]] {
      let listed = all[2].engine.coordination.hubAddresses.first { $0.id == laptop.id }?.hubs ?? []
      let own = try #require(listed.last).hub
      let invited = try Invite(parsing: laptop.engine.invite()).hubs
      return [listed, invited].map { $0.filter { $0.hub == own }.map(\.address) }
    }
    let before = try places()
    #expect(before.allSatisfy { !$0.isEmpty && $0 == before[0] })
    let port = try #require(before[0][0].split(separator: ":").last)
    laptop.machine.changeAddress(to: "127.0.0.1", noticed: false)
    world.network.run(for: .seconds(16))
    #expect(try places() == Array(repeating: before[0] + ["127.0.0.1:\(port)"], count: 2))
    laptop.machine.changeAddress(to: "10.99.0.7", noticed: true)
    world.network.run(for: .seconds(30))
    #expect(areConnected(all))
    #expect(try places() == Array(repeating: ["10.99.0.7:\(port)"], count: 2))
  }

  @Test("F40: the machine with the hub changes its Wi-Fi: the group goes on at the next hub, and finds its owner there")
  func hubInAnotherNetwork() throws {
    let world = SessionWorld(seed: 52)
    let all = try world.playing(4, path: .lan)
    all[0].machine.changeAddress(to: "10.99.0.8", noticed: false)
    #expect(try world.largestJump(Array(all.dropFirst()), during: .seconds(30)) <= .milliseconds(40))
    #expect(world.network.run(atMost: .seconds(90)) { areConnected(all) })
    #expect(Set(all.map(\.engine.lastHub)).count == 1)
    #expect(try world.largestJump(all, during: .seconds(5)) <= .milliseconds(40))
    let spread = try #require(world.spread(all))
    #expect(spread < .milliseconds(45))
  }

  @Test("W12: a member that lists a victim's addresses brings it four attempts in a second of each of two, and a few at once")
  func victim() throws {
    let world = SessionWorld(seed: 7)
    let all = try world.playing(2, path: .lan)
    let victim = world.network.machine()
    var attempts: [Int64] = []
    for port in [80, 7_000, 7_001, 7_002, 7_003, 7_004] {
      let listener = try victim.listen(on: "0.0.0.0:\(port)") { stream in
        #expect(port > 1_023 && port < 7_004)
        attempts.append(world.network.trueTime)
        stream.close()
        return StreamEvents(received: { _ in }, closed: { _ in })
      }
      world.keep(listener)
    }
    // The liar's register names only the victim, and then it is gone.
    let lies = [80, 7_000, 7_001, 7_002, 7_003, 7_004].map {
      HubAddress(address: "\(victim.host):\($0)", hub: [UInt8](repeating: 7, count: 16))
    }
    // Just after it named its own addresses, as it does every 15 s: the lies stay for a while.
    let next = all[0].engine.hubs.nextAddressCheck
    #expect(world.network.run(atMost: .seconds(20)) { all[0].engine.hubs.nextAddressCheck > next })
    all[0].do { $0.handle(.setHubAddresses(lies)) }
    world.network.run(for: .seconds(3))
    all[0].kill()
    world.network.run(for: .seconds(600))
    #expect(!attempts.isEmpty)
    for (index, time) in attempts.enumerated() {
      let within = attempts[index...].filter { $0 < time + .seconds(20) }.count
      #expect(within <= 20 * Int(DialBudget.most) + Int(DialBudget.burst))
    }
    #expect(attempts.filter { $0 > world.network.trueTime - .seconds(120) }.count <= 120 * Int(DialBudget.most))
  }
}

extension VirtualPath {
  static let lan = VirtualPath(delay: .milliseconds(1), jitter: .microseconds(500))
}

import Testing
import UnisonoBase
import UnisonoCoordination
import UnisonoCrypto
import UnisonoWire

@testable import UnisonoRuntime

@Suite("Sessions on a bad network, and among bad members")
struct SessionFaultTests {
  @Test("a link that is gone for 2 s: reconnecting, then connected; both play on, on one line")
  func shortCut() throws {
    let world = SessionWorld()
    let all = try world.playing()
    for player in all { player.forgetCommands() }
    let (host, guest) = (all[0], all[1])
    world.network.cut(host.machine, guest.machine)
    world.network.breakStreams(host.machine, guest.machine)
    world.network.run(for: .milliseconds(500))
    #expect(guest.engine.clockStatus == .holdover)
    // By then it is at its own hub, and has met nobody there.
    world.network.run(for: .milliseconds(1_500))
    #expect(guest.engine.state.connection == .reconnecting)
    #expect(guest.engine.state.reason == .network && !guest.engine.state.message.isEmpty)
    #expect(guest.isJoined)
    #expect(guest.engine.view.timing.status == .playing)
    world.network.heal(host.machine, guest.machine)
    #expect(world.network.run(atMost: .seconds(8)) { guest.engine.state.connection == .connected })
    world.network.run(for: .seconds(3))
    let state = guest.engine.state
    #expect(state.status == .joined && state.connection == .connected && state.reason == .none && !state.isAlone)
    // The guest's own hub is entered, and then one of the two goes to where the other is: their ids decide which.
    #expect(guest.engine.statistics.reconnects >= 1)
    #expect(all.reduce(0) { $0 + $1.engine.statistics.reconnects } == 2)
    #expect(all.allSatisfy { $0.people == ["Ann", "Ben1"] && $0.engine.statistics.messagesRefused == 0 })
    #expect(all.allSatisfy { $0.engine.view.timing.status == .playing })
    #expect(all.allSatisfy { player in !player.commands.contains { $0.kind == .pause } })
    host.do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(world.network.run(atMost: .seconds(1)) { all.allSatisfy { $0.commands.last?.kind == .pause } })
    #expect(guest.commands.last?.itemTime == host.commands.last?.itemTime)
  }

  @Test("a link that is gone for a minute: what the group did meanwhile holds, and playing goes on in step")
  func longCut() throws {
    let world = SessionWorld()
    let all = try world.playing(3)
    let (host, guest) = (all[0], all[1])
    world.network.cut(host.machine, guest.machine)
    world.network.breakStreams(host.machine, guest.machine)
    world.network.run(for: .seconds(20))
    host.do { $0.handle(.seek(to: .seconds(500), resumeImmediately: false)) }
    world.network.run(for: .seconds(40))
    #expect(host.people == ["Ann", "Ben2"])
    world.network.heal(host.machine, guest.machine)
    #expect(world.network.run(atMost: .seconds(15)) { guest.engine.state.connection == .connected })
    world.network.run(for: .seconds(5))
    #expect(all.allSatisfy { $0.people == ["Ann", "Ben1", "Ben2"] })
    let spread = try #require(world.spread(all))
    #expect(spread < .milliseconds(5))
    let position = try #require(guest.position(at: world.network.trueTime))
    #expect(position > .seconds(500))
    guest.do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(world.network.run(atMost: .seconds(1)) { all.allSatisfy { $0.commands.last?.kind == .pause } })
  }

  @Test("a link that falls silent is noticed after 15 s; the new one takes the place of the old, for the others too")
  func silence() throws {
    let world = SessionWorld()
    let all = try world.playing()
    let (host, guest) = (all[0], all[1])
    world.network.cut(host.machine, guest.machine)
    world.network.run(for: .seconds(14))
    #expect(guest.engine.state.connection == .connected)
    world.network.run(for: .seconds(4))
    #expect(guest.engine.state.connection == .reconnecting)
    #expect(guest.engine.state.message.contains("silent"))
    world.network.heal(host.machine, guest.machine)
    #expect(world.network.run(atMost: .seconds(15)) { guest.engine.state.connection == .connected })
    world.network.run(for: .seconds(5))
    #expect(all.allSatisfy { $0.people == ["Ann", "Ben1"] })
    #expect(all.allSatisfy { $0.engine.view.timing.status == .playing })
    let spread = try #require(world.spread(all))
    #expect(spread < .milliseconds(5))
  }

  @Test("a link that breaks again and again leaves nothing behind")
  func flapping() throws {
    let world = SessionWorld(seed: 9)
    let all = try world.playing(3)
    for _ in 0..<20 {
      world.network.breakStreams(all[0].machine, all[1].machine)
      world.network.run(for: .milliseconds(700))
    }
    world.network.run(for: .seconds(8))
    #expect(all.allSatisfy { $0.engine.state.connection == .connected && $0.people.count == 3 })
    let spread = try #require(world.spread(all))
    #expect(spread < .milliseconds(5))
    #expect(all[1].engine.statistics.reconnects >= 10)
    all[1].do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(world.network.run(atMost: .seconds(1)) { all.allSatisfy { $0.commands.last?.kind == .pause } })
  }

  @Test("another session with the same invite is another participant; the first is not disturbed")
  func twoOfOneInvite() throws {
    let world = SessionWorld()
    let all = try world.joined()
    let second = try world.guest(of: all[0], named: "Ben1")
    second.do { $0.join() }
    #expect(world.network.run(atMost: .seconds(3)) { second.isJoined && second.people.count == 3 })
    world.network.run(for: .milliseconds(100))
    #expect(second.id != all[1].id)
    #expect(all[0].people == ["Ann", "Ben1", "Ben1"])
  }

  @Test("Z62: a hub that says \"replaced\" again and again ends no session: it is left alone, and they meet at another hub")
  func replaced() throws {
    let world = SessionWorld()
    let all = try world.joined()
    let invite = try Invite(parsing: all[0].engine.invite())
    let clone = Guest(
      on: world.network.machine(), addresses: invite.hubs, door: Door(invite), identity: all[1].engine.identity,
      turns: Turns(after: 1_000))
    #expect(world.network.run(atMost: .seconds(2)) { clone.isIn })
    #expect(world.network.run(atMost: .seconds(2)) { all[1].engine.state.connection == .reconnecting })
    // It takes its place back, and so does the other one, each after a pause.
    #expect(
      world.network.run(atMost: .seconds(60)) {
        all[1].engine.state.connection == .connected && all[1].engine.lastHub != all[0].engine.hub?.hubID
      }, "the hub that says so is left alone")
    clone.client.close()
    #expect(world.network.run(atMost: .seconds(30)) { all.allSatisfy { Set($0.engine.present.others.keys).count == 1 } })
    #expect(all.allSatisfy { $0.isJoined && $0.states.allSatisfy { $0.status != .invalidated } })
  }

  @Test("Z61: one forged \"replaced\" ends no session: it is back in its room 5 s later, and commands arrive")
  func forgedReplaced() throws {
    let world = SessionWorld()
    let all = try world.playing()
    let invite = try Invite(parsing: all[0].engine.invite())
    // What an attacker on the path writes looks to the client as if there were a second connection, once.
    let other = Guest(
      on: world.network.machine(), addresses: invite.hubs, door: Door(invite), identity: all[1].engine.identity,
      turns: Turns(after: 1_000))
    #expect(world.network.run(atMost: .seconds(2)) { all[1].engine.state.connection == .reconnecting })
    other.client.close()
    #expect(world.network.run(atMost: .seconds(6)) { all[1].engine.state.connection == .connected })
    #expect(all[1].isJoined)
    world.network.run(for: .seconds(2))
    all[0].do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(world.network.run(atMost: .seconds(1)) { all.allSatisfy { $0.commands.last?.kind == .pause } })
  }

  @Test("a member that sends random bytes is counted and ignored; the others play on and understand each other")
  func garbage() throws {
    let world = SessionWorld()
    let all = try world.playing()
    for player in all { player.forgetCommands() }
    let invite = try Invite(parsing: all[0].engine.invite())
    let vandal = Guest(on: world.network.machine(), addresses: invite.hubs, door: Door(invite))
    #expect(world.network.run(atMost: .seconds(2)) { vandal.isIn })
    var dice = SplitMix64(seed: 77)
    for round in 0..<300 as Range<UInt64> {
      let kind: EnvelopeHeader.Kind = [.door, .ordered, .unordered][Int(round % 3)]
      var envelope = vandal.envelope(round, kind: kind, length: 578 + Int(round))
      for index in EnvelopeHeader.length..<envelope.count { envelope[index] = UInt8.random(in: 0...255, using: &dice) }
      // Half of them name the epoch that is in use, or another one.
      if round % 2 == 0, kind != .door {
        for index in 2..<14 { envelope[index] = UInt8.random(in: 0...255, using: &dice) }
      }
      vandal.client.send(envelope)
      world.network.run(for: .milliseconds(20))
    }
    for player in all {
      #expect(player.engine.statistics.messagesRefused >= 100)
      // What nobody signed counts against nobody.
      #expect(!player.logs.contains { $0.contains("ignored for a minute") })
      #expect(player.commands.isEmpty)
    }
    all[1].do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(world.network.run(atMost: .seconds(1)) { all.allSatisfy { $0.commands.last?.kind == .pause } })
    #expect(all.allSatisfy { $0.people == ["Ann", "Ben1"] })
  }

  @Test("a whole run gives the same commands again for the same seed")
  func deterministic() throws {
    func run() throws -> [[PlaybackCommand.Kind]] {
      let world = SessionWorld(seed: 31)
      let all = try world.playing(3)
      world.network.breakStreams(all[0].machine, all[2].machine)
      all[1].do { $0.handle(.seek(to: .seconds(60), resumeImmediately: false)) }
      world.network.run(for: .seconds(10))
      return all.map { $0.commands.map(\.kind) }
    }
    let first = try run()
    #expect(try run() == first)
    #expect(first.allSatisfy { !$0.isEmpty })
  }
}

import Testing

@testable import UnisonoRuntime

@Suite("Machines that sleep")
struct SessionSleepTests {
  @Test(
    "F60: a machine sleeps; awake it measures the clock before its player is told anything, then is where the group is",
    arguments: [3, 60, 4_000])
  func guestSleeps(seconds: Int64) throws {
    let world = SessionWorld()
    let all = try world.playing(3)
    let guest = all[1]
    for player in all { player.forgetCommands() }
    let before = world.network.trueTime
    guest.machine.sleep(for: .seconds(seconds))
    world.network.run(for: .seconds(seconds))
    #expect(guest.commands.isEmpty)
    // Awake: whatever it is told from now on is right at the first word.
    #expect(world.network.run(atMost: .seconds(30)) { !guest.commands.isEmpty })
    world.network.run(for: .milliseconds(500))
    #expect(guest.logs.contains { $0.contains("slept for \(seconds) s") })
    let others = try #require(all[0].engine.groupClock).remote(at: all[0].machine.now)
    let own = try #require(guest.groupTime(at: world.network.trueTime))
    #expect((own - others).absolute < .milliseconds(5))
    for command in guest.commands {
      #expect(command.kind == .play)
      #expect(command.itemTime >= world.network.trueTime - before - .seconds(30))
    }
    #expect(all[0].commands.isEmpty && all[2].commands.isEmpty, "nobody else is disturbed")
  }

  @Test("F60: what a person asks for before the clock is measured anew is done after it, at the group's time")
  func askedOnWaking() throws {
    let world = SessionWorld()
    let all = try world.playing(2)
    let guest = all[1]
    let start = world.network.trueTime
    guest.machine.sleep(for: .seconds(5))
    world.network.run(for: .seconds(5))
    guest.do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(guest.commands.last?.kind == .play)
    #expect(world.network.run(atMost: .seconds(5)) { all.allSatisfy { $0.commands.last?.kind == .pause } })
    let stopped = try #require(all[0].commands.last).itemTime
    #expect(all[1].commands.last?.itemTime == stopped)
    #expect(stopped > world.network.trueTime - start, "not where the group was when the machine fell asleep")
  }

  @Test("F60: the hub's machine sleeps: its clock gets another name, and session time goes on as if nothing had been")
  func hubSleeps() throws {
    let world = SessionWorld()
    let all = try world.playing(3)
    let (host, guests) = (all[0], all.dropFirst())
    let name = try #require(host.engine.hub).clockID
    for player in all { player.forgetCommands() }
    let from = world.network.trueTime
    let times = try guests.map { try #require($0.groupTime(at: from)) }
    host.machine.sleep(for: .seconds(20))
    world.network.run(for: .seconds(60))
    #expect(host.engine.hub?.clockID != name)
    #expect(all.allSatisfy { $0.engine.state.connection == .connected })
    for (guest, time) in zip(guests, times) {
      #expect(guest.commands.isEmpty)
      let now = try #require(guest.groupTime(at: world.network.trueTime))
      #expect((now - time - .seconds(60)).absolute < .milliseconds(10))
    }
    let own = try #require(host.groupTime(at: world.network.trueTime))
    let others = try #require(guests.first?.groupTime(at: world.network.trueTime))
    #expect((own - others).absolute < .milliseconds(5))
    #expect(host.commands.last?.kind == .play)
  }

  @Test("K2: nothing is read from a clock that can be set; host time is what is told, and nothing moves")
  func wallClock() throws {
    let world = SessionWorld()
    let all = try world.playing(2)
    for player in all { player.forgetCommands() }
    let models = all.map(\.engine.groupClock)
    // The edge has one clock, and it only runs: setting the wall clock back does not reach this side of it.
    world.network.run(for: .seconds(30))
    #expect(all.allSatisfy { $0.commands.isEmpty })
    for (player, model) in zip(all, models) {
      let before = try #require(model).remote(at: player.machine.now)
      let now = try #require(player.groupTime(at: world.network.trueTime))
      #expect((now - before).absolute < .milliseconds(5))
    }
  }
}

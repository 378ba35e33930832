import Testing
import UnisonoBase
import UnisonoSimulator

@Suite struct TimeTests {
  @Test("D2: B, stale for three heartbeats, reports 50 s while the group is at 5 s: ignored", arguments: Setting.all)
  func staleReport(_ setting: Setting) {
    let room = setting.playing(for: .seconds(5))
    let written = room.written.count
    room.b.stopProcess(for: .seconds(6))
    room.run(for: .seconds(6))
    let before = room.now
    room.b.playerReports(rate: 1, position: .seconds(50))
    room.run(for: .seconds(3))
    #expect(room.written.count == written)
    for name in room.names where name != "B" { #expect(room.player(name).commands(since: before).isEmpty) }
    for person in room.people { #expect((person.groupPosition - room.player("A").position).length <= inStep) }
  }

  @Test(
    "D4: the rate becomes 2 at t: continuous there, later t + 2 x elapsed, also for who learns late",
    arguments: Setting.crowds)
  func rateChange(_ setting: Setting) {
    let room = setting.playing(for: .seconds(3))
    room.c.changeLink { $0.down += .milliseconds(300) }
    let before = room.now
    room.a.play(rate: 2)
    room.run(for: .seconds(2) + room.convergence)
    for player in room.players { #expect(player.rate == 2) }
    #expect(room.spread <= inStep)
    let after = room.now
    // The line of rate 2 meets that of rate 1 once, soon after the command.
    let early = room.player("A").position(at: before)
    let late = room.player("A").position(at: after)
    let change = 2 * (after - before) - (late - early)
    #expect(change >= 0)
    #expect(change <= .seconds(1))
    for name in ["A", "B"] { expectContinuous(room.player(name), from: before, to: after, atMost: 2, slack: inStep) }
    for person in room.people where person.name != "C" {
      #expect(room.player(person.name).kinds(since: before - 1) == [.play])
    }
  }

  @Test(
    "D6: a rate change learned before its instant, and long after: no backward jump, the same line",
    arguments: Setting.crowds)
  func rateChangeLearntLate(_ setting: Setting) {
    let room = setting.playing(for: .seconds(3))
    let before = room.now
    room.c.loseLink(noticedAfter: .milliseconds(100), hubNoticesAfter: .milliseconds(100), backAfter: .seconds(2))
    room.run(for: .milliseconds(20))
    room.a.play(rate: 2)
    let steps = (0..<120).map { _ -> [ItemTime] in
      room.run(for: .milliseconds(50))
      return room.people.map(\.groupPosition)
    }
    for (earlier, later) in zip(steps, steps.dropFirst()) {
      for (one, other) in zip(earlier, later) { #expect(other >= one) }
    }
    for player in room.players { #expect(player.rate == 2) }
    #expect(room.spread <= inStep)
    for player in room.players { expectMonotonic(player, from: before, to: room.now) }
  }

  private func expectContinuous(
    _ player: PlayerView, from: Nanoseconds, to: Nanoseconds, atMost rate: Double, slack: Nanoseconds
  ) {
    let step = Nanoseconds.milliseconds(5)
    for time in stride(from: from, to: to - step, by: Int(step)) {
      let moved = player.position(at: time + step) - player.position(at: time)
      #expect(moved >= -slack && moved <= step.scaled(by: rate) + slack)
    }
  }

  private func expectMonotonic(_ player: PlayerView, from: Nanoseconds, to: Nanoseconds) {
    for time in stride(from: from, to: to - .milliseconds(5), by: 5_000_000) {
      #expect(player.position(at: time + .milliseconds(5)) >= player.position(at: time) - inStep)
    }
  }
}

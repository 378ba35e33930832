import Testing
import UnisonoCrypto

@testable import UnisonoRuntime

@Suite("Playback of a session")
struct SessionPlaybackTests {
  @Test("C1: play on one prepares both and starts both on one line, within 2 ms over a path of 20 ms")
  func play() throws {
    let world = SessionWorld()
    let all = try world.joined()
    for player in all { player.do { $0.handle(.transition(to: "film", proposal: nil)) } }
    world.network.run(for: .seconds(2))
    for player in all { player.forgetCommands() }
    all[0].do { $0.handle(.rateChange(rate: 1, immediately: false)) }
    #expect(world.network.run(atMost: .seconds(3)) { all.allSatisfy { $0.line != nil } })
    for player in all {
      #expect(player.commands.map(\.kind) == [.buffer, .play])
      #expect(player.commands.last?.item == "film")
    }
    #expect(all[0].commands.last?.isLocal == true)
    #expect(all[1].commands.last?.originator == all[0].id)
    let spread = try #require(world.spread(all))
    #expect(spread < .milliseconds(2))
    // The anchors themselves are one instant.
    let anchors = all.compactMap { player in
      player.line.map { Double($0.since - player.machine.clockOffset) / (1 + player.machine.clockDrift) }
    }
    #expect(abs(anchors[0] - anchors[1]) < 2e6)
    #expect(world.players.allSatisfy { $0.engine.view.timing.status == .playing })
    world.network.run(for: .seconds(60))
    #expect(all.allSatisfy { $0.engine.statistics.messagesRefused == 0 })
  }

  @Test("F3: pause and seek by the other reach both, and playing goes on in step")
  func pauseAndSeek() throws {
    let world = SessionWorld()
    let all = try world.playing()
    for player in all { player.forgetCommands() }
    all[1].do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(world.network.run(atMost: .seconds(1)) { all.allSatisfy { $0.commands.last?.kind == .pause } })
    #expect(all[0].commands.last?.itemTime == all[1].commands.last?.itemTime)
    #expect(all[0].commands.last?.originator == all[1].id)
    // Both have done it: who might have missed it would be told to pause once more, there.
    world.network.run(for: .milliseconds(100))
    for player in all { player.forgetCommands() }
    all[0].do { $0.handle(.seek(to: .seconds(300), resumeImmediately: false)) }
    #expect(world.network.run(atMost: .seconds(1)) { all.allSatisfy { $0.commands.last?.kind == .seek } })
    #expect(all.allSatisfy { $0.commands.last?.itemTime == .seconds(300) })
    world.network.run(for: .milliseconds(300))
    all[1].do { $0.handle(.rateChange(rate: 1, immediately: false)) }
    #expect(world.network.run(atMost: .seconds(3)) { all.allSatisfy { $0.line != nil } })
    let spread = try #require(world.spread(all))
    #expect(spread < .milliseconds(2))
    let position = try #require(all[0].position(at: world.network.trueTime))
    #expect(abs(position - .seconds(300)) < .seconds(2))
  }

  @Test("a seek while playing stops all, prepares all and starts all together there")
  func seekWhilePlaying() throws {
    let world = SessionWorld()
    let all = try world.playing(3)
    for player in all { player.forgetCommands() }
    all[2].do { $0.handle(.seek(to: .seconds(1_000), resumeImmediately: false)) }
    #expect(world.network.run(atMost: .seconds(3)) { all.allSatisfy { $0.line?.at == .seconds(1_000) } })
    let spread = try #require(world.spread(all))
    #expect(spread < .milliseconds(2))
    #expect(all.allSatisfy { $0.commands.first?.kind == .seek })
  }

  @Test("a late joiner is told where the group is, and the others play on undisturbed")
  func lateJoiner() throws {
    let world = SessionWorld()
    var all = try world.playing()
    world.network.run(for: .seconds(20))
    for player in all { player.forgetCommands() }
    let late = try world.guest(
      of: all[0], named: "Cem", path: VirtualPath(delay: .milliseconds(60), jitter: .milliseconds(10)))
    late.do {
      $0.join()
      $0.handle(.transition(to: "film", proposal: nil))
    }
    #expect(world.network.run(atMost: .seconds(5)) { late.line != nil })
    #expect(all.allSatisfy { $0.commands.isEmpty })
    world.network.run(for: .seconds(3))
    #expect(all.allSatisfy { $0.commands.isEmpty })
    let view = all[0].engine.view.timing.line
    let group = view.position(at: all[0].machine.now)
    let position = try #require(late.position(at: world.network.trueTime))
    // Its path jitters by 10 ms.
    #expect(abs(position - group) < .milliseconds(10))
    all.append(late)
    #expect(all.allSatisfy { $0.people == ["Ann", "Ben1", "Cem"] })
  }

  @Test("who leaves is gone from the others' lists at once, with its name; they play on")
  func leave() throws {
    let world = SessionWorld()
    let all = try world.playing(3)
    let (host, stays, leaver) = (all[0], all[1], all[2])
    for player in all { player.forgetCommands() }
    leaver.do { $0.leave() }
    #expect(leaver.engine.state.status == .invalidated)
    #expect(leaver.states.last?.reason == .left)
    world.network.run(for: .milliseconds(200))
    for player in [host, stays] {
      #expect(player.people == ["Ann", "Ben1"])
      #expect(player.changes.last?.left.map(\.displayName) == ["Ben2"])
      #expect(player.commands.isEmpty)
      #expect(player.engine.view.timing.status == .playing)
    }
    world.network.run(for: .seconds(40))
    #expect(leaver.states.filter { $0.status == .invalidated }.count == 1)
  }

  @Test("the host leaves: its hub serves the others until the session object goes")
  func hostLeaves() throws {
    let world = SessionWorld()
    let all = try world.playing(3)
    all[0].do { $0.leave() }
    world.network.run(for: .seconds(10))
    #expect(all[1].engine.state.connection == .connected && all[2].engine.state.connection == .connected)
    #expect(all[1].people == ["Ben1", "Ben2"])
    all[1].do { $0.handle(.rateChange(rate: 0, immediately: false)) }
    #expect(world.network.run(atMost: .seconds(1)) { all[2].commands.last?.kind == .pause })
    all[0].do { $0.close() }
    #expect(world.network.run(atMost: .seconds(1)) { all[1].engine.state.connection == .reconnecting })
  }

  @Test("end ends the session for all, with the name of who did it")
  func end() throws {
    let world = SessionWorld()
    let all = try world.playing(3)
    all[1].do { $0.end() }
    world.network.run(for: .milliseconds(300))
    for player in all {
      #expect(player.engine.state.status == .invalidated)
      #expect(player.states.last?.reason == .ended)
      #expect(player.states.filter { $0.status == .invalidated }.count == 1)
    }
    #expect(all[0].states.last?.message.contains("Ben1") == true)
    // Nothing is told afterwards.
    let before = all.map(\.commands.count)
    for player in all { player.do { $0.handle(.rateChange(rate: 0, immediately: false)) } }
    world.network.run(for: .seconds(5))
    #expect(all.map(\.commands.count) == before)
  }
}

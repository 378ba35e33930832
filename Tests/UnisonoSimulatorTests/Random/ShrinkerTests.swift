import Testing
import UnisonoSimulator

/// A rule that is broken on purpose: nobody may be told to pause after somebody sought.
private let noPauseAfterSeek: RandomRun.Judge = { room in
  guard let sought = room.written.first(where: { if case .position = $0.key { true } else { false } }) else {
    return []
  }
  let paused = room.players.contains { $0.kinds(since: sought.at).contains(.pause) }
  return paused ? [Violation(invariant: "broken", at: room.now, what: "somebody was told to pause after a seek")] : []
}

@Suite struct ShrinkerTests {
  @Test("what breaks a rule becomes a script of the few steps and people that it takes, with its log")
  func shrinks() throws {
    let failing = (UInt64(1)...50).map { RandomRun.script(seed: $0, profile: .contention) }
      .first { !RandomRun.run($0, judge: noPauseAfterSeek).violations.isEmpty }
    let script = try #require(failing)
    let short = try #require(Shrinker.shrink(script, judge: noPauseAfterSeek))
    #expect(script.steps.count >= 8)
    #expect(short.script.steps.count <= 3, "\(short.script.lines)")
    // Nobody is left who does nothing.
    #expect(short.script.specs.count <= short.script.steps.count, "\(short.script.lines)")
    #expect(short.violations.map(\.invariant) == ["broken"])
    #expect(short.log.contains { $0.contains("=== seeks") })
    let persons = short.script.onePerson.isEmpty ? 0 : 1
    #expect(short.script.lines.count == 1 + persons + short.script.specs.count + short.script.steps.count)
  }

  @Test("a script that breaks nothing is not made shorter")
  func passes() {
    #expect(Shrinker.shrink(RandomRun.script(seed: 11)) == nil)
  }
}

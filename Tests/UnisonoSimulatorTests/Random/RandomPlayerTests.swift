import Testing
import UnisonoSimulator

@Suite struct RandomPlayerTests {
  @Test("the profile players has the library's players over all kinds of renderers, and all that befalls only them")
  func variety() {
    let scripts = (UInt64(1)...200).map { RandomRun.script(seed: $0, profile: .players) }
    let renderers = scripts.flatMap(\.specs).compactMap(\.renderer)
    #expect(scripts.allSatisfy { $0.specs.contains { $0.renderer != nil } })
    #expect(scripts.contains { $0.specs.contains { $0.renderer == nil } })
    #expect(renderers.contains { $0.abilities.startsExactly } && renderers.contains { !$0.abilities.startsExactly })
    #expect(renderers.contains { !$0.abilities.nudges } && renderers.contains { !$0.habits.honoursNudges })
    #expect(renderers.contains { !$0.abilities.cues } && renderers.contains { $0.habits.resumesAfterSeek })
    var kinds: Set<String> = []
    for step in scripts.flatMap(\.steps) {
      if case .atPlayer(let action) = step.action { kinds.insert(String("\(action)".prefix(7))) }
    }
    #expect(kinds.count == 8, "seen: \(kinds.sorted())")
  }

  @Test("no seed draws the profile players: what the others decide stays as it was")
  func share() {
    let scripts = (UInt64(1)...500).map { RandomRun.script(seed: $0) }
    #expect(scripts.allSatisfy { $0.profile != .players && $0.specs.allSatisfy { $0.renderer == nil } })
  }

  @Test("a seed with players is a run: the same log and fingerprint each time, and renderers are told things in it")
  func replay() {
    let first = RandomRun.run(seed: 11, profile: .players, logs: true, hasFingerprint: true)
    let second = RandomRun.run(seed: 11, profile: .players, logs: true, hasFingerprint: true)
    #expect(first.log == second.log && first.fingerprint == second.fingerprint)
    #expect(first.log.contains { $0.contains("RENDER play") })
  }
}

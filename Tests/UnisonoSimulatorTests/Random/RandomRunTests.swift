import Testing
import UnisonoCore
import UnisonoSimulator

@Suite struct RandomRunTests {
  /// The wide run is that of the release build: `make test-seeds`.
  @Test(
    "invariants (a) to (k) hold after quiet for random people, nets, machines and hosts", arguments: Profile.allCases)
  func invariants(_ profile: Profile) {
    for seed in UInt64(1)...(profile == .large ? 4 : 24) {
      let outcome = RandomRun.run(seed: seed, profile: profile)
      let report = outcome.violations.map(\.description).joined(separator: "; ")
      #expect(
        outcome.violations.isEmpty, "unisono-sim --seeds 1 --seed \(seed) --profile \(profile.rawValue): \(report)")
    }
  }

  @Test("a seed is a run: the same log each time, another one for another seed")
  func replay() {
    let first = RandomRun.run(seed: 11, logs: true)
    #expect(first.log == RandomRun.run(seed: 11, logs: true).log)
    #expect(first.log.count > 100)
    #expect(first.log != RandomRun.run(seed: 12, logs: true).log)
  }

  @Test("some seeds measure their clocks with the library's filter, and all that may befall somebody does in some")
  func variety() {
    let scripts = (UInt64(1)...300).map { RandomRun.script(seed: $0) }
    #expect(scripts.contains { $0.cast.contains(where: \.measuresClock) })
    #expect(scripts.contains { $0.cast.count > 5 })
    #expect(scripts.contains { $0.clockError == .milliseconds(30) })
    for path in NetworkPath.all { #expect(scripts.contains { $0.cast.contains { $0.link.path == path } }) }
    var seen: Set<String> = []
    for step in scripts.flatMap(\.steps) { seen.insert(step.deed.kind) }
    #expect(seen.count == 14, "seen: \(seen.sorted())")
  }
}

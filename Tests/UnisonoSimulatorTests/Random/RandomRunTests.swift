import Testing
import UnisonoSimulator

@Suite struct RandomRunTests {
  @Test(
    "invariants (a), (b), (c), (d), (f), (h) hold after quiet for random people, links and hosts",
    arguments: UInt64(0)..<6)
  func invariants(_ block: UInt64) {
    for seed in (block * 25 + 1)...(block * 25 + 25) {
      let outcome = RandomRun.run(seed: seed)
      let report = outcome.violations.map(\.description).joined(separator: "; ")
      #expect(outcome.violations.isEmpty, "unisono-sim --seeds 1 --seed \(seed) --log: \(report)")
    }
  }

  @Test("a seed is a run: the same log each time, another one for another seed")
  func replay() {
    let first = RandomRun.run(seed: 11, logs: true)
    #expect(first.log == RandomRun.run(seed: 11, logs: true).log)
    #expect(first.log.count > 100)
    #expect(first.log != RandomRun.run(seed: 12, logs: true).log)
  }
}

import Testing
import UnisonoSimulator

@Suite struct RandomLiarTests {
  @Test("the profile byzantine has one or two members that lie in every way, and never the founder")
  func variety() {
    let scripts = (UInt64(1)...100).map { RandomRun.script(seed: $0, profile: .byzantine) }
    #expect(scripts.allSatisfy { (1...2).contains($0.liars.count) && !$0.liars.contains("A") && $0.control == .everyone })
    var kinds: Set<Lie.Kind> = []
    var largest = 0
    for case .lie(let lie) in scripts.flatMap(\.steps).map(\.action) {
      kinds.insert(lie.kind)
      largest = max(largest, lie.count)
    }
    #expect(kinds == Set(Lie.Kind.allCases) && largest >= 20)
  }

  @Test("no seed draws the profile byzantine: what the others decide stays as it was")
  func share() {
    let scripts = (UInt64(1)...500).map { RandomRun.script(seed: $0) }
    #expect(scripts.allSatisfy { $0.profile != .byzantine && $0.liars.isEmpty })
  }

  @Test("a seed with liars is a run: the same log and fingerprint each time, and lies are sent in it")
  func replay() {
    let first = RandomRun.run(seed: 11, profile: .byzantine, logs: true, hasFingerprint: true)
    let second = RandomRun.run(seed: 11, profile: .byzantine, logs: true, hasFingerprint: true)
    #expect(first.log == second.log && first.fingerprint == second.fingerprint)
    #expect(first.log.contains { $0.contains("lies: ") })
  }
}

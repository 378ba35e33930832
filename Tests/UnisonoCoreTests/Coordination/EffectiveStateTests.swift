import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

@Suite struct EffectiveStateTests {
  private static func key(_ time: GroupTime) -> CellKey {
    CellKey(policy: StatementMaker.policy, rank: .command, stamp: Stamp(time: time, author: .none))
  }

  private func cells(rate: Double, base: GroupTime = 1, kind: ContinuationValue.Kind? = nil) -> Cells {
    let pair = Pair(rate: Self.key(2), position: Self.key(1))
    return Cells(
      pair: pair,
      rate: RateValue(rank: .command, rate: rate, at: 100, basePosition: Self.key(base), deadline: 70),
      position: PositionValue(rank: .command, position: 500, deadline: 60),
      continuation: kind.map { ContinuationValue(base: pair, sequence: 3, kind: $0) })
  }

  @Test("no cells: no state")
  func none() { #expect(EffectiveState(nil) == .none) }

  @Test("rate 0: paused where the pause was commanded, unless the position is newer")
  func paused() {
    #expect(EffectiveState(cells(rate: 0)) == .paused(at: 100))
    #expect(EffectiveState(cells(rate: 0, base: 0)) == .paused(at: 500))
  }

  @Test("a rate without a start: preparing until the later of both deadlines")
  func preparing() {
    let expected = EffectiveState.Preparation(
      pair: cells(rate: 2).pair, sequence: 0, rate: 2, at: 100, deadline: 70)
    #expect(EffectiveState(cells(rate: 2)) == .preparing(expected))
  }

  @Test("a line: playing at the rate of the cell, from the position of the pair")
  func playing() {
    let state = EffectiveState(cells(rate: 2, kind: .line(coverage: 1, since: 1_000, at: nil, prior: nil)))
    #expect(state.position(at: 1_010) == 120)
    #expect(state.position(at: 900) == 100)
  }

  @Test("D6: before its instant a new line stands behind the prior one, also for who learns late")
  func prior() {
    let prior = Line(at: 0, rate: 1, since: 900)
    let state = EffectiveState(cells(rate: 2, kind: .line(coverage: 1, since: 1_000, at: 100, prior: prior)))
    #expect(state.position(at: 950) == 50)
    #expect(state.position(at: 999) == 99)
    #expect(state.position(at: 1_000) == 100)
    #expect(state.position(at: 1_001) == 102)
  }

  @Test("a hold is prepared at its own position and step; the end is a pause")
  func holdAndEnd() {
    let held = EffectiveState(cells(rate: 2, kind: .hold(at: 42, deadline: 99)))
    #expect(
      held
        == .preparing(EffectiveState.Preparation(pair: cells(rate: 2).pair, sequence: 3, rate: 2, at: 42, deadline: 99))
    )
    #expect(EffectiveState(cells(rate: 2, kind: .ended(at: 77))) == .paused(at: 77))
  }
}

import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

/// Whose clock is in doubt, by the table of wire 8.8.
@Suite struct ClockJudgementTests {
  private static func id(_ number: Int) -> ParticipantID { ParticipantID(high: UInt64(number + 1), low: 0) }

  /// Ids ascend by seniority, unless turned around.
  private func judge(_ local: Int, agreeing: [Int], contradicting: [Int], isTurned: Bool = false) -> ClockJudgement {
    ClockJudgement(of: Self.id(local), agreeing: agreeing.map(Self.id), contradicting: contradicting.map(Self.id)) {
      isTurned ? $0 > $1 : $0 < $1
    }
  }

  private func others(_ numbers: [Int]) -> ClockJudgement { .others(numbers.map(Self.id)) }

  @Test("8.8: contradicted by nobody, whoever agrees: synchronized")
  func nobody() {
    for agreeing in [[], [0], [0, 1, 3]] { #expect(judge(2, agreeing: agreeing, contradicting: []) == .synchronized) }
  }

  @Test("8.8: agreeing with nobody, contradicted by two: in doubt, against the more senior, an owner too")
  func two() {
    #expect(judge(0, agreeing: [], contradicting: [2, 1]) == .own(against: Self.id(1)))
    #expect(judge(2, agreeing: [], contradicting: [1, 0]) == .own(against: Self.id(0)))
  }

  @Test("8.8: agreeing with nobody, contradicted by one: the junior of the two is in doubt")
  func one() {
    #expect(judge(1, agreeing: [], contradicting: [0]) == .own(against: Self.id(0)))
    #expect(judge(1, agreeing: [], contradicting: [2]) == others([2]))
  }

  @Test("8.8: agreeing with one, contradicted by one: that one is in doubt, however senior")
  func oneOfThree() {
    #expect(judge(1, agreeing: [2], contradicting: [0]) == others([0]))
    #expect(judge(1, agreeing: [0], contradicting: [2]) == others([2]))
  }

  @Test("8.8: agreeing with some, contradicted by more: the side without the most senior is in doubt")
  func sides() {
    #expect(judge(0, agreeing: [3], contradicting: [2, 1]) == others([1, 2]))
    #expect(judge(3, agreeing: [0], contradicting: [1, 2]) == others([1, 2]))
    #expect(judge(1, agreeing: [2], contradicting: [3, 0]) == .own(against: Self.id(0)))
  }

  /// The table as it is written, by counting.
  private func row(_ local: Int, _ agreeing: [Int], _ contradicting: [Int]) -> ClockJudgement {
    guard !contradicting.isEmpty else { return .synchronized }
    let first = contradicting.min() ?? 0
    let own = ClockJudgement.own(against: Self.id(first))
    if agreeing.isEmpty {
      if contradicting.count >= 2 { return own }
      return first < local ? own : others(contradicting)
    }
    if contradicting.count == 1 { return others(contradicting) }
    return (agreeing + [local] + contradicting).min() == first ? own : others(contradicting.sorted())
  }

  @Test("8.8: every way in which five others can agree, contradict or be unknown is judged as the table says")
  func table() {
    for local in 0..<6 {
      let rest = (0..<6).filter { $0 != local }
      for code in 0..<243 {
        var (agreeing, contradicting, left): ([Int], [Int], Int) = ([], [], code)
        for other in rest {
          if left % 3 == 1 { agreeing.append(other) } else if left % 3 == 2 { contradicting.append(other) }
          left /= 3
        }
        let expected = row(local, agreeing, contradicting)
        #expect(judge(local, agreeing: agreeing, contradicting: contradicting) == expected)
        #expect(judge(local, agreeing: agreeing.reversed(), contradicting: contradicting.reversed()) == expected)
      }
    }
  }

  /// Two camps that each read one clock; who is in doubt by its own judgement.
  private func doubted(_ camps: [Bool], isTurned: Bool) -> [Int] {
    camps.indices.filter { local in
      let others = camps.indices.filter { $0 != local }
      let judgement = judge(
        local, agreeing: others.filter { camps[$0] == camps[local] },
        contradicting: others.filter { camps[$0] != camps[local] }, isTurned: isTurned)
      if case .own = judgement { return true }
      return false
    }
  }

  @Test("8.8: of any two camps of up to eight, compared all with all, exactly one is in doubt, and all of it")
  func camps() {
    for count in 2...8 {
      for code in 1..<(1 << count) - 1 {
        let camps = (0..<count).map { code >> $0 & 1 == 1 }
        for isTurned in [false, true] {
          let found = doubted(camps, isTurned: isTurned)
          #expect(!found.isEmpty && found.count < count)
          let camp = found.first.map { camps[$0] }
          #expect(found == camps.indices.filter { camps[$0] == camp }, "\(camps)")
        }
      }
    }
  }
}

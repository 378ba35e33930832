import Testing

@testable import UnisonoBase
@testable import UnisonoCoordination
@testable import UnisonoReplica

@Suite struct TurnTests {
  @Test("each step of a turn stands in the table once, with a reason, and the last one is followed by none")
  func table() {
    let names = TurnStep.turn.map(\.name)
    #expect(names.count == TurnStep.Name.allCases.count)
    #expect(Set(names) == Set(TurnStep.Name.allCases))
    for step in TurnStep.turn {
      #expect(step.reason.utf8CodeUnitCount > 20, "\(step.name) has no reason")
      if case .last = step.next { #expect(step.name == names.last) }
      switch step.next {
      case .bound(let why), .unnoticed(let why):
        #expect(why.utf8CodeUnitCount > 20, "\(step.name) is bound for no reason")
      case .free, .last: break
      }
    }
  }

  @Test("what does not hold after a turn is named")
  func brokenInvariants() {
    #expect(RuleHarness.joined(2).nodes.allSatisfy { $0.brokenInvariants == [] && $0.brokenDerivations == [] })
    var suspensions = Suspensions()
    suspensions.begin("menu", id: 1, line: Line(at: 0, rate: 0, since: 0), now: 0)
    suspensions.propose(.seconds(5), pair: nil)
    #expect(suspensions.brokenRules(hasItem: true, mayWait: false) == [])
    let wasOpen = suspensions.end(id: 1)
    #expect(wasOpen)
    #expect(
      suspensions.brokenRules(hasItem: true, mayWait: false) == ["a proposal is held only while suspended"])
  }
}

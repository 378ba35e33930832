import Testing

@testable import UnisonoCore

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
    let room = RuleHarness.joined(2)
    var coordination = room.nodes[1]
    #expect(coordination.brokenInvariants == [])
    coordination.me.item = "Y"
    #expect(coordination.brokenInvariants == ["the own register says the current item"])
  }
}

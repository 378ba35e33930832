import Testing
import UnisonoBase

@testable import UnisonoCrypto

@Suite("Signature checks of all senders together")
struct VerificationBudgetTests {
  @Test("Z31: 2,000 a second in the long run, whoever sends; unordered messages give way first")
  func bounds() {
    var budget = VerificationBudget()
    var ordered = 0
    var unordered = 0
    for step in 0..<10_000 as Range<Int64> {
      let now = HostTime.milliseconds(step)
      for _ in 0..<10 {
        if budget.spend(1, mayWait: true, at: now) { unordered += 1 }
        if budget.spend(1, mayWait: false, at: now) { ordered += 1 }
      }
    }
    #expect(ordered + unordered <= 10 * VerificationBudget.perSecond + VerificationBudget.burst)
    #expect(ordered >= 10 * VerificationBudget.perSecond - VerificationBudget.burst)
    #expect(unordered < 2 * VerificationBudget.reserve)
  }

  @Test("a large snapshot begins however much was used, unless all was; time gives it back")
  func large() {
    var budget = VerificationBudget()
    let first = budget.spend(4_095, mayWait: false, at: 0)
    let second = budget.spend(3_000, mayWait: false, at: 0)
    let third = budget.spend(1, mayWait: false, at: 0)
    let later = budget.spend(1, mayWait: false, at: .seconds(2))
    #expect(first && second && !third && later)
  }
}

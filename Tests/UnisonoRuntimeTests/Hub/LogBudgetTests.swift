import Testing

@testable import UnisonoRuntime

@Suite("Lines of a hub's log")
struct LogBudgetTests {
  @Test("100 at once and 10 a second are let through; the others are counted")
  func budget() {
    let budget = Box(LogBudget(now: 0))
    #expect((0..<4_000).count { _ in budget { $0.admits(now: 0) } } == 100)
    #expect(budget { $0.resetLeftOut() } == 3_900)
    #expect(budget { $0.resetLeftOut() } == nil)
    #expect((0..<50).count { _ in budget { $0.admits(now: .seconds(2)) } } == 20)
    #expect(budget { $0.resetLeftOut() } == 30)
  }
}

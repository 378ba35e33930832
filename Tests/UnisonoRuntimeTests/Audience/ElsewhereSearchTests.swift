import Testing
import UnisonoBase

@testable import UnisonoRuntime

@Suite("Looking for who speaks at another hub")
struct ElsewhereSearchTests {
  @Test("N36: the first time is within 15 s, of many at a thousand a second; each next one after twice as long, in the end 5 to 10 minutes")
  func pauses() throws {
    var search = ElsewhereSearch()
    #expect(search.due == nil)
    search.begin(listeners: 5, fraction: 0.5, now: .seconds(1_000))
    #expect(search.due == .seconds(1_000) + .milliseconds(7_500))
    var (now, pauses) = (Nanoseconds.seconds(2_000), [Nanoseconds]())
    for _ in 0..<8 {
      search.turned(fraction: 0, now: now)
      let due = try #require(search.due)
      pauses.append(due - now)
      now = due
    }
    #expect(pauses == [15, 30, 60, 120, 240, 300, 300, 300].map { .seconds($0) })
    search.turned(fraction: 0.999, now: now)
    #expect(try #require(search.due) - now > .seconds(599))
    search.end()
    #expect(search.due == nil)
    search.begin(listeners: 100_000, fraction: 1, now: 0)
    #expect(search.due == .seconds(100))
    search.begin(listeners: .max, fraction: 1, now: 0)
    #expect(search.due == .seconds(600))
  }
}

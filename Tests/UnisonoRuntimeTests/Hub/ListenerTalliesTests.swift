import Testing
import UnisonoBase
import UnisonoWire

@testable import UnisonoRuntime

@Suite("What listeners have counted at a hub")
struct ListenerTalliesTests {
  private final class Counting {
    private var tallies = ListenerTallies()
    var ready: [Tally] { tallies.ready }
    var reactions: [Tally] { tallies.reactions }
    var due: HostTime? { tallies.due }

    func add(_ kind: TallyKind, _ tag: UInt64, from listener: UInt64, now: HostTime) -> Bool {
      tallies.add(kind, tag, from: listener, now: now)
    }

    func forget(_ listener: UInt64) { tallies.forget(listener) }
    func count(now: HostTime) -> Bool { tallies.count(now: now) }
  }

  private func after(_ milliseconds: Int64) -> HostTime { .seconds(100) + .milliseconds(milliseconds) }

  @Test("of each listener what it said last counts, once, as long as it listens")
  func newest() {
    let tallies = Counting()
    for listener in 0..<5 as Range<UInt64> { #expect(tallies.add(.ready, 7, from: listener, now: after(0))) }
    #expect(tallies.add(.ready, 8, from: 4, now: after(1)))
    #expect(tallies.count(now: after(1)) && tallies.ready == [Tally(tag: 7, count: 4), Tally(tag: 8, count: 1)])
    tallies.forget(0)
    tallies.forget(99)
    // Not more often than four times a second.
    #expect(!tallies.count(now: after(250)) && tallies.due == after(251))
    #expect(tallies.count(now: after(251)) && tallies.ready == [Tally(tag: 7, count: 3), Tally(tag: 8, count: 1)])
    #expect(tallies.due == nil && tallies.reactions.isEmpty)
    for listener in 1..<5 as Range<UInt64> { tallies.forget(listener) }
    #expect(tallies.count(now: after(900)) && tallies.ready.isEmpty)
  }

  @Test("a reaction counts for 10 s from when it was said last; readiness as long as it is not another")
  func lifetime() {
    let tallies = Counting()
    #expect(tallies.add(.ready, 1, from: 1, now: after(0)))
    #expect(tallies.add(.reaction, 2, from: 1, now: after(0)) && tallies.add(.reaction, 2, from: 2, now: after(0)))
    #expect(tallies.count(now: after(0)) && tallies.reactions == [Tally(tag: 2, count: 2)])
    #expect(tallies.add(.reaction, 2, from: 1, now: after(4_000)))
    #expect(!tallies.count(now: after(4_000)))
    #expect(tallies.due == after(10_000))
    #expect(tallies.count(now: after(10_000)) && tallies.reactions == [Tally(tag: 2, count: 1)])
    #expect(tallies.count(now: after(14_000)) && tallies.reactions.isEmpty && tallies.ready == [Tally(tag: 1, count: 1)])
  }

  @Test("each kind is taken twice at once and once in a second")
  func pace() {
    let tallies = Counting()
    for kind in TallyKind.allCases {
      let taken = (0..<100).filter { tallies.add(kind, UInt64($0), from: 1, now: after(Int64($0) * 100)) }
      #expect(taken.count == 11 && taken.prefix(2) == [0, 1])
    }
  }

  @Test("of thousands of tags the 16 greatest are told")
  func greatest() {
    let tallies = Counting()
    for listener in 0..<3_000 as Range<UInt64> {
      _ = tallies.add(.reaction, listener < 40 ? listener % 20 : listener, from: listener, now: after(0))
    }
    #expect(tallies.count(now: after(0)) && tallies.reactions.count == 16)
    #expect(tallies.reactions == (0..<16).map { Tally(tag: $0, count: 2) })
  }
}

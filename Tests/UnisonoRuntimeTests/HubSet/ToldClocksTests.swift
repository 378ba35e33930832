import Testing
import UnisonoBase
import UnisonoReplica

@testable import UnisonoRuntime

@Suite("What members were told of other hubs' clocks")
struct ToldClocksTests {
  private func report(
    _ seconds: Int64, offset: Nanoseconds = 1_000_000, rate: Int32 = 0, error: UInt32 = 100, growth: UInt16 = 1, goneFor: UInt16 = 0,
    clocks: [UInt64] = [1]
  ) -> ClockReport {
    ClockReport(
      at: .seconds(seconds),
      readings: clocks.map {
        ClockReading(clock: ClockID(high: $0, low: 0), offset: offset, rate: rate, error: error, growth: growth, goneFor: goneFor)
      })
  }

  private func told(_ report: ClockReport) -> ToldClocks {
    var told = ToldClocks()
    #expect(told.isTold(report))
    _ = told.tell(report)
    return told
  }

  @Test("what is as it was told is told anew after a minute, and nothing is not told")
  func unchanged() {
    let known = told(report(0))
    #expect(!known.isTold(report(2)) && !known.isTold(report(59)) && known.isTold(report(60)))
    #expect(!told(report(60)).isTold(report(119)) && !ToldClocks().isTold(report(90, clocks: [])))
  }

  @Test("a clock that came, went or is another one, and a hub that is gone or back, are told at once")
  func changed() {
    #expect(told(report(0)).isTold(report(0, clocks: [1, 2])) && told(report(0, clocks: [1, 2])).isTold(report(0)))
    #expect(told(report(0)).isTold(report(0, clocks: [2])) && told(report(0)).isTold(report(0, clocks: [])))
    #expect(told(report(0)).isTold(report(0, goneFor: 1)) && told(report(0, goneFor: 1)).isTold(report(0)))
    #expect(!told(report(0, goneFor: 1)).isTold(report(9, goneFor: 10)))
  }

  @Test("a line that was told and is off by more than 250 us by now is told anew, also where the clock is slower")
  func line() {
    let known = told(report(0, rate: 40_000))
    #expect(!known.isTold(report(10, offset: 1_000_000 + 400_000 + 250_000)))
    #expect(known.isTold(report(10, offset: 1_000_000 + 400_000 + 250_001)))
    #expect(!known.isTold(report(10, offset: 1_000_000 + 400_000 - 250_000)))
    #expect(known.isTold(report(10, offset: 1_000_000 + 400_000 - 250_001)))
    #expect(!told(report(0, rate: -40_000)).isTold(report(10, offset: 1_000_000 - 400_000)))
    // Nothing from outside is too large.
    #expect(told(report(0, offset: .max, rate: .max)).isTold(report(10, offset: -.max, error: .max)))
  }

  @Test("an error that was told is told anew when it is more than twice today's and 100 us by now")
  func error() {
    let known = told(report(0, error: 100, growth: 20))
    #expect(!known.isTold(report(10, error: 100)) && known.isTold(report(10, error: 99)) && !known.isTold(report(10, error: 5_000)))
  }
}

extension ToldClocks {
  fileprivate func isTold(_ report: ClockReport) -> Bool {
    var told = self
    return told.tell(report)
  }
}

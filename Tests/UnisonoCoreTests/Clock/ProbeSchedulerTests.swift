import Testing
import UnisonoCore

@Suite("When a hub is asked for its time")
struct ProbeSchedulerTests {
  /// The instants of asks during `length`, each answered 10 ms later when `answers` says so.
  private func asks(
    for length: Nanoseconds, uncertainty: Nanoseconds = 1_000, answers: (HostTime) -> Bool = { _ in true }
  ) -> [HostTime] {
    var scheduler = ProbeScheduler(at: .seconds(1))
    var asks: [HostTime] = []
    while scheduler.next <= .seconds(1) + length {
      let now = scheduler.next
      let taken = [scheduler.take(at: now), scheduler.take(at: now)]
      #expect(taken == [true, false], "one ask at a time")
      asks.append(now - .seconds(1))
      if answers(now) { scheduler.answered(at: now + .milliseconds(10), uncertainty: uncertainty) }
    }
    return asks
  }

  @Test("eight in a burst, 50 ms apart, then twice a second for half a minute")
  func burst() {
    let asks = asks(for: .seconds(29))
    #expect(Array(asks.prefix(8)) == (0..<8).map { Int64($0) * .milliseconds(50) })
    let gaps = zip(asks.dropFirst(8), asks.dropFirst(7)).map { $0 - $1 }
    #expect(Set(gaps) == [.milliseconds(500)])
  }

  @Test("then ever more rarely: every 16 s on a quiet path, every 4 s on a jittery one")
  func steady() {
    for (uncertainty, limit) in [(Int64.microseconds(10), Int64.seconds(16)), (.milliseconds(1), .seconds(4))] {
      let asks = asks(for: .seconds(300), uncertainty: uncertainty)
      let gaps = zip(asks.dropFirst(), asks).map { $0 - $1 }
      #expect(gaps.max() == limit)
      #expect(gaps.last == limit)
    }
  }

  @Test("without answers it goes on twice a second, and never faster than a hub allows")
  func unanswered() {
    let asks = asks(for: .seconds(120), answers: { _ in false })
    #expect(zip(asks.dropFirst(9), asks.dropFirst(8)).allSatisfy { $0 - $1 == .milliseconds(500) })
    for (first, last) in zip(asks, asks.dropFirst(19)) { #expect(last - first >= .seconds(1)) }
  }

  @Test("a loop that was late sends one, not all that it missed; a restart is a new burst")
  func lateness() {
    var scheduler = ProbeScheduler(at: 0)
    let taken = [scheduler.take(at: .seconds(5)), scheduler.take(at: .seconds(5))]
    #expect(taken == [true, false])
    #expect(scheduler.next == .seconds(5) + .milliseconds(50))
    scheduler.restart(at: .seconds(60))
    #expect(scheduler.next == .seconds(60))
    let again = scheduler.take(at: .seconds(60))
    #expect(again)
    #expect(scheduler.next == .seconds(60) + .milliseconds(50))
  }
}

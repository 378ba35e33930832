import Testing
import UnisonoBase

@testable import UnisonoRuntime

/// A turn reads the clock more than once, and time passes in between: what becomes due meanwhile must not be taken for done.
@Suite("What becomes due while a turn runs is not lost")
struct TurnTimeTests {
  /// A clock that was told a line which approaches another one, and when that one is reached.
  private func slewing() throws -> (clock: SessionClock, told: HostTime, reached: HostTime) {
    var clock = SessionClock(own: nil)
    clock.enter(ClockID(high: 1, low: 1), hasDatagrams: true, now: 0)
    var now: HostTime = 0
    for number in 0..<16 as Range<Int64> {
      now = number * .milliseconds(50)
      _ = clock.claimProbe(now: now)
      clock.add(sample(at: now, there: .microseconds(100)), now: now, mayStep: false)
    }
    // A shorter way there is found: the offset moves by 1 us, which takes 2 ms at 500 ppm.
    now += .milliseconds(50)
    _ = clock.claimProbe(now: now)
    clock.add(sample(at: now, there: .microseconds(98)), now: now, mayStep: false)
    let model = try #require(clock.model(now: now).model)
    #expect(abs(model.rate - 1) > 400e-6)
    return (clock, now, try #require(clock.nextWake))
  }

  /// Asked at a time of a clock that is a thousand seconds behind the hub's; the way back takes 100 us.
  private func sample(at now: HostTime, there: Nanoseconds) -> ProbeSample {
    let came = now + .seconds(1_000) + there
    return ProbeSample(t1: now, t4: now + there + .microseconds(100), t2: came, t3: came, isDatagram: true)
  }

  @Test("K3: a line that bends while the turn in which it was told still runs is told anew at once, and does not run off")
  func bends() throws {
    var (clock, told, reached) = try slewing()
    #expect(told < reached && reached <= told + .milliseconds(3))
    // Whoever asks only now is told that it is due, not when the hub is to be asked next.
    let (model, changed) = clock.model(now: reached)
    let rate = try #require(model).rate
    #expect(changed && abs(rate - 1) < 10e-6)
    #expect(try #require(clock.nextWake) > reached)
    #expect(clock.bend == 0)
  }

  @Test("K3: the bound of what was told grows by what it runs away with, for as long as nothing else was told")
  func grows() throws {
    let (clock, _, _) = try slewing()
    #expect(clock.bend > 400e-6)
  }

  @Test("K3: it bends without a link, too")
  func bendsWithoutLink() throws {
    var (clock, _, reached) = try slewing()
    clock.linkDown()
    #expect(clock.nextWake == reached)
    _ = clock.model(now: reached)
    #expect(clock.nextWake == nil)
  }

  @Test("K3: a message that its pace held back goes at that time, though it had come before the turn was over")
  func messages() throws {
    var messenger = Messenger()
    for number in 0...Int(Messenger.burst) {
      messenger.enqueue(Messenger.Outgoing([UInt8(truncatingIfNeeded: number)], isReliable: true, to: nil))
    }
    for _ in 0..<Int(Messenger.burst) { #expect(messenger.next(audience: [], now: 0) != nil) }
    #expect(messenger.next(audience: [], now: 0) == nil)
    let due = try #require(messenger.nextWake)
    #expect(due > 0 && due < .milliseconds(10))
    // The link may be full then: it is the link's draining that it waits for.
    messenger.tick(now: due)
    #expect(messenger.nextWake == nil)
    #expect(messenger.next(audience: [], now: due) != nil && messenger.nextWake == nil)
  }
}

import Testing

@testable import UnisonoBase

@Suite("The published clock")
struct SlewedClockTests {
  private func model(_ host: HostTime, _ remote: Int64, rate: Double = 1, bound: Int64 = 1_000) -> ClockModel {
    ClockModel(hostTime: host, remoteTime: remote, rate: rate, errorBound: bound, errorGrowth: 1e-6)
  }

  @Test(
    "approaches a new model while something plays, from where it was, and arrives exactly: at 500 ppm, and in 2 s at most",
    arguments: [(500, 1_000), (1_000, 2_000), (-1_000, 2_000), (10_000, 2_000), (-40_000, 2_000)] as [(Int64, Int64)])
  func slewing(difference: Int64, takes: Int64) {
    let (difference, takes) = (Int64.microseconds(difference), Int64.milliseconds(takes))
    var clock = SlewedClock(model(0, .seconds(100)))
    let now = Int64.seconds(10)
    let before = clock.remote(at: now)
    let jumped = clock.adopt(model(now, before + difference), at: now, mayStep: false)
    #expect(!jumped)
    #expect(clock.remote(at: now) == before)
    #expect((clock.nextBend(after: now) ?? 0) - now == takes)
    #expect((clock.remote(at: now + takes / 2) - before - takes / 2 - difference / 2).absolute <= 2)
    #expect(clock.error(at: now + takes / 2) >= difference.absolute / 2)
    let end = now + takes
    #expect(clock.remote(at: end) == before + takes + difference)
    #expect(clock.error(at: end) < .microseconds(20))
    #expect(clock.nextBend(after: end) == nil)
    // The past is as it was published.
    #expect(clock.remote(at: now - .seconds(1)) == before - .seconds(1))
  }

  @Test(
    "a line that is read while the clock is slewed stays within its bound, however long somebody goes on by it",
    arguments: [500, -1_000, 10_000, -40_000] as [Int64])
  func reading(difference: Int64) {
    var clock = SlewedClock(model(0, .seconds(100)))
    let now = Int64.seconds(10)
    clock.adopt(model(now, clock.remote(at: now) + .microseconds(difference)), at: now, mayStep: false)
    let end = clock.nextBend(after: now) ?? now
    for read in [now, now + (end - now) / 2, end - .milliseconds(1), end, end + .seconds(1)] {
      let line = clock.reading(at: read)
      for later in [0, .milliseconds(1), .milliseconds(20), .milliseconds(500), .seconds(5)] as [Int64] {
        let off = (line.remote(at: read + later) - clock.model.remote(at: read + later)).absolute
        // What is true may be as far from the model as the model's own bound allows.
        #expect(off + clock.model.error(at: read + later) <= line.error(at: read + later) + 2)
      }
    }
    #expect(clock.reading(at: end) == clock.tangent(at: end))
  }

  @Test("jumps where it must: over 40 ms, or when nothing plays")
  func stepping() {
    let now = Int64.seconds(10)
    for (difference, mayStep, jumps) in [
      (Int64.milliseconds(40), false, false), (.milliseconds(41), false, true), (-.milliseconds(41), false, true),
      (.milliseconds(5), true, true), (0, true, false),
    ] {
      var clock = SlewedClock(model(0, 0))
      let jumped = clock.adopt(model(now, now + difference), at: now, mayStep: mayStep)
      #expect(jumped == jumps)
      #expect(clock.remote(at: now) == (jumps ? now + difference : now))
    }
  }

  @Test(
    "never runs backwards or jumps, and can be turned around, whatever models come", arguments: 0..<20 as Range<UInt64>)
  func monotonic(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    var clock = SlewedClock(model(0, 0))
    var host: HostTime = 0
    var last = clock.remote(at: 0)
    for _ in 0..<200 {
      let wait = Int64.random(in: 1...Int64.seconds(5), using: &generator)
      for part in 1...4 {
        let time = host + wait * Int64(part) / 4
        let remote = clock.remote(at: time)
        #expect(remote >= last)
        #expect(abs(clock.host(at: remote) - time) <= 2)
        #expect(abs(clock.tangent(at: time).remote(at: time + 1_000) - clock.remote(at: time + 1_000)) <= 2)
        last = remote
      }
      host += wait
      let before = clock.remote(at: host)
      let difference = Int64.random(in: -Int64.milliseconds(39)...Int64.milliseconds(39), using: &generator)
      let rate = 1 + Double.random(in: -400e-6...400e-6, using: &generator)
      clock.adopt(model(host - 50, before + difference, rate: rate), at: host, mayStep: false)
      #expect(abs(clock.remote(at: host) - before) <= 1)
      last = max(before, clock.remote(at: host))
    }
  }
}

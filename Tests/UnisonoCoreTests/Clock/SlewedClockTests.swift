import Testing

@testable import UnisonoCore

@Suite("The published clock")
struct SlewedClockTests {
  private func model(_ host: HostTime, _ remote: Int64, rate: Double = 1, bound: Int64 = 1_000) -> ClockModel {
    ClockModel(hostTime: host, remoteTime: remote, rate: rate, errorBound: bound, errorGrowth: 1e-6)
  }

  @Test("approaches a new model at 500 ppm while something plays, from where it was, and arrives exactly")
  func slewing() {
    var clock = SlewedClock(model(0, .seconds(100)))
    let now = Int64.seconds(10)
    let before = clock.remote(at: now)
    let jumped = clock.adopt(model(now, before + .milliseconds(10)), at: now, mayStep: false)
    #expect(!jumped)
    #expect(clock.remote(at: now) == before)
    #expect(clock.nextBend(after: now) == now + .seconds(20))
    #expect(clock.remote(at: now + .seconds(2)) == before + .seconds(2) + .milliseconds(1))
    #expect(clock.error(at: now + .seconds(2)) >= .milliseconds(9))
    let end = now + .seconds(20)
    #expect(clock.remote(at: end) == before + .seconds(20) + .milliseconds(10))
    #expect(clock.error(at: end) < .milliseconds(1))
    #expect(clock.nextBend(after: end) == nil)
    // The past is as it was published.
    #expect(clock.remote(at: now - .seconds(1)) == before - .seconds(1))
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
    var generator = SeededGenerator(seed: seed)
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
